// Condition evaluation on stored bytes. Parsing has rejected every mistake a caller can make, so
// evaluation cannot fail: a missing attribute, or values whose types do not compare, make a
// comparison false. Nothing is decoded or allocated. The parser limits depth, so recursion is safe
// here. Plain reference used in tests: tests/expr/reference_evaluator.cc.
#include "expr/evaluate.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "expr/functions.h"
#include "expr/paths.h"
#include "expr/size_of.h"

namespace prejoin::expr {
namespace {

// An operand as a stored value; none if it is missing in the item, or is the size of something that
// has none.
class ResolvedOperand {
 public:
  ResolvedOperand(const Operand& operand, ItemView item) {
    if (const auto* literal = std::get_if<Literal>(&operand)) {
      view_ = ValueView(literal->encoded().data());
    } else if (const auto* path = std::get_if<Path>(&operand)) {
      view_ = ValueAt(*path, item);
    } else {
      const ValueView value = ValueAt(std::get<SizeOf>(operand).path, item);
      const auto size = value ? SizeOfValue(value) : std::nullopt;
      if (size.has_value()) {
        view_ = EncodeSize(*size);
      }
    }
  }
  ResolvedOperand(const ResolvedOperand&) = delete;
  ResolvedOperand& operator=(const ResolvedOperand&) = delete;

  ValueView view() const { return view_; }

 private:
  // A number as encoding.h stores it: tag, length, text.
  ValueView EncodeSize(std::size_t size) {
    const auto end = std::to_chars(size_.data() + 2, size_.data() + size_.size(), size).ptr;
    size_[0] = static_cast<char>(ValueType::kNumber);
    size_[1] = static_cast<char>(end - size_.data() - 2);
    return ValueView(size_.data());
  }

  ValueView view_;
  std::array<char, 24> size_;
};

bool EvaluateComparison(Comparator comparator, ValueView left, ValueView right) {
  if (!left || !right) {
    return comparator == Comparator::kNe;
  }
  if (comparator == Comparator::kEq) {
    return Equal(left, right);
  }
  if (comparator == Comparator::kNe) {
    return !Equal(left, right);
  }
  const auto order = Compare(left, right);
  if (!order.has_value()) {
    return false;
  }
  switch (comparator) {
    case Comparator::kLt:
      return *order < 0;
    case Comparator::kLe:
      return *order <= 0;
    case Comparator::kGt:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

bool EvaluateCall(const Call& call, ItemView item) {
  const ConditionFunction& function = *call.function;
  const ResolvedOperand first(call.arguments[0], item);
  if (!first.view()) {
    return function.if_missing;
  }
  if (call.arguments.size() == 1) {
    return function.evaluate({first.view()});
  }
  const ResolvedOperand second(call.arguments[1], item);
  return second.view() ? function.evaluate({first.view(), second.view()}) : function.if_missing;
}

class Evaluator {
 public:
  explicit Evaluator(ItemView item) : item_(item) {}

  bool operator()(const Comparison& node) const {
    const ResolvedOperand left(node.left, item_);
    const ResolvedOperand right(node.right, item_);
    return EvaluateComparison(node.comparator, left.view(), right.view());
  }
  bool operator()(const Between& node) const {
    const ResolvedOperand value(node.value, item_);
    const ResolvedOperand low(node.low, item_);
    const ResolvedOperand high(node.high, item_);
    return EvaluateComparison(Comparator::kGe, value.view(), low.view()) &&
           EvaluateComparison(Comparator::kLe, value.view(), high.view());
  }
  bool operator()(const In& node) const {
    const ResolvedOperand value(node.value, item_);
    return std::ranges::any_of(node.candidates, [&](const Operand& candidate) {
      return EvaluateComparison(Comparator::kEq, value.view(),
                                ResolvedOperand(candidate, item_).view());
    });
  }
  bool operator()(const Call& node) const { return EvaluateCall(node, item_); }
  bool operator()(const And& node) const {
    return Evaluate(*node.left, item_) && Evaluate(*node.right, item_);
  }
  bool operator()(const Or& node) const {
    return Evaluate(*node.left, item_) || Evaluate(*node.right, item_);
  }
  bool operator()(const Not& node) const { return !Evaluate(*node.inner, item_); }

 private:
  ItemView item_;
};

}  // namespace

bool Evaluate(const Condition& condition, ItemView item) {
  return std::visit(Evaluator(item), condition.node);
}

}  // namespace prejoin::expr
