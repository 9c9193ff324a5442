// WHERE clauses.
#ifndef PREJOIN_PARTIQL_CONDITION_PARSER_H_
#define PREJOIN_PARTIQL_CONDITION_PARSER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/ast.h"
#include "partiql/token_reader.h"
#include "partiql/value_parser.h"
#include "prejoin/result.h"

namespace prejoin::partiql {

// OR of AND of NOT of comparisons (the grammar is in statement_parser.cc). Operand types and
// functions are checked too; what is wrong there is noted in the reader. Single thread.
class ConditionParser {
 public:
  ConditionParser(TokenReader& reader, ValueParser& values) : reader_(reader), values_(values) {}

  Result<expr::Condition> Parse();
  // True if the condition called a function. IS MISSING and IS type are no functions.
  bool has_calls() const { return has_calls_; }

  // The type names after IS, as DynamoDB types: "BOOL", "N", …; "MISSING" for itself. Moves behind
  // the name. An error if there is none.
  static Result<std::string_view> ParseTypeName(TokenReader& reader);

 private:
  // A parenthesis or a function can be a condition or an operand; which, its use tells.
  struct Node {
    expr::Operand operand;  // Unless `condition` is set.
    std::optional<expr::Condition> condition;
  };

  Result<Node> ParseOr();
  Result<Node> ParseAnd();
  Result<Node> ParseNot();
  Result<Node> ParseComparison();
  Result<Node> ParseTerm();
  Result<Node> ParseCall();
  Result<Node> ParseIs(expr::Operand operand);
  Result<Node> ParseBetween(expr::Operand value);
  Result<Node> ParseIn(expr::Operand value);
  Result<Node> ParseLike();
  Result<expr::Operand> ParseOperand();
  // The operand after an infix operator.
  Result<Node> ParseRight();

  Node Compare(expr::Comparator comparator, std::string_view symbol, Node left, Node right);
  Node MakeCall(const Token& name, std::vector<Node> arguments);
  Node MakeSize(std::vector<Node> arguments);
  void NoteFault(std::string fault);  // Empty: there is none.
  void CheckOrdered(std::string_view symbol, const expr::Operand& operand);
  // Notes it if the node is not what it must be here.
  expr::Condition AsCondition(Node node);
  expr::Operand AsOperand(Node node);

  TokenReader& reader_;
  ValueParser& values_;
  int depth_ = 0;
  bool has_calls_ = false;
};

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_CONDITION_PARSER_H_
