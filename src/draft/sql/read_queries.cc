// SELECT, INSERT, UPDATE and DELETE into patterns and writes. A SELECT from one table with
// conditions on it is a `find`. A join along a foreign key becomes `get Parent.attribute` when the
// conditions are on the child, and two `find` lines when they are on the parent's key. Anything else
// (grouping, outer conditions, subqueries) has no form in a model and becomes a comment.
#include <algorithm>
#include <map>
#include <set>

#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/read_sql.h"
#include "draft/sql/sql_parser.h"

namespace prejoin::draft {
namespace {

struct ColumnName {
  std::string table;  // An alias, or empty.
  std::string column;
};

struct Query {
  std::map<std::string, std::string> entities;  // Alias → entity.
  std::vector<std::string> order_of_tables;     // Aliases.
  struct Condition {
    ColumnName column;
    std::string text;  // With `%` where the column stands.
  };
  std::vector<Condition> conditions;
  std::vector<std::pair<ColumnName, bool>> order;
  std::vector<ColumnName> wanted;
  std::string limit;
  std::string problem;  // Why it cannot be a pattern.
};

ColumnName ColumnOf(std::optional<json::Value> reference) {
  ColumnName name;
  std::vector<std::string> parts;
  for (const json::Value field : ElementsOf(Member(reference, {"ColumnRef", "fields"}))) {
    const auto text = Member(field, "String");
    parts.push_back(text ? TextOf(text, "sval") : "*");
  }
  if (!parts.empty()) {
    name.column = parts.back();
  }
  if (parts.size() > 1) {
    name.table = parts[parts.size() - 2];
  }
  return name;
}

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
    for (const json::Value one : ElementsOf(Member(select, "targetList"))) {
      const auto value = Member(one, {"ResTarget", "val"});
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
      query_.conditions.push_back({column, "% " + operation + " " + Value(right, parameter)});
    } else if (kind == "AEXPR_BETWEEN") {
      query_.conditions.push_back(
          {column, "% between :" + parameter + "From and :" + parameter + "To"});
    } else if (kind == "AEXPR_IN") {
      query_.conditions.push_back(
          {column, "% in (:" + parameter + "First, :" + parameter + "Second)"});
    } else if (kind == "AEXPR_LIKE") {
      query_.conditions.push_back({column, "begins_with(%, :" + parameter + ")"});
    } else {
      Fail("a condition with " + operation + " has no form in a model");
    }
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

  // What the lines leave out.
  Notes TakeNotes() { return std::move(notes_); }

 private:
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

