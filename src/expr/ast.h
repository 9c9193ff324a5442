// Parsed expressions. Names and values are already bound: a path holds attribute names, an operand
// holds an encoded value.
#ifndef PREJOIN_EXPR_AST_H_
#define PREJOIN_EXPR_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::expr {

// a.b[3].c: attribute names and list positions, the first always a name.
struct PathStep {
  std::variant<std::string, std::uint32_t> step;
  friend bool operator==(const PathStep&, const PathStep&) = default;
};
using Path = std::vector<PathStep>;

// A value in both forms: typed for updates, encoded for comparing with stored items.
struct BoundValue {
  AttributeValue value;
  std::string encoded;
};

// One use of a value from ExpressionAttributeValues. All uses of a placeholder share its value, so
// that an expression costs no more than what the request brought, however often it names it.
struct Literal {
  std::string placeholder;  // ":v", for messages.
  std::shared_ptr<const BoundValue> bound;

  // False if the request does not define the placeholder; such an expression is refused once it is
  // read, and the other members are not for it.
  bool defined() const { return bound != nullptr; }
  const AttributeValue& value() const { return bound->value; }
  const std::string& encoded() const { return bound->encoded; }
};
Literal MakeLiteral(std::string placeholder, AttributeValue value);

struct SizeOf {
  Path path;
};

using Operand = std::variant<Path, Literal, SizeOf>;

enum class Comparator { kEq, kNe, kLt, kLe, kGt, kGe };

struct Condition;
using ConditionPtr = std::unique_ptr<Condition>;

struct Comparison {
  Comparator comparator;
  Operand left;
  Operand right;
};
struct Between {
  Operand value;
  Operand low;
  Operand high;
};
struct In {
  Operand value;
  std::vector<Operand> candidates;
};
struct ConditionFunction;  // functions.h
struct Call {
  const ConditionFunction* function = nullptr;  // A row of the table; never null in a parsed tree.
  std::vector<Operand> arguments;
};
struct And {
  ConditionPtr left, right;
};
struct Or {
  ConditionPtr left, right;
};
struct Not {
  ConditionPtr inner;
};

struct Condition {
  std::variant<Comparison, Between, In, Call, And, Or, Not> node;
};

// ---- Updates ------------------------------------------------------------------------------------

struct UpdateValue;
struct IfNotExists {
  Path path;
  std::unique_ptr<UpdateValue> fallback;
};
struct ListAppend {
  std::unique_ptr<UpdateValue> first, second;
};
struct Arithmetic {
  bool subtract = false;
  std::unique_ptr<UpdateValue> left, right;
};
struct UpdateValue {
  std::variant<Path, Literal, IfNotExists, ListAppend, Arithmetic> node;
};

struct SetAction {
  Path path;
  UpdateValue value;
};
struct RemoveAction {
  Path path;
};
struct AddAction {
  Path path;
  Literal value;
};
struct DeleteAction {
  Path path;
  Literal value;
};

// The legacy AttributeUpdates become the same actions. No path is the beginning of another.
struct Update {
  std::vector<SetAction> sets;
  std::vector<RemoveAction> removes;
  std::vector<AddAction> adds;
  std::vector<DeleteAction> deletes;
  // From AttributeUpdates: ADD also takes lists, and one error has other words.
  bool legacy = false;
};

// ---- Projections --------------------------------------------------------------------------------

struct Projection {
  std::vector<Path> paths;  // Sorted by PathLess; none is the beginning of another.
};

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_AST_H_
