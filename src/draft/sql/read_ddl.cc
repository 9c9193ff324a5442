// CREATE TABLE, ALTER TABLE … ADD CONSTRAINT, CREATE TYPE … AS ENUM, CREATE UNIQUE INDEX.
#include <algorithm>
#include <map>
#include <set>

#include "base/parse_number.h"
#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/closed_list.h"
#include "draft/sql/foreign_keys.h"
#include "draft/sql/left_out.h"
#include "draft/sql/missing_keys.h"
#include "draft/sql/read_sql.h"
#include "draft/sql/sql_parser.h"
#include "draft/sql/sql_tokens.h"
#include "draft/sql/sql_types.h"
#include "draft/sql/statement_kinds.h"

namespace prejoin::draft {
namespace {

std::vector<std::string> StringsOf(std::optional<json::Value> list) {
  std::vector<std::string> all;
  for (const json::Value one : ElementsOf(list)) {
    const auto text = Member(one, "String");
    all.push_back(TextOf(text, TextOf(text, "sval").empty() ? "str" : "sval"));
  }
  return all;
}

constexpr double kModifierMax = 1e7;

double FirstModifier(std::optional<json::Value> type) {
  for (const json::Value one : ElementsOf(Member(type, "typmods"))) {
    const std::string text = TextOf(Member(one, {"A_Const", "ival"}), "ival");
    const auto modifier = ParseDecimal(text);
    if (modifier && *modifier >= 0 && *modifier < kModifierMax) {
      return *modifier;
    }
  }
  return 0;
}

class DdlReader {
 public:
  explicit DdlReader(Draft& draft) : draft_(draft) {}

  void Read(const std::string& ddl) {
    const std::vector<std::string> statements = SplitSql(ddl);
    for (const std::string& statement : statements) {
      if (!IsLongData(statement)) {
        LearnSpellings(statement, draft_.spellings);
      }
    }
    LineCounter lines(ddl);
    for (const std::string& statement : statements) {
      line_ = lines.LineOf(statement);
      if (HoldsRows(statement)) {
        left_out_.rows.push_back(line_);
      }
      if (IsLongData(statement)) {
        continue;
      }
      const auto tree = ParseSql(statement, draft_.spellings);
      if (!tree) {
        if (SaysNothingOfData(statement)) {
          continue;
        }
        if (CreatesTable(statement)) {
          ++draft_.unread_tables;
          first_fault_ = first_fault_.empty() ? tree.error().message : first_fault_;
        }
        NoteUnread(statement, tree.error().message);
        continue;
      }
      const auto document = json::Document::Parse(*tree);
      if (!document) {
        NoteUnread(statement, "it is nested too deeply");
        continue;
      }
      for (const json::Value one : ElementsOf(Member(document->root(), "stmts"))) {
        ReadStatement(Member(one, "stmt"), statement);
      }
    }
    DropPartitions();
    DropEmpty();
    left_out_.Tell(draft_.notes);
    AddMissingPrimaryKeys(unique_, draft_);
    SetForeignKeys({entity_names_, unique_, foreign_keys_}, draft_);
    for (const auto& [table, name] : entity_names_) {
      draft_.sql_tables[Lowered(table)] = name;
    }
    draft_.end_notes.insert(draft_.end_notes.end(), pending_.begin(), pending_.end());
    pending_.clear();
  }

  // The parser's words about the first table that could not be read; empty: there is none.
  const std::string& first_fault() const { return first_fault_; }

 private:
  // The comment's place: above the table that comes next.
  void NoteUnread(const std::string& statement, const std::string& why) {
    pending_.push_back("Not read (" + why + "):\n" + QuotedSql(statement));
    if (!draft_.entities.empty()) {
      draft_.entities.back().notes.push_back(pending_.back());
      pending_.clear();
    }
  }

