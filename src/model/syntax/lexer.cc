#include "model/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "base/utf8.h"
#include "model/syntax/foreign_spelling.h"

namespace prejoin::model {
namespace {

bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80);
}
bool IsWordPart(char c) { return IsWordStart(c) || std::isdigit(static_cast<unsigned char>(c)); }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Characters that end a line, have no width or turn the direction of the text: a name with one is not what it looks like, and would tear a line of
// generated code in two. Requires UTF-8.
bool HasHiddenCharacter(std::string_view word) {
  for (std::size_t i = 0; i + 1 < word.size(); ++i) {
    const auto byte = [&](std::size_t at) {
      return at < word.size() ? static_cast<unsigned char>(word[at]) : 0u;
    };
    const unsigned code = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const bool control = byte(i) == 0xc2 && (byte(i + 1) < 0xa0 || byte(i + 1) == 0xad);
    const bool mark = code == 0xefbbbf || (code >= 0xe2808b && code <= 0xe2808f) ||
                      (code >= 0xe280a8 && code <= 0xe280ae) ||
                      (code >= 0xe281a0 && code <= 0xe281af);
    if (control || mark) {
      return true;
    }
  }
  return false;
}

// Words that start a statement. A line that begins with one of them ends a bracket that was never
// closed, so that one forgotten parenthesis does not hide the errors of all following lines.
constexpr std::array kStatementWords = std::to_array<std::string_view>(
    {"model",   "entity",   "relationship", "hierarchy", "pattern", "write", "table",   "strategy",
     "sample",  "tenant",   "allow",        "find",      "rate",    "fresh", "example", "count",
     "each",    "changes",  "item",         "index",     "local",   "put",   "update",  "delete",
     "without", "together", "sorts",        "returns",   "scan"});

class Lexer {
 public:
  Lexer(std::string_view source, std::vector<Diagnostic>& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  std::vector<Token> Run() {
    if (source_.starts_with("\xEF\xBB\xBF")) {
      position_ = line_begin_ = 3;
    }
    const bool cut = CutAtWrongBytes();
    while (position_ < source_.size()) {
      Next();
    }
    if (cut) {
      Report(position_, "the text is not UTF-8 from here on", "save the file as UTF-8");
    }
    Emit(TokenKind::kEnd, position_, "");
    return std::move(tokens_);
  }

 private:
  // Nothing behind bytes that are not UTF-8 is read: reports quote what the file says, and must be text.
  bool CutAtWrongBytes() {
    const std::size_t valid = Utf8PrefixBytes(source_);
    const bool cut = valid < source_.size();
    source_ = source_.substr(0, valid);
    return cut;
  }

  char Peek(std::size_t ahead = 0) const {
    return position_ + ahead < source_.size() ? source_[position_ + ahead] : '\0';
  }

  SourceSpan SpanFrom(std::size_t begin) const {
    return {line_, static_cast<int>(begin - line_begin_) + 1,
            std::max(1, static_cast<int>(position_ - begin))};
  }

  void Emit(TokenKind kind, std::size_t begin, std::string text) {
    if ((kind == TokenKind::kWord || kind == TokenKind::kParameter) && HasHiddenCharacter(text)) {
      Report(begin, "this name has a character that cannot be seen",
             "type it again, with letters, digits, _ and -");
    }
    Token token{kind, std::move(text), std::string(source_.substr(begin, position_ - begin)),
                SpanFrom(begin), begin == last_end_ && begin > 0};
    last_end_ = position_;
    tokens_.push_back(std::move(token));
  }

  void Report(std::size_t begin, std::string message, Suggestion suggestion) {
    diagnostics_.push_back(
        {"PJ001", Severity::kError, SpanFrom(begin), std::move(message), std::move(suggestion)});
  }

  // True if a newline here would cut a statement in two.
  bool Continues() const {
    if (!open_.empty()) {
      return true;
    }
    for (auto token = tokens_.rbegin(); token != tokens_.rend(); ++token) {
      if (token->kind == TokenKind::kComment) {
        continue;
      }
      return token->IsSymbol(",");
    }
    return false;
  }

  void Next() {
    const char c = Peek();
    if (c == '\n') {
      Newline();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++position_;
    } else if (c == '/' && Peek(1) == '/') {
      Comment();
    } else if (c == '"') {
      String();
    } else if ((c == '\'' || c == '`') && ClosesOnLine(c)) {
      OtherQuotes();
    } else if (c == '#' && StartsLine() && (Peek(1) == ' ' || Peek(1) == '#')) {
      ++position_;
      Report(position_ - 1, "`#` means nothing here", "comments start with //");
      Comment();
    } else if (IsDigit(c)) {
      Number();
    } else if (IsWordStart(c)) {
      Word();
    } else if (c == ':' && IsWordStart(Peek(1))) {
      Parameter();
    } else {
      Symbol();
    }
  }

  void Newline() {
    const std::size_t begin = position_++;
    if (!open_.empty() && NextLineStartsStatement()) {
      diagnostics_.push_back(
          {"PJ001", Severity::kError, open_.back(), "this bracket is never closed",
           "close it on this line, or end each line of a long value with a comma"});
      open_.clear();
    }
    if (!Continues()) {
      Emit(TokenKind::kNewline, begin, "");
    }
    ++line_;
    line_begin_ = position_;
  }

  bool NextLineStartsStatement() const {
    std::size_t i = position_;
    while (i < source_.size() && (source_[i] == ' ' || source_[i] == '\t')) {
      ++i;
    }
    std::size_t end = i;
    while (end < source_.size() && IsWordPart(source_[end])) {
      ++end;
    }
    const std::string_view word = source_.substr(i, end - i);
    // In a map, a name is followed by a colon.
    const bool is_map_name = end < source_.size() && source_[end] == ':';
    return !is_map_name &&
           std::find(kStatementWords.begin(), kStatementWords.end(), word) != kStatementWords.end();
  }

  void Comment() {
    const std::size_t begin = position_;
    position_ = std::min(source_.find('\n', begin), source_.size());
    std::string_view text = source_.substr(begin + 2, position_ - begin - 2);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
      text.remove_suffix(1);
    }
    Emit(TokenKind::kComment, begin, std::string(text));
  }

