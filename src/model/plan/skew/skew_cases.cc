#include "model/plan/skew/skew_cases.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace prejoin::model {
namespace {

constexpr std::size_t kCasesMax = 800;

std::vector<RankGroup> GroupsOf(const SkewedKey& key, double rows) {
  if (key.shares.empty()) {
    return RankShares(key.values, key.by.skew, rows > 0 ? key.by.most / rows : 0);
  }
  std::vector<RankGroup> groups;
  for (const double share : key.shares) {
    groups.push_back({1, share});
  }
  return groups;
}

// How many rows one value has on average, as a share: of requests that ask for values as often as rows have them, or of all values.
double AverageShare(const SkewedKey& key) {
  return key.shares.empty() ? 1 / std::max(1.0, key.values)
                            : std::inner_product(key.shares.begin(), key.shares.end(),
                                                 key.shares.begin(), 0.0);
}

}  // namespace

std::vector<std::size_t> OrderOfShares(const Attribute& attribute) {
  std::vector<std::size_t> order(attribute.shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t place) { return attribute.shares[place]; });
  return order;
}

SkewedKey StatedShares(const Entity& entity, const std::string& name) {
  const Attribute& attribute = *entity.Find(name);
  SkewedKey key{entity.name.text + "." + name, static_cast<double>(attribute.shares.size()), {}};
  for (const std::size_t place : OrderOfShares(attribute)) {
    key.shares.push_back(attribute.shares[place]);
  }
  return key;
}

std::vector<SkewCase> SkewCasesOf(const std::vector<SkewedKey>& keys) {
  struct Uneven {
    std::vector<RankGroup> groups;
    double values = 1;
    bool met_evenly = false;
  };
  std::map<std::string, Uneven> uneven;
  for (const SkewedKey& key : keys) {
    const Uneven one{GroupsOf(key, 0), std::max(1.0, std::floor(key.values)), key.met_evenly};
    Uneven& known = uneven[key.of];
    const bool replaces = known.groups.empty() || (known.met_evenly && !one.met_evenly) ||
                          (known.met_evenly == one.met_evenly &&
                           one.groups[0].share > known.groups[0].share);
    if (replaces) {
      known = one;
    }
  }
  std::vector<SkewCase> cases = {{}};
  for (const auto& [of, by] : uneven) {
    if (cases.size() * by.groups.size() > kCasesMax) {
      continue;  // On average, then.
    }
    std::vector<SkewCase> more;
    for (const SkewCase& one : cases) {
      for (std::size_t i = 0; i < by.groups.size(); ++i) {
        SkewCase next = one;
        next.weight *= by.groups[i].ranks * (by.met_evenly ? 1 / by.values : by.groups[i].share);
        next.group[of] = i;
        more.push_back(std::move(next));
      }
    }
    cases = std::move(more);
  }
  return cases;
}

double RowsInCase(Expectations& figures, const SkewCase& one, const Reference<Entity>& entity,
                  const std::set<std::string>& bound) {
  double rows = figures.Rows(entity, bound);
  if (one.group.empty()) {
    return rows;
  }
  for (const SkewedKey& key : figures.SkewsOf(entity, bound)) {
    const auto group = one.group.find(key.of);
    if (group == one.group.end()) {
      continue;
    }
    const std::vector<RankGroup> groups = GroupsOf(key, figures.Count(entity));
    rows *= groups[std::min(group->second, groups.size() - 1)].share / AverageShare(key);
  }
  return rows;
}

}  // namespace prejoin::model
