#include "cli/transfer/rows_out.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "cli/progress.h"
#include "json/plain_value.h"
#include "json/writer.h"
#include "model/data/item_render.h"

namespace prejoin::cli {
namespace {

std::string PlainText(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return *value.string();
  }
  std::string out;
  json::AppendPlain(value, out);
  return out;
}

void AppendDoubled(std::string_view text, char quote, std::string& out) {
  out += quote;
  for (const char c : text) {
    out += c;
    if (c == quote) {
      out += c;
    }
  }
  out += quote;
}

std::string CsvLine(const model::Entity& entity, const model::Row& row) {
  std::string out;
  for (const model::Attribute& attribute : entity.attributes) {
    if (!out.empty() || &attribute != entity.attributes.data()) {
      out += ',';
    }
    const AttributeValue* value = row.Find(attribute.name.text);
    if (value == nullptr) {
      continue;
    }
    const std::string text = PlainText(*value);
    // An empty text is "", an absent value is nothing.
    if (text.empty() || text.find_first_of(",\"\r\n") != std::string::npos) {
      AppendDoubled(text, '"', out);
    } else {
      out += text;
    }
  }
  return out + "\n";
}

std::string SqlType(model::AttributeType type) {
  switch (model::TraitsOf(type).stored) {
    case ValueType::kNumber:
      return "NUMERIC";
    case ValueType::kBool:
      return "BOOLEAN";
    case ValueType::kBinary:
      return "BLOB";
    default:
      return "TEXT";  // Also dates, times, and lists and maps as JSON.
  }
}

std::string SqlHead(const model::Entity& entity) {
  std::string out = "CREATE TABLE ";
  AppendDoubled(entity.name.text, '"', out);
  out += " (";
  std::string keys;
  for (const model::Attribute& attribute : entity.attributes) {
    if (&attribute != entity.attributes.data()) {
      out += ",";
    }
    out += "\n  ";
    AppendDoubled(attribute.name.text, '"', out);
    out += " " + SqlType(attribute.type);
    if (!attribute.is_key) {
      continue;
    }
    out += " NOT NULL";
    if (!keys.empty()) {
      keys += ", ";
    }
    AppendDoubled(attribute.name.text, '"', keys);
  }
  if (!keys.empty()) {
    out += ",\n  PRIMARY KEY (" + keys + ")";
  }
  return out + "\n);\nBEGIN;\n";
}

void AppendSqlValue(const AttributeValue& value, std::string& out) {
  if (value.number() != nullptr) {
    value.number()->AppendTo(out);
  } else if (value.boolean() != nullptr) {
    out += *value.boolean() ? "TRUE" : "FALSE";
  } else if (value.binary() != nullptr) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "X'";
    for (const char c : *value.binary()) {
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 15];
    }
    out += "'";
  } else {
    AppendDoubled(PlainText(value), '\'', out);
  }
}

std::string SqlLine(const model::Entity& entity, const model::Row& row) {
  std::string names;
  std::string values;
  for (const model::Attribute& attribute : entity.attributes) {
    const AttributeValue* value = row.Find(attribute.name.text);
    if (value == nullptr || value->is_null()) {
      continue;
    }
    if (!names.empty()) {
      names += ", ";
      values += ", ";
    }
    AppendDoubled(attribute.name.text, '"', names);
    AppendSqlValue(*value, values);
  }
  std::string out = "INSERT INTO ";
  AppendDoubled(entity.name.text, '"', out);
  return out + " (" + names + ") VALUES (" + values + ");\n";
}

std::string JsonLine(const model::Entity& entity, const model::Row& row) {
  std::string out;
  {
    json::ObjectWriter object(out);
    for (const model::Attribute& attribute : entity.attributes) {
      const AttributeValue* value = row.Find(attribute.name.text);
      if (value != nullptr) {
        json::AppendPlain(*value, object.Key(attribute.name.text));
      }
    }
  }
  return out + "\n";
}

std::string CsvHead(const model::Entity& entity) {
  std::string out;
  for (const model::Attribute& attribute : entity.attributes) {
    if (!out.empty()) {
      out += ',';
    }
    out += attribute.name.text;
  }
  return out + "\n";
}

// How much of its rows a list inside items holds.
std::size_t MembersKept(const model::StoredAttribute& stored) {
  return stored.members.empty() ? std::numeric_limits<std::size_t>::max() : stored.members.size();
}

// Where the rows of each entity that has no items of its own are taken from. The same row may be kept in
// the lists of both its ends: the one that holds more of it counts.
std::map<std::string, const model::StoredAttribute*> FindHomes(const model::Model& model) {
  std::map<std::string, const model::StoredAttribute*> homes;
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (stored.embedded.text.empty() || model.FindPlacement(stored.embedded.text)) {
          continue;
        }
        const model::StoredAttribute*& home = homes[stored.embedded.text];
        if (home == nullptr || MembersKept(stored) > MembersKept(*home)) {
          home = &stored;
        }
      }
    }
  }
  return homes;
}

}  // namespace

RowsOut::RowsOut(const model::Model& model, const model::Table& table, std::string directory,
                 RowFormat format)
    : model_(model),
      table_(table),
      directory_(std::move(directory)),
      format_(format),
      homes_(FindHomes(model)) {}

// Null if the rows in this list are taken from elsewhere.
const model::Entity* RowsOut::EntityAtHome(const model::StoredAttribute& stored) const {
  const auto home = homes_.find(stored.embedded.text);
  return home != homes_.end() && home->second == &stored ? &model_.At(stored.embedded) : nullptr;
}

