#include "draft/sql/sql_tokens.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>

namespace prejoin::draft {
namespace {

bool IsWordPart(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::size_t SkipBlank(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (absl::ascii_isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
    } else if (text.substr(at, 2) == "--" || text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else {
      return at;
    }
  }
  return at;
}

namespace {

// The end of [Name], as SQLite and SQL Server quote names; `at` if it is text[] or text[3].
std::size_t SkipBracketed(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size() ||
      !(absl::ascii_isalpha(static_cast<unsigned char>(text[at + 1])) || text[at + 1] == '_')) {
    return at;
  }
  const std::size_t end = text.find_first_of("[]\"", at + 1);
  return end != std::string_view::npos && text[end] == ']' ? end + 1 : at;
}

SqlToken TokenAt(std::string_view text, std::size_t at, std::size_t& end) {
  const char c = text[at];
  if (c == '\'') {
    end = SkipQuoted(text, at);
    while (end < text.size() && text[end] == '\'') {
      end = SkipQuoted(text, end);  // 'it''s'
    }
    return {TokenKind::kText, "", std::string(text.substr(at, end - at))};
  }
  if (c == '"') {
    end = SkipQuoted(text, at);
    return {TokenKind::kName, "", std::string(text.substr(at, end - at))};
  }
  if (c == '`' || c == '[') {
    end = c == '`' ? SkipQuoted(text, at) : SkipBracketed(text, at);
    if (end > at + 1) {
      return {TokenKind::kName, "", '"' + std::string(text.substr(at + 1, end - at - 2)) + '"'};
    }
  }
  end = at;
  while (end < text.size() && IsWordPart(text[end])) {
    ++end;
  }
  if (end == at) {
    end = at + 1;
    return {TokenKind::kSign, "", std::string(1, c)};
  }
  const bool digits = absl::ascii_isdigit(static_cast<unsigned char>(c));
  return {digits ? TokenKind::kNumber : TokenKind::kWord, "",
          std::string(text.substr(at, end - at))};
}

}  // namespace

std::vector<SqlToken> TokensOf(std::string_view text) {
  std::vector<SqlToken> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = SkipBlank(text, at);
    // A number sign begins a comment of MySQL only.
    std::string blank(text.substr(at, begin - at));
    if (blank.find('#') != std::string::npos) {
      blank = "\n";
    }
    if (begin >= text.size()) {
      break;
    }
    tokens.push_back(TokenAt(text, begin, at));
    tokens.back().blank = std::move(blank);
  }
  return tokens;
}

bool IsSqlWord(const SqlToken& token, std::string_view word) {
  return token.kind == TokenKind::kWord &&
         std::ranges::equal(token.text, word, {}, absl::ascii_toupper, absl::ascii_toupper);
}

bool BeginsConstraint(const SqlToken& token) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"PRIMARY", "UNIQUE", "KEY", "INDEX", "CONSTRAINT", "FOREIGN", "CHECK", "FULLTEXT", "SPATIAL",
       "EXCLUDE", "LIKE", "PERIOD"});
  return std::ranges::any_of(kWords, [&](auto word) { return IsSqlWord(token, word); });
}

std::size_t SkipQuoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '\'') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

}  // namespace prejoin::draft
