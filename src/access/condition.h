// The Condition element of a statement: operators over the keys that a request has.
#ifndef PREJOIN_ACCESS_CONDITION_H_
#define PREJOIN_ACCESS_CONDITION_H_

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/pattern.h"
#include "base/function_ref.h"

namespace prejoin::access {

// The values of a condition key, which may be several or none; nullopt if the request does not have it. `name` in the case of letters that the
// policy has it in.
using ConditionValues = std::optional<std::vector<std::string>>;
using FindCondition = FunctionRef<ConditionValues(std::string_view name)>;

// The condition keys of one request. AWS does not tell the case of their letters apart. Single thread: what a source gave is kept.
class ConditionKeys {
 public:
  ConditionKeys() = default;
  // Asks `source`, which outlives this object, for what is not set: a policy looks at few of the keys that a request has.
  explicit ConditionKeys(FindCondition source) : source_(source) {}

  void Set(std::string_view name, std::vector<std::string> values);
  void Set(std::string_view name, std::string value) {
    Set(name, std::vector<std::string>{std::move(value)});
  }
  // Null if the request does not have it. Valid as long as this object, or until the key is set again.
  const std::vector<std::string>* Find(std::string_view name) const;

 private:
  struct Key {
    std::string own_name;   // The name of a key that was set.
    std::string_view name;  // That, or the policy's, which outlives the decision.
    ConditionValues values;
  };
  Key* FindKnown(std::string_view name) const;

  std::optional<FindCondition> source_;
  // A list, because what was found must stay where it is while more is looked for.
  mutable std::list<Key> known_;
};

struct ConditionOperator;  // A row of the table in condition.cc.

// Nullptr for a name that AWS does not have.
const ConditionOperator* FindConditionOperator(std::string_view name);

// The quantifier for several values of a key.
enum class Quantifier { kNone, kForAllValues, kForAnyValue };

// One key under one operator: "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["a*"]}.
struct ConditionClause {
  const ConditionOperator* tested_by = nullptr;
  Quantifier quantifier = Quantifier::kNone;
  bool if_exists = false;
  std::string key;
  std::vector<std::string> values;
  bool has_variables = true;  // True for policies of version 2012-10-17.
  // AWS documents the key and the variables of the values. A clause about anything else holds for a Deny and fails for an Allow.
  bool is_known = true;
  // The values without variables, ready for use; nullopt in the places of the others.
  std::vector<std::optional<Pattern>> patterns;

  // To be called when the values are there.
  void Prepare();
};

// The outcome of a clause that AWS's documentation leaves open: it fails in an Allow and holds in a Deny (docs/adr/0027).
enum class Doubt { kFails, kHolds };

bool Holds(const ConditionClause& clause, const ConditionKeys& keys, Doubt doubt);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_CONDITION_H_
