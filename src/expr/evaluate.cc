// Condition evaluation on stored bytes. Parsing has rejected every mistake a caller can make, so
// evaluation cannot fail: a missing attribute, or values whose types do not compare, make a
// comparison false. Nothing is decoded or allocated. The parser limits depth, so recursion is safe
// here. Plain reference used in tests: tests/expr/reference_evaluator.cc.
#include "expr/evaluate.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "expr/size_of.h"

namespace prejoin::expr {
namespace {

ValueView Resolve(const Path& path, ItemView item) {
  ValueView value = item.Find(std::get<std::string>(path.front().step));
  for (std::size_t i = 1; i < path.size() && value; ++i) {
    if (const auto* name = std::get_if<std::string>(&path[i].step)) {
      value = value.type() == ValueType::kMap ? value.map().Find(*name) : ValueView();
    } else {
      value = value.type() == ValueType::kList
                  ? value.list().At(std::get<std::uint32_t>(path[i].step))
                  : ValueView();
    }
  }
  return value;
}

// An operand as a stored value; none if it is missing in the item, or is the size of something that
// has none.
class ResolvedOperand {
 public:
  ResolvedOperand(const Operand& operand, ItemView item) {
    if (const auto* literal = std::get_if<Literal>(&operand)) {
      view_ = ValueView(literal->encoded.data());
    } else if (const auto* path = std::get_if<Path>(&operand)) {
      view_ = Resolve(*path, item);
    } else {
      const ValueView value = Resolve(std::get<SizeOf>(operand).path, item);
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

bool BeginsWith(ValueView value, ValueView prefix) {
  return value.type() == prefix.type() &&
         (value.type() == ValueType::kString || value.type() == ValueType::kBinary) &&
         value.string().starts_with(prefix.string());
}

bool Contains(ValueView container, ValueView member) {
  switch (container.type()) {
    case ValueType::kString:
    case ValueType::kBinary:
      return member.type() == container.type() &&
             container.string().find(member.string()) != std::string_view::npos;
    case ValueType::kStringSet:
      return member.type() == ValueType::kString && container.set().Contains(member.string());
    case ValueType::kNumberSet:
      return member.type() == ValueType::kNumber && container.set().Contains(member.number_text());
    case ValueType::kBinarySet:
      return member.type() == ValueType::kBinary && container.set().Contains(member.binary());
    case ValueType::kList:
      for (const ValueView element : container.list()) {
        if (Equal(element, member)) {
          return true;
        }
      }
      return false;
    default:
      return false;
  }
}

bool EvaluateCall(const Call& call, ItemView item) {
  const ResolvedOperand first(call.arguments[0], item);
  const ValueView value = first.view();
  if (call.function == Function::kAttributeExists) {
    return static_cast<bool>(value);
  }
  if (call.function == Function::kAttributeNotExists) {
    return !value;
  }
  const ResolvedOperand second(call.arguments[1], item);
  const ValueView operand = second.view();
  if (!value || !operand) {
    return false;
  }
  switch (call.function) {
    case Function::kAttributeType:
      return TypeName(value.type()) == operand.string();
    case Function::kBeginsWith:
      return BeginsWith(value, operand);
    default:
      return Contains(value, operand);
  }
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
