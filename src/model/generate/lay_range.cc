#include "model/generate/lay_range.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "model/data/near_value.h"

namespace prejoin::model {
namespace {

class RangeLayer {
 public:
  explicit RangeLayer(std::mt19937_64& random) : random_(random) {}

  void Lay(const Condition& condition, const std::vector<const AttributeValue*>& values,
           double wanted, Arguments& arguments) {
    if (values.empty()) {
      return;
    }
    const std::size_t count = values.size();
    const auto set = [&](std::size_t operand, AttributeValue value) {
      if (!condition.operands[operand].parameter.empty()) {
        arguments.try_emplace(condition.operands[operand].parameter, std::move(value));
      }
    };
    const bool from_end = condition.comparison == Comparison::kGreater ||
                          condition.comparison == Comparison::kGreaterOrEqual;
    std::size_t kept = KeptWhole(values, wanted, from_end);
    switch (condition.comparison) {
      case Comparison::kGreater:
        set(0, kept == count ? ValueBeside(*values[0], true) : *values[count - kept - 1]);
        break;
      case Comparison::kGreaterOrEqual:
        set(0, kept == 0 ? ValueBeside(*values[count - 1], false) : *values[count - kept]);
        break;
      case Comparison::kLess:
        set(0, kept == count ? ValueBeside(*values[count - 1], false) : *values[kept]);
        break;
      case Comparison::kLessOrEqual:
        set(0, kept == 0 ? ValueBeside(*values[0], true) : *values[kept - 1]);
        break;
      case Comparison::kBetween: {
        std::size_t first = 0;
        std::tie(first, kept) = KeptBetween(values, wanted);
        const bool none = kept == 0;
        set(0, none ? ValueBeside(*values[count - 1], false) : *values[first]);
        set(1, none ? ValueBeside(*values[count - 1], false) : *values[first + kept - 1]);
        break;
      }
      case Comparison::kBeginsWith:
        set(0, Prefix(values, kept));
        break;
      case Comparison::kContains:
        set(0, Member(*values[Below(count)]));
        break;
      default:
        break;
    }
  }

 private:
  // Counts the values that a range keeps whose end is at one of them: equal values are in it together. The two
  // numbers around the target are chosen so that it is kept on average.
  std::size_t KeptWhole(const std::vector<const AttributeValue*>& values, double wanted,
                        bool from_end) {
    std::size_t below = 0;
    std::size_t above = values.size();
    for (std::size_t kept = 1; kept < values.size(); ++kept) {
      const std::size_t end = from_end ? values.size() - kept : kept;
      if (CompareValues(values[end - 1], values[end]) == 0) {
        continue;
      }
      if (static_cast<double>(kept) <= wanted) {
        below = kept;
      } else {
        above = kept;
        break;
      }
    }
    const auto low = static_cast<double>(below);
    const auto high = static_cast<double>(above);
    return high > low && Chance() < (wanted - low) / (high - low) ? above : below;
  }

  // The same for a range between two values, of which the first is chosen at random.
  std::pair<std::size_t, std::size_t> KeptBetween(const std::vector<const AttributeValue*>& values,
                                                  double wanted) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((i == 0 || CompareValues(values[i - 1], values[i]) != 0) &&
          static_cast<double>(values.size() - i) >= wanted) {
        starts.push_back(i);
      }
    }
    const std::size_t first = starts[Below(starts.size())];
    const std::vector<const AttributeValue*> rest(
        values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
    return {first, KeptWhole(rest, wanted, /*from_end=*/false)};
  }

  // The prefix of one of the values that about so many begin with.
  AttributeValue Prefix(const std::vector<const AttributeValue*>& values, std::size_t kept) {
    const AttributeValue& value = *values[Below(values.size())];
    if (value.string() == nullptr) {
      return value;
    }
    std::string best = *value.string();
    double distance = 1e300;
    for (std::size_t length = 1; length <= value.string()->size(); ++length) {
      const std::string prefix = Beginning(*value.string(), length);
      const auto found = std::ranges::count_if(values, [&](const AttributeValue* one) {
        return one->string() != nullptr && one->string()->starts_with(prefix);
      });
      const double off = std::abs(static_cast<double>(found) - static_cast<double>(kept));
      if (off < distance) {
        distance = off;
        best = prefix;
      }
    }
    return AttributeValue(best);
  }

  static AttributeValue Member(const AttributeValue& value) {
    if (value.string() != nullptr) {
      return AttributeValue(FirstHalf(*value.string()));
    }
    if (value.string_set() != nullptr && !value.string_set()->empty()) {
      return AttributeValue(*value.string_set()->begin());
    }
    if (value.number_set() != nullptr && !value.number_set()->empty()) {
      return AttributeValue(*value.number_set()->begin());
    }
    if (value.list() != nullptr && !value.list()->empty()) {
      return value.list()->front();
    }
    return value;
  }

  double Chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::size_t Below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  std::mt19937_64& random_;
};

}  // namespace

void LayRange(const Condition& condition, const std::vector<const AttributeValue*>& values,
              double wanted, std::mt19937_64& random, Arguments& arguments) {
  RangeLayer(random).Lay(condition, values, wanted, arguments);
}

}  // namespace prejoin::model
