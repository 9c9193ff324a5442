#include "draft/sql/sql_types.h"

#include <algorithm>
#include <string_view>

namespace prejoin::draft {

void SetSqlType(const std::string& sql_type, double modifier, DraftAttribute& attribute) {
  struct Known {
    std::string_view sql;
    const char* type;
    double size;
    double size_max = 0;  // Digits of the largest value: keys are padded to them.
  };
  static constexpr Known kKnown[] = {
      {"int2", "number", 4, 5},
      {"int4", "number", 6, 10},
      {"int8", "number", 9, 19},
      {"serial", "number", 6, 10},
      {"bigserial", "number", 9, 19},
      {"smallserial", "number", 4, 5},
      {"serial4", "number", 6, 10},
      {"serial8", "number", 9, 19},
      {"numeric", "number", 6},
      {"float4", "number", 6},
      {"float8", "number", 9},
      {"money", "number", 6},
      {"bool", "bool", 0},
      {"date", "date", 0},
      {"timestamp", "time", 0},
      {"timestamptz", "time", 0},
      {"json", "map", 0},
      {"jsonb", "map", 0},
      {"bytea", "binary", 0},
      {"uuid", "text", 36},
      {"text", "text", 0},
      {"time", "text", 8},
      {"timetz", "text", 14},
      {"inet", "text", 12},
      {"year", "number", 4},
      {"interval", "text", 8},
  };
  for (const Known& known : kKnown) {
    if (sql_type != known.sql) {
      continue;
    }
    attribute.type = known.type;
    attribute.size = known.size;
    attribute.size_max = known.size_max;
    return;
  }
  attribute.type = "text";
  const bool characters = sql_type == "varchar" || sql_type == "bpchar" || sql_type == "char";
  if (characters && modifier > 0) {
    attribute.size = sql_type == "bpchar" ? modifier : std::max(1.0, modifier / 4);
    attribute.size_max = modifier;
  } else if (sql_type == "untyped") {
    attribute.note = "no type in SQL";
  } else if (!characters) {
    attribute.note = "SQL type " + sql_type;
  }
}

}  // namespace prejoin::draft
