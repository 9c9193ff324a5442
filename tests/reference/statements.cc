#include "tests/reference/statements.h"

#include <algorithm>
#include <utility>

namespace prejoin::reference {
namespace {

std::string Quoted(const std::string& name) { return "\"" + name + "\""; }

bool IsPrintable(const std::string& text) {
  return text.size() < 100 &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Nullopt: has no literal, or one that is too long.
std::optional<std::string> Literal(const AttributeValue& value) {
  const auto joined = [](std::string open, const auto& members, const char* close,
                         const auto& print) -> std::optional<std::string> {
    bool first = true;
    for (const auto& member : members) {
      const std::optional<std::string> text = print(member);
      if (!text) {
        return std::nullopt;
      }
      open += (std::exchange(first, false) ? "" : ", ") + *text;
    }
    return open + close;
  };
  const auto quoted = [](const std::string& text) {
    return IsPrintable(text) ? std::optional("'" + text + "'") : std::nullopt;
  };
  const auto digits = [](const Number& number) { return std::optional(number.ToString()); };
  switch (value.type()) {
    case ValueType::kString:
      return quoted(*value.string());
    case ValueType::kNumber:
      return digits(*value.number());
    case ValueType::kBool:
      return *value.boolean() ? "true" : "FALSE";
    case ValueType::kNull:
      return "null";
    case ValueType::kList:
      return joined("[", *value.list(), "]", Literal);
    case ValueType::kMap:
      return joined("{", *value.map(), "}", [&](const auto& entry) -> std::optional<std::string> {
        const auto inner = Literal(entry.second);
        return inner ? std::optional("'" + entry.first + "': " + *inner) : std::nullopt;
      });
    case ValueType::kStringSet:
      return joined("<<", *value.string_set(), ">>", quoted);
    case ValueType::kNumberSet:
      return joined("<<", *value.number_set(), ">>", digits);
    case ValueType::kBinary:
    case ValueType::kBinarySet:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::string StatementPrinter::Value(const AttributeValue& value) {
  const auto literal = random_.Percent(50) ? Literal(value) : std::nullopt;
  if (literal) {
    return *literal;
  }
  parameters_.push_back(value);
  return "?";
}

PartiqlStatement StatementPrinter::Finish(std::string text) {
  PartiqlStatement statement{.statement = std::move(text)};
  if (!parameters_.empty()) {
    statement.parameters = std::exchange(parameters_, {});
  }
  return statement;
}

std::string StatementPrinter::Print(const Path& path) const {
  return Quoted(path.attribute) + (path.key ? "." + Quoted(*path.key) : "") +
         (path.index ? "[" + std::to_string(*path.index) + "]" : "");
}

std::string StatementPrinter::Print(const Condition& condition) {
  using Kind = Condition::Kind;
  const std::string path = Print(condition.path);
  const auto value = [&](std::size_t at) { return Value(condition.values[at]); };
  const auto both = [&](const char* word) {
    std::string left = Print(condition.children[0]);
    return "(" + left + word + Print(condition.children[1]) + ")";
  };
  switch (condition.kind) {
    case Kind::kCompare:
      return path + " " + condition.comparator + " " + value(0);
    case Kind::kSize:
      return "size(" + path + ") " + condition.comparator + " " + value(0);
    case Kind::kBetween: {
      std::string low = value(0);
      return path + " BETWEEN " + low + " AND " + value(1);
    }
    case Kind::kIn: {
      std::string first = value(0);
      return path + " IN [" + first + ", " + value(1) + "]";
    }
    case Kind::kExists:
      return random_.Percent(50) ? path + " IS NOT MISSING" : "attribute_exists(" + path + ")";
    case Kind::kNotExists:
      return random_.Percent(50) ? path + " IS MISSING"
                                 : "attribute_not_exists(" + path + ") = TRUE";
    case Kind::kType:
      return "attribute_type(" + path + ", " + value(0) + ")";
    case Kind::kBeginsWith:
      return "begins_with(" + path + ", " + value(0) + ")";
    case Kind::kContains:
      return "contains(" + path + ", " + value(0) + ")";
    case Kind::kAnd:
      return both(" AND ");
    case Kind::kOr:
      return both(" OR ");
    case Kind::kNot:
      return "NOT (" + Print(condition.children[0]) + ")";
  }
  return "";
}

std::string StatementPrinter::Print(const KeyTerm& term) {
  const std::string name = Quoted(term.attribute);
  if (term.op == "BETWEEN") {
    std::string low = Value(term.value);
    return name + " BETWEEN " + low + " AND " + Value(term.high);
  }
  return term.op == "begins_with" ? "begins_with(" + name + ", " + Value(term.value) + ")"
                                  : name + " " + term.op + " " + Value(term.value);
}

std::optional<std::string> StatementPrinter::Print(const Action& action) {
  using Kind = Action::Kind;
  const std::string target = Print(action.target);
  const std::string source = Print(action.source);
  const bool is_set = action.value.string_set() != nullptr || action.value.number_set() != nullptr;
  switch (action.kind) {
    case Kind::kSet:
      return " SET " + target + " = " + Value(action.value);
    case Kind::kCopy:
      return " SET " + target + " = " + source;
    case Kind::kSum:
      return " SET " + target + " = " + source + " + " + Value(action.value);
    case Kind::kDifference:
      return " SET " + target + " = " + source + " - " + Value(action.value);
    case Kind::kAppend:
      return " SET " + target + " = list_append(" + source + ", " + Value(action.value) + ")";
    case Kind::kRemove:
      return " REMOVE " + target;
    case Kind::kAdd:
    case Kind::kDelete:
      if (!is_set) {
        return std::nullopt;
      }
      return " SET " + target + " = " + (action.kind == Kind::kAdd ? "set_add(" : "set_delete(") +
             target + ", " + Value(action.value) + ")";
    case Kind::kSetIfNotExists:
      break;
  }
  return std::nullopt;
}

std::string StatementPrinter::Where(const Table& table, const Write& write) {
  std::string where = " WHERE ";
  for (const auto& [name, value] : table.KeyOf(write.item_or_key)) {
    where += (where.size() > 7 ? " AND " : "") + Quoted(name) + " = " + Value(value);
  }
  return write.condition ? where + " AND (" + Print(*write.condition) + ")" : where;
}

std::optional<PartiqlStatement> StatementPrinter::Print(const Table& table, const Write& write,
                                                        const std::string& returning) {
  parameters_.clear();
  const std::string name = Quoted(table.name());
  switch (write.action) {
    case TransactAction::kPut: {
      if (random_.Percent(20)) {
        parameters_.push_back(write.item_or_key);
        return Finish("INSERT INTO " + name + " VALUE ?");
      }
      std::string item;
      for (const auto& [attribute, value] : write.item_or_key) {
        item += (item.empty() ? "'" : ", '") + attribute + "': " + Value(value);
      }
      return Finish("INSERT INTO " + name + " VALUE {" + item + "}");
    }
    case TransactAction::kUpdate: {
      // Parameters stand in the order of the text, so what is printed first comes first.
      const bool from_first = random_.Percent(30);
      std::string text = from_first ? "FROM " + name + Where(table, write) : "UPDATE " + name;
      for (const Action& action : write.update.value_or(Update())) {
        const auto printed = Print(action);
        if (!printed) {
          return std::nullopt;
        }
        text += *printed;
      }
      if (!write.update) {
        return std::nullopt;
      }
      text += from_first ? "" : Where(table, write);
      return Finish(text + returning);
    }
    case TransactAction::kDelete:
      return Finish("DELETE FROM " + name + Where(table, write) + returning);
    case TransactAction::kConditionCheck:
      return Finish("EXISTS(SELECT * FROM " + name + Where(table, write) + ")");
  }
  return std::nullopt;
}

PartiqlStatement StatementPrinter::Print(const Table& table, const Read& read) {
  parameters_.clear();
  std::string text;
  for (const std::string& name : read.projection.value_or(std::vector<std::string>())) {
    text += (text.empty() ? "" : ", ") + Quoted(name);
  }
  text = "SELECT " + (text.empty() ? "*" : text) + " FROM " + Quoted(read.table) +
         (read.index ? "." + Quoted(*read.index) : "");
  std::string where;
  for (const KeyTerm& term : read.terms) {
    where += (where.empty() ? "" : " AND ") + Print(term);
  }
  if (read.filter) {
    where += (where.empty() ? "" : " AND ") + ("(" + Print(*read.filter) + ")");
  }
  text += where.empty() ? "" : " WHERE " + where;
  if (!read.forward) {
    const KeySchema& keys =
        read.index ? table.FindIndex(*read.index)->key_schema : table.schema().key_schema;
    const auto range = std::ranges::find(keys, KeyType::kRange, &KeySchemaElement::key_type);
    text += " ORDER BY " + Quoted(range->attribute_name) + " DESC";
  }
  return Finish(text);
}

namespace {

void CollectRequired(const Condition& condition, std::vector<std::string>& names) {
  if (condition.kind == Condition::Kind::kAnd) {
    for (const Condition& child : condition.children) {
      CollectRequired(child, names);
    }
  } else if (condition.kind != Condition::Kind::kOr) {
    CollectAttributes(condition, names);
  }
}

// PartiQL refuses indexes with several HASH or RANGE attributes, and filters of keyed reads on what
// an index does not have. Other filters on that are left out: where the attribute is missing, an
// API read of a local index finds it in the table.
bool RefusedOnAnIndex(const Table& table, Read& read) {
  if (!read.index) {
    return false;
  }
  const IndexSpecification& index = *table.FindIndex(*read.index);
  for (const KeyType type : {KeyType::kHash, KeyType::kRange}) {
    if (std::ranges::count(index.key_schema, type, &KeySchemaElement::key_type) > 1) {
      return true;
    }
  }
  if (!read.filter || index.projection->type == ProjectionType::kAll) {
    return false;
  }
  const auto is_missing = [&](const std::string& name) {
    const auto has = [&](const KeySchema& keys) {
      return std::ranges::find(keys, name, &KeySchemaElement::attribute_name) != keys.end();
    };
    const auto included = index.projection->non_key_attributes.value_or(std::vector<std::string>());
    return !has(index.key_schema) && !has(table.schema().key_schema) &&
           std::ranges::find(included, name) == included.end();
  };
  std::vector<std::string> required;
  CollectRequired(*read.filter, required);
  if (!read.terms.empty() && std::ranges::any_of(required, is_missing)) {
    return true;
  }
  std::vector<std::string> all;
  CollectAttributes(*read.filter, all);
  if (std::ranges::any_of(all, is_missing)) {
    read.filter.reset();
  }
  return false;
}

}  // namespace

bool FitToStatement(const Table& table, Read& read) {
  read.select.reset();
  const KeySchema& keys =
      read.index ? table.FindIndex(*read.index)->key_schema : table.schema().key_schema;
  read.forward =
      read.forward || read.terms.empty() ||
      std::ranges::find(keys, KeyType::kRange, &KeySchemaElement::key_type) == keys.end();
  if (read.filter) {
    // A WHERE clause may name keys anywhere; a filter of a Query may not.
    std::vector<std::string> names;
    CollectAttributes(*read.filter, names);
    if (std::ranges::any_of(names, [&](const std::string& name) {
          return std::ranges::find(keys, name, &KeySchemaElement::attribute_name) != keys.end();
        })) {
      read.filter.reset();
    }
  }
  return !RefusedOnAnIndex(table, read);
}

std::optional<Condition> ConditionOfTwin(const Write& write) {
  const bool is_put = write.action == TransactAction::kPut;
  const bool is_delete = write.action == TransactAction::kDelete;
  if (is_delete && !write.condition) {
    return std::nullopt;
  }
  Condition implied{
      .kind = is_put || is_delete ? Condition::Kind::kNotExists : Condition::Kind::kExists,
      .path = {.attribute = "pk"}};
  if (!write.condition) {
    return implied;
  }
  return Condition{.kind = is_delete ? Condition::Kind::kOr : Condition::Kind::kAnd,
                   .children = {std::move(implied), *write.condition}};
}

std::string OperationOf(TransactAction action) {
  switch (action) {
    case TransactAction::kPut:
      return "Put";
    case TransactAction::kUpdate:
      return "Update";
    case TransactAction::kDelete:
      return "Delete";
    case TransactAction::kConditionCheck:
      break;
  }
  return "ConditionCheck";
}

WriteOutcome PlanStatement(const Table& table, const Write& write) {
  const bool exists = table.Find(write.item_or_key) != nullptr;
  WriteOutcome outcome = table.Plan(write);
  if (write.action == TransactAction::kPut) {
    if (!outcome.error && exists) {
      outcome.error = ErrorCode::kConditionalCheckFailed;
    }
    return outcome;
  }
  if (exists) {
    return outcome;
  }
  if (write.action != TransactAction::kDelete) {
    outcome.error = ErrorCode::kConditionalCheckFailed;
    return outcome;
  }
  Write unconditional = write;
  unconditional.condition.reset();
  return table.Plan(unconditional);
}

}  // namespace prejoin::reference
