#include "draft/sql/left_out.h"

#include <algorithm>

#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/sql_tokens.h"

namespace prejoin::draft {
namespace {

std::size_t LinesIn(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// "line 3", "lines 3, 8 and 12 more"
std::string LinesText(const std::vector<std::size_t>& lines) {
  constexpr std::size_t kShownMax = 10;
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < std::min(lines.size(), kShownMax); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(lines[i]);
  }
  return lines.size() > kShownMax
             ? text + " and " + std::to_string(lines.size() - kShownMax) + " more"
             : text;
}

}  // namespace

void LeftOut::ReadColumn(json::Value column, std::size_t line) {
  for (const json::Value one : ElementsOf(Member(column, "constraints"))) {
    const auto constraint = Member(one, "Constraint");
    const std::string kind = TextOf(constraint, "contype");
    if (kind == "CONSTR_DEFAULT" &&
        !FlagOf(Member(constraint, {"raw_expr", "A_Const"}), "isnull")) {
      defaults.push_back(line);
    }
    if (kind == "CONSTR_GENERATED") {
      generated.push_back(line);
    }
  }
}

void LeftOut::Tell(Notes& notes) const {
  const auto tell = [&](const std::vector<std::size_t>& lines, const std::string& what) {
    if (!lines.empty()) {
      notes.push_back("Not imported, " + LinesText(lines) + ": " + what);
    }
  };
  tell(defaults,
       "default values of columns. A write can state them: `put Order with status = \"OPEN\"`.");
  tell(generated,
       "the expressions of generated columns. The application computes these attributes.");
  tell(rows, "rows. A model describes the data; `sample` holds a few rows for `prove`.");
}

std::size_t LineCounter::LineOf(std::string_view statement) {
  const std::size_t found = text_.find(statement, at_);
  if (found != std::string_view::npos) {
    line_ += LinesIn(text_.substr(at_, found - at_));
    at_ = found;
  }
  return line_ + LinesIn(statement.substr(0, SkipBlank(statement, 0)));
}

std::size_t LineOfColumn(std::string_view statement, const std::string& column) {
  const std::vector<SqlToken> tokens = TokensOf(statement);
  const std::string wanted = Lowered(column);
  std::size_t line = 0;
  int depth = 0;
  bool begins = false;  // The next token begins a column.
  for (const SqlToken& token : tokens) {
    line += LinesIn(token.blank);
    const bool sign = token.kind == TokenKind::kSign;
    if (begins && !sign) {
      const bool quoted = token.kind == TokenKind::kName;
      const std::string_view name = token.text;
      if (Lowered(quoted ? name.substr(1, name.size() - 2) : name) == wanted) {
        return line - LinesIn(tokens[0].blank);
      }
    }
    depth += sign && token.text == "(" ? 1 : sign && token.text == ")" ? -1 : 0;
    begins = sign && depth == 1 && (token.text == "(" || token.text == ",");
    line += LinesIn(token.text);
  }
  return 0;
}

}  // namespace prejoin::draft
