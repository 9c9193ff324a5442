// The attributes that an expression reads, and the value that a path leads to in an item.
#ifndef PREJOIN_EXPR_PATHS_H_
#define PREJOIN_EXPR_PATHS_H_

#include "base/function_ref.h"
#include "expr/ast.h"
#include "value/encoding.h"

namespace prejoin::expr {

// Every path in the tree, in the order of the text.
void ForEachPath(const Condition& condition, FunctionRef<void(const Path&)> visit);

// The same for the operands of a SET.
void ForEachPath(const UpdateValue& value, FunctionRef<void(const Path&)> visit);

// The value at the path; none if a step of it is not there.
ValueView ValueAt(const Path& path, ItemView item);

inline const std::string& TopLevelName(const Path& path) {
  return std::get<std::string>(path.front().step);
}

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_PATHS_H_
