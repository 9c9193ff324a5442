#include "cli/transfer/row_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "json/plain_value.h"
#include "json/writer.h"

namespace prejoin::cli {
namespace {

constexpr auto kDialects = std::to_array<std::pair<std::string_view, SqlDialect>>({
    {"sqlite", SqlDialect::kSqlite},
    {"postgres", SqlDialect::kPostgres},
    {"mysql", SqlDialect::kMySql},
    {"duckdb", SqlDialect::kDuckDb},
});

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

std::string QuotedName(std::string_view name, SqlDialect dialect) {
  std::string out;
  AppendDoubled(name, dialect == SqlDialect::kMySql ? '`' : '"', out);
  return out;
}

std::string QuotedNames(const std::vector<std::string>& names, SqlDialect dialect) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + QuotedName(name, dialect);
  }
  return out;
}

// SQLite, PostgreSQL, MySQL, DuckDB. DuckDB's NUMERIC has three decimals, and MySQL's none, so they have other types.
struct SqlTypes {
  std::array<std::string_view, 4> names;
};
constexpr SqlTypes kNumberType = {{"NUMERIC", "NUMERIC", "DECIMAL(65, 20)", "DOUBLE"}};
constexpr SqlTypes kBinaryType = {{"BLOB", "BYTEA", "LONGBLOB", "BLOB"}};
constexpr SqlTypes kDateType = {{"TEXT", "DATE", "DATE", "DATE"}};
constexpr SqlTypes kTimeType = {{"TEXT", "TIMESTAMPTZ", "DATETIME(6)", "TIMESTAMP"}};
constexpr SqlTypes kJsonType = {{"TEXT", "JSONB", "JSON", "JSON"}};
constexpr SqlTypes kTextType = {{"TEXT", "TEXT", "LONGTEXT", "TEXT"}};
// MySQL has no keys over unbounded text, and compares text without its case unless it is told not to.
constexpr std::string_view kMySqlKeyText = "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

bool IsDate(model::AttributeType type) { return model::AttributeTypeName(type) == "date"; }
bool IsTime(model::AttributeType type) { return model::AttributeTypeName(type) == "time"; }

std::string SqlType(const model::Attribute& attribute, SqlDialect dialect) {
  const auto of = [&](const SqlTypes& types) {
    return std::string(types.names[static_cast<std::size_t>(dialect)]);
  };
  if (IsDate(attribute.type)) {
    return of(kDateType);
  }
  if (IsTime(attribute.type)) {
    return of(kTimeType);
  }
  switch (model::TraitsOf(attribute.type).stored) {
    case ValueType::kNumber:
      return of(kNumberType);
    case ValueType::kBool:
      return "BOOLEAN";
    case ValueType::kBinary:
      return of(kBinaryType);
    case ValueType::kString:
      return dialect == SqlDialect::kMySql && (attribute.is_key || attribute.references)
                 ? std::string(kMySqlKeyText)
                 : of(kTextType);
    default:
      return of(kJsonType);
  }
}

void AppendBytes(std::string_view bytes, SqlDialect dialect, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::string_view each = dialect == SqlDialect::kDuckDb ? "\\x" : "";
  out += dialect == SqlDialect::kPostgres ? "'\\x" : dialect == SqlDialect::kDuckDb ? "'" : "X'";
  for (const char c : bytes) {
    out += each;
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  out += dialect == SqlDialect::kDuckDb ? "'::BLOB" : "'";
}

// MySQL reads a backslash in a text as the beginning of an escape, and times without T and Z.
void AppendText(std::string text, bool is_time, SqlDialect dialect, std::string& out) {
  if (dialect == SqlDialect::kMySql) {
    if (is_time && text.size() > 10 && text[10] == 'T') {
      text[10] = ' ';
      if (text.back() == 'Z') {
        text.pop_back();
      }
    }
    std::string escaped;
    for (const char c : text) {
      escaped += c;
      escaped += c == '\\' ? "\\" : "";
    }
    text = std::move(escaped);
  }
  AppendDoubled(text, '\'', out);
}

void AppendSqlValue(const model::Attribute& attribute, const AttributeValue& value,
                    SqlDialect dialect, std::string& out) {
  if (value.number() != nullptr) {
    value.number()->AppendTo(out);
  } else if (value.boolean() != nullptr) {
    out += *value.boolean() ? "TRUE" : "FALSE";
  } else if (value.binary() != nullptr) {
    AppendBytes({value.binary()->data(), value.binary()->size()}, dialect, out);
  } else {
    AppendText(PlainText(value), IsTime(attribute.type), dialect, out);
  }
}

bool IsDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

// 2024-02-29, of the calendar.
bool IsCalendarDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !IsDigits(text.substr(0, 4)) ||
      !IsDigits(text.substr(5, 2)) || !IsDigits(text.substr(8, 2))) {
    return false;
  }
  const auto number = [&](std::size_t at, std::size_t size) {
    int value = 0;
    for (const char c : text.substr(at, size)) {
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  constexpr std::array kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year == 0 || month < 1 || month > 12) {
    return false;
  }
  const int days = kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
  return number(8, 2) >= 1 && number(8, 2) <= days;
}

