// The forms in which the shell prints rows.
#ifndef PREJOIN_SHELL_OUTPUT_H_
#define PREJOIN_SHELL_OUTPUT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"
#include "shell/result_table.h"

namespace prejoin::shell {

enum class OutputFormat {
  kTable,
  kExpanded,  // One attribute on each line.
  kJson,      // One row on each line.
  kCsv,
  kMarkdown,
};

// "table", "expanded", "json", "csv", "markdown".
std::optional<OutputFormat> OutputFormatNamed(std::string_view name);
inline constexpr std::string_view kOutputFormats = "table, expanded, json, csv or markdown";

// True if the head of the format depends on all rows, so that they cannot be printed page by page.
bool NeedsAllRows(OutputFormat format);

// True if people read the format, with a line about rows and cost after it; others are for programs.
bool IsForPeople(OutputFormat format);

// The rows, each attribute of them; only the table cuts. Empty for no rows.
std::string PrintRows(const std::vector<Item>& rows, OutputFormat format, const TableLimits& limits);

// The line of a statement that an error is about, with a mark below, if the message names a place ("1:8:5": line, column, length);
// empty if it names none.
std::string MarkedPlace(std::string_view statement, std::string_view message);

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_OUTPUT_H_
