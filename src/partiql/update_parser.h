// SET and REMOVE.
#ifndef PREJOIN_PARTIQL_UPDATE_PARSER_H_
#define PREJOIN_PARTIQL_UPDATE_PARSER_H_

#include <string>
#include <vector>

#include "expr/ast.h"
#include "partiql/token_reader.h"
#include "partiql/value_parser.h"
#include "prejoin/result.h"

namespace prejoin::partiql {

// The changes of an UPDATE, in any number of SET and REMOVE clauses (the grammar is in
// statement_parser.cc). Single thread.
class UpdateParser {
 public:
  UpdateParser(TokenReader& reader, ValueParser& values) : reader_(reader), values_(values) {}

  Result<expr::Update> Parse();

 private:
  // One argument of a call: a path or a value, and where it stands.
  struct Argument {
    expr::UpdateValue value;
    Position position;
  };

  Status ParseSet();
  Result<expr::UpdateValue> ParseNew();
  Result<expr::UpdateValue> ParseOperand();
  Result<expr::UpdateValue> ParseListAppend();
  Result<std::vector<Argument>> ParseArguments();
  Status ParseSetFunction(expr::Path target);
  void CheckPaths();

  TokenReader& reader_;
  ValueParser& values_;
  expr::Update update_;
  int depth_ = 0;
};

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_UPDATE_PARSER_H_
