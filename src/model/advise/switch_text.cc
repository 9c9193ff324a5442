// A file with other tables, changed line by line.
//
// Only blocks that say something else are written anew: items and index lines by their place in the file, strategies, and
// tables that are gone. So comments, the order of declarations and the layout of everything else stay, and a person sees in
// the difference what the switch does. Where two declarations share a line, or the result does not read as it should, the file
// is formatted first: then each declaration has lines of its own.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "model/advise/switch_strategy.h"
#include "model/layout/print_physical.h"
#include "model/syntax/formatter.h"

namespace prejoin::model {
namespace {

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      break;
    }
    text.remove_prefix(end + 1);
  }
  return lines;
}

// The lines of one item, as they stand in a table.
std::vector<std::string> ItemLines(const Table& table, const ItemLayout& layout) {
  Model one;
  one.tables.push_back(table);
  one.tables[0].indexes.clear();
  one.tables[0].sort_claims.clear();
  one.tables[0].type_attribute.text.clear();
  one.tables[0].items = {layout};
  std::vector<std::string> lines = LinesOf(PrintPhysical(one));
  std::vector<std::string> inner;
  bool inside = false;
  for (std::string& line : lines) {
    inside = inside || line.starts_with("  item ");
    if (inside && line.starts_with("  ")) {
      inner.push_back(std::move(line));
    }
  }
  return inner;
}

// Replacements of whole lines, from the last to the first.
class LineEditor {
 public:
  explicit LineEditor(std::string_view source) : lines_(LinesOf(source)) {}

  // Lines are counted from 1; `last` before `first` only inserts.
  void Replace(int first, int last, std::vector<std::string> with) {
    edits_.push_back({first, last, std::move(with)});
  }
  int last_line() const { return static_cast<int>(lines_.size()); }

  // The line with the brace that closes the block that begins in this line.
  int BlockEnd(int first) const {
    int depth = 0;
    for (int number = first; number <= last_line(); ++number) {
      bool quoted = false;
      bool comment = false;
      const std::string& line = lines_[static_cast<std::size_t>(number - 1)];
      for (std::size_t i = 0; i < line.size() && !comment; ++i) {
        if (line[i] == '"') {
          quoted = !quoted;
        }
        comment = !quoted && line.compare(i, 2, "//") == 0;
        if (quoted || comment) {
          continue;
        }
        if (line[i] == '{') {
          ++depth;
        }
        if (line[i] == '}' && --depth == 0) {
          return number;
        }
      }
    }
    return last_line();
  }

  std::string Text() {
    // Before a line is inserted, what stands in its place is replaced; the first insertion comes out on top.
    std::ranges::reverse(edits_);
    std::ranges::stable_sort(edits_, [](const LineEdit& a, const LineEdit& b) {
      if (a.first != b.first) {
        return a.first > b.first;
      }
      return a.last >= a.first && b.last < b.first;
    });
    for (const LineEdit& edit : edits_) {
      const auto begin = lines_.begin() + std::clamp(edit.first - 1, 0, last_line());
      const auto end =
          lines_.begin() + std::clamp(std::max(edit.last, edit.first - 1), 0, last_line());
      lines_.insert(lines_.erase(begin, end), edit.with.begin(), edit.with.end());
    }
    std::string text;
    for (const std::string& line : lines_) {
      text += line + "\n";
    }
    return text;
  }

 private:
  struct LineEdit {
    int first = 0;
    int last = 0;
    std::vector<std::string> with;
  };
  std::vector<std::string> lines_;
  std::vector<LineEdit> edits_;
};

