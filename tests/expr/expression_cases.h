// Shared by the expression tests: text in, printed tree or message out.
#ifndef PREJOIN_TESTS_EXPR_EXPRESSION_CASES_H_
#define PREJOIN_TESTS_EXPR_EXPRESSION_CASES_H_

#include <string>
#include <string_view>

#include "expr/parse.h"

namespace prejoin::expr {

// The placeholders of the cases: #a … #d for a … d, and a value of each type: :s "s", :s2 "t", :n
// 1, :n2 2, :b, :bool, :null, :list [1], :map {k: 1}, :ss {a, b}, :ns {1, 2}, :bs {x}.
inline const AttributeNames& CaseNames() {
  static const AttributeNames names = {{"#a", "a"}, {"#b", "b"},     {"#c", "c"},
                                       {"#d", "d"}, {"#odd", "x.y"}, {"#1", "1"}};
  return names;
}

inline const AttributeValues& CaseValues() {
  using Value = AttributeValue;
  static const AttributeValues values = {
      {":s", "s"},
      {":s2", "t"},
      {":n", 1},
      {":n2", 2},
      {":b", Value::Binary{"b"}},
      {":bool", true},
      {":null", Value::Null{}},
      {":list", Value::List{1}},
      {":map", Item{{"k", 1}}},
      {":ss", Value::StringSet{{"a", "b"}}},
      {":ns", Value::NumberSet{{Number(1), Number(2)}}},
      {":bs", Value::BinarySet{{"x"}}},
  };
  return values;
}

template <class Tree>
std::string Show(const Result<Tree>& tree) {
  return tree.has_value() ? Print(*tree) : tree.error().message;
}

inline std::string ShowCondition(std::string_view text,
                                 ConditionKind kind = ConditionKind::kCondition) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  return Show(ParseCondition(kind, text, placeholders));
}

inline std::string ShowUpdate(std::string_view text) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  return Show(ParseUpdate(text, placeholders));
}

inline std::string ShowProjection(std::string_view text) {
  Placeholders placeholders(&CaseNames(), &CaseValues());
  return Show(ParseProjection(text, placeholders));
}

struct Case {
  std::string text;
  std::string shown;
};

}  // namespace prejoin::expr

#endif  // PREJOIN_TESTS_EXPR_EXPRESSION_CASES_H_
