// WHERE clauses.
#ifndef PREJOIN_PARTIQL_CONDITION_PARSER_H_
#define PREJOIN_PARTIQL_CONDITION_PARSER_H_

#include "expr/ast.h"
#include "partiql/token_reader.h"
#include "partiql/value_parser.h"
#include "prejoin/result.h"

namespace prejoin::partiql {

// OR of AND of NOT of predicates. Single thread.
class ConditionParser {
 public:
  ConditionParser(TokenReader& reader, ValueParser& values) : reader_(reader), values_(values) {}

  Result<expr::Condition> Parse();

 private:
  Result<expr::Condition> ParseAnd();
  Result<expr::Condition> ParseNot();
  Result<expr::Condition> ParsePredicate();
  Result<expr::Condition> ParseCall(const expr::ConditionFunction* function);
  Result<expr::Condition> ParseIs(expr::Operand operand);
  Result<expr::Condition> ParseIn(expr::Operand operand);
  Result<expr::Operand> ParseOperand();

  TokenReader& reader_;
  ValueParser& values_;
  int depth_ = 0;
};

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_CONDITION_PARSER_H_
