// SELECT, INSERT, UPDATE and DELETE into patterns and writes. A SELECT from one table with
// conditions on it is a `find`, or a `count` or `sum` if it answers one number. A join along a foreign key becomes `get Parent.attribute` when the
// conditions are on the child, and two `find` lines when they are on the parent's key. Anything else
// (grouping, outer conditions, subqueries) has no form in a model and becomes a comment.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/read_sql.h"
#include "draft/sql/sql_parser.h"
#include "draft/sql/statement_log.h"
#include "draft/sql/statement_parts.h"
#include "model/syntax/figure_text.h"

namespace prejoin::draft {
namespace {

struct Query {
  std::map<std::string, std::string> entities;  // Alias → entity.
  std::vector<std::string> order_of_tables;     // Aliases.
  struct Condition {
    ColumnName column;
    std::string text;       // With `%` where the column stands.
    std::string operation;  // The operator of a plain comparison: "=", "<", …
  };
  std::vector<Condition> conditions;
  std::vector<std::pair<ColumnName, bool>> order;
  std::vector<ColumnName> wanted;
  std::optional<SqlMeasure> measure;  // Then it answers one number.
  std::string limit;
  std::string problem;  // Why it cannot be a pattern.
  bool is_system = false;  // It asks the database about itself.
  Notes notes;
};

class QueryReader {
 public:
  explicit QueryReader(const std::map<std::string, std::string>& tables) : tables_(tables) {}

  Query Read(json::Value select) {
    for (const char* unsupported :
         {"groupClause", "havingClause", "distinctClause", "windowClause", "withClause", "larg"}) {
      if (Member(select, unsupported)) {
        Fail("it groups, combines or counts rows");
      }
    }
    for (const json::Value item : ElementsOf(Member(select, "fromClause"))) {
      ReadFrom(item);
    }
    ReadWhere(Member(select, "whereClause"));
    MergeRanges();
    const std::vector<json::Value> targets = ElementsOf(Member(select, "targetList"));
    for (const json::Value one : targets) {
      const auto value = Member(one, {"ResTarget", "val"});
      query_.measure = targets.size() == 1 ? MeasureOf(value) : std::nullopt;
      if (query_.measure && !query_.conditions.empty() && query_.entities.size() == 1) {
        continue;
      }
      if (Member(value, "A_Const") || Member(value, "ParamRef")) {
        continue;  // SELECT 1 asks whether there is a row.
      }
      if (!Member(value, "ColumnRef")) {
        Fail("it computes a value");
      }
      query_.wanted.push_back(ColumnOf(value));
    }
    for (const json::Value one : ElementsOf(Member(select, "sortClause"))) {
      const auto sort = Member(one, "SortBy");
      query_.order.emplace_back(ColumnOf(Member(sort, "node")),
                                TextOf(sort, "sortby_dir") == "SORTBY_DESC");
    }
    query_.limit = TextOf(Member(select, {"limitCount", "A_Const", "ival"}), "ival");
    if (Member(select, {"limitCount", "ParamRef"})) {
      query_.notes.push_back("Its LIMIT is a parameter in the log: add `limit N`.");
    }
    if (Member(select, "limitOffset")) {
      Fail("OFFSET has no form in DynamoDB");
    }
    if (query_.entities.empty()) {
      Fail("it reads no table of the schema");
    }
    return std::move(query_);
  }

 private:
  void ReadWhere(std::optional<json::Value> where) {
    if (!where) {
      return;
    }
    if (const auto both = Member(where, "BoolExpr")) {
      if (TextOf(both, "boolop") != "AND_EXPR") {
        Fail("OR and NOT have no form in a key condition");
      }
      for (const json::Value one : ElementsOf(Member(both, "args"))) {
        ReadWhere(one);
      }
      return;
    }
    const auto expression = Member(where, "A_Expr");
    if (!expression) {
      Fail("a condition is not a comparison");
      return;
    }
    ReadComparison(*expression);
  }

  void Fail(const std::string& why) {
    if (query_.problem.empty()) {
      query_.problem = why;
    }
  }

