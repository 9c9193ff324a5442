// The different requests that a pattern makes where rows are uneven: a few for the largest keys, many for the small
// ones. Requests come to a key as often as its rows do (docs/model/grammar.md), so a large key weighs twice.
#ifndef PREJOIN_MODEL_PLAN_SKEW_SKEW_CASES_H_
#define PREJOIN_MODEL_PLAN_SKEW_SKEW_CASES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/plan/expectation.h"
#include "model/plan/skew/rank_shares.h"

namespace prejoin::model {

// The values of an attribute of which the file states the shares: requests ask for each as often as rows have it.
SkewedKey StatedShares(const Entity& entity, const std::string& attribute);
// The places of such an attribute's values, that of the largest share first.
std::vector<std::size_t> OrderOfShares(const Attribute& attribute);

struct SkewCase {
  double weight = 1;  // Share of all requests.
  std::map<std::string, std::size_t>
      group;  // The index in SkewedKey::of: which of its rank groups is used.
};

// One case of weight 1 when no key is skewed. Keys of the same `of` are one: the most uneven says how requests come.
std::vector<SkewCase> SkewCasesOf(const std::vector<SkewedKey>& keys);

// Rows under a key in this case; Rows() of the figures is the average over all keys.
double RowsInCase(Expectations& figures, const SkewCase& one, const Reference<Entity>& entity,
                  const std::set<std::string>& bound);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_SKEW_SKEW_CASES_H_
