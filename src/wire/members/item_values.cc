#include "wire/members/item_values.h"

#include <utility>
#include <vector>

#include "base/limits.h"
#include "expr/parse.h"
#include "json/attribute_value.h"
#include "value/size.h"

namespace prejoin::wire {
namespace {

Status ReadItemShaped(InputReader& reader, json::Value value, Shape::Kind kind, Order order,
                      Item& out) {
  json::ValueFault fault;
  PJ_RETURN_IF_ERROR(json::ReadItem(value, kind, reader.form().values, out, fault));
  if (!fault.empty()) {
    reader.Refuse(order, std::move(fault.text));
  }
  return {};
}

}  // namespace

Status ReadItem(InputReader& reader, json::Value value, Order order, Item& out) {
  return ReadItemShaped(reader, value, Shape::Kind::kMap, order, out);
}

Status ReadItemElement(InputReader& reader, json::Value value, Order order, Item& out) {
  return ReadItemShaped(reader, value, Shape::Kind::kMapElement, order, out);
}

Status ReadAttributeValues(InputReader& reader, json::Value array, const Path& path, Order order,
                           std::vector<AttributeValue>& out) {
  json::ValueFault fault;
  out.clear();
  PJ_RETURN_IF_ERROR(reader.ReadElements(array, path, [&](json::Value element, const Path&) {
    return json::ReadAttributeValue(element, Shape::Kind::kStructureElement, reader.form().values,
                                    out.emplace_back(), fault);
  }));
  if (!fault.empty()) {
    reader.Refuse(order, std::move(fault.text));
  }
  return {};
}

Status ReadStartKey(InputReader& reader, json::Value value, std::optional<Item>& out) {
  json::ValueFault fault;
  PJ_RETURN_IF_ERROR(
      json::ReadItem(value, Shape::Kind::kMap, reader.form().values, out.emplace(), fault));
  if (fault.empty()) {
    return {};
  }
  // DynamoDB mentions the starting key only with the faults that it finds after those of numbers
  // and sets.
  const bool plain = fault.kind == json::FaultKind::kNumber;
  const bool bare = reader.form().values == json::ValueTexts::kNew;
  reader.Refuse(Order::kStartKey, plain || bare
                                      ? std::move(fault.text)
                                      : "The provided starting key is invalid: " + fault.text);
  return {};
}

Status ReadExpressionNames(InputReader& reader, json::Value value,
                           std::optional<AttributeNames>& out) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kMap, "java.lang.String"}));
  AttributeNames& names = out.emplace();
  std::size_t bytes = 0;
  for (const auto& [name, member] : value.fields()) {
    if (member.is_null()) {
      reader.Refuse(
          Order::kExpressionValues,
          "ExpressionAttributeNames contains invalid value: Empty attribute name; key: \"" +
              std::string(name) + "\"");
      continue;
    }
    std::string& text = names[std::string(name)];
    PJ_RETURN_IF_ERROR(reader.ReadString(member, text));
    bytes += name.size() + text.size();
    if (bytes > kSubstitutionBytesMax) {
      return expr::SubstitutionTooLarge();
    }
  }
  return {};
}

Status ReadExpressionValues(InputReader& reader, json::Value value,
                            std::optional<AttributeValues>& out,
                            std::optional<json::FaultKind>* first) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kMap, "AttributeValue"}));
  AttributeValues& values = out.emplace();
  std::size_t bytes = 0;
  for (const auto& [name, member] : value.fields()) {
    json::ValueFault fault;
    AttributeValue& read = values[std::string(name)];
    PJ_RETURN_IF_ERROR(json::ReadAttributeValue(member, Shape::Kind::kStructureElement,
                                                reader.form().values, read, fault,
                                                reader.form().expression_levels_max));
    bytes += name.size() + ValueSizeBytes(read);
    if (bytes > kSubstitutionBytesMax) {
      return expr::SubstitutionTooLarge();
    }
    if (!fault.empty()) {
      if (first != nullptr && !first->has_value()) {
        *first = fault.kind;
      }
      const bool bare = reader.form().values == json::ValueTexts::kNew;
      reader.Refuse(Order::kExpressionValues,
                    bare ? std::move(fault.text)
                         : "ExpressionAttributeValues contains invalid value: " + fault.text +
                               " for key " + std::string(name));
    }
  }
  return {};
}

}  // namespace prejoin::wire
