#include "simulate/send.h"

#include <algorithm>
#include <utility>

#include "engine/physics/request_latency.h"
#include "model/data/dataset.h"

namespace prejoin::simulate {
namespace {

Sent SentOf(const Error& error) {
  Sent sent;
  if (const auto* detail = dynamic_cast<const ThrottlingDetail*>(error.detail.get())) {
    for (const ThrottlingReason& reason : detail->reasons) {
      sent.throttles.push_back({reason.reason, reason.resource});
    }
    return sent;
  }
  if (const auto* detail = dynamic_cast<const CancellationDetail*>(error.detail.get())) {
    for (const CancellationReason& reason : detail->reasons) {
      if (reason.code == "ThrottlingError" || reason.code == "ProvisionedThroughputExceeded") {
        sent.throttles.push_back({"TransactionCanceledException: " + reason.code, ""});
        sent.retries = false;  // No SDK retries a cancelled transaction.
        return sent;
      }
    }
  }
  sent.error = error.message;
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
    const auto output = database.BatchGetItem(input);
    Sent sent = SentOf(output);
    if (output && !output->unprocessed_keys.empty()) {
      sent.throttles.push_back({"UnprocessedKeys", ""});
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
  constexpr std::string_view kIndex = "/index/";
  const std::size_t index_at = arn.find(kIndex);
  const std::string table_arn = arn.substr(0, index_at);
  const auto table = std::ranges::find_if(tables, [&](const CreateTableInput& one) {
    return table_arn.ends_with("/" + one.table_name);
  });
  if (table == tables.end()) {
    return {};
  }
  if (index_at == std::string::npos) {
    return PartitionNames(table->key_schema);
  }
  const std::string name = arn.substr(index_at + kIndex.size());
  for (const IndexSpecification& index :
       table->global_indexes.value_or(std::vector<IndexSpecification>())) {
    if (index.index_name == name) {
      return PartitionNames(index.key_schema);
    }
  }
  return {};
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

std::string KeyOf(const Request& request, const std::string& arn,
                  const std::vector<CreateTableInput>& tables) {
  const Item* item = nullptr;
  if (const auto* put = std::get_if<PutItemInput>(&request.input)) {
    item = &put->item;
  } else if (const auto* remove = std::get_if<DeleteItemInput>(&request.input)) {
    item = &remove->key;
  }
  if (item == nullptr) {
    return request.key;
  }
  std::string key;
  for (const std::string& name : PartitionNames(arn, tables)) {
    key += (key.empty() ? "" : ", ") + TextOf(item->Find(name));
  }
  return key;
}

}  // namespace prejoin::simulate
