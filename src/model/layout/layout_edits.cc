#include "model/layout/layout_edits.h"

#include <algorithm>
#include <utility>

#include "model/layout/print_physical.h"

namespace prejoin::model {
namespace {

void AddTableChanges(const Table& old, const Table& table, std::vector<LineEdit>& edits) {
  std::vector<std::string> lines;
  for (const Index& index : table.indexes) {
    const Index* before = old.FindIndex(index.name.text);
    if (before == nullptr) {
      lines.push_back(PrintIndex(index));
    } else if (PrintIndex(*before) != PrintIndex(index)) {
      edits.push_back(ReplaceIndex(old, *before, index));
    }
  }
  std::vector<LineEdit> of_items;
  for (const ItemLayout& layout : table.items) {
    const auto before = std::ranges::find(old.items, layout.entity, &ItemLayout::entity);
    if (before == old.items.end()) {
      const std::vector<std::string> item = PrintItemLines(layout);
      lines.insert(lines.end(), item.begin(), item.end());
      continue;
    }
    std::vector<std::string> added;
    for (const StoredAttribute& stored : layout.attributes) {
      if (before->Find(stored.name.text) == nullptr) {
        added.push_back(PrintStored(stored));
      }
    }
    if (!added.empty()) {
      of_items.push_back(AddToItem(*before, std::move(added)));
    }
  }
  if (!lines.empty()) {
    edits.push_back(AddToTable(old, std::move(lines)));
  }
  edits.insert(edits.end(), of_items.begin(), of_items.end());
}

std::vector<std::string> TableLines(const Table& table) {
  std::vector<std::string> lines = {PrintTableHead(table) + " {"};
  for (const Index& index : table.indexes) {
    lines.push_back("  " + PrintIndex(index));
  }
  for (const ItemLayout& layout : table.items) {
    for (const std::string& line : PrintItemLines(layout)) {
      lines.push_back("  " + line);
    }
  }
  lines.emplace_back("}");
  return lines;
}

// Lines behind the last of the table's statements that come first, or on top of its block.
LineEdit AddBehind(const Table& table, const SourceSpan* last, std::vector<std::string> lines) {
  LineEdit edit = AddToTable(table, std::move(lines));
  if (last != nullptr) {
    edit.kind = LineEditKind::kBehind;
    edit.at = *last;
  }
  return edit;
}

void AddIndexChanges(const Table& old, const Table& now, std::vector<LineEdit>& edits) {
  for (const Index& index : old.indexes) {
    const Index* other = now.FindIndex(index.name.text);
    if (other == nullptr) {
      edits.push_back(RemoveIndex(old, index));
    } else if (PrintIndex(*other) != PrintIndex(index)) {
      edits.push_back(ReplaceIndex(old, index, *other));
    }
  }
  std::vector<std::string> added;
  for (const Index& index : now.indexes) {
    if (old.FindIndex(index.name.text) == nullptr) {
      added.push_back(PrintIndex(index));
    }
  }
  if (!added.empty()) {
    edits.push_back(
        AddBehind(old, old.indexes.empty() ? nullptr : &old.indexes.back().at, std::move(added)));
  }
}

void AddItemChanges(const Table& old, const Table& now, std::vector<LineEdit>& edits) {
  for (const ItemLayout& layout : old.items) {
    const auto other = std::ranges::find(now.items, layout.entity, &ItemLayout::entity);
    const std::vector<std::string> lines = FormattedItemLines(layout);
    if (other == now.items.end()) {
      edits.push_back(RemoveFrom("table " + old.name.text, layout.entity.at, lines.front()));
    } else if (FormattedItemLines(*other) != lines) {
      edits.push_back({LineEditKind::kRewrite, "table " + old.name.text, layout.entity.at,
                       FormattedItemLines(*other), lines.front(), ""});
    }
  }
  std::vector<std::string> added;
  for (const ItemLayout& layout : now.items) {
    if (std::ranges::find(old.items, layout.entity, &ItemLayout::entity) == old.items.end()) {
      const std::vector<std::string> lines = FormattedItemLines(layout);
      added.insert(added.end(), lines.begin(), lines.end());
    }
  }
  if (!added.empty()) {
    edits.push_back(AddBehind(old, old.items.empty() ? nullptr : &old.items.back().entity.at,
                              std::move(added)));
  }
  for (const SortClaim& claim : old.sort_claims) {
    const bool stays = std::ranges::any_of(now.sort_claims, [&](const SortClaim& one) {
      return one.first == claim.first && one.second == claim.second;
    });
    if (!stays) {
      edits.push_back(RemoveFrom("table " + old.name.text, claim.first.at, PrintClaim(claim)));
    }
  }
}

void AddStrategyChanges(const Model& old, const Model& now, std::vector<LineEdit>& edits) {
  for (const StrategyChoice& choice : old.strategies) {
    const auto other =
        std::ranges::find(now.strategies, choice.relationship, &StrategyChoice::relationship);
    const std::string line = PrintStrategy(choice);
    if (other == now.strategies.end()) {
      edits.push_back(RemoveFrom("", choice.relationship.at, line));
    } else if (PrintStrategy(*other) != line) {
      edits.push_back(ReplaceIn("", choice.relationship.at, line, PrintStrategy(*other)));
    }
  }
  std::vector<std::string> added;
  for (const StrategyChoice& choice : now.strategies) {
    if (std::ranges::find(old.strategies, choice.relationship, &StrategyChoice::relationship) ==
        old.strategies.end()) {
      added.push_back(PrintStrategy(choice));
    }
  }
  if (added.empty()) {
    return;
  }
  if (old.strategies.empty()) {
    edits.push_back({LineEditKind::kAppend, "", {}, std::move(added), "", ""});
  } else {
    edits.push_back({LineEditKind::kBehind, "", old.strategies.back().relationship.at,
                     std::move(added), "", ""});
  }
}

}  // namespace

LineEdit AddToItem(const ItemLayout& layout, std::vector<std::string> lines) {
  return AddTo("item " + layout.entity.text, layout.entity.at, std::move(lines));
}

LineEdit AddToTable(const Table& table, std::vector<std::string> lines) {
  return AddTo("table " + table.name.text, table.name.at, std::move(lines));
}

LineEdit RemoveIndex(const Table& table, const Index& index) {
  return RemoveFrom("table " + table.name.text, index.at, PrintIndex(index));
}

LineEdit ReplaceIndex(const Table& table, const Index& old, const Index& now) {
  return ReplaceIn("table " + table.name.text, old.at, PrintIndex(old), PrintIndex(now));
}

LineEdit RemoveStored(const ItemLayout& layout, const StoredAttribute& stored) {
  return RemoveFrom("item " + layout.entity.text, stored.name.at, PrintStored(stored));
}

LineEdit ReplaceStored(const ItemLayout& layout, const StoredAttribute& old,
                       const StoredAttribute& now) {
  return ReplaceIn("item " + layout.entity.text, old.name.at, PrintStored(old), PrintStored(now));
}

bool IsWritten(const ItemLayout& layout, const StoredAttribute& stored) {
  return stored.at.line != layout.entity.at.line;
}

std::vector<LineEdit> RemoveOwnKeys(const Table& table, const ItemLayout& layout,
                                    const Index& index) {
  Table rest = table;
  std::erase_if(rest.indexes, [&](const Index& one) { return one.name == index.name; });
  std::vector<LineEdit> edits;
  for (const auto* names : {&index.partition, &index.sort}) {
    for (const Name& name : *names) {
      const StoredAttribute* stored = layout.Find(name.text);
      if (stored != nullptr && IsWritten(layout, *stored) && !rest.HasKey(name.text)) {
        edits.push_back(RemoveStored(layout, *stored));
      }
    }
  }
  return edits;
}

std::vector<LineEdit> AddedLayout(const Model& before, const Model& after) {
  std::vector<LineEdit> edits;
  for (const Table& table : after.tables) {
    const auto old = std::ranges::find(before.tables, table.name, &Table::name);
    if (old == before.tables.end()) {
      edits.push_back({LineEditKind::kAppend, "", {}, TableLines(table), "", ""});
    } else {
      AddTableChanges(*old, table, edits);
    }
  }
  return edits;
}

std::vector<LineEdit> ChangedLayout(const Model& before, const Model& after) {
  std::vector<LineEdit> edits;
  for (const Table& table : before.tables) {
    const auto other = std::ranges::find(after.tables, table.name, &Table::name);
    if (other == after.tables.end()) {
      edits.push_back(RemoveFrom("", table.name.at, PrintTableHead(table)));
      continue;
    }
    AddIndexChanges(table, *other, edits);
    AddItemChanges(table, *other, edits);
  }
  AddStrategyChanges(before, after, edits);
  return edits;
}

}  // namespace prejoin::model
