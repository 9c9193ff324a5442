// A parsed PartiQL statement. Parameters are already bound.
#ifndef PREJOIN_PARTIQL_STATEMENT_H_
#define PREJOIN_PARTIQL_STATEMENT_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expr/ast.h"
#include "prejoin/item.h"

namespace prejoin::partiql {

// One column of a SELECT: where its value is in an item, and its name in the answer: the last
// name of the path, or `_2` for the second column when the path ends in a list position.
struct Column {
  expr::Path path;
  std::string name;
};

struct OrderKey {
  std::string attribute_name;
  bool descending = false;
};

struct Select {
  std::string table_name;
  std::optional<std::string> index_name;
  std::vector<Column> columns;  // Empty: `*`.
  std::optional<expr::Condition> where;
  bool where_has_calls = false;  // True if the condition calls functions; IS MISSING and IS type do not count.
  std::vector<OrderKey> order_by;
};

struct Insert {
  std::string table_name;
  Item item;
};

enum class Returning { kNone, kAllOld, kModifiedOld, kAllNew, kModifiedNew };
// "RETURNING ALL OLD *"; empty for kNone.
std::string Print(Returning returning);

// UPDATE T SET … WHERE …, or FROM T WHERE … SET …
struct Update {
  std::string table_name;
  expr::Update update;
  std::optional<expr::Condition> where;  // Without one, it names no item, and is refused.
  Returning returning = Returning::kNone;
};

struct Delete {
  std::string table_name;
  std::optional<expr::Condition> where;
  Returning returning = Returning::kNone;  // kNone or kAllOld.
};

// EXISTS(SELECT …): the condition check of a transaction.
struct Exists {
  Select select;
};

using Statement = std::variant<Select, Insert, Update, Delete, Exists>;

inline bool IsRead(const Statement& statement) { return std::holds_alternative<Select>(statement); }
const std::string& TableName(const Statement& statement);

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_STATEMENT_H_
