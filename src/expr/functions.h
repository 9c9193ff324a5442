// The functions of conditions: one table for their names, operands and evaluation.
#ifndef PREJOIN_EXPR_FUNCTIONS_H_
#define PREJOIN_EXPR_FUNCTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "expr/ast.h"
#include "value/encoding.h"

namespace prejoin::expr {

inline constexpr std::size_t kFunctionOperandsMax = 2;

// The operands that a function takes in one place. A value of another type than it takes is a fault of the
// expression; an attribute of another type just makes the function false.
enum class OperandRule : std::uint8_t {
  kNone,      // No operand stands here.
  kAny,       // Anything: a path, a value, a size.
  kPath,      // A document path, and nothing else.
  kText,      // A path, or a value of type S or B.
  kTypeName,  // A value of type S that names a type: "S", "N", …
};

// One row of the table. Parsing checks `operands`; evaluation calls `evaluate` when all operands
// have a value, and answers `if_missing` when one has none.
struct ConditionFunction {
  std::string_view name;
  std::array<OperandRule, kFunctionOperandsMax> operands;
  bool if_missing;
  bool (*evaluate)(const std::array<ValueView, kFunctionOperandsMax>& operands);

  constexpr std::size_t operand_count() const {
    std::size_t count = 0;
    while (count < operands.size() && operands[count] != OperandRule::kNone) {
      ++count;
    }
    return count;
  }
};

// Null if there is no such function. Names are in lower case, and case counts.
const ConditionFunction* FindFunction(std::string_view name);

// The functions that other forms of a condition (legacy parameters, IS MISSING) turn into.
const ConditionFunction* AttributeExists();
const ConditionFunction* AttributeNotExists();
const ConditionFunction* AttributeType();
const ConditionFunction* BeginsWith();
const ConditionFunction* Contains();

// The type an operand surely has; nullopt for a path, and for a value that the request does not
// define.
std::optional<ValueType> StaticType(const Operand& operand);

// Returns true if a rule allows the operand. On the way to a message: the table knows which rule it
// was.
bool Allows(OperandRule rule, const Operand& operand);
// "S", "N", … as attribute_type takes them.
bool IsTypeName(std::string_view name);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_FUNCTIONS_H_
