// Values and document paths inside a statement.
#ifndef PREJOIN_PARTIQL_VALUE_PARSER_H_
#define PREJOIN_PARTIQL_VALUE_PARSER_H_

#include <cstddef>
#include <vector>

#include "expr/ast.h"
#include "partiql/token_reader.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::partiql {

// Reads from a reader that the whole grammar shares, and hands out its parameters in order. Single
// thread.
class ValueParser {
 public:
  ValueParser(TokenReader& reader, const std::vector<AttributeValue>& parameters)
      : reader_(reader), parameters_(parameters) {}

  // Whether the current token begins a value rather than a path.
  bool AtValue() const;
  // 'text', 12.5, true, null, [1, 2], {'a': 1}, <<'a', 'b'>>, ?
  Result<AttributeValue> ParseValue();
  Result<expr::Literal> ParseLiteral();
  // a.b[3]."c d"['e']
  Result<expr::Path> ParsePath();
  // {'a': 1, "b": ?}
  Result<Item> ParseMap();

  // All parameters must have been used, once the text is read.
  Status CheckAllUsed() const;

 private:
  Result<AttributeValue> ParseNumber();
  Result<AttributeValue> ParseList();
  Result<AttributeValue> ParseSet();
  Result<AttributeValue> NextParameter();
  Status EnterLevel();

  TokenReader& reader_;
  const std::vector<AttributeValue>& parameters_;
  std::size_t used_ = 0;
  int depth_ = 0;
};

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_VALUE_PARSER_H_
