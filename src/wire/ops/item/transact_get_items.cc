#include "base/limits.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<TransactGet> kGetMembers[] = {
    KeyMember<TransactGet>(),
    TableNameMember<TransactGet>(),
    ProjectionExpressionMember<TransactGet>(),
    ExpressionNamesMember<TransactGet>(),
};

constexpr Member<TransactGet> kTransactItemMembers[] = {
    {"Get",
     [](InputReader& reader, json::Value value, const Path& path, TransactGet& out) -> Status {
       PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, "Get"}));
       return reader.ReadMembers(value, &path, kGetMembers, out);
     },
     Presence::kRequired},
};

Status ReadTransactItem(InputReader& reader, json::Value value, const Path& path,
                        TransactGet& out) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructureElement, "TransactGetItem"}));
  return reader.ReadMembers(value, &path, kTransactItemMembers, out);
}

Status ReadTransactItems(InputReader& reader, json::Value value, const Path& path,
                         TransactGetItemsInput& out) {
  out.items.clear();
  PJ_RETURN_IF_ERROR(reader.ReadElements(value, path, [&](json::Value element, const Path& at) {
    return ReadTransactItem(reader, element, at, out.items.emplace_back());
  }));
  if (out.items.empty() && reader.RefuseInNewerTexts(engine::Rewording::kTransactGetEmpty)) {
    return {};
  }
  if (out.items.empty() || out.items.size() > kTransactionItemsMax) {
    reader.CheckLength(path, PrintEcho(value), out.items.size(), {1, kTransactionItemsMax});
  }
  return {};
}

constexpr Member<TransactGetItemsInput> kTransactGetItemsMembers[] = {
    ReturnConsumedCapacityMember<TransactGetItemsInput>(),
    {"TransactItems", ReadTransactItems, Presence::kRequired},
};

}  // namespace

Result<TransactGetItemsInput> ParseTransactGetItemsInput(const RequestBody& request) {
  return ParseInput(request, kTransactGetItemsMembers, kTransactGetItemsForm);
}

void PrintTransactGetItemsOutput(const TransactGetItemsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.items, answer.Name("Responses"),
                    [&](const std::optional<StoredItem>& item) {
                      json::ObjectWriter response(out);
                      if (item.has_value()) {
                        json::AppendItem(*item, response.Name("Item"));
                      }
                    });
  WriteCapacities(output.consumed_capacity, UnitDetail::kReadAndWrite, answer);
}

}  // namespace prejoin::wire
