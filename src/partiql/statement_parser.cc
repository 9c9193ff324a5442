// The grammar of whole statements.
//
// A statement is read by recursive descent, a function for each larger rule below, over tokens that
// are all there before the reading begins (token_reader.h). The page docs/partiql.md says what the
// rules mean; tests/partiql/grammar_test.cc reads the grammar from here, makes statements from it,
// damages them, and checks that this parser takes exactly those that the grammar has.
//
// "x" stands for itself, WORD for itself in any case; [ … ] may be left out, { … } may come any
// number of times. A name is a word that the grammar does not use, or quoted; a step is a word that
// SQL does not reserve, or quoted.
//
//   statement  := body [ ";" ]
//   body       := select | insert | update | from | delete | exists | test
//   select     := SELECT columns FROM table [ alias ] [ WHERE or ] [ ORDER BY order { "," order } ]
//   columns    := "*" | column { "," column }
//   column     := ( path | aggregate ) [ alias ]
//   aggregate  := callee "(" [ "*" | argument { "," argument } ] ")"
//   order      := name [ ASC | DESC ]
//   insert     := INSERT INTO table VALUE value
//   update     := UPDATE table [ alias ] change { change } [ WHERE or ] [ returning ]
//   from       := FROM table [ alias ] [ WHERE or ] change { change } [ returning ]
//   delete     := DELETE FROM table [ alias ] [ WHERE or ] [ returning ]
//   exists     := EXISTS "(" select ")"
//   test       := path IS [ NOT ] type
//   table      := name { "." name }
//   alias      := [ AS ] step
//   change     := SET assignment { "," assignment } | REMOVE path { "," path }
//   assignment := path "=" operand [ ( "+" | "-" ) operand ]
//   operand    := path | literal | callee "(" [ operand { "," operand } ] ")"
//   returning  := RETURNING ( ALL | MODIFIED ) ( OLD | NEW ) "*"
//   or         := and { OR and }
//   and        := not { AND not }
//   not        := comparison | NOT not
//   comparison := term { comparator term | [ NOT ] BETWEEN term AND term | [ NOT ] IN list
//               | [ NOT ] LIKE term | IS [ NOT ] type }
//   comparator := "=" | "<>" | "!=" | "<" | "<=" | ">" | ">="
//   list       := "(" term { "," term } ")" | "[" term { "," term } "]"
//   term       := path | literal | callee "(" [ or { "," or } ] ")" | "(" or ")"
//   callee     := name | EXISTS
//   path       := name { "." step | "[" ( integer | text ) "]" }
//   value      := literal | callee "(" [ argument { "," argument } ] ")"
//   argument   := value | path
//   literal    := text | [ "+" | "-" ] number | TRUE | FALSE | NULL | "?"
//               | "[" [ value { "," value } ] "]" | "<<" [ value { "," value } ] ">>"
//               | "{" [ member { "," member } ] "}"
//   member     := ( text | quoted ) ":" value
//   type       := typename [ "(" number { "," number } ")" ]
//   typename   := MISSING | NULL | BOOL | BOOLEAN | SMALLINT | INT | INT2 | INT4 | INT8 | INTEGER
//               | INTEGER2 | INTEGER4 | INTEGER8 | BIGINT | FLOAT | REAL | DOUBLE PRECISION | DEC
//               | DECIMAL | NUMERIC | STRING | SYMBOL | CHAR | VARCHAR | CHARACTER [ VARYING ]
//               | TIMESTAMP | DATE | TIME | CLOB | BLOB | STRUCT | TUPLE | LIST | SEXP | BAG
//
// Two kinds of mistakes are kept apart, because DynamoDB reports them in this order wherever they
// stand. A text that does not follow the grammar ends the reading at once ("Statement wasn't well
// formed, can't be processed: …"). A mistake of meaning in a text that does (a set with the same
// member twice, a function that does not exist, an alias) is noted in the reader, and the first one
// noted is the answer once the text is read to its end. In between stands the number of parameters:
//
//   SELECT * FROM "T" t WHERE a = <<1, 1>> AND        → Missing right-hand side expression …
//   SELECT * FROM "T" t WHERE a = <<1, 1>> AND b = ?  → Number of parameters …
//   SELECT * FROM "T" t WHERE a = <<1, 1>>            → Aliasing is not supported
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "expr/grammar.h"
#include "partiql/condition_parser.h"
#include "partiql/parse.h"
#include "partiql/token_reader.h"
#include "partiql/update_parser.h"
#include "partiql/value_parser.h"

namespace prejoin::partiql {
namespace {

constexpr std::size_t kTablePathComponentsMax = 2;

class StatementParser {
 public:
  StatementParser(std::string_view text, const std::vector<AttributeValue>& parameters)
      : reader_(text), values_(reader_, parameters) {}

