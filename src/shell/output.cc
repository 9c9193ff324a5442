#include "shell/output.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "json/plain_value.h"
#include "model/syntax/fold.h"

namespace prejoin::shell {
namespace {

constexpr auto kFormats = std::to_array<std::pair<std::string_view, OutputFormat>>({
    {"table", OutputFormat::kTable},
    {"expanded", OutputFormat::kExpanded},
    {"json", OutputFormat::kJson},
    {"csv", OutputFormat::kCsv},
    {"markdown", OutputFormat::kMarkdown},
});

// Text as it is; anything inside lists and maps, and bytes, as JSON.
std::string WholeText(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return *value.string();
  }
  std::string out;
  json::AppendPlain(value, out);
  if (value.binary() != nullptr && out.size() > 1 && out.front() == '"') {
    out = out.substr(1, out.size() - 2);
  }
  return out;
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    out += c;
    out += c == '"' ? "\"" : "";
  }
  return out + '"';
}

std::string MarkdownCell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') {
      out += "\\|";
    } else if (c == '\n') {
      out += "<br>";
    } else if (c != '\r') {
      out += c;
    }
  }
  return out;
}

std::string AsCsv(const std::vector<Item>& rows, const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : ",") + CsvCell(names[i]);
  }
  out += "\n";
  for (const Item& row : rows) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const AttributeValue* value = row.Find(names[i]);
      out += (i == 0 ? "" : ",") + (value != nullptr ? CsvCell(WholeText(*value)) : "");
    }
    out += "\n";
  }
  return out;
}

std::string AsMarkdown(const std::vector<Item>& rows, const std::vector<std::string>& names) {
  std::string out = "|";
  std::string rule = "|";
  for (const std::string& name : names) {
    out += " " + MarkdownCell(name) + " |";
    rule += " --- |";
  }
  out += "\n" + rule + "\n";
  for (const Item& row : rows) {
    out += "|";
    for (const std::string& name : names) {
      const AttributeValue* value = row.Find(name);
      out += " " + (value != nullptr ? MarkdownCell(WholeText(*value)) : std::string()) + " |";
    }
    out += "\n";
  }
  return out;
}

std::string AsJsonLines(const std::vector<Item>& rows) {
  std::string out;
  for (const Item& row : rows) {
    json::AppendPlain(row, out);
    out += '\n';
  }
  return out;
}

// Signs that would move the cursor become dots.
std::string Shown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += (byte < 0x20 && c != '\n') || byte == 0x7F ? '.' : c;
  }
  return out;
}

std::string AsExpanded(const std::vector<Item>& rows, const std::vector<std::string>& names) {
  std::string out;
  std::size_t number = 0;
  for (const Item& row : rows) {
    out += "-[ row " + std::to_string(++number) + " ]\n";
    std::size_t width = 0;
    for (const auto& [name, value] : row) {
      width = std::max(width, model::Columns(name));
    }
    for (const std::string& name : names) {
      if (const AttributeValue* value = row.Find(name)) {
        out += name + std::string(width - model::Columns(name), ' ') + " | " +
               Shown(WholeText(*value)) + "\n";
      }
    }
  }
  return out;
}

}  // namespace

std::optional<OutputFormat> OutputFormatNamed(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &decltype(kFormats)::value_type::first);
  return found == kFormats.end() ? std::nullopt : std::optional(found->second);
}

bool NeedsAllRows(OutputFormat format) {
  return format == OutputFormat::kCsv || format == OutputFormat::kMarkdown;
}

bool IsForPeople(OutputFormat format) {
  return format == OutputFormat::kTable || format == OutputFormat::kExpanded;
}

std::string PrintRows(const std::vector<Item>& rows, OutputFormat format,
                      const TableLimits& limits) {
  if (rows.empty()) {
    return "";
  }
  const std::vector<std::string> names = ColumnNames(rows, limits.first);
  switch (format) {
    case OutputFormat::kTable:
      return DrawItems(rows, limits);
    case OutputFormat::kExpanded:
      return AsExpanded(rows, names);
    case OutputFormat::kJson:
      return AsJsonLines(rows);
    case OutputFormat::kCsv:
      return AsCsv(rows, names);
    case OutputFormat::kMarkdown:
      return AsMarkdown(rows, names);
  }
  return "";
}

std::string MarkedPlace(std::string_view statement, std::string_view message) {
  for (std::size_t at = message.find(" at "); at != std::string_view::npos;
       at = message.find(" at ", at + 1)) {
    std::array<std::size_t, 3> place{};
    const char* from = message.data() + at + 4;
    const char* const end = message.data() + message.size();
    std::size_t read = 0;
    for (; read < place.size(); ++read) {
      const auto [rest, error] = std::from_chars(from, end, place[read]);
      if (error != std::errc() || (read < 2 && (rest == end || *rest != ':'))) {
        break;
      }
      from = rest + (read < 2 ? 1 : 0);
    }
    const auto [line_number, column, length] = place;
    if (read < place.size() || line_number == 0 || column == 0) {
      continue;
    }
    for (std::size_t skipped = 1; skipped < line_number; ++skipped) {
      const std::size_t next = statement.find('\n');
      statement = next == std::string_view::npos ? "" : statement.substr(next + 1);
    }
    const std::string_view line = statement.substr(0, statement.find('\n'));
    if (column > line.size() + 1) {
      return "";
    }
    const std::size_t marks =
        std::max<std::size_t>(1, std::min(length, line.size() + 1 - column));
    return std::string(line) + "\n" +
           std::string(model::Columns(line.substr(0, column - 1)), ' ') + std::string(marks, '^') +
           "\n";
  }
  return "";
}

}  // namespace prejoin::shell
