#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "engine/ops/operations.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

Status ReadItemOrKey(InputReader& reader, json::Value value, const Path&, TransactWrite& out) {
  return ReadItem(reader, value, Order::kItem, out.item_or_key);
}

constexpr Member<TransactWrite> kKeyMember = {"Key", ReadItemOrKey, Presence::kRequired};

constexpr Member<TransactWrite> kTransactPutMembers[] = {
    {"Item", ReadItemOrKey, Presence::kRequired}, TableNameMember<TransactWrite>(),
    ReturnValuesOnFailureMember<TransactWrite>(), ConditionExpressionMember<TransactWrite>(),
    ExpressionValuesMember<TransactWrite>(),      ExpressionNamesMember<TransactWrite>(),
};

constexpr Member<TransactWrite> kTransactUpdateMembers[] = {
    kKeyMember,
    UpdateExpressionMember<TransactWrite>(Presence::kRequired),
    TableNameMember<TransactWrite>(),
    ReturnValuesOnFailureMember<TransactWrite>(),
    ConditionExpressionMember<TransactWrite>(),
    ExpressionValuesMember<TransactWrite>(),
    ExpressionNamesMember<TransactWrite>(),
};

constexpr Member<TransactWrite> kTransactDeleteMembers[] = {
    kKeyMember,
    TableNameMember<TransactWrite>(),
    ReturnValuesOnFailureMember<TransactWrite>(),
    ConditionExpressionMember<TransactWrite>(),
    ExpressionValuesMember<TransactWrite>(),
    ExpressionNamesMember<TransactWrite>(),
};

constexpr Member<TransactWrite> kCheckMembers[] = {
    kKeyMember,
    TableNameMember<TransactWrite>(),
    ReturnValuesOnFailureMember<TransactWrite>(),
    ConditionExpressionMember<TransactWrite>(Presence::kRequired),
    ExpressionValuesMember<TransactWrite>(),
    ExpressionNamesMember<TransactWrite>(),
};

struct TransactWriteItem {
  std::vector<TransactWrite> actions;  // Must be one.
};

template <TransactAction kAction, const auto& kActionMembers>
Status ReadAction(InputReader& reader, json::Value value, const Path& path,
                  TransactWriteItem& out) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, path.name()}));
  TransactWrite& write = out.actions.emplace_back();
  write.action = kAction;
  return reader.ReadMembers(value, &path, kActionMembers, write);
}

constexpr Member<TransactWriteItem> kTransactWriteItemMembers[] = {
    {"ConditionCheck", ReadAction<TransactAction::kConditionCheck, kCheckMembers>},
    {"Put", ReadAction<TransactAction::kPut, kTransactPutMembers>},
    {"Delete", ReadAction<TransactAction::kDelete, kTransactDeleteMembers>},
    {"Update", ReadAction<TransactAction::kUpdate, kTransactUpdateMembers>},
};