  void ReadStatement(std::optional<json::Value> statement, const std::string& text) {
    if (const auto create = Member(statement, "CreateStmt")) {
      ReadCreate(*create, text);
    } else if (const auto alter = Member(statement, "AlterTableStmt")) {
      ReadAlter(*alter, text);
    } else if (const auto rename = Member(statement, "RenameStmt")) {
      ReadRename(*rename);
    } else if (const auto drop = Member(statement, "DropStmt")) {
      ReadDrop(*drop);
    } else if (const auto type = Member(statement, "CreateEnumStmt")) {
      const std::vector<std::string> names = StringsOf(Member(type, "typeName"));
      if (!names.empty()) {
        enums_[Lowered(names.back())] = StringsOf(Member(type, "vals"));
      }
    } else if (const auto domain = Member(statement, "CreateDomainStmt")) {
      ReadDomain(*domain);
    } else if (const auto index = Member(statement, "IndexStmt")) {
      ReadIndex(*index, text);
    } else if (Member(statement, "CreateTableAsStmt") || Member(statement, "ViewStmt")) {
      NoteUnread(text, "it is computed from other tables");
    } else if (const auto trigger = Member(statement, "CreateTrigStmt")) {
      NoteAt(TextOf(Member(trigger, "relation"), "relname"), text, "DynamoDB has streams instead");
    } else if (const auto rule = Member(statement, "RuleStmt")) {
      NoteAt(TextOf(Member(rule, "relation"), "relname"), text, "a model has no rules");
    } else if (const auto policy = Member(statement, "CreatePolicyStmt")) {
      NoteAt(TextOf(Member(policy, "table"), "relname"), text, "IAM policies do that");
    } else if (Member(statement, "CreateFunctionStmt")) {
      NoteUnread(text, "it is code of the database");
    } else if (const auto comment = Member(statement, "CommentStmt")) {
      ReadComment(*comment);
    }
    // Everything else (SET, GRANT, INSERT …) says nothing about the shape of the data.
  }

  // CREATE DOMAIN name AS type: columns of that type are of the type behind it.
  void ReadDomain(json::Value domain) {
    const std::vector<std::string> names = StringsOf(Member(domain, "domainname"));
    const auto type = Member(domain, "typeName");
    const std::vector<std::string> types = StringsOf(Member(type, "names"));
    if (!names.empty() && !types.empty()) {
      const auto behind = domains_.find(Lowered(types.back()));
      domains_[Lowered(names.back())] =
          behind != domains_.end() ? behind->second
                                   : std::pair(Lowered(types.back()), FirstModifier(type));
    }
  }

  // With the type behind a domain.
  void SetType(const std::string& sql_type, double modifier, DraftAttribute& attribute) const {
    const auto domain = domains_.find(sql_type);
    domain == domains_.end() ? SetSqlType(sql_type, modifier, attribute)
                             : SetSqlType(domain->second.first, domain->second.second, attribute);
  }

  // At the table that it is about, or where it stood.
  void NoteAt(const std::string& table, const std::string& statement, const std::string& why) {
    if (DraftEntity* entity = EntityOfTable(table)) {
      entity->notes.push_back("Not read (" + why + "):\n" + QuotedSql(statement));
    } else {
      NoteUnread(statement, why);
    }
  }

  void ReadComment(json::Value comment) {
    const std::vector<std::string> names = StringsOf(Member(comment, {"object", "List", "items"}));
    const std::string kind = TextOf(comment, "objtype");
    const std::string text = TextOf(comment, "comment");
    const bool column = kind == "OBJECT_COLUMN" && names.size() > 1;
    if (text.empty() || names.empty() || (kind != "OBJECT_TABLE" && !column)) {
      return;
    }
    DraftEntity* entity = EntityOfTable(names[names.size() - (column ? 2 : 1)]);
    if (entity != nullptr) {
      entity->notes.push_back(column ? names.back() + ": " + text : text);
    }
  }

  DraftEntity* EntityOfTable(const std::string& table) {
    const auto found = entity_names_.find(table);
    return found == entity_names_.end() ? nullptr : draft_.FindEntity(found->second);
  }