// 2024-02-29T12:00, with seconds, fractions and a zone if it has them.
bool IsCalendarTime(std::string_view text) {
  if (text.size() < 16 || !IsCalendarDate(text.substr(0, 10)) || (text[10] != 'T' && text[10] != ' ')) {
    return false;
  }
  const std::string_view clock = text.substr(11);
  return IsDigits(clock.substr(0, 2)) && clock[2] == ':' && IsDigits(clock.substr(3, 2)) &&
         clock.substr(0, 2) < "24" && clock.substr(3, 2) < "60" &&
         clock.find_first_not_of("0123456789:.+-Z") == std::string_view::npos;
}

}  // namespace

std::optional<SqlDialect> SqlDialectNamed(std::string_view name) {
  const auto found = std::ranges::find(kDialects, name, &decltype(kDialects)::value_type::first);
  return found == kDialects.end() ? std::nullopt : std::optional(found->second);
}

std::string PlainText(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return *value.string();
  }
  std::string out;
  json::AppendPlain(value, out);
  return out;
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

std::string SqlHead(const model::Entity& entity, const std::vector<RowReference>& references,
                    SqlDialect dialect) {
  std::string out = "CREATE TABLE " + QuotedName(entity.name.text, dialect) + " (";
  for (const model::Attribute& attribute : entity.attributes) {
    out += &attribute != entity.attributes.data() ? ",\n  " : "\n  ";
    out += QuotedName(attribute.name.text, dialect) + " " + SqlType(attribute, dialect) +
           (attribute.is_key ? " NOT NULL" : "");
  }
  if (const std::vector<std::string> keys = entity.KeyNames(); !keys.empty()) {
    out += ",\n  PRIMARY KEY (" + QuotedNames(keys, dialect) + ")";
  }
  for (const RowReference& one : references) {
    out += ",\n  FOREIGN KEY (" + QuotedNames(one.columns, dialect) + ") REFERENCES " +
           QuotedName(one.to->name.text, dialect) + " (" + QuotedNames(one.targets, dialect) + ")";
  }
  out += "\n);\n";
  return out + (dialect == SqlDialect::kMySql ? "START TRANSACTION;\n" : "BEGIN;\n");
}

std::string SqlLine(const model::Entity& entity, const model::Row& row, SqlDialect dialect) {
  std::vector<std::string> names;
  std::string values;
  for (const model::Attribute& attribute : entity.attributes) {
    const AttributeValue* value = row.Find(attribute.name.text);
    if (value == nullptr || value->is_null()) {
      continue;
    }
    names.push_back(attribute.name.text);
    values += values.empty() ? "" : ", ";
    AppendSqlValue(attribute, *value, dialect, values);
  }
  return "INSERT INTO " + QuotedName(entity.name.text, dialect) + " (" +
         QuotedNames(names, dialect) + ") VALUES (" + values + ");\n";
}

std::string SqlEnd(SqlDialect) { return "COMMIT;\n"; }

std::string WhyRefused(const model::Entity& entity, const model::Row& row) {
  for (const model::Attribute& attribute : entity.attributes) {
    const std::string& name = attribute.name.text;
    const AttributeValue* value = row.Find(name);
    if (value == nullptr || value->is_null()) {
      if (attribute.is_key) {
        return "it has no " + name + ", which is a part of its key";
      }
      continue;
    }
    const auto& traits = model::TraitsOf(attribute.type);
    const bool is_set = value->type() == ValueType::kStringSet || value->type() == ValueType::kNumberSet ||
                        value->type() == ValueType::kBinarySet;
    const bool fits = value->type() == traits.stored || (is_set && traits.stored == ValueType::kList);
    if (!fits) {
      return name + " is of another type than " + std::string(model::AttributeTypeName(attribute.type));
    }
    const std::string* text = value->string();
    if (text == nullptr) {
      continue;
    }
    if (text->find('\0') != std::string::npos) {
      return name + " has a byte 0 in it, which SQL texts cannot have";
    }
    if ((IsDate(attribute.type) && !IsCalendarDate(*text)) ||
        (IsTime(attribute.type) && !IsCalendarTime(*text))) {
      return name + " is no " + std::string(model::AttributeTypeName(attribute.type)) + ": " + *text;
    }
  }
  return "";
}

}  // namespace prejoin::cli