Status ReadTransactItem(InputReader& reader, json::Value value, const Path& path,
                        TransactWriteItemsInput& out) {
  PJ_RETURN_IF_ERROR(
      json::CheckObject(value, {Shape::Kind::kStructureElement, "TransactWriteItem"}));
  TransactWriteItem item;
  PJ_RETURN_IF_ERROR(reader.ReadMembers(value, &path, kTransactWriteItemMembers, item));
  if (item.actions.empty()) {
    reader.Refuse(
        Order::kRequest,
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
    item.actions.resize(1);
  }
  if (item.actions.size() != 1) {
    reader.Refuse(Order::kRequest,
                  "TransactItems can only contain one of Check, Put, Update or Delete");
    item.actions.resize(1);
  }
  out.items.push_back(std::move(item.actions.front()));
  return {};
}

Status ReadTransactItems(InputReader& reader, json::Value value, const Path& path,
                         TransactWriteItemsInput& out) {
  out.items.clear();
  PJ_RETURN_IF_ERROR(reader.ReadElements(value, path, [&](json::Value element, const Path& at) {
    return ReadTransactItem(reader, element, at, out);
  }));
  if (out.items.empty() && reader.RefuseInNewerTexts(engine::Rewording::kTransactWriteEmpty)) {
    return {};
  }
  if (out.items.empty() || out.items.size() > kTransactionItemsMax) {
    reader.CheckLength(path, PrintEcho(value), out.items.size(), {1, kTransactionItemsMax});
  }
  return {};
}

Status ReadToken(InputReader& reader, json::Value value, const Path& path,
                 TransactWriteItemsInput& out) {
  PJ_RETURN_IF_ERROR(reader.ReadString(value, out.client_request_token));
  const std::string& token = *out.client_request_token;
  reader.CheckLength(path, token, token.size(), {1, 36});
  return {};
}

constexpr Member<TransactWriteItemsInput> kTransactWriteItemsMembers[] = {
    {"ClientRequestToken", ReadToken},
    ReturnConsumedCapacityMember<TransactWriteItemsInput>(),
    ReturnItemCollectionMetricsMember<TransactWriteItemsInput>(),
    {"TransactItems", ReadTransactItems, Presence::kRequired},
};

// The faults of the values in an element of TransactItems that was read without an error.
struct ActionFaults {
  json::ValueFault item;        // The item or key.
  json::ValueFault expression;  // A value of its expressions.
};

// DynamoDB checks nesting depth and attribute names action by action, after the expressions of the same action;
// other faults of values come before all expressions.
bool IsSeenInOrder(const json::ValueFault& fault) {
  return fault.kind == json::FaultKind::kNesting || fault.kind == json::FaultKind::kName;
}

ActionFaults FaultsOf(json::Value element) {
  ActionFaults faults;
  if (element.type() != json::Type::kObject) {
    return faults;
  }
  for (const auto& [name, action] : element.fields()) {
    for (const std::string_view member : {"Item", "Key"}) {
      if (const auto value = action.Find(member); value && !value->is_null()) {
        Item item;
        (void)json::ReadItem(*value, Shape::Kind::kMap, kTransactWriteItemsForm.values, item,
                             faults.item);
      }
    }
    InputReader values(kTransactWriteItemsForm);
    std::optional<AttributeValues> read;
    std::optional<json::FaultKind> first;
    if (const auto value = action.Find("ExpressionAttributeValues"); value && !value->is_null()) {
      (void)ReadExpressionValues(values, *value, read, &first);
    }
    if (const Status refused = values.Finish(); !refused) {
      faults.expression = {refused.error().message, first.value_or(json::FaultKind::kOther)};
    }
  }
  return faults;
}

// `input` has a value that is refused: finds what DynamoDB sees first.
void RefuseInOrder(InputReader& reader, json::Value root, const TransactWriteItemsInput& input) {
  const auto elements = root.Find("TransactItems");
  if (!elements || elements->type() != json::Type::kArray) {
    return;
  }
  std::vector<ActionFaults> faults;
  for (const json::Value element : elements->elements()) {
    faults.push_back(FaultsOf(element));
    if (!faults.back().item.empty() && !IsSeenInOrder(faults.back().item)) {
      return reader.Refuse(Order::kRequest, std::move(faults.back().item.text));
    }
    const bool plain =
        !faults.back().expression.empty() && !IsSeenInOrder(faults.back().expression);
    if (plain && !reader.RefusesItem()) {
      return;
    }
  }
  for (std::size_t i = 0; i < std::min(faults.size(), input.items.size()); ++i) {
    if (IsSeenInOrder(faults[i].expression)) {
      return reader.Refuse(Order::kRequest, std::move(faults[i].expression.text));
    }
    if (Status checked = engine::CheckExpressions(input.items[i]); !checked) {
      return reader.Refuse(Order::kRequest, std::move(checked).error().message);
    }
    if (!faults[i].item.empty()) {
      return reader.Refuse(Order::kRequest, std::move(faults[i].item.text));
    }
  }
}

}  // namespace

Result<TransactWriteItemsInput> ParseTransactWriteItemsInput(const RequestBody& request) {
  return ParseInput(request, kTransactWriteItemsMembers, kTransactWriteItemsForm,
                    [&request](InputReader& reader, const TransactWriteItemsInput& input) {
                      if (!reader.Finish()) {
                        RefuseInOrder(reader, request.root, input);
                      }
                    });
}

void PrintTransactWriteItemsOutput(const TransactWriteItemsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  WriteCapacities(output.consumed_capacity, UnitDetail::kReadAndWrite, answer);
  WriteCollectionMetrics(output.item_collection_metrics, answer);
}

}  // namespace prejoin::wire