  // The table that a partition is in the end a part of, because partitions may be split again; empty if they go round in a circle.
  std::string WholeOf(const std::string& partition) const {
    std::string whole = partition;
    for (std::size_t steps = 0; steps <= partitions_.size(); ++steps) {
      const auto next = partitions_.find(whole);
      if (next == partitions_.end()) {
        return whole;
      }
      whole = next->second;
    }
    return "";
  }

  // CREATE TABLE x (LIKE y), or tables whose columns were all dropped.
  void DropEmpty() {
    const std::map<std::string, std::string> names = entity_names_;
    for (const auto& [table, name] : names) {
      if (EntityOfTable(table)->attributes.empty()) {
        ++draft_.unread_tables;
        draft_.end_notes.push_back("The table " + table + " has no columns of its own.");
        RemoveTable(table, name);
      }
    }
  }

  // A table that is split is one entity; how it is split says nothing about the data.
  void DropPartitions() {
    std::map<std::string, std::size_t> counts;
    for (const auto& [partition, part_of] : partitions_) {
      const DraftEntity* entity = EntityOfTable(partition);
      const std::string whole = WholeOf(partition);
      if (entity == nullptr || EntityOfTable(whole) == nullptr) {
        continue;
      }
      const std::string name = entity->name;
      const std::string& table = partition;
      std::erase_if(draft_.entities, [&](const DraftEntity& one) { return one.name == name; });
      std::erase_if(foreign_keys_, [&](const ForeignKey& key) { return key.child == table; });
      entity_names_.erase(partition);
      ++counts[whole];
    }
    for (const auto& [whole, count] : counts) {
      EntityOfTable(whole)->notes.push_back("Its " + std::to_string(count) +
                                            " partitions are one entity here.");
    }
  }

  void ReadCreate(json::Value create, const std::string& text) {
    const std::string table = TextOf(Member(create, "relation"), "relname");
    if (FlagOf(create, "if_not_exists") && EntityOfTable(table) != nullptr) {
      return;
    }
    const std::vector<json::Value> elements = ElementsOf(Member(create, "tableElts"));
    const std::vector<json::Value> parents = ElementsOf(Member(create, "inhRelations"));
    // Before PostgreSQL 10, partitions were tables that inherit all their columns.
    const bool has_columns = std::ranges::any_of(
        elements, [](json::Value one) { return Member(one, "ColumnDef").has_value(); });
    if (!parents.empty() && (Member(create, "partbound") || !has_columns)) {
      partitions_[table] = TextOf(Member(parents[0], "RangeVar"), "relname");
    }
    DraftEntity entity;
    entity.name = UniqueName(ToEntityName(table), taken_);
    entity_names_[table] = entity.name;
    entity.notes = std::move(pending_);
    pending_.clear();
    std::vector<json::Value> constraints;
    for (const json::Value element : elements) {
      if (const auto column = Member(element, "ColumnDef")) {
        left_out_.ReadColumn(*column, line_ + LineOfColumn(text, TextOf(column, "colname")));
        ReadColumn(*column, table, entity);
      }
      if (const auto constraint = Member(element, "Constraint")) {
        constraints.push_back(*constraint);
      }
    }
    draft_.entities.push_back(std::move(entity));
    for (const json::Value constraint : constraints) {
      ReadConstraint(constraint, table, {});
    }
  }

