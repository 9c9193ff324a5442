// Rewrites token by token: a statement is cut into words, quotes and signs, each with the blanks and comments before it, and one pass
// over them writes the result. Texts in quotes are never looked into.
#include "draft/sql/dialects.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "draft/names.h"
#include "draft/sql/sql_tokens.h"

namespace prejoin::draft {
namespace {

struct NewWord {
  std::string_view theirs;
  std::string_view ours;  // Empty: left out.
};
constexpr auto kNewWords = std::to_array<NewWord>({
    {"AUTOINCREMENT", ""},
    {"AUTO_INCREMENT", ""},
    {"CLUSTERED", ""},
    {"NONCLUSTERED", ""},
    {"UNSIGNED", ""},
    {"ZEROFILL", ""},
    {"NVARCHAR", "varchar"},
    {"VARCHAR2", "varchar"},
    {"NVARCHAR2", "varchar"},
    {"NUMBER", "numeric"},
    {"CLOB", "text"},
    {"NTEXT", "text"},
    {"UNIQUEIDENTIFIER", "uuid"},
    {"DATETIME2", "timestamp"},
    {"DATETIMEOFFSET", "timestamptz"},
    {"IMAGE", "bytea"},
    {"TINYINT", "int"},
    {"MEDIUMINT", "int"},
    {"TINYTEXT", "text"},
    {"MEDIUMTEXT", "text"},
    {"LONGTEXT", "text"},
    {"TINYBLOB", "bytea"},
    {"MEDIUMBLOB", "bytea"},
    {"LONGBLOB", "bytea"},
    {"BLOB", "bytea"},
    {"DATETIME", "timestamp"},
});

constexpr std::array<std::string_view, 8> kIntegers = {
    "INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "INT2", "INT8"};

// Words that PostgreSQL reserves and others use as names.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"ALL",    "ANALYSE", "ANALYZE", "ANY",    "ARRAY",  "ASC",    "BINARY", "BOTH",  "CASE",  "CAST",
     "COLUMN", "DESC",    "DO",      "ELSE",   "END",    "FETCH",  "FOR",    "FREEZE", "FROM", "GRANT",
     "GROUP",  "HAVING",  "INTO",    "LATERAL", "LEADING", "LIMIT", "OFFSET", "ONLY",  "ORDER", "PLACING",
     "SELECT", "SOME",    "TABLE",   "THEN",   "TO",     "TRAILING", "USER", "USING", "VERBOSE", "WHEN",
     "WHERE",  "WINDOW",  "WITH"});

// Options after the columns of a table; everything from the first one on is left out.
constexpr std::array<std::string_view, 7> kTableOptions = {
    "ENGINE", "AUTO_INCREMENT", "CHARSET", "CHARACTER", "COLLATE", "ROW_FORMAT", "COMMENT"};

class DialectRewriter {
 public:
  explicit DialectRewriter(std::string_view statement) : tokens_(TokensOf(statement)) {}

  std::string Rewrite() {
    while (at_ < tokens_.size()) {
      if (const std::size_t left_out = LeftOut(at_); left_out > 0) {
        at_ += left_out;
      } else if (IsUntyped(at_)) {
        Copy();
        out_ += " untyped";
      } else if (const SqlToken& token = tokens_[at_]; token.kind == TokenKind::kWord) {
        RewriteWord();
      } else {
        if (token.text == "(") {
          ++depth_;
        }
        if (token.text == ")") {
          --depth_;
        }
        Copy();
        if (token.text == ")" && depth_ <= 0 && BeginsTableOptions(at_)) {
          break;
        }
      }
    }
    return std::move(out_);
  }

 private:
  bool IsWord(std::size_t at, std::string_view word) const {
    return at < tokens_.size() && IsSqlWord(tokens_[at], word);
  }
  template <class Words>
  bool IsOneOf(std::size_t at, const Words& words) const {
    return std::any_of(std::begin(words), std::end(words),
                       [&](std::string_view word) { return IsWord(at, word); });
  }
  bool IsSign(std::size_t at, char sign) const {
    return at < tokens_.size() && tokens_[at].kind == TokenKind::kSign &&
           tokens_[at].text[0] == sign;
  }
  bool IsKind(std::size_t at, TokenKind kind) const {
    return at < tokens_.size() && tokens_[at].kind == kind;
  }
  bool IsName(std::size_t at) const {
    return IsKind(at, TokenKind::kWord) || IsKind(at, TokenKind::kName);
  }

  void Copy() {
    out_ += tokens_[at_].blank;
    out_ += tokens_[at_].text;
    ++at_;
  }
  void Replace(std::size_t count, std::string_view text) {
    out_ += tokens_[at_].blank;
    out_ += text;
    at_ += count;
  }

