#include "model/plan/skew/skew_cases.h"

#include <algorithm>

namespace prejoin::model {
namespace {

constexpr std::size_t kCasesMax = 800;

std::vector<RankGroup> GroupsOf(const SkewedKey& key, double rows) {
  return RankShares(key.values, key.by.skew, rows > 0 ? key.by.most / rows : 0);
}

}  // namespace

std::vector<SkewCase> SkewCasesOf(Expectations&, const std::vector<SkewedKey>& keys) {
  std::map<std::string, std::vector<RankGroup>> uneven;
  for (const SkewedKey& key : keys) {
    const std::vector<RankGroup> groups = GroupsOf(key, 0);
    std::vector<RankGroup>& known = uneven[key.of];
    if (known.empty() || groups[0].share > known[0].share) {
      known = groups;
    }
  }
  std::vector<SkewCase> cases = {{}};
  for (const auto& [of, groups] : uneven) {
    if (cases.size() * groups.size() > kCasesMax) {
      continue;  // On average, then.
    }
    std::vector<SkewCase> more;
    for (const SkewCase& one : cases) {
      for (std::size_t i = 0; i < groups.size(); ++i) {
        SkewCase next = one;
        next.weight *= groups[i].ranks * groups[i].share;
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
    rows *= groups[std::min(group->second, groups.size() - 1)].share * std::max(1.0, key.values);
  }
  return rows;
}

}  // namespace prejoin::model
