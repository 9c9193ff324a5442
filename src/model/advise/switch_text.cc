// A file with other tables, changed line by line: so comments, the order of declarations and the layout of everything else stay,
// and a person sees in the difference what the switch does. Where an edit has no place, or the result does not read as it should,
// the file is formatted first: then each declaration has lines of its own.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/advise/switch_strategy.h"
#include "model/layout/layout_edits.h"
#include "model/layout/print_physical.h"
#include "model/syntax/formatter.h"

namespace prejoin::model {
namespace {

std::optional<std::string> EditedText(const ReadModelResult& read, const Model& now) {
  const auto placed = EditPlacer(read.source, read.tree).Place(ChangedLayout(read.model, now));
  return placed ? ApplyEdits(read.source, *placed) : std::nullopt;
}

// The text has these tables and strategies, in whatever order.
bool Says(const std::string& text, const Model& model) {
  const ReadModelResult read = ReadModel(text);
  if (!read.ok) {
    return false;
  }
  const auto sorted = [](const Model& one) {
    std::vector<std::string> parts;
    for (const Table& table : one.tables) {
      for (const Index& index : table.indexes) {
        parts.push_back(table.name.text + " " + PrintIndex(index));
      }
      for (const ItemLayout& layout : table.items) {
        std::string item = table.name.text;
        for (const std::string& line : PrintItemLines(layout)) {
          item += "\n" + line;
        }
        parts.push_back(std::move(item));
      }
    }
    for (const StrategyChoice& choice : one.strategies) {
      parts.push_back(PrintStrategy(choice));
    }
    std::ranges::sort(parts);
    return parts;
  };
  return sorted(read.model) == sorted(model);
}

}  // namespace

std::string WithTablesOf(const ReadModelResult& read, const Model& changed) {
  std::optional<std::string> text = EditedText(read, changed);
  if (text && Says(*text, changed)) {
    return *std::move(text);
  }
  return EditedText(ReadModel(FormatTree(read.tree)), changed).value_or(std::string(read.source));
}

}  // namespace prejoin::model
