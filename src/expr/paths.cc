#include "expr/paths.h"

namespace prejoin::expr {
namespace {

using PathVisitor = FunctionRef<void(const Path&)>;

void VisitOperand(const Operand& operand, PathVisitor visit) {
  if (const auto* path = std::get_if<Path>(&operand)) {
    visit(*path);
  } else if (const auto* size_of = std::get_if<SizeOf>(&operand)) {
    visit(size_of->path);
  }
}

struct NodeVisitor {
  PathVisitor visit;

  void operator()(const Comparison& node) const {
    VisitOperand(node.left, visit);
    VisitOperand(node.right, visit);
  }
  void operator()(const Between& node) const {
    VisitOperand(node.value, visit);
    VisitOperand(node.low, visit);
    VisitOperand(node.high, visit);
  }
  void operator()(const In& node) const {
    VisitOperand(node.value, visit);
    for (const Operand& candidate : node.candidates) {
      VisitOperand(candidate, visit);
    }
  }
  void operator()(const Call& node) const {
    for (const Operand& argument : node.arguments) {
      VisitOperand(argument, visit);
    }
  }
  void operator()(const And& node) const { Both(node); }
  void operator()(const Or& node) const { Both(node); }
  void operator()(const Not& node) const { ForEachPath(*node.inner, visit); }

 private:
  template <class Node>
  void Both(const Node& node) const {
    ForEachPath(*node.left, visit);
    ForEachPath(*node.right, visit);
  }
};

}  // namespace

void ForEachPath(const UpdateValue& value, FunctionRef<void(const Path&)> visit) {
  if (const auto* path = std::get_if<Path>(&value.node)) {
    visit(*path);
  } else if (const auto* call = std::get_if<IfNotExists>(&value.node)) {
    visit(call->path);
    ForEachPath(*call->fallback, visit);
  } else if (const auto* append = std::get_if<ListAppend>(&value.node)) {
    ForEachPath(*append->first, visit);
    ForEachPath(*append->second, visit);
  } else if (const auto* sum = std::get_if<Arithmetic>(&value.node)) {
    ForEachPath(*sum->left, visit);
    ForEachPath(*sum->right, visit);
  }
}

// The parser limits depth, so recursion is safe.
void ForEachPath(const Condition& condition, FunctionRef<void(const Path&)> visit) {
  std::visit(NodeVisitor{visit}, condition.node);
}

ValueView ValueAt(const Path& path, ItemView item) {
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

}  // namespace prejoin::expr