  void ReadFrom(json::Value item) {
    if (const auto join = Member(item, "JoinExpr")) {
      const auto left = Member(join, "larg");
      const auto right = Member(join, "rarg");
      if (left) {
        ReadFrom(*left);
      }
      if (right) {
        ReadFrom(*right);
      }
      // Joins follow from the foreign keys.
      return;
    }
    const auto range = Member(item, "RangeVar");
    const std::string table = TextOf(range, "relname");
    const auto found = tables_.find(Lowered(table));
    if (found == tables_.end()) {
      const bool system = table.starts_with("pg_") ||
                          TextOf(range, "schemaname") == "information_schema";
      query_.is_system = query_.is_system || system;
      Fail("it reads " + (table.empty() ? "no plain table" : table + ", which is not here"));
      return;
    }
    const std::string alias = TextOf(Member(range, "alias"), "aliasname");
    const std::string name = alias.empty() ? table : alias;
    query_.entities[name] = found->second;
    query_.order_of_tables.push_back(name);
  }

  static std::string Value(std::optional<json::Value> value, const std::string& parameter) {
    if (Member(value, "ParamRef")) {
      return ":" + parameter;
    }
    // Values of a log are examples of a parameter.
    if (Member(value, "A_Const") || Member(value, "TypeCast")) {
      return ":" + parameter;
    }
    return "";
  }

  void ReadComparison(json::Value expression) {
    const auto left = Member(expression, "lexpr");
    const auto right = Member(expression, "rexpr");
    const ColumnName column = ColumnOf(left);
    const std::string kind = TextOf(expression, "kind");
    std::string operation;
    for (const json::Value one : ElementsOf(Member(expression, "name"))) {
      operation = TextOf(Member(one, "String"), "sval");
    }
    if (Member(left, "ColumnRef") && Member(right, "ColumnRef")) {
      return;  // a.x = b.y: a join.
    }
    const std::string parameter = ToAttributeName(column.column);
    if (!Member(left, "ColumnRef") || column.column.empty()) {
      Fail("a condition is not on a column");
    } else if (kind == "AEXPR_OP" && !Value(right, parameter).empty() &&
               (operation == "=" || operation == "<" || operation == "<=" || operation == ">" ||
                operation == ">=")) {
      query_.conditions.push_back(
          {column, "% " + operation + " " + Value(right, parameter), operation});
    } else if (kind == "AEXPR_BETWEEN") {
      query_.conditions.push_back({column, Between(parameter), ""});
    } else if (kind == "AEXPR_IN" || (kind == "AEXPR_OP_ANY" && operation == "=")) {
      query_.conditions.push_back(
          {column, "% in (:" + parameter + "First, :" + parameter + "Second)", ""});
    } else if (kind == "AEXPR_LIKE" && operation == "~~") {
      ReadLike(right, column, parameter);
    } else {
      Fail("a condition with " + operation + " has no form in a model");
    }
  }

  static std::string Between(const std::string& parameter) {
    return "% between :" + parameter + "From and :" + parameter + "To";
  }

  // LIKE 'x%' is a prefix; LIKE '%x' is not.
  void ReadLike(std::optional<json::Value> right, const ColumnName& column,
                const std::string& parameter) {
    const std::string example = TextOf(Member(right, {"A_Const", "sval"}), "sval");
    if (Member(right, "A_Const")) {
      if (example.find_first_of("%_") + 1 != example.size() || !example.ends_with("%")) {
        return Fail("LIKE looks for more than a prefix");
      }
    } else {
      query_.notes.push_back("LIKE is read as a search for a prefix.");
    }
    query_.conditions.push_back({column, "begins_with(%, :" + parameter + ")", ""});
  }

  // `x >= :x and x < :y` is one range. Two other conditions on a column need two parameters.
  void MergeRanges() {
    std::vector<Query::Condition>& all = query_.conditions;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto is_same = [&](const Query::Condition& other) {
        return !all[i].operation.empty() && !other.operation.empty() &&
               other.column.column == all[i].column.column &&
               other.column.table == all[i].column.table;
      };
      const auto second = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(), is_same);
      if (second == all.end()) {
        continue;
      }
      if (!IsRange(all[i].operation, second->operation)) {
        Fail("two conditions are on one column");
        continue;
      }
      if (all[i].operation.size() + second->operation.size() < 4) {
        query_.notes.push_back("The log excludes an end of the range on " +
                               all[i].column.column + "; `between` includes both.");
      }
      all[i].text = Between(ToAttributeName(all[i].column.column));
      all[i].operation.clear();
      all.erase(second);
    }
  }
  static bool IsRange(const std::string& one, const std::string& other) {
    return (one[0] == '<' && other[0] == '>') || (one[0] == '>' && other[0] == '<');
  }

