// Prisma schemas, written as the DDL that Prisma itself would run, so that one reader serves both: enums, tables, foreign keys with ON
// DELETE, unique and other indexes, a table for each implicit many-to-many relation. Facts that DDL cannot express become a COMMENT.
#include "draft/formats/prisma_sql.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace prejoin::draft {
namespace {

constexpr std::size_t kBlocksMax = 10'000;

bool IsPrismaWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string PrismaTrimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::string SqlQuoted(std::string_view name, char quote) {
  std::string out(1, quote);
  for (const char c : name) {
    out += c == quote ? std::string(2, quote) : std::string(1, c);
  }
  return out + quote;
}
std::string SqlName(std::string_view name) { return SqlQuoted(name, '"'); }
std::string SqlText(std::string_view text) { return SqlQuoted(text, '\''); }

struct PrismaBlock {
  std::string kind;  // model, enum …
  std::string name;
  std::vector<std::string> lines;  // Without comments.
};

// A line without its comment, which begins outside quotes.
std::string WithoutComment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    quoted = line[i] == '"' && (i == 0 || line[i - 1] != '\\') ? !quoted : quoted;
    if (!quoted && line.substr(i).starts_with("//")) {
      return PrismaTrimmed(line.substr(0, i));
    }
  }
  return PrismaTrimmed(line);
}

// `model User {`, its lines, `}`.
std::vector<PrismaBlock> BlocksOf(std::string_view text) {
  std::vector<PrismaBlock> blocks;
  bool open = false;
  for (std::size_t at = 0; at < text.size() && blocks.size() < kBlocksMax;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view whole = text.substr(at, end - at);
    const std::size_t first = whole.find_first_not_of(" \t");
    // A line `/// …` says something about the field or model below it.
    const bool documents = open && first != std::string_view::npos && whole.substr(first).starts_with("///");
    std::string line = documents ? PrismaTrimmed(whole) : WithoutComment(whole);
    at = end + 1;
    if (!open) {
      const std::size_t brace = line.find('{');
      const std::size_t blank = line.find(' ');
      if (brace == std::string::npos || blank == std::string::npos || blank > brace) {
        continue;
      }
      blocks.push_back(
          {line.substr(0, blank), PrismaTrimmed(line.substr(blank, brace - blank)), {}});
      open = true;
      line = PrismaTrimmed(std::string_view(line).substr(brace + 1));
    }
    if (line.ends_with('}') && !line.ends_with("{}")) {
      line = PrismaTrimmed(std::string_view(line).substr(0, line.size() - 1));
      open = false;
    }
    if (!line.empty()) {
      blocks.back().lines.push_back(std::move(line));
    }
  }
  return blocks;
}

// Returns the text in the parentheses after `name`; empty if it is not there.
std::string ArgumentsOf(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos;
       at = line.find(name, at + 1)) {
    const std::size_t start = at + name.size();
    if (start >= line.size() || line[start] != '(') {
      continue;
    }
    int depth = 0;
    for (std::size_t i = start; i < line.size(); ++i) {
      depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
      if (depth == 0) {
        return std::string(line.substr(start + 1, i - start - 1));
      }
    }
  }
  return "";
}

bool HasPrismaFlag(std::string_view line, std::string_view flag) {
  for (std::size_t at = line.find(flag); at != std::string_view::npos;
       at = line.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    if ((at == 0 || line[at - 1] != '@') && (end == line.size() || !IsPrismaWordChar(line[end]))) {
      return true;
    }
  }
  return false;
}

// The names of `label: [a, b]`, or of the first list.
std::vector<std::string> NamesInList(std::string_view arguments, std::string_view label) {
  const std::size_t from = label.empty() ? 0 : arguments.find(label);
  if (from == std::string_view::npos) {
    return {};
  }
  const std::size_t open = arguments.find('[', from);
  const std::size_t close = arguments.find(']', open);
  std::vector<std::string> names;
  if (open == std::string_view::npos || close == std::string_view::npos) {
    return names;
  }
  // `name(sort: Desc)` is name.
  std::string name;
  int depth = 0;
  for (const char c : arguments.substr(open + 1, close - open - 1)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      names.push_back(std::move(name));
      name.clear();
    } else if (depth == 0 && IsPrismaWordChar(c)) {
      name += c;
    }
  }
  names.push_back(std::move(name));
  std::erase(names, "");
  return names;
}

std::string SqlColumns(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + SqlName(name);
  }
  return "(" + out + ")";
}

struct PrismaField {
  std::string name;
  std::string type;
  bool list = false;
  bool optional = false;
  std::string rest;  // Its attributes.
};

