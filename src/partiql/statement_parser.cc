// The grammar of whole statements.
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "expr/grammar.h"
#include "partiql/condition_parser.h"
#include "partiql/parse.h"
#include "partiql/token_reader.h"
#include "partiql/value_parser.h"

namespace prejoin::partiql {
namespace {

class StatementParser {
 public:
  StatementParser(std::string_view text, const std::vector<AttributeValue>& parameters)
      : reader_(text), values_(reader_, parameters) {}

  Result<Statement> Parse() {
    PJ_ASSIGN_OR_RETURN(Statement statement, ParseStatement());
    reader_.TakeSymbol(";");
    if (reader_.current().kind != TokenKind::kEnd) {
      return reader_.Unexpected();
    }
    PJ_RETURN_IF_ERROR(values_.CheckAllUsed());
    return statement;
  }

 private:
  Result<Statement> ParseStatement();
  Result<Select> ParseSelect();
  Result<Insert> ParseInsert();
  Result<Update> ParseUpdate();
  Result<Delete> ParseDelete();
  Result<Exists> ParseExists();

  Status ParseColumns(Select& select);
  Status ParseOrder(Select& select);
  Result<expr::Condition> ParseWhere();
  Result<Returning> ParseReturning();
  Status ParseSet(expr::Update& update);
  Status ParseSetFunction(expr::Path target, bool add, expr::Update& update);
  Result<expr::UpdateValue> ParseUpdateValue();
  Result<expr::UpdateValue> ParseUpdateOperand();
  bool IsCall(std::string_view function) const {
    return reader_.next().kind == TokenKind::kSymbol && reader_.next().text == "(" &&
           reader_.IsKeyword(function);
  }

  TokenReader reader_;
  ValueParser values_;
};

Result<Statement> StatementParser::ParseStatement() {
  if (reader_.TakeKeyword("SELECT")) {
    PJ_ASSIGN_OR_RETURN(Select select, ParseSelect());
    return Statement(std::move(select));
  }
  if (reader_.TakeKeyword("INSERT")) {
    PJ_ASSIGN_OR_RETURN(Insert insert, ParseInsert());
    return Statement(std::move(insert));
  }
  if (reader_.TakeKeyword("UPDATE")) {
    PJ_ASSIGN_OR_RETURN(Update update, ParseUpdate());
    return Statement(std::move(update));
  }
  if (reader_.TakeKeyword("DELETE")) {
    PJ_ASSIGN_OR_RETURN(Delete remove, ParseDelete());
    return Statement(std::move(remove));
  }
  if (reader_.TakeKeyword("EXISTS")) {
    PJ_ASSIGN_OR_RETURN(Exists exists, ParseExists());
    return Statement(std::move(exists));
  }
  return NotWellFormed("Expected data manipulation");
}

Result<Select> StatementParser::ParseSelect() {
  Select select;
  PJ_RETURN_IF_ERROR(ParseColumns(select));
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("FROM"));
  PJ_ASSIGN_OR_RETURN(select.table_name, reader_.ExpectName());
  if (reader_.TakeSymbol(".")) {
    PJ_ASSIGN_OR_RETURN(select.index_name, reader_.ExpectName());
  }
  if (reader_.IsKeyword("WHERE")) {
    PJ_ASSIGN_OR_RETURN(select.where, ParseWhere());
  }
  PJ_RETURN_IF_ERROR(ParseOrder(select));
  return select;
}

Status StatementParser::ParseColumns(Select& select) {
  if (reader_.TakeSymbol("*")) {
    return {};
  }
  do {
    Column column;
    PJ_ASSIGN_OR_RETURN(column.path, values_.ParsePath());
    const auto* name = std::get_if<std::string>(&column.path.back().step);
    column.name = name ? *name : "_" + std::to_string(select.columns.size() + 1);
    for (const Column& other : select.columns) {
      if (other.name == column.name) {
        return ValidationError("Duplicate attribute in the projection: " + column.name);
      }
    }
    select.columns.push_back(std::move(column));
  } while (reader_.TakeSymbol(","));
  return {};
}

Status StatementParser::ParseOrder(Select& select) {
  if (!reader_.TakeKeyword("ORDER")) {
    return {};
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("BY"));
  do {
    OrderKey key;
    PJ_ASSIGN_OR_RETURN(key.attribute_name, reader_.ExpectName());
    key.descending = reader_.TakeKeyword("DESC");
    if (!key.descending) {
      reader_.TakeKeyword("ASC");
    }
    select.order_by.push_back(std::move(key));
  } while (reader_.TakeSymbol(","));
  return {};
}

Result<expr::Condition> StatementParser::ParseWhere() {
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("WHERE"));
  return ConditionParser(reader_, values_).Parse();
}

