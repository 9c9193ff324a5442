// A draft as the text of a model file. The text is written without care for layout and then laid
// out by the formatter, so that a file from here and a file from `prejoin fmt` look alike.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "draft/draft.h"
#include "model/layout/print_physical.h"
#include "model/layout/table_edits.h"
#include "model/schema/figure_limits.h"
#include "model/syntax/formatter.h"
#include "model/syntax/quoted.h"
#include "model/syntax/statement.h"

namespace prejoin::draft {
namespace {

// Foreign texts may hold control characters, which nobody wants in a model.
std::string Quoted(std::string_view text) {
  std::string seen;
  std::ranges::copy_if(text, std::back_inserter(seen), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t';
  });
  return model::Quoted(seen);
}

// Comments end with the line, so a note that has line ends becomes several.
void AppendNotes(const Notes& notes, std::string_view indent, std::string& out) {
  for (const std::string& note : notes) {
    std::size_t begin = 0;
    while (begin <= note.size()) {
      const std::size_t end = std::min(note.find('\n', begin), note.size());
      std::string line = note.substr(begin, end - begin);
      line.erase(std::remove(line.begin(), line.end(), '\r'), line.end());
      out += std::string(indent) + "// " + line + "\n";
      begin = end + 1;
    }
  }
}

std::string Listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

std::string CountText(double number) {
  if (number < 10 && number != std::round(number)) {
    std::array<char, 32> text = {};
    // Two digits, and never an exponent.
    const int decimals = number >= 1 ? 1 : number >= 0.1 ? 2 : number >= 0.01 ? 3 : 4;
    std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
    std::string out = text.data();
    if (number < 1) {
      out.erase(out.find_last_not_of('0') + 1);
    }
    return out;
  }
  std::string digits = std::to_string(static_cast<std::int64_t>(std::llround(number)));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), "_");
  }
  return digits;
}

// " 5.1%"; what is neither none nor all stays so.
std::string ShareText(double share) {
  if (share <= 0 || share >= 1) {
    return "";
  }
  const double tenths = std::clamp(std::round(share * 1000), 1.0, 999.0);
  std::string text = std::to_string(static_cast<int>(tenths) / 10);
  const int rest = static_cast<int>(tenths) % 10;
  return " " + text + (rest == 0 ? "" : "." + std::to_string(rest)) + "%";
}

// Other tools declare more than an item can hold, as varchar(1000000).
std::string SizesText(const DraftAttribute& attribute, double max) {
  std::string out = "(~" + CountText(std::min(std::round(attribute.size), max));
  if (attribute.size_max >= attribute.size) {
    out += ", max " + CountText(std::min(attribute.size_max, max));
  }
  return out + ")";
}

void AppendAttribute(const DraftAttribute& attribute, std::string& out) {
  out += "  " + attribute.name + " ";
  if (!attribute.references.empty()) {
    out += "references " + attribute.references;
  } else {
    out += attribute.type;
    const bool sized = attribute.type == "text" || attribute.type == "binary";
    if (attribute.size >= 1 && (sized || attribute.type == "list" || attribute.type == "map")) {
      out += SizesText(attribute, model::kAttributeBytesMax);
    } else if (attribute.size >= 1 && attribute.type == "number") {
      const std::string digits = CountText(std::min(std::round(attribute.size), model::kDigitsMax));
      const bool bounded = attribute.size_max >= attribute.size;
      out += bounded ? SizesText(attribute, model::kDigitsMax) : "(" + digits + ")";
    }
  }
  if (attribute.key) {
    out += " key";
  }
  if (attribute.optional && !attribute.key) {
    out += " optional" + ShareText(attribute.share);
  }
  if (attribute.unique) {
    out += " unique";
  }
  if (!attribute.values.empty()) {
    std::vector<std::string> quoted;
    for (const std::string& value : attribute.values) {
      quoted.push_back(Quoted(value));
    }
    out += " values (" + Listed(quoted) + ")";
  }
  if (!attribute.note.empty()) {
    out += "  // " + attribute.note;
  }
  out += "\n";
}

void AppendEntity(const DraftEntity& entity, std::string& out) {
  out += "\n";
  AppendNotes(entity.notes, "", out);
  out += "entity " + entity.name + " {\n";
  for (const DraftAttribute& attribute : entity.attributes) {
    AppendAttribute(attribute, out);
  }
  if (entity.count > 0) {
    out += "  count " + CountText(std::min(entity.count, model::kFigureMax)) + "\n";
  }
  out += "}\n";
}