void ReplaceItems(const Table& old, const Table& now, LineEditor& lines) {
  int end = old.name.at.line;
  for (const Index& index : old.indexes) {
    end = std::max(end, index.at.line);
  }
  for (const ItemLayout& layout : old.items) {
    const int block_end = lines.BlockEnd(layout.entity.at.line);
    end = std::max(end, block_end);
    const auto other = std::ranges::find(now.items, layout.entity, &ItemLayout::entity);
    std::vector<std::string> with;
    if (other != now.items.end()) {
      with = ItemLines(now, *other);
    }
    if (with != ItemLines(old, layout)) {
      lines.Replace(layout.entity.at.line, block_end, with);
    }
  }
  for (const ItemLayout& layout : now.items) {
    if (std::ranges::find(old.items, layout.entity, &ItemLayout::entity) == old.items.end()) {
      lines.Replace(end + 1, end, ItemLines(now, layout));
    }
  }
  for (const SortClaim& claim : old.sort_claims) {
    const auto stays = [&](const SortClaim& one) {
      return one.first == claim.first && one.second == claim.second;
    };
    if (std::ranges::none_of(now.sort_claims, stays)) {
      lines.Replace(claim.first.at.line, claim.first.at.line, {});
    }
  }
}

void ReplaceIndexes(const Table& old, const Table& now, LineEditor& lines) {
  int end = old.name.at.line;
  for (const Index& index : old.indexes) {
    end = std::max(end, index.at.line);
    const Index* other = now.FindIndex(index.name.text);
    if (other != nullptr && PrintIndex(*other) == PrintIndex(index)) {
      continue;
    }
    std::vector<std::string> with;
    if (other != nullptr) {
      with.push_back("  " + PrintIndex(*other));
    }
    lines.Replace(index.at.line, index.at.line, std::move(with));
  }
  for (const Index& index : now.indexes) {
    if (old.FindIndex(index.name.text) == nullptr) {
      lines.Replace(end + 1, end, {"  " + PrintIndex(index)});
    }
  }
}

std::string StrategyLine(const StrategyChoice& choice) {
  std::string line;
  for (const Name& name : choice.strategies) {
    line += (line.empty() ? "" : ", ") + name.text;
  }
  return "strategy " + choice.relationship.text + " = " + line;
}

void ReplaceStrategies(const Model& old, const Model& now, LineEditor& lines) {
  int end = 0;
  for (const StrategyChoice& choice : old.strategies) {
    end = std::max(end, choice.relationship.at.line);
    const auto other =
        std::ranges::find(now.strategies, choice.relationship, &StrategyChoice::relationship);
    std::vector<std::string> with;
    if (other != now.strategies.end()) {
      with.push_back(StrategyLine(*other));
    }
    if (with != std::vector{StrategyLine(choice)}) {
      lines.Replace(choice.relationship.at.line, choice.relationship.at.line, std::move(with));
    }
  }
  for (const StrategyChoice& choice : now.strategies) {
    const auto known =
        std::ranges::find(old.strategies, choice.relationship, &StrategyChoice::relationship);
    if (known != old.strategies.end()) {
      continue;
    }
    if (end > 0) {
      lines.Replace(end + 1, end, {StrategyLine(choice)});
    } else {
      lines.Replace(lines.last_line() + 1, lines.last_line(), {"", StrategyLine(choice)});
    }
  }
}

std::string EditedText(std::string_view source, const Model& old, const Model& now) {
  LineEditor lines(source);
  for (const Table& table : old.tables) {
    const auto other = std::ranges::find(now.tables, table.name, &Table::name);
    if (other == now.tables.end()) {
      lines.Replace(table.name.at.line, lines.BlockEnd(table.name.at.line), {});
      continue;
    }
    ReplaceIndexes(table, *other, lines);
    ReplaceItems(table, *other, lines);
  }
  ReplaceStrategies(old, now, lines);
  return lines.Text();
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
        for (const std::string& line : ItemLines(table, layout)) {
          item += "\n" + line;
        }
        parts.push_back(std::move(item));
      }
    }
    for (const StrategyChoice& choice : one.strategies) {
      parts.push_back(StrategyLine(choice));
    }
    std::ranges::sort(parts);
    return parts;
  };
  return sorted(read.model) == sorted(model);
}

}  // namespace

std::string WithTablesOf(std::string_view source, const ReadModelResult& read,
                         const Model& changed) {
  std::string text = EditedText(source, read.model, changed);
  if (Says(text, changed)) {
    return text;
  }
  const std::string formatted = FormatTree(read.tree);
  return EditedText(formatted, ReadModel(formatted).model, changed);
}

}  // namespace prejoin::model