  void ReadColumn(json::Value column, const std::string& table, DraftEntity& entity) {
    DraftAttribute attribute;
    const std::string name = TextOf(column, "colname");
    attribute.name = ToName(name);
    const auto type = Member(column, "typeName");
    const std::vector<std::string> names = StringsOf(Member(type, "names"));
    const std::string sql_type = names.empty() ? "text" : Lowered(names.back());
    // MySQL's `FULLTEXT idx (a, b)` reads like a column of type idx.
    if (const std::string lower = Lowered(name); lower == "fulltext" || lower == "spatial") {
      entity.notes.push_back("The " + lower + " index " + sql_type + " has no counterpart.");
      return;
    }
    SetType(sql_type, FirstModifier(type), attribute);
    if (const auto values = enums_.find(sql_type); values != enums_.end()) {
      attribute.values = values->second;
      attribute.note.clear();
    }
    if (Member(type, "arrayBounds")) {
      MakeList(attribute);
    }
    attribute.optional = true;
    entity.attributes.push_back(std::move(attribute));
    DraftAttribute& added = entity.attributes.back();
    for (const json::Value one : ElementsOf(Member(column, "constraints"))) {
      const auto constraint = Member(one, "Constraint");
      const std::string kind = TextOf(constraint, "contype");
      if (kind == "CONSTR_PRIMARY") {
        added.key = true;
      }
      if (kind == "CONSTR_PRIMARY" || kind == "CONSTR_NOTNULL") {
        added.optional = false;
      }
      if (kind == "CONSTR_UNIQUE") {
        added.unique = true;
        unique_[entity.name].push_back({added.name});
      }
      if (kind == "CONSTR_CHECK" && constraint) {
        ReadClosedList(*constraint, entity, name);
      }
      if (kind == "CONSTR_FOREIGN" && constraint) {
        ReadConstraint(*constraint, table, {name});
      }
    }
  }

  // A list's elements have no closed values in a model.
  static void MakeList(DraftAttribute& attribute) {
    attribute.type = "list";
    attribute.size = attribute.size_max = 0;
    std::string all;
    for (const std::string& value : attribute.values) {
      all += (all.empty() ? "each is " : ", ") + value;
    }
    attribute.values.clear();
    if (!all.empty()) {
      attribute.note = all;
    }
  }

  // A model says in its writes which rows go with others.
  static std::string OnDelete(json::Value constraint) {
    const std::string action = TextOf(constraint, "fk_del_action");
    return action == "c"   ? "CASCADE"
           : action == "n" ? "SET NULL"
           : action == "d" ? "SET DEFAULT"
           : action == "r" ? "RESTRICT"
                           : "";
  }

  void ReadConstraint(json::Value constraint, const std::string& table,
                      const std::vector<std::string>& column) {
    const std::string kind = TextOf(constraint, "contype");
    DraftEntity* entity = EntityOfTable(table);
    if (kind == "CONSTR_FOREIGN") {
      foreign_keys_.push_back({table,
                               column.empty() ? StringsOf(Member(constraint, "fk_attrs")) : column,
                               TextOf(Member(constraint, "pktable"), "relname"),
                               StringsOf(Member(constraint, "pk_attrs")), OnDelete(constraint)});
    } else if (entity != nullptr && kind == "CONSTR_EXCLUSION") {
      std::string columns;
      for (const json::Value one : ElementsOf(Member(constraint, "exclusions"))) {
        for (const json::Value part : ElementsOf(Member(one, {"List", "items"}))) {
          const std::string name = TextOf(Member(part, "IndexElem"), "name");
          columns += (columns.empty() || name.empty() ? "" : ", ") + name;
        }
      }
      entity->notes.push_back("An EXCLUDE constraint on " + columns +
                              " has no form in a model: the application must check it.");
    } else if (entity != nullptr && kind == "CONSTR_PRIMARY") {
      for (const std::string& key : StringsOf(Member(constraint, "keys"))) {
        if (DraftAttribute* attribute = entity->Find(ToName(key))) {
          attribute->key = true;
          attribute->optional = false;
        }
      }
    } else if (entity != nullptr && kind == "CONSTR_UNIQUE") {
      const std::vector<std::string> keys = StringsOf(Member(constraint, "keys"));
      MarkUnique(keys, *entity);
    } else if (entity != nullptr && kind == "CONSTR_CHECK") {
      ReadClosedList(constraint, *entity);
    }
  }

  void MarkUnique(const std::vector<std::string>& columns, DraftEntity& entity) {
    std::set<std::string> names;
    for (const std::string& column : columns) {
      names.insert(ToName(column));
    }
    unique_[entity.name].push_back(std::move(names));
    if (columns.size() == 1) {
      if (DraftAttribute* attribute = entity.Find(ToName(columns[0]))) {
        attribute->unique = true;
      }
    } else if (columns.size() > 1) {
      std::string all;
      for (const std::string& column : columns) {
        all += (all.empty() ? "" : ", ") + column;
      }
      entity.notes.push_back("Unique together: " + all + ".");
    }
  }