  const std::map<std::string, std::string>& tables_;
  Query query_;
};

// Makes the `find` lines of a query.
class FindWriter {
 public:
  FindWriter(const Draft& draft, const Query& query) : draft_(draft), query_(query) {}

  // Empty, and `problem` says why, if it has none.
  std::vector<std::string> Write(std::string& problem) {
    problem = query_.problem;
    if (!problem.empty()) {
      return {};
    }
    const std::string main = MainTable();
    if (main.empty()) {
      problem = "its conditions are on several tables";
      return {};
    }
    const std::string& entity = EntityOf(main);
    if (query_.measure) {
      return Measured(entity, Where(main), problem);
    }
    std::vector<std::string> lines = {"find " + entity + Where(main) + Order(main) + Get(main)};
    for (const std::string& other : query_.order_of_tables) {
      if (other == main || References(entity, EntityOf(other))) {
        continue;
      }
      const std::string child = ChildLine(main, other);
      if (child.empty()) {
        problem = "its join does not follow a foreign key";
        return {};
      }
      lines.push_back(child);
    }
    return lines;
  }

  // The entity of the first line.
  std::string entity() const { return EntityOf(MainTable()); }

  // Returns the notes about everything that the lines leave out.
  Notes TakeNotes() { return std::move(notes_); }

 private:
  std::vector<std::string> Measured(const std::string& entity, const std::string& where,
                                    std::string& problem) {
    const std::string column = ToName(query_.measure->column.column);
    const DraftAttribute* attribute = draft_.FindEntity(entity)->Find(column);
    if (!query_.measure->sum) {
      const bool some = attribute != nullptr && attribute->optional;
      return {"count " + entity + where + (some ? " and exists(" + column + ")" : "")};
    }
    if (attribute == nullptr || attribute->type != "number") {
      problem = "it computes a value";
      return {};
    }
    return {"sum " + entity + "." + column + where};
  }

  std::string TableOf(const ColumnName& column) const {
    if (!column.table.empty()) {
      return column.table;
    }
    for (const auto& [alias, entity] : query_.entities) {
      const DraftEntity* found = draft_.FindEntity(entity);
      if (found != nullptr && found->Find(ToName(column.column)) != nullptr) {
        return alias;
      }
    }
    return "";
  }

  // Empty if the query has no table of that name.
  const std::string& EntityOf(const std::string& table) const {
    static const std::string kNone;
    const auto found = query_.entities.find(table);
    return found == query_.entities.end() ? kNone : found->second;
  }

  // The table that all conditions are on; without conditions the first one.
  std::string MainTable() const {
    std::string main;
    for (const Query::Condition& condition : query_.conditions) {
      const std::string table = TableOf(condition.column);
      if (!query_.entities.contains(table) || (!main.empty() && main != table)) {
        return "";
      }
      main = table;
    }
    if (main.empty() && !query_.order_of_tables.empty()) {
      return query_.order_of_tables[0];
    }
    return main;
  }

  bool References(const std::string& child, const std::string& parent) const {
    const DraftEntity* entity = draft_.FindEntity(child);
    if (entity == nullptr) {
      return false;
    }
    return std::any_of(
        entity->attributes.begin(), entity->attributes.end(),
        [&](const DraftAttribute& one) { return one.references.starts_with(parent + "."); });
  }

  std::string Where(const std::string& table) const {
    std::string out;
    for (const Query::Condition& condition : query_.conditions) {
      if (TableOf(condition.column) != table) {
        continue;
      }
      std::string text = condition.text;
      text.replace(text.find('%'), 1, ToName(condition.column.column));
      out += (out.empty() ? " where " : " and ") + text;
    }
    return out;
  }

  std::string Order(const std::string& table) const {
    std::string out;
    for (const auto& [column, descending] : query_.order) {
      if (column.column.empty() || TableOf(column) != table) {
        continue;
      }
      out +=
          (out.empty() ? " order by " : ", ") + ToName(column.column) + (descending ? " desc" : "");
    }
    return query_.limit.empty() ? out : out + " limit " + query_.limit;
  }

