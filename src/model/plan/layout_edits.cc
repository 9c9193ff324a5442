#include "model/plan/layout_edits.h"

#include <algorithm>

#include "model/schema/print_physical.h"

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
  std::vector<std::string> lines = {"table " + table.name.text + " partition " +
                                    table.partition.text + " sort " + table.sort.text + " {"};
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

}  // namespace

LineEdit AddToItem(const ItemLayout& layout, std::vector<std::string> lines) {
  return {
      LineEditKind::kAdd, "item " + layout.entity.text, layout.entity.at, std::move(lines), "", ""};
}

LineEdit AddToTable(const Table& table, std::vector<std::string> lines) {
  return {LineEditKind::kAdd, "table " + table.name.text, table.name.at, std::move(lines), "", ""};
}

LineEdit ReplaceIndex(const Table& table, const Index& old, const Index& now) {
  return {LineEditKind::kReplace,
          "table " + table.name.text,
          old.at,
          {PrintIndex(now)},
          PrintIndex(old),
          ""};
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

}  // namespace prejoin::model
