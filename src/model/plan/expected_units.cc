#include "model/plan/expected_units.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"

namespace prejoin::model {
namespace {

constexpr double kRoundingSlack = 1e-9;
constexpr double kChanceMatters = 30;  // Beyond so many items the average is near enough.
constexpr std::size_t kPointsMax = 120;
constexpr double kItemsOneByOne = 2;
constexpr double kStepsSummed = 400;

double StepsOf(double length, double step) {
  return std::max(1.0, std::ceil(length / step - kRoundingSlack));
}

// The chance that a standard normal value is above `z`.
double Above(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

double VarianceOf(const SizeShares& sizes) {
  const double average = AverageOf(sizes);
  double variance = 0;
  for (const SizeShare& size : sizes) {
    variance += size.share * ((size.bytes - average) * (size.bytes - average) +
                              size.deviation * size.deviation);
  }
  return variance;
}

// How much the number of rows varies that a range keeps, where `together` rows on average have one value and are kept or left together.
// The bound is anywhere in a group that it meets, larger groups are met more often, and their sizes vary by chance.
double VarianceAtBound(double together) { return (together * together + 3 * together + 1) / 6; }

// The shares of 0, 1, 2 … items of a range that ends in a group of equal values.
std::vector<double> RangeShares(double items, double together) {
  const double deviation = std::sqrt(VarianceAtBound(together));
  std::vector<double> shares;
  double below = 0;
  for (double n = 0; n < items + 4 * deviation; ++n) {
    const double so_far = 1 - Above((n + 0.5 - items) / deviation);
    shares.push_back(so_far - below);
    below = so_far;
  }
  shares.push_back(1 - below);
  return shares;
}

// The shares of 0, 1, 2 … items.
std::vector<double> CountShares(double items, Variation variation) {
  std::vector<double> shares;
  if (variation == Variation::kByChance) {
    double share = std::exp(-items);
    double sum = 0;
    for (double n = 0; n < 4 * kChanceMatters && sum < 1 - 1e-4; ++n) {
      shares.push_back(share);
      sum += share;
      share *= items / (n + 1);
    }
    shares.back() += 1 - sum;
    return shares;
  }
  const double whole = std::floor(items + kRoundingSlack);
  const double part = std::max(0.0, items - whole);
  shares.assign(static_cast<std::size_t>(whole) + 2, 0);
  shares[static_cast<std::size_t>(whole)] = 1 - part;
  shares.back() = part;
  return shares;
}

}  // namespace

double AverageOf(const SizeShares& sizes) {
  double average = 0;
  for (const SizeShare& size : sizes) {
    average += size.share * size.bytes;
  }
  return average;
}

double ReadUnits(double bytes, bool consistent) {
  const double units = StepsOf(bytes, static_cast<double>(kReadUnitBytes));
  return consistent ? units : units / 2;
}

double ItemReadUnits(const SizeShares& sizes, bool consistent) {
  double units = 0;
  for (const SizeShare& size : sizes) {
    units += size.share *
             ExpectedSteps(size.bytes, size.deviation, static_cast<double>(kReadUnitBytes));
  }
  return consistent ? units : units / 2;
}

double ItemWriteUnits(const SizeShares& sizes) {
  double units = 0;
  for (const SizeShare& size : sizes) {
    units += size.share *
             ExpectedSteps(size.bytes, size.deviation, static_cast<double>(kWriteUnitBytes));
  }
  return units;
}

double ExpectedSteps(double length, double deviation, double step) {
  if (deviation < step * 1e-6) {
    return StepsOf(length, step);
  }
  const double last = (length + 6 * deviation) / step;
  if (last > kStepsSummed) {
    return std::max(1.0, length / step + 0.5);
  }
  double steps = 1;
  for (double k = 1; k <= last; ++k) {
    steps += Above((k * step - length) / deviation);
  }
  return steps;
}

void RequestBytes::Add(double items, Variation variation, const SizeShares& sizes,
                       double together) {
  if (items <= 0) {
    return;
  }
  const double average = AverageOf(sizes);
  const double variance = VarianceOf(sizes);
  items_ += items;
  bytes_ += items * average;
  if (items >= kChanceMatters) {
    const bool chance = variation == Variation::kByChance;
    for (Point& point : points_) {
      point.bytes += items * average;
    }
    const double rows_variance =
        chance ? items * together : together > 1 ? VarianceAtBound(together) : 0;
    variance_ += items * variance + rows_variance * average * average;
    return;
  }
  std::vector<Point> sums;
  const bool groups = variation == Variation::kEven && together > 1 && items > together;
  const std::vector<double> counts =
      groups ? RangeShares(items, together) : CountShares(items / together, variation);
  for (std::size_t n = 0; n < counts.size(); ++n) {
    if (counts[n] < 1e-6) {
      continue;
    }
    const double many = (groups ? 1 : together) * static_cast<double>(n);
    std::vector<Point> total = {{counts[n], 0}};
    if (many <= kItemsOneByOne && together <= 1 && sizes.size() > 1) {
      for (std::size_t item = 0; item < n; ++item) {
        std::vector<Point> more;
        for (const Point& point : total) {
          for (const SizeShare& size : sizes) {
            more.push_back({point.share * size.share, point.bytes + size.bytes});
          }
        }
        total = std::move(more);
      }
    } else {
      total[0].bytes = many * average;
    }
    for (const Point& before : points_) {
      for (const Point& added : total) {
        sums.push_back({before.share * added.share, before.bytes + added.bytes});
      }
    }
  }
  if (items > kItemsOneByOne) {
    variance_ += items * variance;
  }
  points_ = std::move(sums);
  if (points_.size() > kPointsMax) {
    double spread = 0;
    for (const Point& point : points_) {
      spread += point.share * (point.bytes - bytes_) * (point.bytes - bytes_);
    }
    variance_ += spread;
    points_ = {{1, bytes_}};
  }
}

double RequestBytes::UnitsOf(double bytes) const {
  constexpr auto kStep = static_cast<double>(kReadUnitBytes);
  double units = 0;
  if (bytes > kPageBytesMax && items_ > 0) {
    // A page ends with the item that fills it.
    const double each = std::max(1.0, bytes_ / items_);
    const double page = std::ceil(kPageBytesMax / each) * each;
    const double pages = std::floor(bytes / page);
    units = pages * StepsOf(page, kStep);
    bytes -= pages * page;
  }
  return units + ExpectedSteps(bytes, std::sqrt(variance_), kStep);
}

double RequestBytes::Units(bool consistent) const {
  double units = 0;
  for (const Point& point : points_) {
    units += point.share * UnitsOf(point.bytes);
  }
  return consistent ? units : units / 2;
}

double RequestBytes::Pages() const {
  double pages = 0;
  for (const Point& point : points_) {
    pages += point.share * std::max(1.0, std::ceil(point.bytes / kPageBytesMax));
  }
  return pages;
}

}  // namespace prejoin::model