  // The tokens of "(3)", "(3,2)" or "()" at `at`; 0 if there are none.
  std::size_t Numbers(std::size_t at, std::size_t least, std::size_t most) const {
    if (!IsSign(at, '(')) {
      return 0;
    }
    std::size_t numbers = 0;
    std::size_t end = at + 1;
    while (IsKind(end, TokenKind::kNumber)) {
      ++numbers;
      ++end;
      if (!IsSign(end, ',')) {
        break;
      }
      ++end;
    }
    return IsSign(end, ')') && numbers >= least && numbers <= most ? end + 1 - at : 0;
  }

  // The tokens of a list in parentheses with others inside; 0 if there is none. A list of columns is never long, and a bound on it
  // keeps the whole linear.
  std::size_t Parenthesised(std::size_t at) const {
    constexpr std::size_t kTokensMax = 400;
    if (!IsSign(at, '(')) {
      return 0;
    }
    int depth = 0;
    for (std::size_t end = at; end < std::min(tokens_.size(), at + kTokensMax); ++end) {
      if (IsSign(end, '(')) {
        ++depth;
      }
      if (IsSign(end, ')') && --depth == 0) {
        return end + 1 - at;
      }
    }
    return 0;
  }

  // The tokens of ('a', 'b'). MySQL's texts may have double quotes.
  std::size_t Texts(std::size_t at) const {
    const auto is_text = [&](std::size_t i) {
      return IsKind(i, TokenKind::kText) || IsKind(i, TokenKind::kName);
    };
    if (!IsSign(at, '(') || !is_text(at + 1)) {
      return 0;
    }
    std::size_t end = at + 1;
    while (is_text(end) || IsSign(end, ',')) {
      ++end;
    }
    return IsSign(end, ')') ? end + 1 - at : 0;
  }

  // A text in double quotes in single ones.
  std::string AsText(std::size_t at) const {
    const std::string& text = tokens_[at].text;
    if (!IsKind(at, TokenKind::kName)) {
      return text;
    }
    std::string out = "'";
    for (const char c : std::string_view(text).substr(1, text.size() - 2)) {
      out += c == '\'' ? "''" : std::string(1, c);
    }
    return out + "'";
  }

  // True if the word is the name of a table or column. Other databases reserve other words than PostgreSQL.
  bool IsPlainName(std::size_t at) const {
    if (!IsKind(at, TokenKind::kWord) || at == 0) {
      return false;
    }
    if (IsWord(at - 1, "TABLE") || IsWord(at - 1, "REFERENCES")) {
      return !IsWord(at, "IF") && !IsWord(at, "ONLY");
    }
    if (IsWord(at - 1, "EXISTS")) {
      return at >= 4 && IsWord(at - 4, "TABLE");
    }
    const bool element = depth_ == 1 && IsWord(0, "CREATE") && (IsSign(at - 1, '(') || IsSign(at - 1, ','));
    return element && IsName(at + 1) && !BeginsConstraint(tokens_[at]);
  }

  // Counts the tokens from `at` on that PostgreSQL has no words for.
  std::size_t LeftOut(std::size_t at) const {
    if (IsSign(at, ',')) {
      return IsSign(at + 1, ')') ? 1 : IndexOfTable(at);
    }
    if (IsWord(at, "SUB_TYPE") && IsName(at + 1)) {
      return 2;
    }
    // VARCHAR(40) BINARY; BINARY(16) is a type.
    if (IsWord(at, "BINARY") && at > 0 && IsSign(at - 1, ')')) {
      return 1;
    }
    if (IsWord(at, "IDENTITY")) {
      const std::size_t numbers = Numbers(at + 1, 2, 2);
      // GENERATED ALWAYS AS IDENTITY is PostgreSQL's own.
      return numbers > 0 || at == 0 || !IsWord(at - 1, "AS") ? 1 + numbers : 0;
    }
    if (IsWord(at, "COMMENT")) {
      const std::size_t text = IsSign(at + 1, '=') ? at + 2 : at + 1;
      return IsKind(text, TokenKind::kText) ? text + 1 - at : 0;
    }
    if (IsWord(at, "ON") && IsWord(at + 1, "UPDATE") && IsWord(at + 2, "CURRENT_TIMESTAMP")) {
      return 3 + Numbers(at + 3, 0, 1);
    }
    if (IsWord(at, "CHARACTER") && IsWord(at + 1, "SET") && IsName(at + 2)) {
      return 3;
    }
    if (IsWord(at, "COLLATE") && IsName(at + 1)) {
      return 2;
    }
    // MySQL may name the primary key.
    if (at >= 2 && IsWord(at - 2, "PRIMARY") && IsWord(at - 1, "KEY") && IsName(at) &&
        IsSign(at + 1, '(') && !IsWord(at, "CLUSTERED") && !IsWord(at, "NONCLUSTERED")) {
      return 1;
    }
    // PostgreSQL's own, newer than its grammar here.
    if (IsWord(at, "WITHOUT") && IsWord(at + 1, "OVERLAPS")) {
      return 2;
    }
    if (IsWord(at, "PERIOD") && at > 0 && IsSign(at - 1, ',') && IsName(at + 1) && IsSign(at + 2, ')')) {
      return 1;
    }
    return 0;
  }