  Result<Statement> Parse() {
    PJ_RETURN_IF_ERROR(reader_.CheckText());
    PJ_ASSIGN_OR_RETURN(Statement statement, ParseStatement());
    if (reader_.TakeSymbol(";")) {
      if (!reader_.AtEnd()) {
        return NotWellFormed("Unexpected token after semicolon. (Only one query is allowed.)");
      }
    } else if (!reader_.AtEnd()) {
      return NotWellFormed("Unexpected token after expression");
    }
    PJ_RETURN_IF_ERROR(values_.CheckAllUsed());
    if (reader_.noted()) {
      return Noted(statement);
    }
    return statement;
  }

 private:
  struct TablePath {
    std::string table_name;
    std::optional<std::string> index_name;
  };

  Error Noted(const Statement& statement) const;
  Result<Statement> ParseStatement();
  Result<Select> ParseSelect();
  Result<Insert> ParseInsert();
  Result<Update> ParseUpdate();
  Result<Update> ParseFrom();
  Result<Delete> ParseDelete();
  Result<Exists> ParseExists();
  Status ParseTypeTest();

  Status ParseColumns(Select& select);
  Status ParseColumn(Select& select);
  Status ParseColumnCall();
  Status ParseOrder(Select& select);
  Result<TablePath> ParseTable();
  // The table of a statement that changes it: an index has no place there. `refusal` says so.
  Result<std::string> ParseTableOnly(std::string_view refusal);
  Status ParseAlias();
  Status ParseWhere(std::optional<expr::Condition>& where, bool* has_calls = nullptr);
  Result<Returning> ParseReturning();

