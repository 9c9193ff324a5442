#include "draft/sql/sql_parser.h"

#include <absl/strings/ascii.h>
#include <pg_query.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "draft/names.h"
#include "draft/sql/dialects.h"
#include "draft/sql/sql_tokens.h"

namespace prejoin::draft {
namespace {

// $$ … $$ and $tag$ … $tag$; `at` + 1 if it is no such quote.
std::size_t SkipDollarQuoted(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) {
    ++end;
  }
  if (end >= text.size() || text[end] != '$') {
    return at + 1;
  }
  const std::string_view tag = text.substr(at, end - at + 1);
  const std::size_t close = text.find(tag, end + 1);
  return close == std::string_view::npos ? text.size() : close + tag.size();
}

// The length of a line that ends a statement by itself: GO of SQL Server's tools, / of Oracle's, DELIMITER of MySQL's; 0 if none
// begins here.
std::size_t SeparatorLine(std::string_view text, std::size_t at) {
  if (at > 0 && text[at - 1] != '\n') {
    return 0;
  }
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string line = Lowered(text.substr(at, end - at));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
    line.pop_back();
  }
  return line == "go" || line == "/" || line.starts_with("delimiter ") ? std::max<std::size_t>(1, end - at) : 0;
}

// True if a line begins with CREATE TABLE. SQL Server's scripts need no semicolons, and CREATE SCHEMA may go on with its tables.
bool BeginsTable(std::string_view text, std::size_t at) {
  constexpr std::string_view kWords = "create table ";
  if (Lowered(text.substr(at, kWords.size())) != kWords) {
    return false;
  }
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(line, at - line).find_first_not_of(" \t") == std::string_view::npos;
}

bool HasDollarQuoted(std::string_view statement) {
  for (std::size_t at = statement.find('$'); at != std::string_view::npos; at = statement.find('$', at + 1)) {
    if (SkipDollarQuoted(statement, at) > at + 1) {
      return true;
    }
  }
  return false;
}

// Behind the rows that follow COPY … FROM stdin in a dump, up to the line `\.`; `at` if the statement is another one. Rows may hold
// quotes and semicolons.
std::size_t SkipCopied(std::string_view text, std::string_view statement, std::size_t at) {
  constexpr std::size_t kHeadBytes = 4'000;
  const std::string head = Lowered(statement.substr(SkipBlank(statement, 0), kHeadBytes));
  if (!head.starts_with("copy ") || head.find("from stdin") == std::string::npos) {
    return at;
  }
  const std::size_t end = text.find("\n\\.", at);
  return end == std::string_view::npos ? text.size() : end + 3;
}

// True if a statement begins a trigger, procedure or function whose body has semicolons of its own. A
// dollar-quoted PostgreSQL text is skipped as one text.
bool HasBody(std::string_view statement) {
  constexpr std::size_t kHeadBytes = 400;
  const std::string head = Lowered(statement.substr(SkipBlank(statement, 0), kHeadBytes));
  if (!head.starts_with("create ") && !head.starts_with("create\n")) {
    return false;
  }
  const std::string first = head.substr(0, head.find('('));
  const bool routine = std::ranges::any_of(
      std::to_array<std::string_view>({" trigger ", " procedure ", " function ", " package "}),
      [&](std::string_view word) { return first.find(word) != std::string::npos; });
  return routine && !HasDollarQuoted(statement) && head.find("execute ") == std::string::npos &&
         Lowered(statement).find("begin") != std::string::npos;
}

// True if the text before a semicolon ends with END and perhaps a name, but not with END IF.
bool EndsWithEnd(std::string_view statement) {
  constexpr std::size_t kTailBytes = 100;
  std::string tail =
      Lowered(statement.substr(statement.size() - std::min(statement.size(), kTailBytes)));
  while (!tail.empty() && absl::ascii_isspace(static_cast<unsigned char>(tail.back()))) {
    tail.pop_back();
  }
  const std::size_t word = tail.find_last_of(" \t\n\r;");
  const std::string last = word == std::string::npos ? tail : tail.substr(word + 1);
  if (last == "end") {
    return true;
  }
  const std::string before = word == std::string::npos ? "" : tail.substr(0, word);
  return before.ends_with("end") && last != "if" && last != "loop" && last != "case" &&
         last != "while" && last != "repeat";
}