  void ReadAlter(json::Value alter, const std::string& text) {
    const std::string table = TextOf(Member(alter, "relation"), "relname");
    if (EntityOfTable(table) == nullptr) {
      return;
    }
    for (const json::Value one : ElementsOf(Member(alter, "cmds"))) {
      const auto command = Member(one, "AlterTableCmd");
      const auto definition = Member(command, "def");
      if (const auto constraint = Member(definition, "Constraint")) {
        ReadConstraint(*constraint, table, {});
      } else if (TextOf(command, "subtype") == "AT_AttachPartition") {
        partitions_[TextOf(Member(definition, {"PartitionCmd", "name"}), "relname")] = table;
      } else if (const auto column = Member(definition, "ColumnDef");
                 column && TextOf(command, "subtype") == "AT_AddColumn") {
        ReadColumn(*column, table, *EntityOfTable(table));
      } else {
        ReadAlterColumn(command, table, text);
      }
    }
  }

  void ReadAlterColumn(std::optional<json::Value> command, const std::string& table,
                       const std::string& text) {
    const std::string kind = TextOf(command, "subtype");
    const std::string column = TextOf(command, "name");
    DraftEntity& entity = *EntityOfTable(table);
    DraftAttribute* attribute = entity.Find(ToName(column));
    if (attribute == nullptr) {
      return;
    }
    if (kind == "AT_SetNotNull" || kind == "AT_DropNotNull") {
      attribute->optional = kind == "AT_DropNotNull" && !attribute->key;
    } else if (kind == "AT_AlterColumnType") {
      const auto type = Member(command, {"def", "ColumnDef", "typeName"});
      const std::vector<std::string> names = StringsOf(Member(type, "names"));
      attribute->values.clear();
      SetType(names.empty() ? "text" : Lowered(names.back()), FirstModifier(type), *attribute);
      if (Member(type, "arrayBounds")) {
        MakeList(*attribute);
      }
    } else if (kind == "AT_DropColumn") {
      std::erase_if(entity.attributes, [&](const auto& one) { return one.name == ToName(column); });
      std::erase_if(foreign_keys_, [&](const ForeignKey& key) {
        return key.child == table && std::ranges::count(key.columns, column) > 0;
      });
      std::erase_if(unique_[entity.name],
                    [&](const auto& names) { return names.contains(ToName(column)); });
    } else if (kind != "AT_ColumnDefault") {
      NoteAt(table, text, "a model has no form for it");
    }
  }

  // Migrations in a row: what one creates, a later one renames or drops.
  void ReadRename(json::Value rename) {
    const std::string kind = TextOf(rename, "renameType");
    const std::string table = TextOf(Member(rename, "relation"), "relname");
    const std::string to = TextOf(rename, "newname");
    DraftEntity* entity = EntityOfTable(table);
    if (entity == nullptr) {
      return;
    }
    if (kind == "OBJECT_COLUMN") {
      const std::string from = TextOf(rename, "subname");
      if (DraftAttribute* attribute = entity->Find(ToName(from))) {
        attribute->name = ToName(to);
      }
      for (std::set<std::string>& names : unique_[entity->name]) {
        if (names.erase(ToName(from)) > 0) {
          names.insert(ToName(to));
        }
      }
      for (ForeignKey& key : foreign_keys_) {
        if (key.child == table) {
          std::ranges::replace(key.columns, from, to);
        }
        if (key.parent == table) {
          std::ranges::replace(key.targets, from, to);
        }
      }
    } else if (kind == "OBJECT_TABLE") {
      const std::string before = entity->name;
      taken_.erase(before);
      entity->name = UniqueName(ToEntityName(to), taken_);
      entity_names_.erase(table);
      entity_names_[to] = entity->name;
      auto unique = unique_.extract(before);
      if (!unique.empty()) {
        unique.key() = entity->name;
        unique_.insert(std::move(unique));
      }
      for (ForeignKey& key : foreign_keys_) {
        key.child = key.child == table ? to : key.child;
        key.parent = key.parent == table ? to : key.parent;
      }
    }
  }