  void String() {
    const std::size_t begin = position_++;
    std::string text;
    while (position_ < source_.size() && Peek() != '"' && Peek() != '\n') {
      if (Peek() == '\\' && position_ + 1 < source_.size() && Peek(1) != '\n') {
        ++position_;
        switch (Peek()) {
          case 'n':
            text += '\n';
            break;
          case 't':
            text += '\t';
            break;
          default:
            text += Peek();
        }
      } else {
        text += Peek();
      }
      ++position_;
    }
    if (Peek() == '"' && position_ < source_.size()) {
      ++position_;
    } else {
      Report(begin, "this text has no closing quote", "add \" at the end");
    }
    Emit(TokenKind::kString, begin, std::move(text));
  }

  bool ClosesOnLine(char quote) const {
    const std::string_view rest = source_.substr(position_ + 1);
    return rest.substr(0, rest.find('\n')).find(quote) != std::string_view::npos;
  }

  bool StartsLine() const {
    return source_.substr(line_begin_, position_ - line_begin_).find_first_not_of(" \t") ==
           std::string_view::npos;
  }

  // 'OPEN', `USER#${id}`: read as the text that is meant, so that one mistake has one message.
  void OtherQuotes() {
    const std::size_t begin = position_;
    const char quote = source_[position_++];
    std::string text;
    while (Peek() != quote) {
      const bool sign = Peek() == '$' && Peek(1) == '{';
      if (!sign) {
        text += Peek();
      }
      ++position_;
    }
    ++position_;
    Report(begin, std::string("`") + quote + "` means nothing here",
           "write text in double quotes: \"" + text + "\"");
    Emit(TokenKind::kString, begin, std::move(text));
  }

  void Number() {
    const std::size_t begin = position_;
    std::string text;
    const auto take_digits = [&] {
      while (IsDigit(Peek()) || (Peek() == '_' && IsDigit(Peek(1)))) {
        if (Peek() != '_') {
          text += Peek();
        }
        ++position_;
      }
    };
    take_digits();
    if (Peek() == '.' && IsDigit(Peek(1))) {
      text += '.';
      ++position_;
      take_digits();
    }
    // 3k and 2M, but not the start of a longer word.
    if ((Peek() == 'k' || Peek() == 'M') && !IsWordPart(Peek(1))) {
      text += Peek();
      ++position_;
    }
    Emit(TokenKind::kNumber, begin, std::move(text));
  }

