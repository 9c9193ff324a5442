#include "model/plan/skew/rank_shares.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace prejoin::model {
namespace {

constexpr double kRanksAlone = 24;
constexpr double kGroupGrowth = 1.3;
constexpr double kTermsAdded = 200;  // More are integrated.
constexpr int kCapRounds = 20;

// The sum of r^-zipf over the ranks from `first` (the least is 1) to `last`.
double ZipfSum(double first, double last, double zipf) {
  double sum = 0;
  double rank = first;
  for (; rank <= last && rank <= kTermsAdded; ++rank) {
    sum += std::pow(rank, -zipf);
  }
  if (rank > last) {
    return sum;
  }
  const double from = rank - 0.5;
  const double to = last + 0.5;
  if (std::abs(zipf - 1) < 1e-9) {
    return sum + std::log(to / from);
  }
  return sum + (std::pow(to, 1 - zipf) - std::pow(from, 1 - zipf)) / (1 - zipf);
}

// Groups of ranks by Zipf's law, not yet divided by their sum.
std::vector<RankGroup> MakeZipfGroups(double count, double zipf) {
  std::vector<RankGroup> groups;
  double width = 1;
  for (double rank = 0; rank < count;) {
    const double ranks = std::min(count - rank, rank < kRanksAlone ? 1 : std::floor(width));
    groups.push_back({ranks, ZipfSum(rank + 1, rank + ranks, zipf) / ranks});
    rank += ranks;
    width = rank < kRanksAlone ? 1 : width * kGroupGrowth + 1;
  }
  return groups;
}

// The sums are what takes time in an estimate, and few keys are asked for again and again.
const std::vector<RankGroup>& ZipfGroups(double count, double zipf) {
  constexpr std::size_t kKept = 256;
  thread_local std::map<std::pair<double, double>, std::vector<RankGroup>> known;
  const auto found = known.find({count, zipf});
  if (found != known.end()) {
    return found->second;
  }
  if (known.size() >= kKept) {
    known.clear();
  }
  return known.emplace(std::pair(count, zipf), MakeZipfGroups(count, zipf)).first->second;
}

// The excess above the cap goes to the others in proportion.
void Cap(std::vector<RankGroup>& groups, double most) {
  for (int round = 0; round < kCapRounds; ++round) {
    double excess = 0;
    double free = 0;
    for (RankGroup& group : groups) {
      if (group.share > most) {
        excess += (group.share - most) * group.ranks;
        group.share = most;
      } else if (group.share < most) {
        free += group.share * group.ranks;
      }
    }
    if (excess <= 1e-12 || free <= 0) {
      return;
    }
    for (RankGroup& group : groups) {
      if (group.share < most) {
        group.share *= 1 + excess / free;
      }
    }
  }
}

}  // namespace

std::vector<RankGroup> RankShares(double count, const Skew& skew, double most) {
  count = std::max(1.0, std::floor(count));
  if (!skew.given()) {
    return {{count, 1 / count}};
  }
  std::vector<RankGroup> groups = ZipfGroups(count, skew.zipf);
  if (skew.hottest > 0) {
    groups[0].share = 0;
  }
  double sum = 0;
  for (const RankGroup& group : groups) {
    sum += group.share * group.ranks;
  }
  // The hottest of three values has a third at least, whatever is stated.
  const double hottest = std::max(skew.hottest, 1 / count);
  for (RankGroup& group : groups) {
    group.share *= sum > 0 ? (1 - (skew.hottest > 0 ? hottest : 0)) / sum : 0;
  }
  if (skew.hottest > 0) {
    groups[0].share = hottest;
  }
  // No bound can be less than the average.
  if (most > 0) {
    Cap(groups, std::max(most, 1 / count));
  }
  return groups;
}

}  // namespace prejoin::model