  void ReadDrop(json::Value drop) {
    if (TextOf(drop, "removeType") != "OBJECT_TABLE") {
      return;
    }
    for (const json::Value object : ElementsOf(Member(drop, "objects"))) {
      const std::vector<std::string> names = StringsOf(Member(object, {"List", "items"}));
      const std::string table = names.empty() ? "" : names.back();
      if (const DraftEntity* entity = EntityOfTable(table)) {
        RemoveTable(table, entity->name);
      }
    }
  }

  void RemoveTable(const std::string& table, const std::string& name) {
    taken_.erase(name);
    unique_.erase(name);
    std::erase_if(foreign_keys_, [&](const ForeignKey& key) { return key.child == table; });
    entity_names_.erase(table);
    std::erase_if(draft_.entities, [&](const DraftEntity& one) { return one.name == name; });
  }

  void ReadIndex(json::Value index, const std::string& text) {
    DraftEntity* entity = EntityOfTable(TextOf(Member(index, "relation"), "relname"));
    if (entity == nullptr) {
      return;
    }
    std::vector<std::string> columns;
    bool plain = !Member(index, "whereClause");
    for (const json::Value one : ElementsOf(Member(index, "indexParams"))) {
      columns.push_back(TextOf(Member(one, "IndexElem"), "name"));
      plain = plain && !columns.back().empty();
    }
    if (FlagOf(index, "unique") && plain) {
      MarkUnique(columns, *entity);
    } else {
      entity->notes.push_back(std::string(FlagOf(index, "unique")
                                              ? "Not read (it is unique over a part of the rows or "
                                                "over an expression):\n"
                                              : "An index; a pattern may ask for it:\n") +
                              QuotedSql(text));
    }
  }

  Draft& draft_;
  std::string first_fault_;
  std::size_t line_ = 1;  // The first line of the statement that is being read.
  LeftOut left_out_;
  Notes pending_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> entity_names_;  // By table.
  std::map<std::string, std::vector<std::string>> enums_;
  std::map<std::string, std::pair<std::string, double>> domains_;  // Name → the type behind it, and its size.
  std::vector<ForeignKey> foreign_keys_;
  UniqueSets unique_;
  std::map<std::string, std::string> partitions_;  // Table → the table that it is a part of.
};

}  // namespace

Result<Draft> ReadSql(const std::string& ddl, const std::string& log, double log_seconds) {
  if (ddl.size() > kSqlBytesMax || log.size() > kSqlBytesMax) {
    return ValidationError("the SQL is larger than 16 MB");
  }
  if (ddl.find('\0') != std::string::npos || log.find('\0') != std::string::npos) {
    return ValidationError("the SQL has a byte 0 in it");
  }
  Draft draft;
  draft.notes.push_back(
      "From SQL: the logical half. `prejoin check` proposes keys for it. Foreign keys that only "
      "the "
      "application knows are not here; counts, sizes and rates are to be added.");
  DdlReader reader(draft);
  reader.Read(ddl);
  RemoveRepeatedAttributes(draft);
  if (draft.entities.empty()) {
    return ValidationError(reader.first_fault().empty()
                               ? "there is no CREATE TABLE in it"
                               : "no CREATE TABLE could be read; the first one: " + reader.first_fault());
  }
  for (DraftEntity& entity : draft.entities) {
    std::stable_partition(entity.attributes.begin(), entity.attributes.end(),
                          [](const DraftAttribute& one) { return one.key; });
  }
  if (!log.empty()) {
    ReadQueryLog(ReadStatementLog(log, log_seconds), draft);
  }
  if (draft.patterns.empty()) {
    AddRelationalPatterns(
        draft, log.empty() ? "no query log was given" : "no statement of the log is a pattern");
  }
  return draft;
}

}  // namespace prejoin::draft
