#include "base/limits.h"
#include "json/copy.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

Status ReadKeys(InputReader& reader, json::Value value, const Path& path, KeysAndAttributes& out) {
  out.keys.clear();
  PJ_RETURN_IF_ERROR(reader.ReadElements(value, path, [&](json::Value element, const Path&) {
    return ReadItemElement(reader, element, Order::kItem, out.keys.emplace_back());
  }));
  return {};
}

Error TooShort(const std::string& member) {
  return ValidationError("1 validation error detected: Value at '" + member +
                         "' failed to satisfy constraint: Member must have length greater than or "
                         "equal to 1");
}

constexpr Member<KeysAndAttributes> kKeysAndAttributesMembers[] = {
    {"Keys", ReadKeys, Presence::kRequired},    AttributesToGetMember<KeysAndAttributes>(),
    ConsistentReadMember<KeysAndAttributes>(),  ProjectionExpressionMember<KeysAndAttributes>(),
    ExpressionNamesMember<KeysAndAttributes>(),
};

Status ReadRequestItems(InputReader& reader, json::Value value, const Path& path,
                        BatchGetItemInput& out) {
  out.request_items.clear();
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kMap, "KeysAndAttributes"}));
  const auto read = [&](std::string_view table, json::Value member) -> Status {
    const Shape shape{Shape::Kind::kStructureElement, "KeysAndAttributes"};
    PJ_RETURN_IF_ERROR(json::CheckObject(member, shape));
    PJ_ASSIGN_OR_RETURN(const std::string_view name, ResolveTable(reader.names(), table));
    if (!IsTableName(name)) {
      std::string shown;
      json::AppendCopy(value, shown);
      reader.ViolateText(TableKeyFault(path, shown));
    }
    // Named by its name and by its ARN: one of the two would be lost.
    if (table != name &&
        (value.Find(name).has_value() || out.request_items.contains(std::string(name)))) {
      return ValidationError("RequestItems names the table " + std::string(name) + " twice");
    }
    KeysAndAttributes& request = out.request_items[std::string(name)];
    request = {};
    const Path entry = Path::Entry(path, table);
    PJ_RETURN_IF_ERROR(reader.ReadMembers(member, &entry, kKeysAndAttributesMembers, request));
    if (request.keys.empty() && member.Find("Keys").has_value()) {
      reader.Refuse(Order::kRequest,
                    TooShort("RequestItems." + std::string(table) + ".member.Keys").message);
    }
    if (request.keys.size() > kBatchGetKeysMax) {
      reader.Refuse(Order::kRequest, "1 validation error detected: Value at 'RequestItems." +
                                         std::string(table) +
                                         ".member.Keys' failed to satisfy constraint: Member must "
                                         "have length less than or equal to 100");
    }
    return {};
  };
  PJ_RETURN_IF_ERROR(reader.ReadEntries(value, path, read));
  if (out.request_items.empty()) {
    reader.Refuse(Order::kRequest, TooShort("RequestItems").message);
  }
  return {};
}

constexpr Member<BatchGetItemInput> kBatchGetItemMembers[] = {
    {"RequestItems", ReadRequestItems, Presence::kRequired},
    ReturnConsumedCapacityMember<BatchGetItemInput>(),
};

void AppendNames(const AttributeNames& names, std::string& out) {
  json::ObjectWriter object(out);
  for (const auto& [placeholder, name] : names) {
    json::AppendString(name, object.Key(placeholder));
  }
}

// The request's own form, so that a client can send it again unchanged.
void AppendRequest(const KeysAndAttributes& request, std::string& out) {
  json::ObjectWriter object(out);
  json::AppendArray(request.keys, object.Name("Keys"),
                    [&](const Item& key) { json::AppendItem(key, out); });
  if (request.consistent_read.has_value()) {
    object.Bool("ConsistentRead", *request.consistent_read);
  }
  if (request.projection_expression.has_value()) {
    object.String("ProjectionExpression", *request.projection_expression);
  }
  if (request.expression_attribute_names.has_value()) {
    AppendNames(*request.expression_attribute_names, object.Name("ExpressionAttributeNames"));
  }
  if (request.attributes_to_get.has_value()) {
    json::AppendArray(*request.attributes_to_get, object.Name("AttributesToGet"),
                      [&](const std::string& name) { json::AppendString(name, out); });
  }
}

}  // namespace

Result<BatchGetItemInput> ParseBatchGetItemInput(const RequestBody& request) {
  return ParseInput(request, kBatchGetItemMembers, kBatchGetItemForm);
}

void NameAsAsked(const RequestBody& body, BatchGetItemOutput& output) {
  const auto tables = body.root.Find("RequestItems");
  for (const auto& [asked, request] : tables->fields()) {
    const auto name = ResolveTable(body.names, asked);
    if (!name || *name == asked) {
      continue;
    }
    if (auto node = output.responses.extract(std::string(*name)); !node.empty()) {
      node.key() = std::string(asked);
      output.responses.insert(std::move(node));
    }
    if (auto node = output.unprocessed_keys.extract(std::string(*name)); !node.empty()) {
      node.key() = std::string(asked);
      output.unprocessed_keys.insert(std::move(node));
    }
  }
}

void PrintBatchGetItemOutput(const BatchGetItemOutput& output, std::string& out) {
  // Up to 16 MB: a string that doubles would hold three times that for a moment.
  std::size_t stored_bytes = 0;
  for (const auto& [table, items] : output.responses) {
    for (const StoredItem& item : items) {
      stored_bytes += item.body().size();
    }
  }
  out.reserve(out.size() + stored_bytes + stored_bytes / 4);
  json::ObjectWriter answer(out);
  {
    json::ObjectWriter tables(answer.Name("Responses"));
    for (const auto& [table, items] : output.responses) {
      json::AppendArray(items, tables.Key(table),
                        [&](const StoredItem& item) { json::AppendItem(item, out); });
    }
  }
  {
    json::ObjectWriter tables(answer.Name("UnprocessedKeys"));
    for (const auto& [table, request] : output.unprocessed_keys) {
      AppendRequest(request, tables.Key(table));
    }
  }
  WriteCapacities(output.consumed_capacity, UnitDetail::kSum, answer);
}

}  // namespace prejoin::wire
