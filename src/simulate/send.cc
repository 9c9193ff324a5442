#include "simulate/send.h"

#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/item/cancellation.h"
#include "engine/physics/limits_reached.h"
#include "engine/physics/physics.h"
#include "engine/physics/request_latency.h"
#include "engine/tracking/resource_name.h"
#include "model/data/dataset.h"

namespace prejoin::simulate {
namespace {

Sent SentOf(const Error& error) {
  Sent sent;
  for (engine::LimitReached& limit : engine::LimitsOf(error)) {
    sent.throttles.push_back({{ThrottleAnswer::kException, std::move(limit)}});
  }
  if (const auto* detail = dynamic_cast<const engine::LimitedCancellation*>(error.detail.get())) {
    for (std::size_t i = 0; i < detail->limits.size(); ++i) {
      for (const engine::LimitReached& limit : detail->limits[i]) {
        sent.throttles.push_back({{ThrottleAnswer::kCancelledTransaction, limit}, i});
      }
    }
    sent.retries = false;  // No SDK retries a cancelled transaction.
  }
  if (sent.throttles.empty()) {
    sent.error = error.message;
  }
  return sent;
}

template <class Output>
Sent SentOf(const Result<Output>& output) {
  return output ? Sent() : SentOf(output.error());
}

struct Sender {
  Database& database;
  const Request& request;

