#include "model/syntax/statement.h"

#include <utility>

#include "model/syntax/lexer.h"

namespace prejoin::model {
namespace {

class StatementParser {
 public:
  StatementParser(std::vector<Token> tokens, std::vector<Diagnostic>& diagnostics)
      : tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

  SyntaxTree Run() {
    SyntaxTree tree;
    ParseBody(tree.statements, tree.end_comments, tree.blank_line_before_end_comments, /*depth=*/0);
    return tree;
  }

 private:
  const Token& Current() const { return tokens_[next_]; }

  void Report(const SourceSpan& at, std::string message, Suggestion suggestion) {
    if (diagnostics_.size() >= kDiagnosticsMax) {
      return;
    }
    diagnostics_.push_back(
        {"PJ001", Severity::kError, at, std::move(message), std::move(suggestion)});
  }

  // Comments and blank lines before a statement or a closing brace.
  struct Margin {
    std::vector<std::string> comments;
    bool blank_line = false;
  };

  Margin TakeMargin() {
    Margin margin;
    while (true) {
      if (Current().kind == TokenKind::kNewline) {
        // The first newline token ends the line before; a second one is an empty line.
        if (next_ > 0 && tokens_[next_ - 1].kind == TokenKind::kNewline &&
            margin.comments.empty()) {
          margin.blank_line = true;
        }
        ++next_;
      } else if (Current().kind == TokenKind::kComment) {
        margin.comments.push_back(Current().text);
        ++next_;
      } else {
        return margin;
      }
    }
  }

  bool IsWordAt(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::kWord;
  }
  bool IsSymbolAt(std::size_t i, const char* symbol) const {
    return i < tokens_.size() && tokens_[i].IsSymbol(symbol);
  }
  bool LineHasBrace(std::size_t i) const {
    for (; !EndsLine(i); ++i) {
      if (tokens_[i].IsSymbol("{")) {
        return true;
      }
    }
    return false;
  }

  // The next line can only be a declaration of an outer level, so the block at hand was never
  // closed: one forgotten brace must not hide, or garble, the rest of the file.
  bool StartsDeclaration(int depth) const {
    const Token& head = Current();
    if (head.kind != TokenKind::kWord) {
      return false;
    }
    const std::size_t second = next_ + 1;
    if (head.text == "model") {
      return tokens_[second].kind == TokenKind::kString;
    }
    if (!IsWordAt(second)) {
      return false;
    }
    const std::size_t third = next_ + 2;
    if (head.text == "strategy") {
      return IsSymbolAt(third, "=");
    }
    if (head.text == "tenant") {
      return IsSymbolAt(third, ".");
    }
    if (head.text == "relationship" || head.text == "hierarchy") {
      return IsSymbolAt(third, ":");
    }
    if (head.text == "item") {
      return depth > 1 && LineHasBrace(next_);
    }
    if (head.text == "index") {
      return depth > 1 && tokens_[third].IsWord("partition");
    }
    return IsBlockWord(head.text) && LineHasBrace(next_);
  }

  // Until the end of the file (depth 0), the closing brace, or a line that shows that the brace is
  // missing; takes neither.
  void ParseBody(std::vector<Statement>& statements, std::vector<std::string>& end_comments,
                 bool& blank_before_end, int depth) {
    while (true) {
      Margin margin = TakeMargin();
      if (Current().kind == TokenKind::kEnd || (Current().IsSymbol("}") && depth > 0) ||
          (depth > 0 && StartsDeclaration(depth))) {
        end_comments = std::move(margin.comments);
        blank_before_end = margin.blank_line && !statements.empty();
        return;
      }
      if (Current().IsSymbol("}")) {
        Report(Current().at, "this brace closes nothing",
               "remove it, or open a block with { at the end of a line");
        ++next_;
        continue;
      }
      statements.push_back(ParseStatement(std::move(margin), depth));
    }
  }

  Statement ParseStatement(Margin margin, int depth) {
    Statement statement;
    statement.comments = std::move(margin.comments);
    statement.blank_line_before = margin.blank_line;
    statement.start = Current().at;
    int brackets = 0;
    while (Current().kind != TokenKind::kNewline && Current().kind != TokenKind::kEnd) {
      const Token& token = Current();
      if (token.kind == TokenKind::kComment) {
        TakeInnerComment(statement);
        continue;
      }
      if (token.IsSymbol("{") && brackets == 0 &&
          (EndsLine(next_ + 1) || HasBlock(statement, depth))) {
        ParseBlock(statement, depth);
        break;
      }
      if (token.IsSymbol("}") && brackets == 0) {
        break;  // `{ a }` on one line: the block's owner takes it.
      }
      if (token.IsSymbol("(") || token.IsSymbol("[") || token.IsSymbol("{")) {
        ++brackets;
      }
      if (token.IsSymbol(")") || token.IsSymbol("]") || token.IsSymbol("}")) {
        --brackets;
      }
      statement.tokens.push_back(token);
      ++next_;
    }
    if (!statement.has_block && HasBlock(statement, depth)) {
      ParseBlockBelow(statement, depth);
    }
    return statement;
  }

