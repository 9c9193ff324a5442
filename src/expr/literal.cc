#include "expr/ast.h"
#include "value/encoding.h"

namespace prejoin::expr {

Literal MakeLiteral(std::string placeholder, AttributeValue value) {
  auto bound = std::make_shared<BoundValue>();
  EncodeValue(value, bound->encoded);
  bound->value = std::move(value);
  return {std::move(placeholder), std::move(bound)};
}

}  // namespace prejoin::expr