Result<Insert> StatementParser::ParseInsert() {
  Insert insert;
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("INTO"));
  PJ_ASSIGN_OR_RETURN(insert.table_name, reader_.ExpectName());
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("VALUE"));
  if (!reader_.IsSymbol("?")) {
    PJ_ASSIGN_OR_RETURN(insert.item, values_.ParseMap());
    return insert;
  }
  PJ_ASSIGN_OR_RETURN(AttributeValue value, values_.ParseValue());
  if (value.map() == nullptr) {
    return ValidationError("The value of INSERT must be a map");
  }
  insert.item = std::move(*value.map());
  return insert;
}

Result<Returning> StatementParser::ParseReturning() {
  if (!reader_.TakeKeyword("RETURNING")) {
    return Returning::kNone;
  }
  const bool all = reader_.TakeKeyword("ALL");
  if (!all) {
    PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("MODIFIED"));
  }
  const bool is_new = reader_.TakeKeyword("NEW");
  if (!is_new) {
    PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("OLD"));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("*"));
  return all ? (is_new ? Returning::kAllNew : Returning::kAllOld)
             : (is_new ? Returning::kModifiedNew : Returning::kModifiedOld);
}

Result<Update> StatementParser::ParseUpdate() {
  Update update;
  PJ_ASSIGN_OR_RETURN(update.table_name, reader_.ExpectName());
  if (!reader_.IsKeyword("SET") && !reader_.IsKeyword("REMOVE")) {
    return reader_.Unexpected();
  }
  while (reader_.IsKeyword("SET") || reader_.IsKeyword("REMOVE")) {
    const bool set = reader_.IsKeyword("SET");
    reader_.Advance();
    do {
      if (set) {
        PJ_RETURN_IF_ERROR(ParseSet(update.update));
      } else {
        PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
        update.update.removes.push_back({std::move(path)});
      }
    } while (reader_.TakeSymbol(","));
  }
  std::vector<const expr::Path*> paths;
  const auto add_paths = [&](const auto& actions) {
    for (const auto& action : actions) {
      paths.push_back(&action.path);
    }
  };
  add_paths(update.update.sets);
  add_paths(update.update.removes);
  add_paths(update.update.adds);
  add_paths(update.update.deletes);
  expr::Faults faults;
  CheckPathsApart(paths, faults);
  if (!faults.empty()) {
    return ValidationError("Invalid UpdateExpression: " + faults.Worst());
  }
  PJ_ASSIGN_OR_RETURN(update.where, ParseWhere());
  PJ_ASSIGN_OR_RETURN(update.returning, ParseReturning());
  return update;
}

// set_add and set_delete change the attribute that they name.
Status StatementParser::ParseSetFunction(expr::Path target, bool add, expr::Update& update) {
  reader_.Advance();
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("("));
  PJ_ASSIGN_OR_RETURN(const expr::Path source, values_.ParsePath());
  if (source != target) {
    return ValidationError(std::string(add ? "set_add" : "set_delete") +
                           " must name the attribute that it is assigned to");
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(","));
  PJ_ASSIGN_OR_RETURN(expr::Literal members, values_.ParseLiteral());
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  if (members.value().type() < ValueType::kStringSet) {
    return ValidationError(std::string(add ? "set_add" : "set_delete") + " must have a set");
  }
  if (add) {
    update.adds.push_back({std::move(target), std::move(members)});
  } else {
    update.deletes.push_back({std::move(target), std::move(members)});
  }
  return {};
}

