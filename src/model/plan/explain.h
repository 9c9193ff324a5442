// Plans in words: which requests, why these, what consistency, and what each key attribute is there
// for.
#ifndef PREJOIN_MODEL_PLAN_EXPLAIN_H_
#define PREJOIN_MODEL_PLAN_EXPLAIN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/bind/read_model.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// More ways to serve a pattern than these are not looked at.
inline constexpr std::size_t kPlansCompared = 100;

// One pattern in full, with the alternatives that were not chosen.
std::string ExplainPattern(const Model& model, const Pattern& pattern);

// The expected numbers of a plan, its consistency, and why it is the first of `all`; one line each.
std::string ExplainChoice(const Plan& plan, const std::vector<Plan>& all);

// The loss without a key attribute: patterns that are no longer served, those whose requests name
// it or take their order from it, and those that get dearer.
struct KeyUse {
  std::string table;
  std::string attribute;
  std::vector<std::string> lost;       // Patterns.
  std::vector<std::string> depend;     // Patterns that are not lost.
  std::vector<std::string> dearer;     // Patterns, with the factor.
  std::vector<std::string> unordered;  // Patterns that the application would have to sort.
  std::vector<std::string> replaced;   // Entities whose items would replace each other.
  bool sorts_index = false;            // It is the sort key of an index only.
};
std::vector<KeyUse> WhyKeysExist(const Model& model);

// "delete GSI1SK and these two patterns die", for all key attributes, or only those called
// `attribute`.
std::string ExplainKeys(const Model& model, const std::string& attribute = "");

// All patterns and keys, for programs.
std::string ExplainJson(const ReadModelResult& read);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_EXPLAIN_H_
