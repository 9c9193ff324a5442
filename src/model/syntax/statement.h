// A model file as a tree of statements, before anything is known about their meaning. A statement
// is a line of tokens, or several joined by brackets or commas, with an optional block of
// statements in braces. Comments and blank lines stay with the statement they are at, so that
// `fmt` can print the file again from this tree alone.
#ifndef PREJOIN_MODEL_SYNTAX_STATEMENT_H_
#define PREJOIN_MODEL_SYNTAX_STATEMENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/diagnostic.h"
#include "model/syntax/token.h"

namespace prejoin::model {

struct Statement {
  std::vector<Token> tokens;          // Without the braces of the block.
  std::vector<std::string> comments;  // Lines above it.
  std::string trailing_comment;       // On its line.
  bool blank_line_before = false;
  bool has_block = false;
  std::vector<Statement> body;
  std::vector<std::string> end_comments;  // Lines before the closing brace.
  bool blank_line_before_end_comments = false;
  std::string closing_comment;  // After the closing brace.
  SourceSpan start;             // The position of its first token or, if it has none, of its brace.
  SourceSpan open;              // The braces of the block; line 0 where one is missing.
  SourceSpan close;

  // The first word, or empty.
  std::string_view head() const;
  const SourceSpan& at() const { return start; }
};

struct SyntaxTree {
  std::vector<Statement> statements;
  std::vector<std::string> end_comments;
  bool blank_line_before_end_comments = false;
};

inline constexpr std::size_t kModelFileBytesMax = 16u << 20;
inline constexpr int kBlockDepthMax = 8;
inline constexpr std::size_t kDiagnosticsMax = 100;

// Always gives a tree, of whatever could be read.
SyntaxTree ParseStatements(std::string_view source, std::vector<Diagnostic>& diagnostics);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_STATEMENT_H_