void AppendRelationship(const DraftRelationship& relationship, std::string& out) {
  out += "\n";
  AppendNotes(relationship.notes, "", out);
  out += "relationship " + relationship.name + ": " + relationship.from + " " + relationship.kind +
         " " + relationship.to;
  if (!relationship.through.empty()) {
    out += " through " + relationship.through;
  }
  if (!relationship.by.empty()) {
    out += " by " + Listed(relationship.by);
  }
  if (relationship.average <= 0 && relationship.back_average <= 0) {
    out += "\n";
    return;
  }
  out += " {\n";
  const auto append = [&](const std::string& entity, double average, double most) {
    if (average <= 0) {
      return;
    }
    out += "  each " + entity + " has ~" + CountText(average) +
           (most > 0 ? ", at most " + CountText(most) : ", unbounded") + "\n";
  };
  append(relationship.from, relationship.average, relationship.most);
  append(relationship.to, relationship.back_average, relationship.back_most);
  out += "}\n";
}

void AppendPattern(const DraftPattern& pattern, std::string& out) {
  out += "\n";
  AppendNotes(pattern.notes, "", out);
  out += (pattern.is_write ? "write " : "pattern ") + pattern.name;
  if (!pattern.title.empty()) {
    out += " " + Quoted(pattern.title);
  }
  out += " {\n";
  for (const std::string& line : pattern.lines) {
    out += "  " + line + "\n";
  }
  out += "}\n";
}

std::vector<model::Name> NamesOf(const std::vector<std::string>& texts) {
  std::vector<model::Name> names;
  for (const std::string& text : texts) {
    names.push_back({text, {}});
  }
  return names;
}

model::Index IndexOf(const DraftTable& table, const DraftIndex& from) {
  model::Index index;
  index.name.text = from.name;
  index.local = from.local;
  index.partition = NamesOf(from.partition);
  index.sort = NamesOf(from.sort);
  if (from.projection == "all") {
    return index;
  }
  // The keys are always there; DynamoDB refuses a projection that names them, the Workbench does not.
  std::vector<std::string> include = from.projection == "include" ? from.include : Notes();
  std::erase_if(include, [&](const std::string& name) {
    return name == table.partition || name == table.sort || index.HasKey(name);
  });
  model::Project(index, include);
  return index;
}

void AppendTable(const DraftTable& table, std::string& out) {
  out += "\n";
  AppendNotes(table.notes, "", out);
  model::Table head;
  head.name.text = table.name;
  head.partition.text = table.partition;
  head.sort.text = table.sort;
  out += model::PrintTableHead(head) + " {\n";
  if (!table.type_attribute.empty()) {
    out += "  type " + table.type_attribute + (table.type_upper ? " upper" : "") + "\n";
  }
  for (const auto& [rule, reason] : table.allows) {
    out += "  allow " + rule + " because \"" + reason + "\"\n";
  }
  for (const DraftIndex& index : table.indexes) {
    out += "  " + model::PrintIndex(IndexOf(table, index)) + "\n";
  }
  out += "\n";
  for (const DraftItem& item : table.items) {
    AppendNotes(item.notes, "  ", out);
    out += "  item " + item.entity + " {\n";
    for (const auto& [name, value] : item.keys) {
      out += "    " + name + " = " + value + "\n";
    }
    if (!item.without.empty()) {
      out += "    without " + Listed(item.without) + "\n";
    }
    for (const std::string& lock : item.locks) {
      out += "    unique " + lock + " by lock item\n";
    }
    out += "  }\n";
  }
  out += "}\n";
}

std::string ValueText(const AttributeValue& value) {
  switch (value.type()) {
    case ValueType::kString:
      return Quoted(*value.string());
    case ValueType::kNumber:
      return value.number()->ToString();
    case ValueType::kBool:
      return *value.boolean() ? "true" : "false";
    case ValueType::kList: {
      std::vector<std::string> parts;
      for (const AttributeValue& part : *value.list()) {
        parts.push_back(ValueText(part));
      }
      return "[" + Listed(parts) + "]";
    }
    case ValueType::kMap: {
      std::vector<std::string> parts;
      for (const auto& [name, part] : *value.map()) {
        parts.push_back(Quoted(name) + ": " + ValueText(part));
      }
      return "{" + Listed(parts) + "}";
    }
    case ValueType::kStringSet: {
      std::vector<std::string> parts;
      for (const std::string& member : *value.string_set()) {
        parts.push_back(Quoted(member));
      }
      return "[" + Listed(parts) + "]";
    }
    case ValueType::kNumberSet: {
      std::vector<std::string> parts;
      for (const Number& member : *value.number_set()) {
        parts.push_back(member.ToString());
      }
      return "[" + Listed(parts) + "]";
    }
    case ValueType::kNull:
    case ValueType::kBinary:
    case ValueType::kBinarySet:
      return "-";
  }
  return "-";
}

