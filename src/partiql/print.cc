#include <optional>
#include <string>
#include <variant>

#include "expr/parse.h"
#include "partiql/parse.h"

namespace prejoin::partiql {
namespace {

std::string Quoted(const std::string& name) { return " \"" + name + "\""; }

std::string Where(const std::optional<expr::Condition>& where) {
  return where ? " (where " + Print(*where) + ")" : "";
}

std::string ReturningText(Returning returning) {
  return returning == Returning::kNone ? "" : " (" + Print(returning) + ")";
}

std::string PrintNode(const Select& select) {
  std::string text = "(select" + Quoted(select.table_name);
  if (select.index_name) {
    text += Quoted(*select.index_name);
  }
  text += " (";
  for (const Column& column : select.columns) {
    text += (text.back() == '(' ? "" : " ") + expr::Print(column.path) + ":" + column.name;
  }
  text += select.columns.empty() ? "*)" : ")";
  text += Where(select.where);
  for (const OrderKey& key : select.order_by) {
    text += " (order " + key.attribute_name + (key.descending ? " desc)" : ")");
  }
  return text + ")";
}

std::string PrintNode(const Insert& insert) {
  std::string text = "(insert" + Quoted(insert.table_name);
  for (const auto& [name, value] : insert.item) {
    text += " " + name + ":" + std::string(TypeName(value.type()));
  }
  return text + ")";
}

std::string PrintNode(const Update& update) {
  return "(update" + Quoted(update.table_name) + " " + expr::Print(update.update) +
         Where(update.where) + ReturningText(update.returning) + ")";
}

std::string PrintNode(const Delete& remove) {
  return "(delete" + Quoted(remove.table_name) + Where(remove.where) +
         ReturningText(remove.returning) + ")";
}

std::string PrintNode(const Exists& exists) { return "(exists " + PrintNode(exists.select) + ")"; }

}  // namespace

std::string Print(Returning returning) {
  switch (returning) {
    case Returning::kNone:
      return "";
    case Returning::kAllOld:
      return "RETURNING ALL OLD *";
    case Returning::kModifiedOld:
      return "RETURNING MODIFIED OLD *";
    case Returning::kAllNew:
      return "RETURNING ALL NEW *";
    case Returning::kModifiedNew:
      return "RETURNING MODIFIED NEW *";
  }
  return "";
}

std::string Print(const Statement& statement) {
  return std::visit([](const auto& node) { return PrintNode(node); }, statement);
}

}  // namespace prejoin::partiql
