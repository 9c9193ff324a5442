#include "cli/rows_out.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/progress.h"
#include "json/writer.h"
#include "model/data/item_render.h"
#include "value/base64.h"

namespace prejoin::cli {
namespace {

// As people and other programs write it: no type letters.
void AppendPlain(const AttributeValue& value, std::string& out) {
  switch (value.type()) {
    case ValueType::kString:
      json::AppendString(*value.string(), out);
      return;
    case ValueType::kNumber:
      value.number()->AppendTo(out);
      return;
    case ValueType::kBool:
      out += *value.boolean() ? "true" : "false";
      return;
    case ValueType::kNull:
      out += "null";
      return;
    case ValueType::kBinary:
      out += '"';
      AppendBase64(*value.binary(), out);
      out += '"';
      return;
    case ValueType::kList:
      json::AppendArray(*value.list(), out,
                        [&](const AttributeValue& one) { AppendPlain(one, out); });
      return;
    case ValueType::kMap: {
      json::ObjectWriter object(out);
      for (const auto& [name, member] : *value.map()) AppendPlain(member, object.Key(name));
      return;
    }
    case ValueType::kStringSet:
      json::AppendArray(*value.string_set(), out,
                        [&](const std::string& one) { json::AppendString(one, out); });
      return;
    case ValueType::kNumberSet:
      json::AppendArray(*value.number_set(), out, [&](const Number& one) { one.AppendTo(out); });
      return;
    case ValueType::kBinarySet:
      json::AppendArray(*value.binary_set(), out, [&](const std::string& one) {
        out += '"';
        AppendBase64(one, out);
        out += '"';
      });
      return;
  }
}

std::string PlainText(const AttributeValue& value) {
  if (value.string() != nullptr) return *value.string();
  std::string out;
  AppendPlain(value, out);
  return out;
}

void AppendDoubled(std::string_view text, char quote, std::string& out) {
  out += quote;
  for (const char c : text) {
    out += c;
    if (c == quote) out += c;
  }
  out += quote;
}

std::string CsvLine(const model::Entity& entity, const model::Row& row) {
  std::string out;
  for (const model::Attribute& attribute : entity.attributes) {
    if (!out.empty() || &attribute != entity.attributes.data()) out += ',';
    const AttributeValue* value = row.Find(attribute.name.text);
    if (value == nullptr) continue;
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
    if (&attribute != entity.attributes.data()) out += ",";
    out += "\n  ";
    AppendDoubled(attribute.name.text, '"', out);
    out += " " + SqlType(attribute.type);
    if (!attribute.is_key) continue;
    out += " NOT NULL";
    if (!keys.empty()) keys += ", ";
    AppendDoubled(attribute.name.text, '"', keys);
  }
  if (!keys.empty()) out += ",\n  PRIMARY KEY (" + keys + ")";
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
    if (value == nullptr || value->is_null()) continue;
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
      if (value != nullptr) AppendPlain(*value, object.Key(attribute.name.text));
    }
  }
  return out + "\n";
}

std::string CsvHead(const model::Entity& entity) {
  std::string out;
  for (const model::Attribute& attribute : entity.attributes) {
    if (!out.empty()) out += ',';
    out += attribute.name.text;
  }
  return out + "\n";
}

}  // namespace

Result<std::unique_ptr<RowsOut>> RowsOut::Open(const model::Model& model, const std::string& table,
                                               const std::string& directory, RowFormat format) {
  const model::Table* found = nullptr;
  for (const model::Table& one : model.tables) {
    if (one.name.text == table) found = &one;
  }
  if (found == nullptr) return ValidationError("the model has no table " + table);
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) return Error{ErrorCode::kIo, directory + ": " + code.message()};
  return std::unique_ptr<RowsOut>(new RowsOut(model, *found, directory, format));
}

Result<RowsOut::Output*> RowsOut::OutputOf(const model::Entity& entity) {
  Output& output = outputs_[entity.name.text];
  if (output.file != nullptr) return &output;
  const char* suffix = format_ == RowFormat::kCsv     ? ".csv"
                       : format_ == RowFormat::kJsonl ? ".jsonl"
                                                      : ".sql";
  const std::string path = directory_ + "/" + entity.name.text + suffix;
  output.file.reset(std::fopen(path.c_str(), "we"));
  if (output.file == nullptr) return Error{ErrorCode::kIo, path + ": " + std::strerror(errno)};
  std::string head;
  if (format_ == RowFormat::kCsv) head = CsvHead(entity);
  if (format_ == RowFormat::kSql) head = SqlHead(entity);
  std::fwrite(head.data(), 1, head.size(), output.file.get());
  return &output;
}

Status RowsOut::Write(const model::Entity& entity, const model::Row& row) {
  PJ_ASSIGN_OR_RETURN(Output* const output, OutputOf(entity));
  const std::string line = format_ == RowFormat::kCsv     ? CsvLine(entity, row)
                           : format_ == RowFormat::kJsonl ? JsonLine(entity, row)
                                                          : SqlLine(entity, row);
  ++output->rows;
  if (std::fwrite(line.data(), 1, line.size(), output->file.get()) != line.size())
    return Error{ErrorCode::kIo, entity.name.text + ": " + std::strerror(errno)};
  return {};
}

Status RowsOut::Add(const Item& item) {
  const std::string name = model::EntityOfItem(model_, table_, item);
  const model::Entity* entity = model_.FindEntity(name);
  const auto placement = model_.FindPlacement(name);
  if (entity == nullptr || !placement) {
    ++unknown_;
    return {};
  }
  PJ_RETURN_IF_ERROR(Write(*entity, model::RowOfItem(model_, placement, item)));
  for (const model::StoredAttribute& stored : placement.layout->attributes) {
    const model::Entity* inner = model_.FindEntity(stored.embedded.text);
    if (inner == nullptr) continue;
    for (const model::Row& row : model::EmbeddedRows(model_, placement, stored, item))
      PJ_RETURN_IF_ERROR(Write(*inner, row));
  }
  return {};
}

Result<std::string> RowsOut::Finish() {
  std::string out = directory_ + " (";
  for (auto& [entity, output] : outputs_) {
    if (format_ == RowFormat::kSql) std::fputs("COMMIT;\n", output.file.get());
    if (std::fflush(output.file.get()) != 0)
      return Error{ErrorCode::kIo, entity + ": " + std::strerror(errno)};
    out += (out.ends_with("(") ? "" : ", ") + entity + " " + WithCommas(output.rows);
  }
  if (unknown_ > 0) out += ", unknown " + WithCommas(unknown_);
  return out + ")";
}

}  // namespace prejoin::cli