// False for lines that are no field.
bool ReadPrismaField(const std::string& line, PrismaField& field) {
  std::size_t at = 0;
  const auto word = [&] {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) {
      ++at;
    }
    const std::size_t start = at;
    while (at < line.size() && IsPrismaWordChar(line[at])) {
      ++at;
    }
    return line.substr(start, at - start);
  };
  field.name = word();
  field.type = word();
  if (field.name.empty() || field.type.empty()) {
    return false;
  }
  std::string_view rest = std::string_view(line).substr(at);
  if (field.type == "Unsupported") {
    rest = rest.substr(std::min(rest.find(')') + 1, rest.size()));
  }
  field.list = rest.starts_with("[]");
  rest = rest.substr(field.list ? 2 : 0);
  field.optional = rest.starts_with('?');
  field.rest = PrismaTrimmed(rest.substr(field.optional ? 1 : 0));
  return true;
}

std::string PrismaSqlType(const PrismaField& field) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTypes = {{
      {"String", "text"},
      {"Int", "int4"},
      {"BigInt", "int8"},
      {"Float", "float8"},
      {"Decimal", "numeric"},
      {"Boolean", "bool"},
      {"DateTime", "timestamptz"},
      {"Json", "jsonb"},
      {"Bytes", "bytea"},
  }};
  for (const char* sized : {"VarChar", "Char"}) {
    const std::string size = ArgumentsOf(field.rest, std::string("@db.") + sized);
    if (!size.empty() && std::ranges::all_of(size, [](char c) { return c >= '0' && c <= '9'; })) {
      return "varchar(" + size + ")";
    }
  }
  for (const auto& [native, sql] : {std::pair{"@db.Date", "date"}, std::pair{"@db.Uuid", "uuid"}}) {
    if (HasPrismaFlag(field.rest, native)) {
      return sql;
    }
  }
  const auto known = std::ranges::find(kTypes, field.type, &decltype(kTypes)::value_type::first);
  return known == kTypes.end() ? "text" : std::string(known->second);
}

// Single thread.
class PrismaWriter {
 public:
  explicit PrismaWriter(const std::vector<PrismaBlock>& blocks) : blocks_(blocks) {
    for (const PrismaBlock& block : blocks) {
      kinds_[block.name] = block.kind;
    }
  }

  std::string Write() {
    for (const PrismaBlock& block : blocks_) {
      if (block.kind == "enum") {
        Enum(block);
      } else if (block.kind == "model" || block.kind == "view") {
        Model(block);
      }
    }
    for (const auto& [name, models] : many_to_many_) {
      Link(name, models.first, models.second);
    }
    return tables_ + later_;
  }

 private:
  std::string KindOf(const std::string& type) const {
    const auto found = kinds_.find(type);
    return found == kinds_.end() ? "" : found->second;
  }

  void Comment(const std::string& what, const std::string& text) {
    later_ += "COMMENT ON " + what + " IS " + SqlText(text) + ";\n";
  }

  void Enum(const PrismaBlock& block) {
    std::string values;
    for (const std::string& line : block.lines) {
      if (!line.starts_with('@') && !line.starts_with("///")) {
        values += (values.empty() ? "" : ", ") + SqlText(line.substr(0, line.find(' ')));
      }
    }
    tables_ += "CREATE TYPE " + SqlName(block.name) + " AS ENUM (" + values + ");\n";
  }

  void Model(const PrismaBlock& block) {
    model_ = block.name;
    columns_.clear();
    for (const std::string& line : block.lines) {
      PrismaField field;
      if (line.starts_with("///")) {
        if (const std::string said = PrismaTrimmed(std::string_view(line).substr(3)); !said.empty()) {
          Comment("TABLE " + SqlName(model_), said);
        }
      } else if (line.starts_with("@@")) {
        BlockAttribute(line);
      } else if (!ReadPrismaField(line, field)) {
        Comment("TABLE " + SqlName(model_), "Not read: " + line);
      } else if (KindOf(field.type) == "model" || KindOf(field.type) == "view") {
        Relation(field);
      } else {
        Column(field);
      }
    }
    if (!columns_.empty()) {
      tables_ += "CREATE TABLE " + SqlName(model_) + " (" + columns_ + ");\n";
    }
  }

  void Add(const std::string& line) { columns_ += (columns_.empty() ? "" : ", ") + line; }

  void Column(const PrismaField& field) {
    const std::string kind = KindOf(field.type);
    const std::string type = kind == "enum"   ? SqlName(field.type)
                             : kind == "type" ? "jsonb"
                                              : PrismaSqlType(field);
    const bool key = HasPrismaFlag(field.rest, "@id");
    Add(SqlName(field.name) + " " + type + (field.list ? "[]" : "") +
        (field.optional ? "" : " NOT NULL") + (key ? " PRIMARY KEY" : "") +
        (HasPrismaFlag(field.rest, "@unique") ? " UNIQUE" : ""));
    const std::string column = "COLUMN " + SqlName(model_) + "." + SqlName(field.name);
    if (const std::string value = ArgumentsOf(field.rest, "@default"); !value.empty()) {
      Comment(column, "default " + value);
    }
    if (HasPrismaFlag(field.rest, "@updatedAt")) {
      Comment(column, "set at each update");
    }
    if (const std::string other = ArgumentsOf(field.rest, "@map"); !other.empty()) {
      Comment(column, "called " + other + " in the database");
    }
    if (field.type == "Unsupported") {
      Comment(column, "its type is not one of Prisma's");
    }
  }

