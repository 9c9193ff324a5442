#include "draft/sql/spellings.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <vector>

#include "draft/names.h"
#include "draft/sql/sql_tokens.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kSpellingsMax = 20'000;

class SpellingReader {
 public:
  SpellingReader(std::string_view statement, Spellings& spellings)
      : tokens_(TokensOf(statement)), spellings_(spellings) {}

  void Learn() {
    const bool create = Is(0, "CREATE");
    if (!create && !Is(0, "ALTER")) {
      return;
    }
    std::size_t at = 1;
    while (at < std::min<std::size_t>(tokens_.size(), 4) && !Is(at, "TABLE")) {
      ++at;
    }
    if (!Is(at, "TABLE")) {
      return;
    }
    ++at;
    while (Is(at, "IF") || Is(at, "NOT") || Is(at, "EXISTS") || Is(at, "ONLY")) {
      ++at;
    }
    while (IsSign(at + 1, '.')) {
      at += 2;
    }
    Add(at);
    create ? LearnColumns(at + 1) : LearnAdded(at + 1);
  }

 private:
  bool Is(std::size_t at, std::string_view word) const {
    return at < tokens_.size() && IsSqlWord(tokens_[at], word);
  }
  bool IsSign(std::size_t at, char sign) const {
    return at < tokens_.size() && tokens_[at].kind == TokenKind::kSign && tokens_[at].text[0] == sign;
  }

  void Add(std::size_t at) {
    if (at >= tokens_.size() || spellings_.size() >= kSpellingsMax) {
      return;
    }
    std::string_view name = tokens_[at].text;
    const bool quoted = tokens_[at].kind == TokenKind::kName;
    if ((!quoted && tokens_[at].kind != TokenKind::kWord) || name.size() < 2) {
      return;
    }
    name = quoted ? name.substr(1, name.size() - 2) : name;
    const auto is = [&](bool (*kind)(unsigned char)) {
      return std::ranges::any_of(name, [&](char c) { return kind(static_cast<unsigned char>(c)); });
    };
    if (is(absl::ascii_isupper) && is(absl::ascii_islower)) {
      spellings_.try_emplace(Lowered(name), name);
    }
  }

  void LearnColumns(std::size_t at) {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      const bool begins = IsSign(at, '(') ? depth++ == 0 : IsSign(at, ',') && depth == 1;
      depth -= IsSign(at, ')') ? 1 : 0;
      if (begins && at + 1 < tokens_.size() && !BeginsConstraint(tokens_[at + 1])) {
        Add(at + 1);
      }
    }
  }

  void LearnAdded(std::size_t at) {
    for (; at < tokens_.size(); ++at) {
      if (Is(at, "ADD")) {
        const std::size_t name = Is(at + 1, "COLUMN") ? at + 2 : at + 1;
        if (name < tokens_.size() && !BeginsConstraint(tokens_[name])) {
          Add(name);
        }
      }
    }
  }

  const std::vector<SqlToken> tokens_;
  Spellings& spellings_;
};

}  // namespace

void LearnSpellings(std::string_view statement, Spellings& spellings) {
  SpellingReader(statement, spellings).Learn();
}

std::string WithSpellings(std::string_view statement, const Spellings& spellings, Spelt spelt) {
  std::string out;
  for (const SqlToken& token : TokensOf(statement)) {
    out += token.blank;
    const auto known =
        token.kind == TokenKind::kWord ? spellings.find(Lowered(token.text)) : spellings.end();
    const bool ours = known != spellings.end() &&
                      (spelt == Spelt::kInAnyCase || known->second == token.text);
    out += ours ? '"' + known->second + '"' : token.text;
  }
  return out;
}

}  // namespace prejoin::draft