  // A statement of a kind that has a block.
  bool HasBlock(const Statement& statement, int depth) const {
    if (statement.tokens.size() < 2 || statement.tokens[1].kind != TokenKind::kWord) {
      return false;
    }
    if (statement.head() == "item") {
      return depth == 1 && in_table_;
    }
    return depth == 0 && IsBlockWord(statement.head());
  }

  // The line of a declaration ended without a brace: it is on the next line, is missing, or the
  // declaration has no block.
  void ParseBlockBelow(Statement& statement, int depth) {
    const std::size_t end_of_line = next_;
    Margin margin = TakeMargin();
    if (Current().IsSymbol("{")) {
      for (std::string& comment : margin.comments) {
        statement.comments.push_back(std::move(comment));
      }
      ParseBlock(statement, depth);
      return;
    }
    if (!LooksLikeBody(statement.head(), depth)) {
      next_ = end_of_line;
      return;
    }
    next_ = end_of_line;
    const SourceSpan& last = statement.tokens.back().at;
    Report({last.line, last.column + last.length, 1}, "this line lacks the { that opens its block",
           "end it with {");
    statement.has_block = true;
    ParseInside(statement, depth);
    if (Current().IsSymbol("}")) {
      statement.close = Current().at;
      ++next_;
    }
  }

  // Returns true if the text after a declaration without a brace belongs into its block.
  bool LooksLikeBody(std::string_view head, int depth) const {
    const Token& next = Current();
    if (next.kind == TokenKind::kEnd || next.IsSymbol("}") || StartsDeclaration(depth + 1)) {
      return false;
    }
    if (head == "relationship" || head == "hierarchy") {
      return next.IsWord("each") || next.IsWord("changes") || next.IsWord("sparse") ||
             next.IsWord("dense");
    }
    if (head == "table" && next.IsWord("item")) {
      return true;
    }
    return !IsBlockWord(next.text) && !next.IsWord("allow");
  }

  bool EndsLine(std::size_t i) const {
    return tokens_[i].kind == TokenKind::kNewline || tokens_[i].kind == TokenKind::kComment ||
           tokens_[i].kind == TokenKind::kEnd;
  }

  // A comment at the end of the statement stays there; one between its lines moves above it.
  void TakeInnerComment(Statement& statement) {
    const Token& comment = Current();
    ++next_;
    if (EndsLine(next_) && statement.trailing_comment.empty()) {
      statement.trailing_comment = comment.text;
    } else {
      statement.comments.push_back(comment.text);
    }
  }

  void ParseBlock(Statement& statement, int depth) {
    const SourceSpan open = Current().at;
    ++next_;
    statement.has_block = true;
    statement.open = open;
    if (Current().kind == TokenKind::kComment) {
      statement.trailing_comment = Current().text;
      ++next_;
    }
    if (depth + 1 > kBlockDepthMax) {
      Report(open, "blocks are nested too deeply", "a model file needs at most three levels");
      SkipToEnd();
      return;
    }
    ParseInside(statement, depth);
    if (!Current().IsSymbol("}")) {
      const bool at_end = Current().kind == TokenKind::kEnd;
      Report(open, "this block is never closed",
             at_end
                 ? "add } on a line of its own at the end of the file"
                 : "add } on a line of its own before line " + std::to_string(Current().at.line));
      return;
    }
    statement.close = Current().at;
    ++next_;
    if (Current().kind == TokenKind::kComment) {
      statement.closing_comment = Current().text;
      ++next_;
    }
    if (!EndsLine(next_) && !Current().IsSymbol("}")) {
      Report(Current().at, "nothing may follow a closing brace",
             "put it on a line of its own");
    }
  }

  void ParseInside(Statement& statement, int depth) {
    const bool outer = in_table_;
    in_table_ = statement.head() == "table";
    ParseBody(statement.body, statement.end_comments, statement.blank_line_before_end_comments,
              depth + 1);
    in_table_ = outer;
  }

  void SkipToEnd() {
    while (Current().kind != TokenKind::kEnd) {
      ++next_;
    }
  }

  std::vector<Token> tokens_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t next_ = 0;
  bool in_table_ = false;  // The statements at hand are those of a table's block.
};

}  // namespace

std::string_view Statement::head() const {
  if (tokens.empty() || tokens.front().kind != TokenKind::kWord) {
    return {};
  }
  return tokens.front().text;
}

SyntaxTree ParseStatements(std::string_view source, std::vector<Diagnostic>& diagnostics) {
  if (source.size() > kModelFileBytesMax) {
    diagnostics.push_back({"PJ001",
                           Severity::kError,
                           {1, 1, 1},
                           "the file is larger than 16 MB",
                           "keep large data outside the model and let `prove --rows` generate it"});
    return {};
  }
  return StatementParser(Tokenize(source, diagnostics), diagnostics).Run();
}

}  // namespace prejoin::model
