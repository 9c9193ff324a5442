#include "base/limits.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/members/write_request_echo.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr std::string_view kWriteRequests =
    "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>";

constexpr Member<Item> kDeleteRequestMembers[] = {
    {"Key",
     [](InputReader& reader, json::Value value, const Path&, Item& out) {
       return ReadItem(reader, value, Order::kItem, out);
     },
     Presence::kRequired},
};

constexpr Member<Item> kPutRequestMembers[] = {
    {"Item",
     [](InputReader& reader, json::Value value, const Path&, Item& out) {
       return ReadItem(reader, value, Order::kItem, out);
     },
     Presence::kRequired},
};

constexpr Member<WriteRequest> kWriteRequestMembers[] = {
    {"DeleteRequest",
     [](InputReader& reader, json::Value value, const Path& path, WriteRequest& out) -> Status {
       PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, "DeleteRequest"}));
       return reader.ReadMembers(value, &path, kDeleteRequestMembers, out.remove.emplace());
     }},
    {"PutRequest",
     [](InputReader& reader, json::Value value, const Path& path, WriteRequest& out) -> Status {
       PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, "PutRequest"}));
       return reader.ReadMembers(value, &path, kPutRequestMembers, out.put.emplace());
     }},
};

Status ReadWriteRequests(InputReader& reader, json::Value value, const Path& path,
                         std::vector<WriteRequest>& out) {
  return reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
    PJ_RETURN_IF_ERROR(
        json::CheckObject(element, {Shape::Kind::kStructureElement, "WriteRequest"}));
    WriteRequest& request = out.emplace_back();
    PJ_RETURN_IF_ERROR(reader.ReadMembers(element, &at, kWriteRequestMembers, request));
    if (request.put.has_value() == request.remove.has_value()) {
      reader.Refuse(Order::kRequest,
                    "Supplied AttributeValue has more than one datatypes set, must contain exactly "
                    "one of the supported datatypes");
    }
    return {};
  });
}

Status ReadRequestItems(InputReader& reader, json::Value value, const Path& path,
                        BatchWriteItemInput& out) {
  out.request_items.clear();
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kMap, kWriteRequests}));
  bool lengths_right = true;
  const auto read = [&](std::string_view table, json::Value member) -> Status {
    PJ_ASSIGN_OR_RETURN(const std::string_view name, ResolveTable(reader.names(), table));
    // Named only if nothing else violates a constraint.
    if (!IsTableName(name)) {
      reader.Refuse(Order::kRequest, "1 validation error detected: " +
                                         TableKeyFault(path, PrintWriteRequests(value)));
    }
    if (member.type() != json::Type::kArray && member.type() != json::Type::kObject) {
      // A list as the value of a map: the same words as for a map inside a list.
      return json::CheckObject(member, {Shape::Kind::kMapElement, ""});
    }
    // Named by its name and by its ARN: one of the two would be lost.
    if (table != name &&
        (value.Find(name).has_value() || out.request_items.contains(std::string(name)))) {
      return ValidationError("RequestItems names the table " + std::string(name) + " twice");
    }
    std::vector<WriteRequest>& requests = out.request_items[std::string(name)];
    requests.clear();
    PJ_RETURN_IF_ERROR(ReadWriteRequests(reader, member, Path::Entry(path, table), requests));
    if (requests.size() > kBatchWriteItemsMax &&
        reader.RefuseInNewerTexts(engine::Rewording::kBatchWriteTooMany, {"", table})) {
      return {};
    }
    lengths_right &= !requests.empty() && requests.size() <= kBatchWriteItemsMax;
    return {};
  };
  PJ_RETURN_IF_ERROR(reader.ReadEntries(value, path, read));
  if (!lengths_right) {
    reader.Violate(path, PrintWriteRequests(value),
                   "Map value must satisfy constraint: [Member must have length less than or equal "
                   "to 25, Member must have length greater than or equal to 1]");
  }
  if (out.request_items.empty()) {
    reader.Refuse(Order::kRequest,
                  engine::Reworded(reader.texts(), engine::Rewording::kBatchWriteEmpty));
  }
  return {};
}

constexpr Member<BatchWriteItemInput> kBatchWriteItemMembers[] = {
    ReturnConsumedCapacityMember<BatchWriteItemInput>(),
    ReturnItemCollectionMetricsMember<BatchWriteItemInput>(),
    {"RequestItems", ReadRequestItems, Presence::kRequired},
};

void AppendWriteRequest(const WriteRequest& request, std::string& out) {
  json::ObjectWriter object(out);
  if (request.put.has_value()) {
    json::ObjectWriter put(object.Name("PutRequest"));
    json::AppendItem(*request.put, put.Name("Item"));
  }
  if (request.remove.has_value()) {
    json::ObjectWriter remove(object.Name("DeleteRequest"));
    json::AppendItem(*request.remove, remove.Name("Key"));
  }
}

}  // namespace

Result<BatchWriteItemInput> ParseBatchWriteItemInput(const RequestBody& request) {
  return ParseInput(request, kBatchWriteItemMembers, kBatchWriteItemForm);
}

void PrintBatchWriteItemOutput(const BatchWriteItemOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  {
    json::ObjectWriter tables(answer.Name("UnprocessedItems"));
    for (const auto& [table, requests] : output.unprocessed_items) {
      json::AppendArray(requests, tables.Key(table),
                        [&](const WriteRequest& request) { AppendWriteRequest(request, out); });
    }
  }
  WriteCollectionMetrics(output.item_collection_metrics, answer);
  WriteCapacities(output.consumed_capacity, UnitDetail::kSum, answer);
}

}  // namespace prejoin::wire