  TokenReader reader_;
  ValueParser values_;
};

constexpr std::string_view kNotOnAnIndex = "This operation is not supported on an index";

Error StatementParser::Noted(const Statement& statement) const {
  Error error = *reader_.noted();
  if (const auto* select = std::get_if<Select>(&statement); select && select->index_name) {
    auto detail = std::make_shared<FaultySelect>();
    detail->table_name = select->table_name;
    detail->index_name = *select->index_name;
    error.detail = std::move(detail);
  }
  return error;
}

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
  if (reader_.TakeKeyword("FROM")) {
    PJ_ASSIGN_OR_RETURN(Update update, ParseFrom());
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
  PJ_RETURN_IF_ERROR(ParseTypeTest());
  return Statement();  // It is refused for the noted fault.
}

// `x IS INT4` alone is an expression, which PartiQL reads and DynamoDB does not run.
Status StatementParser::ParseTypeTest() {
  if (!reader_.IsName() || reader_.IsCall()) {
    return NotWellFormed("Expected data manipulation");
  }
  PJ_RETURN_IF_ERROR(values_.ParsePath());
  if (!reader_.TakeKeyword("IS")) {
    return NotWellFormed("Expected data manipulation");
  }
  reader_.TakeKeyword("NOT");
  PJ_RETURN_IF_ERROR(ConditionParser::ParseTypeName(reader_));
  reader_.Note(ValidationError("Unsupported operation: IsType"));
  return {};
}

Result<Select> StatementParser::ParseSelect() {
  Select select;
  PJ_RETURN_IF_ERROR(ParseColumns(select));
  if (!reader_.TakeKeyword("FROM")) {
    return NotWellFormed("Expected FROM after SELECT list");
  }
  PJ_ASSIGN_OR_RETURN(TablePath table, ParseTable());
  select.table_name = std::move(table.table_name);
  select.index_name = std::move(table.index_name);
  PJ_RETURN_IF_ERROR(ParseAlias());
  PJ_RETURN_IF_ERROR(ParseWhere(select.where, &select.where_has_calls));
  PJ_RETURN_IF_ERROR(ParseOrder(select));
  return select;
}

Status StatementParser::ParseColumns(Select& select) {
  if (reader_.TakeSymbol("*")) {
    return {};
  }
  do {
    PJ_RETURN_IF_ERROR(ParseColumn(select));
  } while (reader_.TakeSymbol(","));
  return {};
}

Status StatementParser::ParseColumn(Select& select) {
  if (reader_.IsCall()) {
    return ParseColumnCall();
  }
  Column column;
  PJ_ASSIGN_OR_RETURN(column.path, values_.ParsePath());
  const auto* name = std::get_if<std::string>(&column.path.back().step);
  column.name = name ? *name : "_" + std::to_string(select.columns.size() + 1);
  for (const Column& other : select.columns) {
    if (other.name == column.name) {
      reader_.Note(ValidationError("Duplicate attribute in the projection: " + column.name));
    }
  }
  select.columns.push_back(std::move(column));
  return ParseAlias();
}

// COUNT(*) and its like: well formed, but no path.
Status StatementParser::ParseColumnCall() {
  const Position position = reader_.current().position;
  reader_.Advance();
  reader_.Advance();
  if (!reader_.TakeSymbol("*") && !reader_.IsSymbol(")")) {
    do {
      PJ_RETURN_IF_ERROR(values_.SkipArgument());
    } while (reader_.TakeSymbol(","));
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectSymbol(")"));
  reader_.Note(ValidationError("Unexpected path component at " + Print(position)));
  return ParseAlias();
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

Result<StatementParser::TablePath> StatementParser::ParseTable() {
  TablePath table;
  bool any_empty = false;
  std::size_t components = 0;
  do {
    if (components > 0 && !reader_.IsName()) {
      return NotWellFormed("Invalid path dot component");
    }
    PJ_ASSIGN_OR_RETURN(std::string name, reader_.ExpectName());
    any_empty = any_empty || name.empty();
    if (++components == 1) {
      table.table_name = std::move(name);
    } else {
      table.index_name = std::move(name);
    }
  } while (reader_.TakeSymbol("."));
  if (components > kTablePathComponentsMax) {
    reader_.Note(ValidationError("A path may contain at most 2 components in the FROM clause"));
  } else if (any_empty) {
    reader_.Note(ValidationError("Path component cannot be an empty string"));
  }
  return table;
}

Result<std::string> StatementParser::ParseTableOnly(std::string_view refusal) {
  if (!reader_.IsName()) {
    return NotWellFormed("Expected identifier for simple path");
  }
  PJ_ASSIGN_OR_RETURN(TablePath table, ParseTable());
  if (table.index_name) {
    reader_.Note(ValidationError(std::string(refusal)));
  }
  return std::move(table.table_name);
}

// PartiQL lets a table or column have another name, with or without AS.
Status StatementParser::ParseAlias() {
  const bool word = reader_.TakeKeyword("AS");
  const bool name =
      reader_.current().kind == TokenKind::kQuoted ||
      (reader_.current().kind == TokenKind::kWord && !IsReserved(reader_.current().text));
  if (name) {
    reader_.Advance();
    reader_.Note(ValidationError("Aliasing is not supported"));
  } else if (word) {
    return NotWellFormed("Expected identifier for AS-alias");
  }
  return {};
}

Status StatementParser::ParseWhere(std::optional<expr::Condition>& where, bool* has_calls) {
  if (!reader_.TakeKeyword("WHERE")) {
    return {};
  }
  ConditionParser parser(reader_, values_);
  PJ_ASSIGN_OR_RETURN(where, parser.Parse());
  if (has_calls != nullptr) {
    *has_calls = parser.has_calls();
  }
  return {};
}

Result<Insert> StatementParser::ParseInsert() {
  Insert insert;
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("INTO"));
  PJ_ASSIGN_OR_RETURN(insert.table_name,
                      ParseTableOnly("FROM clause may only contain a single table name"));
  if (reader_.IsName() || reader_.IsKeyword("AS")) {  // An alias.
    return NotWellFormed("Unexpected token after expression");
  }
  PJ_RETURN_IF_ERROR(reader_.ExpectKeyword("VALUE"));
  PJ_ASSIGN_OR_RETURN(AttributeValue value, values_.ParseItem());
  if (value.map() == nullptr) {
    reader_.Note(ValidationError("The value of INSERT must be a map"));
  } else {
    insert.item = std::move(*value.map());
  }
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
  PJ_ASSIGN_OR_RETURN(update.table_name, ParseTableOnly(kNotOnAnIndex));
  PJ_RETURN_IF_ERROR(ParseAlias());
  PJ_ASSIGN_OR_RETURN(update.update, UpdateParser(reader_, values_).Parse());
  PJ_RETURN_IF_ERROR(ParseWhere(update.where));
  PJ_ASSIGN_OR_RETURN(update.returning, ParseReturning());
  return update;
}

Result<Update> StatementParser::ParseFrom() {
  Update update;
  PJ_ASSIGN_OR_RETURN(TablePath table, ParseTable());
  update.table_name = std::move(table.table_name);
  if (table.index_name) {
    reader_.Note(ValidationError(std::string(kNotOnAnIndex)));
  }
  PJ_RETURN_IF_ERROR(ParseAlias());
  PJ_RETURN_IF_ERROR(ParseWhere(update.where));
  PJ_ASSIGN_OR_RETURN(update.update, UpdateParser(reader_, values_).Parse());
  PJ_ASSIGN_OR_RETURN(update.returning, ParseReturning());
  return update;
}

Result<Delete> StatementParser::ParseDelete() {
  Delete remove;
  if (!reader_.TakeKeyword("FROM")) {
    return NotWellFormed("Expected FROM after DELETE");
  }
  PJ_ASSIGN_OR_RETURN(remove.table_name, ParseTableOnly(kNotOnAnIndex));
  PJ_RETURN_IF_ERROR(ParseAlias());
  PJ_RETURN_IF_ERROR(ParseWhere(remove.where));
  PJ_ASSIGN_OR_RETURN(remove.returning, ParseReturning());
  if (remove.returning != Returning::kNone && remove.returning != Returning::kAllOld) {
    reader_.Note(ValidationError("Invalid returning clause: " + Print(remove.returning) +
                                 ". Only RETURNING ALL OLD * is allowed in DELETE statements."));
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
