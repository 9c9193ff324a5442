// A statement and the place where its reader stopped, as the habits of other languages are looked for in it.
#ifndef PREJOIN_MODEL_SYNTAX_STOPPED_LINE_H_
#define PREJOIN_MODEL_SYNTAX_STOPPED_LINE_H_

#include <absl/strings/ascii.h>

#include <optional>
#include <string>
#include <vector>

#include "model/syntax/token.h"

namespace prejoin::model {

struct ForeignSpelling {
  std::string message;
  std::string suggestion;
};

// Borrows the tokens.
class StoppedLine {
 public:
  StoppedLine(const std::vector<Token>& tokens, std::size_t stopped)
      : tokens_(tokens), stopped_(stopped) {}

  // In lower case; empty after the last token.
  std::string Lower(std::size_t i) const {
    return i < tokens_.size() ? absl::AsciiStrToLower(tokens_[i].text) : "";
  }
  std::string Raw(std::size_t i) const { return i < tokens_.size() ? tokens_[i].raw : ""; }
  bool IsWord(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::kWord;
  }
  bool IsString(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::kString;
  }
  bool IsSymbol(std::size_t i, const char* symbol) const {
    return i < tokens_.size() && tokens_[i].IsSymbol(symbol);
  }
  std::size_t stopped() const { return stopped_; }
  std::size_t size() const { return tokens_.size(); }
  // The word where the reader stopped, and the one before it.
  std::string here() const { return Lower(stopped_); }
  std::string before() const { return stopped_ > 0 ? Lower(stopped_ - 1) : ""; }
  std::string head() const { return Lower(0); }
  bool Has(const char* word) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (Lower(i) == word) {
        return true;
      }
    }
    return false;
  }

 private:
  const std::vector<Token>& tokens_;
  const std::size_t stopped_;
};

// "order" as the name of an entity.
inline std::string Capital(std::string name) {
  if (!name.empty()) {
    name[0] = absl::ascii_toupper(static_cast<unsigned char>(name[0]));
  }
  return name;
}

// Translates a read in SQL or another language into the lines of a pattern and conditions.
std::optional<ForeignSpelling> InOurReads(const StoppedLine& line);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_STOPPED_LINE_H_
