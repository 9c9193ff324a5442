#include "draft/sql/closed_list.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

std::optional<json::Value> WithoutCast(std::optional<json::Value> value) {
  while (const auto cast = Member(value, "TypeCast")) {
    value = Member(cast, "arg");
  }
  return value;
}

// Reads IN ('A', 'B'), or = ANY (ARRAY['A'::text, 'B'::text]) as pg_dump writes it; empty unless all are texts.
std::vector<std::string> TextsIn(std::optional<json::Value> list) {
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

}  // namespace

void ReadClosedList(json::Value constraint, DraftEntity& entity, const std::string& column) {
  const auto expression = Member(WithoutCast(Member(constraint, "raw_expr")), "A_Expr");
  const auto left = WithoutCast(Member(expression, "lexpr"));
  const std::string kind = TextOf(expression, "kind");
  DraftAttribute* attribute = nullptr;
  for (const json::Value field : ElementsOf(Member(left, {"ColumnRef", "fields"}))) {
    const std::string name = TextOf(Member(field, "String"), "sval");
    attribute = entity.Find(ToName(name));
    if (attribute == nullptr && name == "value") {
      attribute = entity.Find(ToName(column));
    }
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

}  // namespace prejoin::draft
