// Faults of expressions whose syntax is right, in DynamoDB's words and in the order in which
// DynamoDB reports them.
#ifndef PREJOIN_EXPR_FAULTS_H_
#define PREJOIN_EXPR_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/ast.h"

namespace prejoin::expr {

// An earlier kind hides a later one, wherever in the text the two stand.
enum class FaultKind : std::uint8_t {
  kRedundantParentheses,
  kUnknownFunction,
  kMisusedFunction,
  kDocumentPath,
  kReservedWord,
  kOperatorCount,
  kRepeatedSection,
  // From here on, a condition reports only the faults of the first comparison or function that has
  // one.
  kUndefinedPlaceholder,
  kPathOverlap,
  kPathConflict,
  kActionOperand,
  kOperandCount,
  kNotDistinct,
  kOperand,
};

// AttributeValue: {S:abc}, for a string, number or binary value.
std::string DescribeValue(const AttributeValue& value);

// The faults of one expression. Nothing is allocated while there is none. Single thread.
class Faults {
 public:
  bool empty() const { return faults_.empty(); }
  // Keeps only the first fault of each kind.
  void Add(FaultKind kind, std::string message);
  // The end of a comparison or function in a condition: if it has a fault, those of later ones no
  // longer count.
  void EndLeaf();
  // The message to report. Not for `empty()`.
  const std::string& Worst() const;

 private:
  std::vector<std::pair<FaultKind, std::string>> faults_;
  bool leaves_closed_ = false;
};

std::string RedundantParentheses();
std::string UnknownFunction(std::string_view function);
std::string MisusedFunction(std::string_view function);
std::string ListIndexOutOfRange(std::string_view index);
std::string PathTooDeep(std::size_t levels);
std::string ReservedKeyword(std::string_view name);
std::string TooManyOperators();
std::string TooManyInOperands(std::size_t count);
std::string RepeatedSection(std::string_view section);
std::string UndefinedName(std::string_view placeholder);
std::string UndefinedValue(std::string_view placeholder);
std::string PathsOverlap(const Path& one, const Path& two);
std::string PathsConflict(const Path& one, const Path& two);
std::string WrongOperandCount(std::string_view function, std::size_t count);
// Empty unless both are the same document path.
std::string NotDistinct(std::string_view function, const Operand& first, const Operand& other);
std::string WrongOperandType(std::string_view function, std::string_view type);
std::string WrongActionOperandType(std::string_view action, ValueType type);
std::string NeedsPath(std::string_view function);
std::string UnknownTypeName(std::string_view type);
// Empty if the bounds of BETWEEN fit each other, or if one of them has no order.
std::string WrongBounds(const Operand& low, const Operand& high);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_FAULTS_H_
