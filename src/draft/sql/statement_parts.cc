#include "draft/sql/statement_parts.h"

#include <vector>

#include "draft/json_fields.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

// The last part of a qualified name: of a function, or of an operator.
std::string LastName(std::optional<json::Value> names) {
  std::string last;
  for (const json::Value one : ElementsOf(names)) {
    last = TextOf(Member(one, "String"), "sval");
  }
  return last;
}

// The number of a constant, as the statement writes it.
std::string NumberOf(std::optional<json::Value> value) {
  const auto constant = Member(value, "A_Const");
  const std::string whole = TextOf(Member(constant, "ival"), "ival");
  return whole.empty() ? TextOf(Member(constant, "fval"), "fval") : whole;
}

// " += 10" for `balance = balance + 10`; empty for any other value.
std::string IncrementOf(const std::string& column, std::optional<json::Value> value) {
  const auto expression = Member(value, "A_Expr");
  const std::string operation = LastName(Member(expression, "name"));
  if (TextOf(expression, "kind") != "AEXPR_OP" || (operation != "+" && operation != "-") ||
      ColumnOf(Member(expression, "lexpr")).column != column) {
    return "";
  }
  const std::string by = NumberOf(Member(expression, "rexpr"));
  return by.empty() ? "" : " " + operation + "= " + by;
}

}  // namespace

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

std::optional<SqlMeasure> MeasureOf(std::optional<json::Value> target) {
  // A sum of nothing is null in SQL, and 0 in a model.
  if (const auto either = Member(target, {"CoalesceExpr", "args"})) {
    for (const json::Value first : ElementsOf(either)) {
      return MeasureOf(first);
    }
  }
  const auto call = Member(target, "FuncCall");
  for (const char* unsupported : {"agg_distinct", "agg_filter", "agg_order", "over"}) {
    if (Member(call, unsupported)) {
      return std::nullopt;
    }
  }
  SqlMeasure measure;
  for (const json::Value argument : ElementsOf(Member(call, "args"))) {
    if (!Member(argument, "ColumnRef")) {
      return std::nullopt;
    }
    measure.column = ColumnOf(argument);
  }
  const std::string function = LastName(Member(call, "funcname"));
  measure.sum = function == "sum";
  const bool known = measure.sum ? !measure.column.column.empty() : function == "count";
  return known ? std::optional(measure) : std::nullopt;
}

std::string SetText(json::Value update, const DraftEntity& entity) {
  std::string text;
  for (const json::Value one : ElementsOf(Member(update, "targetList"))) {
    const auto target = Member(one, "ResTarget");
    const std::string column = TextOf(target, "name");
    text += (text.empty() ? "" : ", ") + ToName(column);
    const DraftAttribute* attribute = entity.Find(ToName(column));
    if (attribute != nullptr && attribute->type == "number" && !attribute->key) {
      text += IncrementOf(column, Member(target, "val"));
    }
  }
  return text;
}

}  // namespace prejoin::draft