void AppendSample(const Draft& draft, const DraftSample& sample, std::string& out) {
  const DraftEntity* entity = draft.FindEntity(sample.entity);
  if (entity == nullptr || sample.rows.empty()) {
    return;
  }
  std::vector<std::string> columns;
  for (const DraftAttribute& attribute : entity->attributes) {
    // Bytes cannot be written; DecodeSamples makes text of them.
    const bool used = std::any_of(sample.rows.begin(), sample.rows.end(), [&](const Item& row) {
      const AttributeValue* value = row.Find(attribute.name);
      return value != nullptr && (attribute.type != "binary" || value->string() != nullptr);
    });
    if (used) {
      columns.push_back(attribute.name);
    }
  }
  if (columns.empty()) {
    return;
  }
  out += "\nsample " + sample.entity + " (" + Listed(columns) + ") {\n";
  for (const Item& row : sample.rows) {
    std::vector<std::string> values;
    for (const std::string& column : columns) {
      const AttributeValue* value = row.Find(column);
      values.push_back(value != nullptr ? ValueText(*value) : "-");
    }
    out += "  " + Listed(values) + "\n";
  }
  out += "}\n";
}

}  // namespace

DraftAttribute* DraftEntity::Find(std::string_view attribute) {
  for (DraftAttribute& one : attributes) {
    if (one.name == attribute) {
      return &one;
    }
  }
  return nullptr;
}

const DraftAttribute* DraftEntity::Find(std::string_view attribute) const {
  return const_cast<DraftEntity*>(this)->Find(attribute);
}

std::vector<std::string> DraftEntity::KeyNames() const {
  std::vector<std::string> names;
  for (const DraftAttribute& attribute : attributes) {
    if (attribute.key) {
      names.push_back(attribute.name);
    }
  }
  return names;
}

std::vector<std::string> DraftTable::KeyAttributes() const {
  std::vector<std::string> all;
  const auto add = [&](const std::string& key) {
    if (!key.empty() && std::find(all.begin(), all.end(), key) == all.end()) {
      all.push_back(key);
    }
  };
  add(partition);
  add(sort);
  for (const DraftIndex& index : indexes) {
    for (const std::string& key : index.partition) {
      add(key);
    }
    for (const std::string& key : index.sort) {
      add(key);
    }
  }
  return all;
}

DraftEntity* Draft::FindEntity(std::string_view name) {
  for (DraftEntity& entity : entities) {
    if (entity.name == name) {
      return &entity;
    }
  }
  return nullptr;
}

const DraftEntity* Draft::FindEntity(std::string_view name) const {
  return const_cast<Draft*>(this)->FindEntity(name);
}

std::string PrintDraft(const Draft& draft) {
  std::string out;
  AppendNotes(draft.notes, "", out);
  out += "model " + Quoted(draft.title.empty() ? "Imported" : draft.title) + "\n";
  for (const DraftEntity& entity : draft.entities) {
    AppendEntity(entity, out);
  }
  for (const DraftRelationship& one : draft.relationships) {
    AppendRelationship(one, out);
  }
  for (const DraftPattern& pattern : draft.patterns) {
    AppendPattern(pattern, out);
  }
  for (const DraftTable& table : draft.tables) {
    AppendTable(table, out);
  }
  for (const DraftSample& sample : draft.samples) {
    AppendSample(draft, sample, out);
  }
  if (!draft.end_notes.empty()) {
    out += "\n";
    AppendNotes(draft.end_notes, "", out);
  }
  std::vector<model::Diagnostic> faults;
  const model::SyntaxTree tree = model::ParseStatements(out, faults);
  return faults.empty() ? model::FormatTree(tree) : out;
}

}  // namespace prejoin::draft