  Sent operator()(const GetItemInput& input) const { return SentOf(database.GetItem(input)); }
  Sent operator()(const QueryInput& input) const { return SentOf(database.Query(input)); }
  Sent operator()(const ScanInput& input) const { return SentOf(database.Scan(input)); }
  Sent operator()(const PutItemInput& input) const { return SentOf(database.PutItem(input)); }
  Sent operator()(const DeleteItemInput& input) const { return SentOf(database.DeleteItem(input)); }
  Sent operator()(const TransactWriteItemsInput& input) const {
    return SentOf(database.TransactWriteItems(input));
  }
  // The program sends what is left unprocessed again, with the same waits.
  Sent operator()(const BatchGetItemInput& input) const {
    engine::Physics& physics = *engine::EngineOf(database).physics();
    physics.TakeLastReached();
    const auto output = database.BatchGetItem(input);
    Sent sent = SentOf(output);
    if (output && !output->unprocessed_keys.empty()) {
      if (auto limit = physics.TakeLastReached()) {
        sent.throttles.push_back({{ThrottleAnswer::kUnprocessedKeys, *std::move(limit)}});
      }
      sent.rest =
          Request{BatchGetItemInput{.request_items = output->unprocessed_keys}, request.key};
    }
    return sent;
  }
};

struct TableNames {
  template <class Input>
  std::vector<std::string> operator()(const Input& input) const {
    return {input.table_name};
  }
  std::vector<std::string> operator()(const BatchGetItemInput& input) const {
    std::vector<std::string> names;
    for (const auto& [name, keys] : input.request_items) {
      names.push_back(name);
    }
    return names;
  }
  std::vector<std::string> operator()(const TransactWriteItemsInput&) const { return {}; }
};

struct OperationName {
  std::string_view operator()(const GetItemInput&) const { return "GetItem"; }
  std::string_view operator()(const QueryInput&) const { return "Query"; }
  std::string_view operator()(const ScanInput&) const { return "Scan"; }
  std::string_view operator()(const PutItemInput&) const { return "PutItem"; }
  std::string_view operator()(const DeleteItemInput&) const { return "DeleteItem"; }
  std::string_view operator()(const TransactWriteItemsInput&) const { return "TransactWriteItems"; }
  std::string_view operator()(const BatchGetItemInput&) const { return "BatchGetItem"; }
};

std::string TextOf(const AttributeValue* value) {
  if (value == nullptr) {
    return "";
  }
  const std::string text = model::ValueText(*value);
  return text.substr(text.find(':') + 1);
}

// The attributes of the partition key, in the order of the schema.
std::vector<std::string> PartitionNames(const KeySchema& schema) {
  std::vector<std::string> names;
  for (const KeySchemaElement& element : schema) {
    if (element.key_type == KeyType::kHash) {
      names.push_back(element.attribute_name);
    }
  }
  return names;
}

std::vector<std::string> PartitionNames(const std::string& arn,
                                        const std::vector<CreateTableInput>& tables) {
  const engine::ResourceName name = engine::ResourceNameOf(arn);
  const auto table = std::ranges::find(tables, name.table, &CreateTableInput::table_name);
  if (table == tables.end()) {
    return {};
  }
  if (name.index.empty()) {
    return PartitionNames(table->key_schema);
  }
  for (const IndexSpecification& index :
       table->global_indexes.value_or(std::vector<IndexSpecification>())) {
    if (index.index_name == name.index) {
      return PartitionNames(index.key_schema);
    }
  }
  return {};
}

// The item or key that a request writes; null: it reads.
const Item* WrittenBy(const Request& request, std::size_t member) {
  if (const auto* put = std::get_if<PutItemInput>(&request.input)) {
    return &put->item;
  }
  if (const auto* remove = std::get_if<DeleteItemInput>(&request.input)) {
    return &remove->key;
  }
  const auto* together = std::get_if<TransactWriteItemsInput>(&request.input);
  return together != nullptr ? &together->items[member].item_or_key : nullptr;
}

std::string KeyText(const Item& item, const std::vector<std::string>& names) {
  std::string key;
  for (const std::string& name : names) {
    key += (key.empty() ? "" : ", ") + TextOf(item.Find(name));
  }
  return key;
}

}  // namespace

Sent Send(Database& database, const Request& request) {
  return std::visit(Sender{database, request}, request.input);
}

std::vector<std::string> TablesOf(const Request& request) {
  return std::visit(TableNames(), request.input);
}

std::string_view OperationOf(const Request& request) {
  return std::visit(OperationName(), request.input);
}

double LatencyMs(const Request& request, bool throttled, RandomSource& random) {
  return engine::DrawLatencyMs(OperationOf(request), throttled, random);
}

std::string KeyOf(const Request& request, const std::string& arn, std::size_t member,
                  const std::vector<CreateTableInput>& tables) {
  const Item* item = WrittenBy(request, member);
  return item == nullptr ? request.key : KeyText(*item, PartitionNames(arn, tables));
}

std::size_t MembersOf(const Request& request, const std::string& arn, const std::vector<CreateTableInput>& tables) {
  const std::string table = engine::ResourceNameOf(arn).table;
  if (const auto* batch = std::get_if<BatchGetItemInput>(&request.input)) {
    const auto found = batch->request_items.find(table);
    return found == batch->request_items.end() ? 1 : std::max<std::size_t>(1, found->second.keys.size());
  }
  const auto* together = std::get_if<TransactWriteItemsInput>(&request.input);
  if (together == nullptr) {
    return 1;
  }
  const std::vector<std::string> names = PartitionNames(arn, tables);
  const auto count = std::ranges::count_if(together->items, [&](const TransactWrite& write) {
    return write.table_name == table && std::ranges::all_of(names, [&](const std::string& name) {
             return write.item_or_key.Find(name) != nullptr;
           });
  });
  return std::max<std::size_t>(1, static_cast<std::size_t>(count));
}

std::string ItemOf(const Request& request, const std::string& arn, std::size_t member,
                   const std::vector<CreateTableInput>& tables) {
  const Item* item = WrittenBy(request, member);
  const auto table =
      std::ranges::find(tables, engine::ResourceNameOf(arn).table, &CreateTableInput::table_name);
  if (item == nullptr || table == tables.end()) {
    return "";
  }
  std::vector<std::string> names;
  for (const KeySchemaElement& element : table->key_schema) {
    names.push_back(element.attribute_name);
  }
  return KeyText(*item, names);
}

}  // namespace prejoin::simulate
