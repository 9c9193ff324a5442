// Values and document paths inside a statement.
#ifndef PREJOIN_PARTIQL_VALUE_PARSER_H_
#define PREJOIN_PARTIQL_VALUE_PARSER_H_

#include <cstddef>
#include <string>
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

  // Returns true if the current token begins a value rather than a path.
  bool AtValue() const;
  // 'text', 12.5, true, null, [1, 2], {'a': 1}, <<'a', 'b'>>, ?
  Result<AttributeValue> ParseValue() { return ParseValueAt("root"); }
  Result<expr::Literal> ParseLiteral();
  // The map or parameter after INSERT … VALUE. It is an item, so it is no level of nesting.
  Result<AttributeValue> ParseItem();
  // a.b[3]."c d"['e']
  Result<expr::Path> ParsePath();
  // A path that is changed, not read: one word is another when it is missing.
  Result<expr::Path> ParseSimplePath();

  // A value or a path, as an argument of a call that DynamoDB does not have.
  Status SkipArgument();

  // The text must have used as many parameters as the request has, once it is read.
  Status CheckAllUsed() const;

 private:
  // `place` says where in the whole value this one stands, for messages: "root.a[1]".
  Result<AttributeValue> ParseValueAt(const std::string& place);
  Result<AttributeValue> ParseNumber(const std::string& place);
  Result<AttributeValue> ParseList(const std::string& place);
  Result<AttributeValue> ParseSet(const std::string& place);
  Result<AttributeValue> ParseMap(const std::string& place);
  Result<AttributeValue> ParseCallAsValue();
  AttributeValue NextParameter();
  AttributeValue MakeSet(const AttributeValue::List& members);
  Status ParsePathSteps(expr::Path& path);
  Status EnterLevel();

  TokenReader& reader_;
  const std::vector<AttributeValue>& parameters_;
  std::size_t used_ = 0;
  int depth_ = 0;
};

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_VALUE_PARSER_H_