Result<std::unique_ptr<RowsOut>> RowsOut::Open(const model::Model& model, const std::string& table,
                                               const std::string& directory, RowFormat format) {
  const model::Table* found = nullptr;
  for (const model::Table& one : model.tables) {
    if (one.name.text == table) {
      found = &one;
    }
  }
  if (found == nullptr) {
    return ValidationError("the model has no table " + table);
  }
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) {
    return Error{ErrorCode::kIo, directory + ": " + code.message()};
  }
  auto rows = std::unique_ptr<RowsOut>(new RowsOut(model, *found, directory, format));
  // An entity without rows has its file too, so that it can be asked.
  for (const model::ItemLayout& layout : found->items) {
    PJ_RETURN_IF_ERROR(rows->OutputOf(model.At(layout.entity)));
    for (const model::StoredAttribute& stored : layout.attributes) {
      if (const model::Entity* inner = rows->EntityAtHome(stored)) {
        PJ_RETURN_IF_ERROR(rows->OutputOf(*inner));
      }
      if (const model::Entity* copied = rows->EntityOfCopies(stored)) {
        PJ_RETURN_IF_ERROR(rows->OutputOf(*copied));
      }
    }
  }
  return rows;
}

Result<RowsOut::Output*> RowsOut::OutputOf(const model::Entity& entity) {
  Output& output = outputs_[entity.name.text];
  if (output.file != nullptr) {
    return &output;
  }
  const char* suffix = format_ == RowFormat::kCsv     ? ".csv"
                       : format_ == RowFormat::kJsonl ? ".jsonl"
                                                      : ".sql";
  const std::string path = directory_ + "/" + entity.name.text + suffix;
  output.file.reset(std::fopen(path.c_str(), "we"));
  if (output.file == nullptr) {
    return Error{ErrorCode::kIo, path + ": " + std::strerror(errno)};
  }
  std::string head;
  if (format_ == RowFormat::kCsv) {
    head = CsvHead(entity);
  }
  if (format_ == RowFormat::kSql) {
    head = SqlHead(entity);
  }
  std::fwrite(head.data(), 1, head.size(), output.file.get());
  return &output;
}

Status RowsOut::Write(const model::Entity& entity, const model::Row& row) {
  PJ_ASSIGN_OR_RETURN(Output* const output, OutputOf(entity));
  const std::string line = format_ == RowFormat::kCsv     ? CsvLine(entity, row)
                           : format_ == RowFormat::kJsonl ? JsonLine(entity, row)
                                                          : SqlLine(entity, row);
  ++output->rows;
  if (std::fwrite(line.data(), 1, line.size(), output->file.get()) != line.size()) {
    return Error{ErrorCode::kIo, entity.name.text + ": " + std::strerror(errno)};
  }
  return {};
}

Status RowsOut::Add(const Item& item) {
  const std::string name = model::EntityOfItem(model_, table_, item);
  const auto placement = model_.FindPlacement(name);
  if (!placement) {
    ++unknown_;
    return {};
  }
  const model::Entity& entity = model_.At(placement.layout->entity);
  const model::Row row = model::RowOfItem(model_, placement, item);
  PJ_RETURN_IF_ERROR(Write(entity, row));
  PJ_RETURN_IF_ERROR(AddCopied(entity, *placement.layout, row, item));
  for (const model::StoredAttribute& stored : placement.layout->attributes) {
    const model::Entity* inner = EntityAtHome(stored);
    if (inner == nullptr) {
      continue;
    }
    for (const model::Row& kept : model::EmbeddedRows(model_, placement, stored, item)) {
      PJ_RETURN_IF_ERROR(Write(*inner, kept));
    }
  }
  return {};
}

// Null if the copy is of an entity whose rows are kept elsewhere.
const model::Entity* RowsOut::EntityOfCopies(const model::StoredAttribute& stored) const {
  const std::string& name = stored.copy.entity.text;
  if (stored.kind != model::StoredKind::kCopy || model_.FindPlacement(name) ||
      homes_.contains(name)) {
    return nullptr;
  }
  return &model_.At(stored.copy.entity);
}

Status RowsOut::AddCopied(const model::Entity& owner, const model::ItemLayout& layout,
                          const model::Row& row, const Item& item) {
  std::map<const model::Entity*, model::Row> found;
  for (const model::StoredAttribute& stored : layout.attributes) {
    const model::Entity* entity = EntityOfCopies(stored);
    const AttributeValue* value = item.Find(stored.name.text);
    if (entity != nullptr && value != nullptr) {
      found[entity].Set(stored.copy.attribute.text, *value);
    }
  }
  for (auto& [entity, copied] : found) {
    for (const model::Attribute& attribute : owner.attributes) {
      const AttributeValue* value = row.Find(attribute.name.text);
      if (attribute.references && attribute.references->entity == entity->name &&
          value != nullptr) {
        copied.Set(attribute.references->attribute.text, *value);
      }
    }
    std::string key = entity->name.text;
    bool whole = true;
    for (const std::string& name : entity->KeyNames()) {
      const AttributeValue* value = copied.Find(name);
      whole = whole && value != nullptr;
      if (value != nullptr) {
        key += "\n" + PlainText(*value);
      }
    }
    if (whole && copied_.insert(key).second) {
      PJ_RETURN_IF_ERROR(Write(*entity, copied));
    }
  }
  return {};
}

Result<RowCounts> RowsOut::Finish() {
  RowCounts counts{{}, unknown_};
  for (auto& [entity, output] : outputs_) {
    if (format_ == RowFormat::kSql) {
      std::fputs("COMMIT;\n", output.file.get());
    }
    if (std::fflush(output.file.get()) != 0) {
      return Error{ErrorCode::kIo, entity + ": " + std::strerror(errno)};
    }
    counts.rows[entity] = output.rows;
  }
  return counts;
}

}  // namespace prejoin::cli
