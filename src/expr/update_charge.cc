// AWS refuses an UpdateItem when the finished item or the charge of its expression is over 400 KB.
// The charge, measured on AWS:
//   3 bytes for the expression;
//   SET 19 + target + operand, ADD 19 + target + value, REMOVE and DELETE 1 + target;
//   target: the bytes of its first name, and 4 + bytes (an index: its digits) for each later step;
//   operand: a path 1 + (14 + bytes) for each step, a value its size, a function or an operator its
//   own price and both operands.
// A list costs 3 + 1 for each element, a map 3 + 1 and the key for each entry. The parser limits
// depth, so recursion is safe.
#include "expr/update_charge.h"

#include <string>
#include <variant>

#include "value/size.h"

namespace prejoin::expr {
namespace {

constexpr std::size_t kExpressionBytes = 3;
constexpr std::size_t kStoreBytes = 19;  // SET and ADD.
constexpr std::size_t kLoseBytes = 1;    // REMOVE and DELETE.
constexpr std::size_t kLaterStepBytes = 4;
constexpr std::size_t kReadPathBytes = 1;
constexpr std::size_t kReadStepBytes = 14;
constexpr std::size_t kAddBytes = 34;
constexpr std::size_t kSubtractBytes = 37;
constexpr std::size_t kListAppendBytes = 37;
constexpr std::size_t kIfNotExistsBytes = 39;

std::size_t StepBytes(const PathStep& step) {
  const auto* name = std::get_if<std::string>(&step.step);
  return name != nullptr ? name->size() : std::to_string(std::get<std::uint32_t>(step.step)).size();
}

std::size_t TargetBytes(const Path& path) {
  std::size_t bytes = StepBytes(path.front());
  for (std::size_t i = 1; i < path.size(); ++i) {
    bytes += kLaterStepBytes + StepBytes(path[i]);
  }
  return bytes;
}

struct OperandBytes {
  std::size_t operator()(const UpdateValue& value) const { return std::visit(*this, value.node); }
  std::size_t operator()(const Path& path) const {
    std::size_t bytes = kReadPathBytes;
    for (const PathStep& step : path) {
      bytes += kReadStepBytes + StepBytes(step);
    }
    return bytes;
  }
  std::size_t operator()(const Literal& literal) const { return ValueSizeBytes(literal.value()); }
  std::size_t operator()(const IfNotExists& call) const {
    return kIfNotExistsBytes + (*this)(call.path) + (*this)(*call.fallback);
  }
  std::size_t operator()(const ListAppend& call) const {
    return kListAppendBytes + (*this)(*call.first) + (*this)(*call.second);
  }
  std::size_t operator()(const Arithmetic& sum) const {
    return (sum.subtract ? kSubtractBytes : kAddBytes) + (*this)(*sum.left) + (*this)(*sum.right);
  }
};

}  // namespace

std::size_t ChargedBytes(const Update& update) {
  std::size_t bytes = kExpressionBytes;
  for (const SetAction& action : update.sets) {
    bytes += kStoreBytes + TargetBytes(action.path) + OperandBytes()(action.value);
  }
  for (const AddAction& action : update.adds) {
    bytes += kStoreBytes + TargetBytes(action.path) + ValueSizeBytes(action.value.value());
  }
  for (const RemoveAction& action : update.removes) {
    bytes += kLoseBytes + TargetBytes(action.path);
  }
  for (const DeleteAction& action : update.deletes) {
    bytes += kLoseBytes + TargetBytes(action.path);
  }
  return bytes;
}

}  // namespace prejoin::expr