  // `, KEY name (columns)`: an index beside the columns, with the comma before it.
  std::size_t IndexOfTable(std::size_t comma) const {
    std::size_t at = comma + 1;
    if (IsWord(at, "FULLTEXT") || IsWord(at, "SPATIAL")) {
      ++at;
    }
    if (!IsWord(at, "KEY") && !IsWord(at, "INDEX")) {
      return 0;
    }
    ++at;
    const auto skip_using = [&] {
      if (IsWord(at, "USING") && IsName(at + 1)) {
        at += 2;
      }
    };
    skip_using();
    if (!IsSign(at, '(') && IsName(at)) {
      ++at;
    }
    skip_using();
    const std::size_t columns = Parenthesised(at);
    if (columns == 0) {
      return 0;
    }
    at += columns;
    skip_using();
    return at - comma;
  }

  // A column of SQLite without a type, which may hold anything.
  bool IsUntyped(std::size_t at) const {
    constexpr auto kBehind = std::to_array<std::string_view>(
        {"PRIMARY", "NOT", "UNIQUE", "CHECK", "DEFAULT", "REFERENCES", "CONSTRAINT", "COLLATE"});
    const bool first = at > 0 && (IsSign(at - 1, '(') || IsSign(at - 1, ','));
    return first && depth_ == 1 && IsWord(0, "CREATE") && IsName(at) && !BeginsConstraint(tokens_[at]) &&
           (IsSign(at + 1, ',') || IsSign(at + 1, ')') || IsOneOf(at + 1, kBehind));
  }

  bool BeginsTableOptions(std::size_t at) const {
    if (IsWord(at, "DEFAULT")) {
      return IsOneOf(at + 1, kTableOptions);
    }
    // SQLite's.
    if (IsWord(at, "STRICT") || (IsWord(at, "WITHOUT") && IsWord(at + 1, "ROWID"))) {
      return true;
    }
    return IsOneOf(at, kTableOptions);
  }

  void RewriteWord() {
    if (IsOneOf(at_, kIntegers)) {
      if (const std::size_t width = Numbers(at_ + 1, 1, 1); width > 0) {
        return Replace(1 + width, "bigint");
      }
    }
    if (IsWord(at_, "DATETIME")) {
      return Replace(1 + Numbers(at_ + 1, 1, 1), "timestamp");
    }
    if (IsWord(at_, "DOUBLE") && !IsWord(at_ + 1, "PRECISION")) {
      return Replace(1 + Numbers(at_ + 1, 2, 2), "double precision");
    }
    if (IsWord(at_, "VARBINARY") || IsWord(at_, "BINARY")) {
      if (const std::size_t width = Numbers(at_ + 1, 1, 1); width > 0) {
        return Replace(1 + width, "bytea");
      }
    }
    if (IsWord(at_, "ENUM") || IsWord(at_, "SET")) {
      if (const std::size_t texts = Texts(at_ + 1); texts > 0) {
        // closed_list.cc knows that `value` is the column.
        const bool one_of = IsWord(at_, "ENUM");
        std::string values;
        for (std::size_t i = at_ + 1; one_of && i < at_ + 1 + texts; ++i) {
          values += AsText(i);
        }
        return Replace(1 + texts, one_of ? "text CHECK (value IN " + values + ")" : "text");
      }
    }
    if (at_ == 0 && IsWord(at_, "RENAME") && IsWord(at_ + 1, "TABLE") && IsWord(at_ + 3, "TO")) {
      out_ += "ALTER TABLE " + tokens_[at_ + 2].text + " RENAME";
      at_ += 3;
      return;
    }
    if (IsWord(at_, "DEFAULT") && IsKind(at_ + 1, TokenKind::kName)) {
      return Replace(2, "DEFAULT " + AsText(at_ + 1));
    }
    if (IsOneOf(at_, kReserved) && IsPlainName(at_)) {
      return Replace(1, '"' + Lowered(tokens_[at_].text) + '"');
    }
    if (IsWord(at_, "UNIQUE") && (IsWord(at_ + 1, "KEY") || IsWord(at_ + 1, "INDEX"))) {
      return Replace(IsName(at_ + 2) ? 3 : 2, "UNIQUE");
    }
    if (IsWord(at_, "VIRTUAL") && at_ > 0 && IsSign(at_ - 1, ')')) {
      return Replace(1, "STORED");
    }
    const auto known = std::ranges::find_if(
        kNewWords, [&](const NewWord& one) { return IsWord(at_, one.theirs); });
    if (known != kNewWords.end()) {
      return Replace(1, known->ours);
    }
    Copy();
  }

  const std::vector<SqlToken> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string out_;
};

}  // namespace

std::string WithoutDialects(std::string_view statement) {
  return DialectRewriter(statement).Rewrite();
}

}  // namespace prejoin::draft
