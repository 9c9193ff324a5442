// The Condition element of a statement: operators over the keys that a request has.
#ifndef PREJOIN_ACCESS_CONDITION_H_
#define PREJOIN_ACCESS_CONDITION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prejoin::access {

// The condition keys of one request, by name in lower case: AWS does not tell their letter case apart. A key may have several values, or be there
// with none.
class ConditionKeys {
 public:
  void Set(std::string_view name, std::vector<std::string> values);
  void Set(std::string_view name, std::string value) {
    Set(name, std::vector<std::string>{std::move(value)});
  }
  // Null if the request does not have it.
  const std::vector<std::string>* Find(std::string_view name) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

struct ConditionOperator;  // A row of the table in condition.cc.

// Nullptr for a name that AWS does not have.
const ConditionOperator* FindConditionOperator(std::string_view name);

// How several values of a key are taken together.
enum class Quantifier { kNone, kForAllValues, kForAnyValue };

// One key under one operator: "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["a*"]}.
struct ConditionClause {
  const ConditionOperator* tested_by = nullptr;
  Quantifier quantifier = Quantifier::kNone;
  bool if_exists = false;
  std::string key;
  std::vector<std::string> values;
  bool has_variables = true;  // Of the version of 2012.
};

bool Holds(const ConditionClause& clause, const ConditionKeys& keys);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_CONDITION_H_
