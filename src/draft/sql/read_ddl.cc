// CREATE TABLE, ALTER TABLE … ADD CONSTRAINT, CREATE TYPE … AS ENUM, CREATE UNIQUE INDEX.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/parse_number.h"
#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/read_sql.h"
#include "draft/sql/sql_parser.h"
#include "draft/sql/sql_types.h"

namespace prejoin::draft {
namespace {

struct ForeignKey {
  std::string child;
  std::vector<std::string> columns;
  std::string parent;
  std::vector<std::string> targets;  // Empty: the parent's primary key.
  std::string on_delete;             // "CASCADE"; empty: nothing is said.
};

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
    for (const std::string& statement : SplitSql(ddl)) {
      if (IsLongData(statement)) {
        continue;
      }
      const auto tree = ParseSql(statement);
      if (!tree) {
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
    SetForeignKeys();
    pending_.clear();
  }

 private:
  // The rows that a dump has between its tables.
  static bool IsLongData(const std::string& statement) {
    constexpr std::size_t kHeadBytes = 200;
    const std::string head = Lowered(std::string_view(statement).substr(0, kHeadBytes));
    return statement.size() > kSqlStatementBytesMax && head.find("create") == std::string::npos &&
           head.find("alter") == std::string::npos;
  }

  // Where it stood: above the table that comes next.
  void NoteUnread(const std::string& statement, const std::string& why) {
    pending_.push_back("Not read (" + why + "):\n" + QuotedSql(statement));
    if (!draft_.entities.empty()) {
      draft_.entities.back().notes.push_back(pending_.back());
      pending_.clear();
    }
  }

  void ReadStatement(std::optional<json::Value> statement, const std::string& text) {
    if (const auto create = Member(statement, "CreateStmt")) {
      ReadCreate(*create);
    } else if (const auto alter = Member(statement, "AlterTableStmt")) {
      ReadAlter(*alter, text);
    } else if (const auto type = Member(statement, "CreateEnumStmt")) {
      const std::vector<std::string> names = StringsOf(Member(type, "typeName"));
      if (!names.empty()) {
        enums_[Lowered(names.back())] = StringsOf(Member(type, "vals"));
      }
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

  void ReadCreate(json::Value create) {
    const std::string table = TextOf(Member(create, "relation"), "relname");
    if (Member(create, "partbound")) {
      const std::vector<json::Value> parents = ElementsOf(Member(create, "inhRelations"));
      if (!parents.empty()) {
        partitions_[table] = TextOf(Member(parents[0], "RangeVar"), "relname");
      }
    }
    DraftEntity entity;
    entity.name = UniqueName(ToEntityName(table), taken_);
    entity_names_[table] = entity.name;
    entity.notes = std::move(pending_);
    pending_.clear();
    std::vector<json::Value> constraints;
    for (const json::Value element : ElementsOf(Member(create, "tableElts"))) {
      if (const auto column = Member(element, "ColumnDef")) {
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
    SetSqlType(sql_type, FirstModifier(type), attribute);
    if (const auto values = enums_.find(sql_type); values != enums_.end()) {
      attribute.values = values->second;
      attribute.note.clear();
    }
    if (Member(type, "arrayBounds")) {
      attribute.type = "list";
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
      }
      if (kind == "CONSTR_CHECK" && constraint) {
        ReadCheck(*constraint, entity);
      }
      if (kind == "CONSTR_FOREIGN" && constraint) {
        ReadConstraint(*constraint, table, {name});
      }
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
      ReadCheck(constraint, *entity);
    }
  }

  // CHECK (status IN ('OPEN', 'PAID')) is a closed list of values; a model has no form for other checks.
  static void ReadCheck(json::Value constraint, DraftEntity& entity) {
    const auto expression = Member(WithoutCast(Member(constraint, "raw_expr")), "A_Expr");
    const auto column = WithoutCast(Member(expression, "lexpr"));
    const std::string kind = TextOf(expression, "kind");
    DraftAttribute* attribute = nullptr;
    for (const json::Value field : ElementsOf(Member(column, {"ColumnRef", "fields"}))) {
      attribute = entity.Find(ToName(TextOf(Member(field, "String"), "sval")));
    }
    std::vector<std::string> values;
    if (kind == "AEXPR_IN" || kind == "AEXPR_OP_ANY") {
      values = TextsIn(Member(expression, "rexpr"));
    }
    if (attribute == nullptr || attribute->type != "text" || values.empty()) {
      const std::string name = TextOf(constraint, "conname");
      entity.notes.push_back("A CHECK has no form in a model and was left out" +
                             (attribute != nullptr ? ", on " + attribute->name
                              : name.empty()       ? std::string()
                                                   : ": " + name) +
                             ".");
      return;
    }
    double bytes = 0;
    for (const std::string& value : values) {
      bytes += static_cast<double>(value.size());
    }
    attribute->size = std::max(1.0, std::round(bytes / static_cast<double>(values.size())));
    attribute->values = std::move(values);
    if (attribute->size_max < attribute->size) {
      attribute->size_max = 0;
    }
  }

  static std::optional<json::Value> WithoutCast(std::optional<json::Value> value) {
    while (const auto cast = Member(value, "TypeCast")) {
      value = Member(cast, "arg");
    }
    return value;
  }

  // Of IN ('A', 'B'), or of = ANY (ARRAY['A'::text, 'B'::text]) as pg_dump writes it; empty unless all are texts.
  static std::vector<std::string> TextsIn(std::optional<json::Value> list) {
    list = WithoutCast(list);
    std::vector<std::string> texts;
    for (const auto& items :
         {Member(list, {"List", "items"}), Member(list, {"A_ArrayExpr", "elements"})}) {
      for (const json::Value one : ElementsOf(items)) {
        const auto text = Member(WithoutCast(one), {"A_Const", "sval"});
        if (!text) {
          return {};
        }
        texts.push_back(TextOf(text, "sval"));
      }
    }
    return texts;
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
      } else if (TextOf(command, "subtype") == "AT_DropColumn") {
        NoteUnread(text, "columns are not removed");
      }
    }
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

  void SetForeignKeys() {
    for (const ForeignKey& key : foreign_keys_) {
      DraftEntity* child = EntityOfTable(key.child);
      const DraftEntity* parent = EntityOfTable(key.parent);
      if (child == nullptr) {
        continue;
      }
      if (parent == nullptr) {
        child->notes.push_back("A foreign key points at " + key.parent + ", which is not here.");
        continue;
      }
      const std::vector<std::string> targets =
          key.targets.empty() ? parent->KeyNames() : key.targets;
      if (targets.size() != key.columns.size()) {
        continue;
      }
      if (!key.on_delete.empty()) {
        child->notes.push_back("ON DELETE " + key.on_delete + " of " + parent->name +
                               " is not in the model: a write that deletes its rows must say it.");
      }
      DraftRelationship one;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        DraftAttribute* attribute = child->Find(ToName(key.columns[i]));
        if (attribute == nullptr || parent->Find(ToName(targets[i])) == nullptr) {
          continue;
        }
        const std::string target = parent->name + "." + ToName(targets[i]);
        if (LeadsTo(target, child->name + "." + attribute->name)) {
          child->notes.push_back("A foreign key from " + attribute->name + " to " + target +
                                 " goes round in a circle and was left out.");
          continue;
        }
        attribute->references = target;
        one.by.push_back(attribute->name);
      }
      one.from = parent->name;
      one.to = child->name;
      const bool whole_key = parent->KeyNames().size() == one.by.size() && !one.by.empty();
      if (whole_key && IsUnique(*child, one.by)) {
        one.kind = "one-to-one";
      }
      if (whole_key) {
        links_[child->name].push_back(std::move(one));
      } else {
        child->notes.push_back("The foreign key to " + parent->name +
                               " is not to its primary key: no relationship was made of it.");
      }
    }
    for (auto& [child, links] : links_) {
      AddRelationships(*draft_.FindEntity(child), links);
    }
  }

  // Whether references lead from one attribute to the other; both are written as Entity.attribute.
  bool LeadsTo(std::string from, const std::string& to) const {
    while (!from.empty() && from != to) {
      const std::size_t dot = from.find('.');
      const DraftEntity* entity = draft_.FindEntity(from.substr(0, dot));
      const DraftAttribute* attribute =
          entity != nullptr ? entity->Find(from.substr(dot + 1)) : nullptr;
      from = attribute != nullptr ? attribute->references : "";
    }
    return from == to;
  }

  // Whether two rows cannot have the same values in these columns: they are its key, or said to be unique.
  bool IsUnique(const DraftEntity& entity, const std::vector<std::string>& columns) {
    const std::set<std::string> names(columns.begin(), columns.end());
    const std::vector<std::string> keys = entity.KeyNames();
    if (names == std::set<std::string>(keys.begin(), keys.end())) {
      return true;
    }
    const DraftAttribute* alone = columns.size() == 1 ? entity.Find(columns[0]) : nullptr;
    return (alone != nullptr && alone->unique) ||
           std::ranges::count(unique_[entity.name], names) > 0;
  }

  // A table whose key is its two foreign keys is a link between the two.
  void AddRelationships(const DraftEntity& child, std::vector<DraftRelationship>& links) {
    std::vector<std::string> keys = child.KeyNames();
    std::vector<std::string> linked;
    for (const DraftRelationship& link : links) {
      linked.insert(linked.end(), link.by.begin(), link.by.end());
    }
    std::sort(keys.begin(), keys.end());
    std::sort(linked.begin(), linked.end());
    if (links.size() == 2 && links[0].from != links[1].from && keys == linked) {
      DraftRelationship edge;
      edge.name = UniqueName(child.name + "Links", relationship_names_);
      edge.kind = "many-to-many";
      edge.from = links[0].from;
      edge.to = links[1].from;
      edge.through = child.name;
      draft_.relationships.push_back(std::move(edge));
      return;
    }
    for (DraftRelationship& link : links) {
      link.name = UniqueName(link.from + child.name, relationship_names_);
      draft_.relationships.push_back(std::move(link));
    }
  }

  Draft& draft_;
  Notes pending_;
  std::set<std::string> taken_;
  std::set<std::string> relationship_names_;
  std::map<std::string, std::string> entity_names_;  // By table.
  std::map<std::string, std::vector<std::string>> enums_;
  std::vector<ForeignKey> foreign_keys_;
  std::map<std::string, std::vector<std::set<std::string>>>
      unique_;                                     // Entity → sets of attributes.
  std::map<std::string, std::string> partitions_;  // Table → the table that it is a part of.
  std::map<std::string, std::vector<DraftRelationship>> links_;
};

}  // namespace

Result<Draft> ReadSql(const std::string& ddl, const std::string& log) {
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
  DdlReader(draft).Read(ddl);
  RemoveRepeatedAttributes(draft);
  if (draft.entities.empty()) {
    return ValidationError("there is no CREATE TABLE that could be read");
  }
  for (DraftEntity& entity : draft.entities) {
    if (!entity.KeyNames().empty() || entity.attributes.empty()) {
      continue;
    }
    entity.notes.push_back("The table has no primary key: all its columns are taken as one.");
    for (DraftAttribute& attribute : entity.attributes) {
      const bool possible = attribute.type == "text" || attribute.type == "number" ||
                            attribute.type == "date" || attribute.type == "time";
      attribute.key = possible;
      if (possible) {
        attribute.optional = false;
      }
    }
  }
  for (DraftEntity& entity : draft.entities) {
    std::stable_partition(entity.attributes.begin(), entity.attributes.end(),
                          [](const DraftAttribute& one) { return one.key; });
  }
  if (!log.empty()) {
    ReadQueryLog(log, draft);
  }
  if (draft.patterns.empty()) {
    AddRelationalPatterns(
        draft, log.empty() ? "no query log was given" : "no statement of the log is a pattern");
  }
  return draft;
}

}  // namespace prejoin::draft
