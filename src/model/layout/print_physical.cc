#include "model/layout/print_physical.h"

#include <string_view>

#include "model/syntax/formatter.h"

namespace prejoin::model {
namespace {

std::string NamesListed(const std::vector<Name>& names) {
  std::string out;
  for (const Name& name : names) {
    out += (out.empty() ? "" : ", ") + name.text;
  }
  return out;
}

std::string PathWritten(const Path& path) {
  return path.entity.text.empty() ? path.attribute.text
                                  : path.entity.text + "." + path.attribute.text;
}

std::string UpkeepText(CopyUpkeep upkeep) {
  switch (upkeep) {
    case CopyUpkeep::kNotStated:
      return "";
    case CopyUpkeep::kNever:
      return " kept by nobody";
    case CopyUpkeep::kTransaction:
      return " kept by transaction";
    case CopyUpkeep::kStream:
      return " kept by stream";
    case CopyUpkeep::kBatch:
      return " kept by batch";
  }
  return "";
}

std::string MembersText(const StoredAttribute& stored) {
  if (stored.members.empty()) {
    return "";
  }
  std::string out;
  for (const Path& path : stored.members) {
    out += (out.empty() ? " (" : ", ") + PathWritten(path);
  }
  return out + ")";
}

std::string StoredText(const StoredAttribute& stored) {
  switch (stored.kind) {
    case StoredKind::kTemplate:
      return stored.key.natural ? stored.key.parts[0].attribute : stored.key.ToString();
    case StoredKind::kCopy:
      return "copy of " + PathWritten(stored.copy) + UpkeepText(stored.upkeep);
    case StoredKind::kSum:
      return "sum of " + PathWritten(stored.copy) + UpkeepText(stored.upkeep);
    case StoredKind::kCount:
      return "count of " + stored.copy.entity.text + UpkeepText(stored.upkeep);
    case StoredKind::kEmbedList:
      return "list of " + stored.embedded.text + MembersText(stored) + UpkeepText(stored.upkeep);
    case StoredKind::kEmbedMap:
      return "map of " + stored.embedded.text + " by " + stored.by.text + MembersText(stored) +
             UpkeepText(stored.upkeep);
  }
  return "";
}

void AddComments(const std::map<std::string, std::vector<std::string>>& comments,
                 const std::string& name, std::string& out) {
  if (const auto found = comments.find(name); found != comments.end()) {
    for (const std::string& line : found->second) {
      out += "// " + line + "\n";
    }
  }
}

// A key called like an attribute holds that attribute without being written.
bool IsImplied(const StoredAttribute& stored) {
  return stored.kind == StoredKind::kTemplate && stored.key.natural &&
         stored.key.parts[0].attribute == stored.name.text;
}

std::string PrintItem(const ItemLayout& layout, const std::vector<std::string>& more) {
  std::string out = PrintItemHead(layout) + " {\n";
  for (const StoredAttribute& stored : layout.attributes) {
    if (!IsImplied(stored)) {
      out += PrintStored(stored) + "\n";
    }
  }
  // A list says what is stored; the rest follows from it.
  if (!layout.without.empty() && layout.only.empty()) {
    out += "without " + NamesListed(layout.without) + "\n";
  }
  for (const Name& lock : layout.locks) {
    out += "unique " + lock.text + " by lock item\n";
  }
  for (const std::string& line : more) {
    out += line + "\n";
  }
  return out + "}\n";
}

std::vector<std::string> LinesIn(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::string PrintTableHead(const Table& table) {
  return "table " + table.name.text + " partition " + table.partition.text +
         (table.sort.text.empty() ? "" : " sort " + table.sort.text);
}

std::string PrintClaim(const SortClaim& claim) {
  return "sorts " + claim.first.text + " before " + claim.second.text;
}

std::string PrintStrategy(const StrategyChoice& choice) {
  return "strategy " + choice.relationship.text + " = " + NamesListed(choice.strategies);
}

std::string PrintIndex(const Index& index) {
  std::string out = index.local ? "local index " : "index ";
  out += index.name.text;
  if (!index.local) {
    out += " partition " + NamesListed(index.partition);
  }
  if (!index.sort.empty()) {
    out += " sort " + NamesListed(index.sort);
  }
  switch (index.projection) {
    case ProjectionKind::kAll:
      return out + " project all";
    case ProjectionKind::kKeys:
      return out + " project keys";
    case ProjectionKind::kInclude:
      return out + " project " + NamesListed(index.include);
  }
  return out;
}

std::string PrintItemHead(const ItemLayout& layout) {
  return "item " + layout.entity.text + (layout.of.given() ? " of " + layout.of.text : "") +
         (layout.only.empty() ? "" : " (" + NamesListed(layout.only) + ")");
}

std::string PrintStored(const StoredAttribute& stored) {
  return stored.name.text + " = " + StoredText(stored);
}

std::vector<std::string> PrintItemLines(const ItemLayout& layout) {
  std::vector<std::string> lines = LinesIn(PrintItem(layout, {}));
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    lines[i].insert(0, "  ");
  }
  return lines;
}

std::vector<std::string> FormattedItemLines(const ItemLayout& layout) {
  Model model;
  Table& table = model.tables.emplace_back();
  table.name.text = table.partition.text = "Any";
  table.items = {layout};
  const std::vector<std::string> lines = LinesIn(PrintPhysical(model));
  std::vector<std::string> inner;
  for (const std::string& line : lines) {
    if (line.starts_with("  ")) {
      inner.push_back(line.substr(2));
    }
  }
  return inner;
}

std::string PrintPhysical(const Model& model, const PhysicalComments& comments) {
  std::string out;
  for (const Table& table : model.tables) {
    AddComments(comments.tables, table.name.text, out);
    out += PrintTableHead(table) + " {\n";
    if (!table.type_attribute.text.empty()) {
      out += "type " + table.type_attribute.text + (table.type_upper ? " upper\n" : "\n");
    }
    for (const Index& index : table.indexes) {
      AddComments(comments.indexes, table.name.text + "." + index.name.text, out);
      out += PrintIndex(index) + "\n";
    }
    out += "\n";
    for (const ItemLayout& layout : table.items) {
      AddComments(comments.items, layout.entity.text, out);
      const auto more = comments.item_lines.find(layout.entity.text);
      out += PrintItem(
          layout, more != comments.item_lines.end() ? more->second : std::vector<std::string>());
    }
    for (const SortClaim& claim : table.sort_claims) {
      out += PrintClaim(claim) + "\n";
    }
    out += "}\n\n";
  }
  for (const StrategyChoice& choice : model.strategies) {
    out += PrintStrategy(choice) + "\n";
  }
  std::vector<Diagnostic> ignored;
  return FormatTree(ParseStatements(out, ignored));
}

std::string WithPhysical(const SyntaxTree& tree, const std::string& physical) {
  SyntaxTree logical = tree;
  std::erase_if(logical.statements, [](const Statement& statement) {
    return statement.head() == "table" || statement.head() == "strategy";
  });
  return FormatTree(logical) + "\n" + physical;
}

}  // namespace prejoin::model
