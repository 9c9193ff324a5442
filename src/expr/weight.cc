#include "expr/weight.h"

namespace prejoin::expr {
namespace {

struct OperandCounter {
  std::size_t operator()(const Comparison&) const { return 2; }
  std::size_t operator()(const Between&) const { return 3; }
  std::size_t operator()(const In& node) const { return 1 + node.candidates.size(); }
  std::size_t operator()(const Call& node) const { return node.arguments.size(); }
  std::size_t operator()(const And& node) const { return Weight(*node.left) + Weight(*node.right); }
  std::size_t operator()(const Or& node) const { return Weight(*node.left) + Weight(*node.right); }
  std::size_t operator()(const Not& node) const { return Weight(*node.inner); }
};

}  // namespace

// The parser limits depth, so recursion is safe.
std::size_t Weight(const Condition& condition) {
  return std::visit(OperandCounter{}, condition.node);
}

std::size_t Weight(const Update& update) {
  return update.sets.size() + update.removes.size() + update.adds.size() + update.deletes.size();
}

}  // namespace prejoin::expr