// JDBC, MySQL and SQLite write ? where PostgreSQL writes $1.
std::string WithNumberedPlaceholders(std::string_view statement) {
  std::string out;
  int number = 0;
  for (std::size_t at = 0; at < statement.size();) {
    const char c = statement[at];
    const bool quoted = c == '\'' || c == '"' || c == '`';
    const std::size_t end = quoted ? SkipQuoted(statement, at) : at + 1;
    if (c == '?') {
      out += "$" + std::to_string(++number);
    } else {
      out += statement.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

// The parser's messages quote tokens, which its lexer may end within a character.
std::string WholeCharacters(std::string_view text) {
  std::string whole;
  while (!text.empty()) {
    const std::size_t bytes = Utf8PrefixBytes(text);
    whole += text.substr(0, bytes);
    text.remove_prefix(std::min(bytes + 1, text.size()));
  }
  return whole;
}

Result<std::string> ParseAsPostgres(const std::string& statement) {
  PgQueryParseResult parsed = pg_query_parse(statement.c_str());
  if (parsed.error != nullptr) {
    Error error = ValidationError(WholeCharacters(parsed.error->message));
    pg_query_free_parse_result(parsed);
    return error;
  }
  std::string tree = parsed.parse_tree;
  pg_query_free_parse_result(parsed);
  return tree;
}

}  // namespace

std::vector<std::string> SplitSql(std::string_view text) {
  std::vector<std::string> statements;
  std::size_t begin = 0;
  std::size_t at = 0;
  int depth = 0;                     // A semicolon inside parentheses ends nothing.
  std::optional<std::size_t> opened;  // The statement's first letter.
  const auto end_statement = [&](std::size_t end) {
    depth = 0;
    opened.reset();
    std::string one(text.substr(begin, end - begin));
    const std::size_t first = one.find_first_not_of(" \t\r\n");
    if (first != std::string::npos) {
      statements.push_back(one.substr(first));
    }
    begin = end + 1;
  };
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\'' || c == '"' || c == '`') {
      opened = opened.value_or(at);
      at = SkipQuoted(text, at);
    } else if (c == '$') {
      opened = opened.value_or(at);
      at = SkipDollarQuoted(text, at);
    } else if (text.substr(at, 2) == "--" || c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else {
      if (c == ';') {
        const std::string_view one = text.substr(begin, at - begin);
        if (one.size() > kSqlStatementBytesMax || !HasBody(one) || EndsWithEnd(one)) {
          end_statement(at);
          at = SkipCopied(text, one, at + 1) - 1;
          begin = at + 1;
        }
      }
      // A line for psql, such as \copy, ends by itself.
      if (c == '\\' && !opened) {
        at = std::min(text.find('\n', at), text.size());
        begin = at;
        continue;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      const bool create = (c == 'c' || c == 'C') && depth == 0 && opened && BeginsTable(text, at);
      if (create && !HasBody(text.substr(begin, at - begin))) {
        end_statement(at);
        begin = at;
      }
      if (!opened && c != ';' && !absl::ascii_isspace(static_cast<unsigned char>(c))) {
        opened = at;
      }
      if (const std::size_t line = SeparatorLine(text, at); line > 0) {
        end_statement(at);
        at += line;
        begin = at;
        continue;
      }
      ++at;
    }
  }
  if (begin < text.size()) {
    end_statement(text.size());
  }
  return statements;
}

Result<std::string> ParseSql(const std::string& statement, const Spellings& spellings) {
  if (statement.size() > kSqlStatementBytesMax) {
    return ValidationError("the statement is longer than 32 KB");
  }
  if (!spellings.empty()) {
    // A name can be a word of the grammar elsewhere, so what does not parse is tried with fewer names.
    for (const Spelt spelt : {Spelt::kInAnyCase, Spelt::kExactly}) {
      auto spelled = ParseSql(WithSpellings(statement, spellings, spelt));
      if (spelled) {
        return spelled;
      }
    }
  }
  auto tree = ParseAsPostgres(statement);
  if (tree) {
    return tree;
  }
  auto second = ParseAsPostgres(WithoutDialects(statement));
  if (second) {
    return second;
  }
  const std::string numbered = WithNumberedPlaceholders(statement);
  if (numbered == statement) {
    return tree;
  }
  auto third = ParseAsPostgres(WithoutDialects(numbered));
  return third ? std::move(third) : std::move(tree);
}

std::string QuotedSql(std::string_view statement) {
  constexpr std::size_t kNoteBytesMax = 400;
  const std::string_view shown = CutUtf8(statement, kNoteBytesMax);
  return std::string(shown) + (shown.size() < statement.size() ? " …" : "");
}

std::string NormalizedSql(const std::string& statement) {
  if (statement.size() > kSqlStatementBytesMax) {
    return statement;
  }
  PgQueryNormalizeResult normalized = pg_query_normalize(statement.c_str());
  std::string text = normalized.error == nullptr ? normalized.normalized_query : statement;
  pg_query_free_normalize_result(normalized);
  return text;
}

}  // namespace prejoin::draft
