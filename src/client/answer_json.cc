#include "client/answer_json.h"

#include "json/attribute_value.h"

namespace prejoin::client {
namespace {

double UnitsOf(json::Value consumed) {
  if (consumed.type() != json::Type::kObject) {
    return 0;
  }
  const auto units = consumed.Find("CapacityUnits");
  const bool number =
      units && (units->type() == json::Type::kInteger || units->type() == json::Type::kDecimal);
  return number ? units->number() : 0;
}

}  // namespace

double ConsumedUnits(json::Value root) {
  const auto consumed = root.Find("ConsumedCapacity");
  if (!consumed) {
    return 0;
  }
  if (consumed->type() != json::Type::kArray) {
    return UnitsOf(*consumed);
  }
  double total = 0;
  for (const json::Value one : consumed->elements()) {
    total += UnitsOf(one);
  }
  return total;
}

Result<std::vector<Item>> ReadItemList(std::optional<json::Value> list) {
  std::vector<Item> items;
  if (!list || list->type() != json::Type::kArray) {
    return items;
  }
  for (const json::Value one : list->elements()) {
    PJ_ASSIGN_OR_RETURN(items.emplace_back(), json::ReadItem(one));
  }
  return items;
}

}  // namespace prejoin::client