  // Lists what is selected of the row and of the rows that it references; rows that reference it have a line of
  // their own. A pattern that selects the whole row and nothing else needs no `get`.
  std::string Get(const std::string& table) {
    std::vector<std::string> names;
    bool whole = false;  // All columns of the row are wanted.
    bool joined = false;
    const auto add = [&](const std::string& owner, const std::string& attribute) {
      const std::string& entity = EntityOf(owner);
      const bool own = owner == table;
      if (!own && !References(EntityOf(table), entity)) {
        return;
      }
      joined = joined || !own;
      const std::string name = own ? attribute : entity + "." + attribute;
      if (std::ranges::count(names, name) == 0) {
        names.push_back(name);
      }
    };
    for (const ColumnName& column : query_.wanted) {
      if (column.column != "*") {
        const std::string owner = TableOf(column);
        const DraftEntity* entity = draft_.FindEntity(EntityOf(owner));
        if (entity == nullptr || entity->Find(ToName(column.column)) == nullptr) {
          notes_.push_back("It selects " + column.column + ", which is no column of its tables.");
        } else {
          add(owner, ToName(column.column));
        }
        continue;
      }
      for (const std::string& owner : query_.order_of_tables) {
        if (!column.table.empty() && column.table != owner) {
          continue;
        }
        whole = whole || owner == table;
        AddAll(table, owner, add);
      }
    }
    if (whole && !joined) {
      return "";
    }
    std::string out;
    for (const std::string& name : names) {
      out += (out.empty() ? " get " : ", ") + name;
    }
    return out;
  }

  // Every column of `owner`, but for those of a referenced row that the row has itself.
  template <class Add>
  void AddAll(const std::string& table, const std::string& owner, const Add& add) const {
    const DraftEntity* entity = draft_.FindEntity(EntityOf(owner));
    const DraftEntity* main = draft_.FindEntity(EntityOf(table));
    if (entity == nullptr || main == nullptr) {
      return;
    }
    for (const DraftAttribute& one : entity->attributes) {
      const bool known = owner != table && std::ranges::any_of(main->attributes, [&](auto& mine) {
                           return mine.references == entity->name + "." + one.name;
                         });
      if (!known) {
        add(owner, one.name);
      }
    }
  }

  // The rows of `other` that belong to the row that the conditions on `main` name.
  std::string ChildLine(const std::string& main, const std::string& other) const {
    const DraftEntity* child = draft_.FindEntity(EntityOf(other));
    const DraftEntity* parent = draft_.FindEntity(EntityOf(main));
    if (child == nullptr || parent == nullptr) {
      return "";
    }
    std::string where;
    std::size_t columns = 0;
    for (const DraftAttribute& attribute : child->attributes) {
      if (!attribute.references.starts_with(parent->name + ".")) {
        continue;
      }
      const std::string target = attribute.references.substr(parent->name.size() + 1);
      for (const Query::Condition& condition : query_.conditions) {
        if (ToName(condition.column.column) != target || !condition.text.starts_with("% = ")) {
          continue;
        }
        where += (where.empty() ? " where " : " and ") + attribute.name + condition.text.substr(1);
        ++columns;
      }
    }
    if (columns != parent->KeyNames().size()) {
      return "";
    }
    return "find " + child->name + where + Order(other);
  }

  const Draft& draft_;
  const Query& query_;
  Notes notes_;
};

class LogReader {
 public:
  explicit LogReader(Draft& draft) : draft_(draft), tables_(draft.sql_tables) {}

  void Read(const std::vector<LoggedStatement>& log) {
    std::map<std::string, LoggedStatement> seen;  // Keyed by normalised text: the first, with all calls.
    std::vector<std::string> order;
    for (const LoggedStatement& statement : log) {
      const std::string normalized = NormalizedSql(statement.text);
      const auto [one, added] = seen.emplace(normalized, statement);
      if (added) {
        order.push_back(normalized);
      } else {
        one->second.calls += statement.calls;
        one->second.per_second += statement.per_second;
      }
    }
    for (const std::string& normalized : order) {
      ReadStatement(seen[normalized]);
    }
  }

