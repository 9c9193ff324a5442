// The common part of the condition, update and projection grammars: tokens, document paths,
// placeholders, faults.
//
// The grammars are read by recursive descent, in one pass that also replaces #names and :values. A
// syntax error stops it at once; anything else that is wrong becomes a fault (faults.h), because
// DynamoDB ranks those over the whole text.
#ifndef PREJOIN_EXPR_GRAMMAR_H_
#define PREJOIN_EXPR_GRAMMAR_H_

#include <string>
#include <string_view>

#include "expr/ast.h"
#include "expr/faults.h"
#include "expr/lexer.h"
#include "expr/parse.h"
#include "prejoin/result.h"

namespace prejoin::expr {

// Base of the three parsers. Functions that return bool give false to end the reading: after a
// syntax error, with `error_` filled in, or after a fault that makes it pointless to continue. Single
// thread.
class Grammar {
 protected:
  // `kind` is DynamoDB's name of the parameter, as in "Invalid FilterExpression: …".
  Grammar(std::string_view kind, std::string_view text, Placeholders& placeholders)
      : kind_(kind), lexer_(text), faults_(), placeholders_(placeholders) {}

  // An expression that is empty or too long is refused before it is read.
  static Status CheckText(std::string_view kind, std::string_view text);

  // Error of the whole expression: the syntax error, or the worst fault. To be asked when reading
  // has ended.
  Error Refusal() const;
  bool Refused() const { return failed_ || !faults_.empty(); }

  bool FailSyntax();
  bool Expect(TokenKind kind);
  // Deeper than any expression that obeys the other limits: stops the recursion.
  bool EnterLevel();
  void LeaveLevel() { --depth_; }
  // Adds a fault at the first operator too many.
  void CountOperator();

  // A path at the current token, which is an identifier or a #name.
  bool ReadPath(Path& path);
  // More steps behind what is in `path`.
  bool ReadPathSteps(Path& path);
  // The :value at the current token.
  void ReadValue(Literal& literal);

  std::string_view kind_;
  Lexer lexer_;
  Faults faults_;

 private:
  bool ReadPathName(Path& path);
  bool ReadListIndex(Path& path);
  void CheckPathDepth(const Path& path);

  Placeholders& placeholders_;
  bool failed_ = false;
  std::string error_;
  int depth_ = 0;
  int operators_ = 0;
};

// Orders paths so that those with a common beginning stand together: names (bytewise) before list
// positions.
bool PathLess(const Path& a, const Path& b);

// Adds a fault if one of the paths is the beginning of another, or treats as a list what another
// treats as a map. In the order of the text.
void CheckPathsApart(const std::vector<const Path*>& paths, Faults& faults);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_GRAMMAR_H_