  void Relation(const PrismaField& field) {
    const std::string arguments = ArgumentsOf(field.rest, "@relation");
    const std::vector<std::string> fields = NamesInList(arguments, "fields:");
    if (!fields.empty()) {
      later_ += "ALTER TABLE " + SqlName(model_) + " ADD FOREIGN KEY " + SqlColumns(fields) +
                " REFERENCES " + SqlName(field.type) + " " +
                SqlColumns(NamesInList(arguments, "references:")) + OnDelete(arguments) + ";\n";
      return;
    }
    if (!field.list) {
      return;
    }
    // Many-to-many where the other side is a list too, under the same name of the relation.
    const std::string name = RelationName(arguments);
    for (const PrismaBlock& block : blocks_) {
      for (const std::string& line : block.lines) {
        PrismaField other;
        const bool back = block.name == field.type && ReadPrismaField(line, other) &&
                          other.type == model_ && other.list &&
                          (block.name != model_ || other.name != field.name);
        if (back && RelationName(ArgumentsOf(other.rest, "@relation")) == name) {
          const auto [a, b] = std::minmax(model_, field.type);
          many_to_many_.try_emplace(name.empty() ? a + "To" + b : name, a, b);
        }
      }
    }
  }

  // @relation("name", …) or @relation(name: "name", …); empty if it has none.
  static std::string RelationName(std::string_view arguments) {
    const std::size_t named = arguments.find("name:");
    std::string_view rest = arguments.substr(named == std::string_view::npos ? 0 : named + 5);
    rest = rest.substr(std::min(rest.find_first_not_of(" "), rest.size()));
    return rest.starts_with('"') ? std::string(rest.substr(1, rest.find('"', 1) - 1)) : "";
  }

  static std::string OnDelete(std::string_view arguments) {
    for (const auto& [prisma, sql] :
         {std::pair{"onDelete: Cascade", "CASCADE"}, std::pair{"onDelete: SetNull", "SET NULL"},
          std::pair{"onDelete: SetDefault", "SET DEFAULT"},
          std::pair{"onDelete: Restrict", "RESTRICT"}}) {
      if (arguments.find(prisma) != std::string_view::npos) {
        return std::string(" ON DELETE ") + sql;
      }
    }
    return "";
  }

  void BlockAttribute(const std::string& line) {
    const std::string table = "TABLE " + SqlName(model_);
    if (line.starts_with("@@id")) {
      Add("PRIMARY KEY " + SqlColumns(NamesInList(line, "")));
    } else if (line.starts_with("@@unique")) {
      Add("UNIQUE " + SqlColumns(NamesInList(line, "")));
    } else if (line.starts_with("@@index")) {
      later_ +=
          "CREATE INDEX ON " + SqlName(model_) + " " + SqlColumns(NamesInList(line, "")) + ";\n";
    } else if (line.starts_with("@@map")) {
      Comment(table, "Called " + ArgumentsOf(line, "@@map") + " in the database.");
    } else {
      Comment(table, "Not read: " + line);
    }
  }

  // Prisma keeps these rows in a table of two columns.
  void Link(const std::string& name, const std::string& a, const std::string& b) {
    const PrismaField key_a = KeyOf(a);
    const PrismaField key_b = KeyOf(b);
    tables_ += "CREATE TABLE " + SqlName(name) + " (\"A\" " + PrismaSqlType(key_a) +
               " NOT NULL, \"B\" " + PrismaSqlType(key_b) +
               " NOT NULL, PRIMARY KEY (\"A\", \"B\"));\n";
    later_ += "ALTER TABLE " + SqlName(name) + " ADD FOREIGN KEY (\"A\") REFERENCES " + SqlName(a) +
              " (" + SqlName(key_a.name) + ");\nALTER TABLE " + SqlName(name) +
              " ADD FOREIGN KEY (\"B\") REFERENCES " + SqlName(b) + " (" + SqlName(key_b.name) +
              ");\n";
  }

  PrismaField KeyOf(const std::string& model) const {
    for (const PrismaBlock& block : blocks_) {
      for (const std::string& line : block.lines) {
        PrismaField field;
        if (block.name == model && ReadPrismaField(line, field) &&
            HasPrismaFlag(field.rest, "@id")) {
          return field;
        }
      }
    }
    return {"id", "String", false, false, ""};
  }

  const std::vector<PrismaBlock>& blocks_;
  std::map<std::string, std::string> kinds_;  // By name.
  std::string tables_;
  std::string later_;  // Statements that require all tables.
  std::map<std::string, std::pair<std::string, std::string>> many_to_many_;
  std::string model_;  // At hand …
  std::string columns_;
};

}  // namespace

bool LooksLikePrisma(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("model ") && has("{") && has("@id") && !has("CREATE TABLE");
}

std::string PrismaToSql(std::string_view text) {
  const std::vector<PrismaBlock> blocks = BlocksOf(text);
  return PrismaWriter(blocks).Write();
}

}  // namespace prejoin::draft