 private:
  void ReadStatement(const LoggedStatement& logged) {
    const std::string& statement = logged.text;
    const auto tree = ParseSql(statement, draft_.spellings);
    if (!tree) {
      Note(logged, tree.error().message);
      return;
    }
    const auto document = json::Document::Parse(*tree);
    if (!document) {
      Note(logged, "it is nested too deeply");
      return;
    }
    for (const json::Value one : ElementsOf(Member(document->root(), "stmts"))) {
      const auto inner = Member(one, "stmt");
      if (const auto select = Member(inner, "SelectStmt")) {
        ReadSelect(*select, logged);
      } else {
        ReadWrite(inner, logged);
      }
    }
  }

  // With how often it ran: what is not a pattern yet may be the load that matters.
  void Note(const LoggedStatement& logged, const std::string& why) {
    const std::string often = logged.per_second > 0 ? ", " + RateText(logged.per_second)
                              : logged.calls > 1    ? ", " + CallsText(logged.calls)
                                                    : "";
    draft_.end_notes.push_back("Not read (" + why + often + "):\n" + QuotedSql(logged.text));
  }

  static std::string CallsText(double calls) {
    return model::Counted(calls, "call");
  }

  void Finish(DraftPattern pattern, const LoggedStatement& logged) {
    if (const std::string rate = RateIn(logged.text); !rate.empty()) {
      pattern.lines.push_back("rate " + rate);
    } else if (logged.per_second > 0) {
      pattern.lines.push_back("rate " + RateText(logged.per_second));
    } else {
      pattern.notes.push_back("In the log: " + CallsText(logged.calls) + ".");
    }
    draft_.patterns.push_back(std::move(pattern));
  }

  void ReadSelect(json::Value select, const LoggedStatement& logged) {
    const Query query = QueryReader(tables_).Read(select);
    DraftPattern pattern;
    std::string problem;
    FindWriter writer(draft_, query);
    pattern.lines = writer.Write(problem);
    pattern.notes = writer.TakeNotes();
    pattern.notes.insert(pattern.notes.end(), query.notes.begin(), query.notes.end());
    if (!problem.empty()) {
      if (!query.is_system) {
        Note(logged, problem);
      }
      return;
    }
    pattern.name = writer.entity();
    if (query.measure) {
      pattern.name += query.measure->sum ? "Sum" : "Count";
    }
    for (const char* joint = "By"; const Query::Condition& condition : query.conditions) {
      pattern.name += std::exchange(joint, "And") + ToEntityName(condition.column.column);
    }
    pattern.name = UniqueName(pattern.name, names_);
    Finish(std::move(pattern), logged);
  }

  void ReadWrite(std::optional<json::Value> inner, const LoggedStatement& logged) {
    DraftPattern write;
    write.is_write = true;
    const auto entity_of = [&](std::optional<json::Value> body) {
      const auto found = tables_.find(Lowered(TextOf(Member(body, "relation"), "relname")));
      return found == tables_.end() ? std::string() : found->second;
    };
    std::string entity;
    if (const auto insert = Member(inner, "InsertStmt")) {
      entity = entity_of(insert);
      write.lines = {"put " + entity + (Member(insert, "onConflictClause") ? "" : " once")};
      write.name = "Add" + entity;
    } else if (const auto update = Member(inner, "UpdateStmt")) {
      entity = entity_of(update);
      const DraftEntity* rows = draft_.FindEntity(entity);
      write.lines = {"update " + entity + " set " + (rows != nullptr ? SetText(*update, *rows) : "")};
      write.name = "Change" + entity;
    } else if (const auto remove = Member(inner, "DeleteStmt")) {
      entity = entity_of(remove);
      write.lines = {"delete " + entity};
      write.name = "Remove" + entity;
    } else {
      return;  // BEGIN, SET and the like.
    }
    if (entity.empty()) {
      Note(logged, "its table is not here");
      return;
    }
    write.name = UniqueName(write.name, names_);
    Finish(std::move(write), logged);
  }

  Draft& draft_;
  const std::map<std::string, std::string>& tables_;  // Lower-case name → entity.
  std::set<std::string> names_;
};

}  // namespace

void ReadQueryLog(const std::vector<LoggedStatement>& log, Draft& draft) { LogReader(draft).Read(log); }

}  // namespace prejoin::draft