  // Hyphens and # belong to a word when a word continues after them: GSI1-PK, many-to-many, STATE#CITY.
  void TakeWord() {
    while (IsWordPart(Peek()) || ((Peek() == '-' || Peek() == '#') && IsWordPart(Peek(1)))) {
      ++position_;
    }
  }

  void Word() {
    const std::size_t begin = position_;
    TakeWord();
    Emit(TokenKind::kWord, begin, std::string(source_.substr(begin, position_ - begin)));
  }

  void Parameter() {
    const std::size_t begin = position_++;
    TakeWord();
    Emit(TokenKind::kParameter, begin,
         std::string(source_.substr(begin + 1, position_ - begin - 1)));
  }

  // A brace that ends its line, or is in the line of a declaration, opens a block; any other
  // brace is part of a value and may span lines.
  bool OpensBlock() const {
    if (!open_.empty()) {
      return false;
    }
    if (LineStartsDeclaration()) {
      return true;
    }
    std::size_t i = position_;
    while (i < source_.size() && (source_[i] == ' ' || source_[i] == '\t' || source_[i] == '\r')) {
      ++i;
    }
    return i >= source_.size() || source_[i] == '\n' || source_.substr(i, 2) == "//";
  }

  // The line at hand, as far as it is read, begins with the head of something that has a block.
  bool LineStartsDeclaration() const {
    std::size_t first = tokens_.size();
    while (first > 0 && tokens_[first - 1].kind != TokenKind::kNewline) {
      --first;
    }
    if (first + 1 >= tokens_.size() || tokens_[first + 1].kind != TokenKind::kWord) {
      return false;
    }
    return IsBlockWord(tokens_[first].text);
  }

  void Symbol() {
    const std::size_t begin = position_;
    const std::string_view two = source_.substr(position_, 2);
    if (two == "<=" || two == ">=" || two == ".." || two == "<>" || two == "!=" || two == "+=" ||
        two == "-=") {
      position_ += 2;
      Emit(TokenKind::kSymbol, begin, std::string(two));
      return;
    }
    const char c = source_[position_++];
    constexpr std::string_view kSymbols = "{}()[],=<>~./:-+*%";
    if (kSymbols.find(c) == std::string_view::npos) {
      // `&&` is one mistake.
      const bool twice = (c == '&' || c == '|') && source_.substr(position_).starts_with(c);
      const std::size_t line = begin == 0 ? 0 : source_.rfind('\n', begin - 1) + 1;
      const std::string_view rest = source_.substr(position_);
      const std::string hint = HintForCharacter(c, source_.substr(line, begin - line),
                                                rest.substr(0, rest.find('\n')));
      position_ += twice ? 1 : 0;
      Report(begin, std::string("`") + c + "` means nothing here",
             hint.empty() ? "remove it, or put it in quotes" : hint);
      if (twice && c == '&') {
        Emit(TokenKind::kWord, begin, "and");
      }
      return;
    }
    if (c == '(' || c == '[' || (c == '{' && !OpensBlock())) {
      open_.push_back(SpanFrom(begin));
    }
    if ((c == ')' || c == ']' || c == '}') && !open_.empty()) {
      open_.pop_back();
    }
    Emit(TokenKind::kSymbol, begin, std::string(1, c));
  }

  std::string_view source_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t last_end_ = 0;
  int line_ = 1;
  std::vector<SourceSpan> open_;  // Brackets that are open here and are not blocks.
};

}  // namespace

bool IsBlockWord(std::string_view word) {
  constexpr std::array kBlockWords = std::to_array<std::string_view>(
      {"entity", "relationship", "hierarchy", "pattern", "write", "table", "sample", "item"});
  return std::find(kBlockWords.begin(), kBlockWords.end(), word) != kBlockWords.end();
}

std::vector<Token> Tokenize(std::string_view source, std::vector<Diagnostic>& diagnostics) {
  return Lexer(source, diagnostics).Run();
}

}  // namespace prejoin::model
