#include "draft/sql/statement_log.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/parse_number.h"
#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/sql_parser.h"

namespace prejoin::draft {
namespace {

std::string_view WithoutEnds(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  const std::size_t end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : text.substr(begin, end - begin + 1);
}

using Cells = std::vector<std::string>;

// Rows of RFC 4180: cells in double quotes may hold line ends.
std::vector<Cells> SeparatedRows(std::string_view text, char separator) {
  std::vector<Cells> rows;
  Cells row;
  std::string cell;
  bool quoted = false;
  const auto end_row = [&] {
    row.push_back(std::move(cell));
    rows.push_back(std::move(row));
    row.clear();
    cell.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        cell += text[at++];
      } else {
        quoted = false;
      }
    } else if (c == '"' && cell.empty()) {
      quoted = true;
    } else if (c == separator) {
      row.push_back(std::move(cell));
      cell.clear();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
    }
  }
  if (!cell.empty() || !row.empty()) {
    end_row();
  }
  return rows;
}

// The head and rows of psql: cells between bars, at the places that the line of dashes shows. A `+` at the end of a cell says that it
// goes on in the next line.
std::vector<Cells> AlignedRows(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::vector<std::size_t> bars;
  if (lines.size() > 1) {
    for (std::size_t at = lines[1].find('+'); at != std::string_view::npos;
         at = lines[1].find('+', at + 1)) {
      bars.push_back(at);
    }
  }
  bars.push_back(std::string_view::npos);
  std::vector<Cells> rows;
  bool goes_on = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 1 || lines[i].starts_with("(")) {
      continue;
    }
    Cells row;
    bool more = false;
    std::size_t begin = 0;
    for (const std::size_t bar : bars) {
      std::string_view cell =
          begin < lines[i].size() ? lines[i].substr(begin, bar - begin) : std::string_view();
      cell = WithoutEnds(cell);
      if (cell.ends_with("+")) {
        more = true;
        cell = WithoutEnds(cell.substr(0, cell.size() - 1));
      }
      row.emplace_back(cell);
      begin = bar == std::string_view::npos ? bar : bar + 1;
    }
    if (goes_on && !rows.empty()) {
      for (std::size_t column = 0; column < row.size(); ++column) {
        rows.back()[column] += row[column].empty() ? "" : " " + row[column];
      }
    } else {
      rows.push_back(std::move(row));
    }
    goes_on = more;
  }
  return rows;
}

// Reads the rows under a head with `query` and `calls`; returns nothing if there is no such head.
std::vector<LoggedStatement> FromRows(const std::vector<Cells>& rows, double seconds) {
  std::vector<LoggedStatement> log;
  if (rows.empty()) {
    return log;
  }
  const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
      if (Lowered(WithoutEnds(rows[0][i])) == name) {
        return i;
      }
    }
    return std::nullopt;
  };
  const auto query = column("query");
  const auto calls = column("calls");
  const auto time = column("seconds");
  if (!query || !calls) {
    return log;
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() <= std::max(*query, *calls) || rows[i][*query].empty()) {
      continue;
    }
    const auto counted = ParseDecimal(rows[i][*calls]);
    if (!counted || *counted < 0) {
      continue;
    }
    LoggedStatement one{rows[i][*query], *counted, 0};
    const auto own = time && *time < rows[i].size() ? ParseDecimal(rows[i][*time]) : std::nullopt;
    const double covered = own.value_or(seconds);
    one.per_second = covered > 0 ? one.calls / covered : 0;
    log.push_back(std::move(one));
  }
  return log;
}

// Objects as rows.
std::vector<Cells> JsonRows(std::string_view text) {
  std::vector<Cells> rows = {{"query", "calls", "seconds"}};
  const auto add = [&](json::Value one) {
    const auto number = [&](std::string_view name) {
      const auto value = Member(one, name);
      const bool is_number = value && (value->type() == json::Type::kInteger ||
                                       value->type() == json::Type::kDecimal);
      return is_number ? value->number_text() : TextOf(one, name);
    };
    rows.push_back({TextOf(one, "query"), number("calls"), number("seconds")});
  };
  if (const auto whole = json::Document::Parse(text)) {
    if (whole->root().type() == json::Type::kArray) {
      for (const json::Value one : ElementsOf(whole->root())) {
        add(one);
      }
    } else {
      add(whole->root());
    }
    return rows;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const auto line = json::Document::Parse(text.substr(at, end - at))) {
      add(line->root());
    }
    at = end + 1;
  }
  return rows;
}

}  // namespace

std::vector<LoggedStatement> ReadStatementLog(std::string_view log, double seconds) {
  const std::size_t start = log.find_first_not_of(" \t\r\n");
  const std::string_view head = log.substr(0, std::min(log.find('\n'), log.size()));
  std::vector<LoggedStatement> rows;
  if (start != std::string_view::npos && (log[start] == '[' || log[start] == '{')) {
    rows = FromRows(JsonRows(log), seconds);
  } else if (head.find('|') != std::string_view::npos) {
    rows = FromRows(AlignedRows(log), seconds);
  } else {
    const char separator = head.find('\t') != std::string_view::npos  ? '\t'
                           : head.find(';') != std::string_view::npos ? ';'
                                                                      : ',';
    rows = FromRows(SeparatedRows(log, separator), seconds);
  }
  if (!rows.empty()) {
    std::ranges::stable_sort(rows, std::ranges::greater(), &LoggedStatement::calls);
    return rows;
  }
  for (std::string& statement : SplitSql(log)) {
    rows.push_back({std::move(statement), 1, seconds > 0 ? 1 / seconds : 0});
  }
  return rows;
}

std::string RateText(double per_second) {
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr std::array<Unit, 4> kUnits = {
      {{"/s", 1}, {"/min", 60}, {"/hour", 3600}, {"/day", 86400}}};
  const Unit* unit = std::ranges::find_if(
      kUnits, [&](const Unit& one) { return per_second * one.seconds >= 1; });
  unit = unit == kUnits.end() ? &kUnits.back() : unit;
  const double number = per_second * unit->seconds;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), number >= 100 ? "%.0f" : "%.3g", number);
  return (number < 0.001 ? "0.001" : std::string(text.data())) + unit->name;
}

std::string RateIn(const std::string& statement) {
  // `-- 40/s`
  std::size_t at = 0;
  while ((at = statement.find("--", at)) != std::string::npos) {
    const std::size_t end = std::min(statement.find('\n', at), statement.size());
    std::string text = statement.substr(at + 2, end - at - 2);
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    if (text.starts_with("rate")) {
      text.erase(0, 4);
    }
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos && slash > 0 &&
        text.find_first_not_of("0123456789._k") == slash) {
      return text;
    }
    at = end;
  }
  return "";
}

}  // namespace prejoin::draft