Status StatementParser::ParseSet(expr::Update& update) {
  PJ_ASSIGN_OR_RETURN(expr::Path target, values_.ParsePath());
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("="));
  if (IsCall("SET_ADD") || IsCall("SET_DELETE")) {
    const bool add = IsCall("SET_ADD");
    return ParseSetFunction(std::move(target), add, update);
  }
  PJ_ASSIGN_OR_RETURN(expr::UpdateValue value, ParseUpdateValue());
  update.sets.push_back({std::move(target), std::move(value)});
  return {};
}

Result<expr::UpdateValue> StatementParser::ParseUpdateValue() {
  PJ_ASSIGN_OR_RETURN(expr::UpdateValue left, ParseUpdateOperand());
  if (!reader_.IsSymbol("+") && !reader_.IsSymbol("-")) {
    return left;
  }
  expr::Arithmetic arithmetic{.subtract = reader_.IsSymbol("-")};
  reader_.Advance();
  PJ_ASSIGN_OR_RETURN(expr::UpdateValue right, ParseUpdateOperand());
  arithmetic.left = std::make_unique<expr::UpdateValue>(std::move(left));
  arithmetic.right = std::make_unique<expr::UpdateValue>(std::move(right));
  return expr::UpdateValue{std::move(arithmetic)};
}

Result<expr::UpdateValue> StatementParser::ParseUpdateOperand() {
  if (IsCall("LIST_APPEND")) {
    reader_.Advance();
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("("));
    const auto argument = [this]() -> Result<std::unique_ptr<expr::UpdateValue>> {
      auto value = std::make_unique<expr::UpdateValue>();
      if (values_.AtValue()) {
        PJ_ASSIGN_OR_RETURN(value->node, values_.ParseLiteral());
      } else {
        PJ_ASSIGN_OR_RETURN(value->node, values_.ParsePath());
      }
      return value;
    };
    expr::ListAppend append;
    PJ_ASSIGN_OR_RETURN(append.first, argument());
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(","));
    PJ_ASSIGN_OR_RETURN(append.second, argument());
    PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
    return expr::UpdateValue{std::move(append)};
  }
  if (values_.AtValue()) {
    PJ_ASSIGN_OR_RETURN(expr::Literal literal, values_.ParseLiteral());
    return expr::UpdateValue{std::move(literal)};
  }
  PJ_ASSIGN_OR_RETURN(expr::Path path, values_.ParsePath());
  return expr::UpdateValue{std::move(path)};
}

Result<Delete> StatementParser::ParseDelete() {
  Delete remove;
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("FROM"));
  PJ_ASSIGN_OR_RETURN(remove.table_name, reader_.ExpectName());
  PJ_ASSIGN_OR_RETURN(remove.where, ParseWhere());
  PJ_ASSIGN_OR_RETURN(remove.returning, ParseReturning());
  if (remove.returning != Returning::kNone && remove.returning != Returning::kAllOld) {
    return ValidationError("DELETE supports RETURNING ALL OLD * only");
  }
  return remove;
}

Result<Exists> StatementParser::ParseExists() {
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol("("));
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("SELECT"));
  Exists exists;
  PJ_ASSIGN_OR_RETURN(exists.select, ParseSelect());
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  return exists;
}

}  // namespace

Result<Statement> Parse(std::string_view text, const std::vector<AttributeValue>& parameters) {
  return StatementParser(text, parameters).Parse();
}

const std::string& TableName(const Statement& statement) {
  return std::visit(
      [](const auto& node) -> const std::string& {
        if constexpr (requires { node.select; }) {
          return node.select.table_name;
        } else {
          return node.table_name;
        }
      },
      statement);
}

}  // namespace prejoin::partiql