  // What is selected of the row and of the rows that it references; rows that reference it come by a line of their own.
  // All of the row and nothing else needs no `get`.
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

std::string RateIn(const std::string& statement) {
  // `-- 40/s`
  std::size_t at = 0;
  while ((at = statement.find("--", at)) != std::string::npos) {
    const std::size_t end = std::min(statement.find('\n', at), statement.size());
    std::string text = statement.substr(at + 2, end - at - 2);
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    if (text.starts_with("rate")) {
      text.erase(0, 4);
    }
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos && slash > 0 &&
        text.find_first_not_of("0123456789._k") == slash) {
      return text;
    }
    at = end;
  }
  return "";
}

class LogReader {
 public:
  explicit LogReader(Draft& draft) : draft_(draft) {
    for (const DraftEntity& entity : draft.entities) {
      tables_[Lowered(entity.name)] = entity.name;
      // The entity was named after its table: order_items → OrderItems.
      std::string snake;
      for (const char c : entity.name) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper && !snake.empty()) {
          snake += '_';
        }
        snake += upper ? static_cast<char>(c | 0x20) : c;
      }
      tables_[snake] = entity.name;
    }
  }

  void Read(const std::string& log) {
    std::map<std::string, std::pair<std::string, int>> seen;  // Normalised → first, how often.
    std::vector<std::string> order;
    for (const std::string& statement : SplitSql(log)) {
      const std::string normalized = NormalizedSql(statement);
      auto& one = seen[normalized];
      if (one.second++ == 0) {
        one.first = statement;
        order.push_back(normalized);
      }
    }
    for (const std::string& normalized : order) {
      ReadStatement(seen[normalized].first, seen[normalized].second);
    }
  }

 private:
  void ReadStatement(const std::string& statement, int times) {
    const auto tree = ParseSql(statement);
    if (!tree) {
      Note(statement, tree.error().message);
      return;
    }
    const auto document = json::Document::Parse(*tree);
    if (!document) {
      Note(statement, "it is nested too deeply");
      return;
    }
    for (const json::Value one : ElementsOf(Member(document->root(), "stmts"))) {
      const auto inner = Member(one, "stmt");
      if (const auto select = Member(inner, "SelectStmt")) {
        ReadSelect(*select, statement, times);
      } else {
        ReadWrite(inner, statement, times);
      }
    }
  }

  void Note(const std::string& statement, const std::string& why) {
    draft_.end_notes.push_back("Not read (" + why + "):\n" + QuotedSql(statement));
  }

  void Finish(DraftPattern pattern, const std::string& statement, int times) {
    if (const std::string rate = RateIn(statement); !rate.empty()) {
      pattern.lines.push_back("rate " + rate);
    } else {
      pattern.notes.push_back("In the log " + std::to_string(times) +
                              (times == 1 ? " time." : " times."));
    }
    draft_.patterns.push_back(std::move(pattern));
  }

  void ReadSelect(json::Value select, const std::string& statement, int times) {
    const Query query = QueryReader(tables_).Read(select);
    DraftPattern pattern;
    std::string problem;
    FindWriter writer(draft_, query);
    pattern.lines = writer.Write(problem);
    pattern.notes = writer.TakeNotes();
    if (!problem.empty()) {
      Note(statement, problem);
      return;
    }
    const std::string entity = pattern.lines[0].substr(5, pattern.lines[0].find(' ', 5) - 5);
    pattern.name = entity;
    for (const Query::Condition& condition : query.conditions) {
      pattern.name +=
          (pattern.name == entity ? "By" : "And") + ToEntityName(condition.column.column);
    }
    pattern.name = UniqueName(pattern.name, names_);
    Finish(std::move(pattern), statement, times);
  }

  void ReadWrite(std::optional<json::Value> inner, const std::string& statement, int times) {
    DraftPattern write;
    write.is_write = true;
    const auto entity_of = [&](std::optional<json::Value> body) {
      const auto found = tables_.find(Lowered(TextOf(Member(body, "relation"), "relname")));
      return found == tables_.end() ? std::string() : found->second;
    };
    std::string entity;
    if (const auto insert = Member(inner, "InsertStmt")) {
      entity = entity_of(insert);
      write.lines = {"put " + entity + " once"};
      write.name = "Add" + entity;
    } else if (const auto update = Member(inner, "UpdateStmt")) {
      entity = entity_of(update);
      std::string set;
      for (const json::Value one : ElementsOf(Member(update, "targetList"))) {
        set += (set.empty() ? "" : ", ") + ToName(TextOf(Member(one, "ResTarget"), "name"));
      }
      write.lines = {"update " + entity + " set " + set};
      write.name = "Change" + entity;
    } else if (const auto remove = Member(inner, "DeleteStmt")) {
      entity = entity_of(remove);
      write.lines = {"delete " + entity};
      write.name = "Remove" + entity;
    } else {
      return;  // BEGIN, SET and the like.
    }
    if (entity.empty()) {
      Note(statement, "its table is not here");
      return;
    }
    write.name = UniqueName(write.name, names_);
    Finish(std::move(write), statement, times);
  }

  Draft& draft_;
  std::map<std::string, std::string> tables_;  // Lower-case name → entity.
  std::set<std::string> names_;
};

}  // namespace

void ReadQueryLog(const std::string& log, Draft& draft) { LogReader(draft).Read(log); }

}  // namespace prejoin::draft
