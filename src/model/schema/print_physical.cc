#include "model/schema/print_physical.h"

#include "model/syntax/formatter.h"
#include "model/syntax/statement.h"

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
  std::string out = "item " + layout.entity.text;
  if (!layout.of.text.empty()) {
    out += " of " + layout.of.text;
  }
  if (!layout.only.empty()) {
    out += " (" + NamesListed(layout.only) + ")";
  }
  out += " {\n";
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

}  // namespace

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

std::string PrintStored(const StoredAttribute& stored) {
  return stored.name.text + " = " + StoredText(stored);
}

std::vector<std::string> PrintItemLines(const ItemLayout& layout) {
  const std::string text = PrintItem(layout, {});
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const bool edge = begin == 0 || end + 1 == text.size();
    lines.push_back((edge ? "" : "  ") + text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string PrintPhysical(const Model& model, const PhysicalComments& comments) {
  std::string out;
  for (const Table& table : model.tables) {
    AddComments(comments.tables, table.name.text, out);
    out += "table " + table.name.text + " partition " + table.partition.text;
    if (!table.sort.text.empty()) {
      out += " sort " + table.sort.text;
    }
    out += " {\n";
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
      out += "sorts " + claim.first.text + " before " + claim.second.text + "\n";
    }
    out += "}\n\n";
  }
  for (const StrategyChoice& choice : model.strategies) {
    out += "strategy " + choice.relationship.text + " = " + NamesListed(choice.strategies) + "\n";
  }
  std::vector<Diagnostic> ignored;
  return FormatTree(ParseStatements(out, ignored));
}

}  // namespace prejoin::model
