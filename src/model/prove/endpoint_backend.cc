#include "model/prove/endpoint_backend.h"

#include <unistd.h>

#include <optional>

#include "client/answer_json.h"
#include "client/endpoint.h"
#include "client/request_json.h"
#include "json/attribute_value.h"
#include "json/item_json.h"
#include "json/reader.h"
#include "json/writer.h"

namespace prejoin::model {
namespace {

constexpr int kPollsMax = 600;
constexpr useconds_t kPollMicroseconds = 100'000;

// The items of `table` in "Responses", or its keys in "UnprocessedKeys".
Result<std::vector<Item>> ItemsOf(json::Value root, std::string_view member,
                                  const std::string& table) {
  const auto tables = root.Find(member);
  auto list = tables ? tables->Find(table) : std::nullopt;
  if (list && list->type() == json::Type::kObject) {
    list = list->Find("Keys");
  }
  return client::ReadItemList(list);
}

void AppendWrite(const ItemWrite& write, json::ObjectWriter& object) {
  object.String("TableName", write.table);
  const WriteCondition condition = MakeWriteCondition(write);
  AttributeNames names = condition.names;
  AttributeValues values = condition.values;
  if (!write.new_item) {
    json::AppendItem(write.key, object.Name("Key"));
  } else if (write.partial) {
    const UpdateExpression update = MakeUpdate(write.key, *write.old_item, *write.new_item);
    json::AppendItem(write.key, object.Name("Key"));
    object.String("UpdateExpression", update.text);
    names.insert(update.names.begin(), update.names.end());
    values.insert(update.values.begin(), update.values.end());
  } else {
    json::AppendItem(*write.new_item, object.Name("Item"));
  }
  if (!condition.text.empty()) {
    object.String("ConditionExpression", condition.text);
  }
  if (!names.empty()) {
    client::AppendExpressionNames(names, object);
  }
  if (!values.empty()) {
    client::AppendExpressionValues(values, object);
  }
}

const char* OperationOf(const ItemWrite& write) {
  return !write.new_item ? "DeleteItem" : (write.partial ? "UpdateItem" : "PutItem");
}

}  // namespace

Result<std::unique_ptr<EndpointBackend>> EndpointBackend::Open(const std::string& url,
                                                               const std::string& region) {
  PJ_ASSIGN_OR_RETURN(client::Endpoint endpoint, client::Endpoint::Open(url, region));
  auto shared = std::make_shared<client::Endpoint>(std::move(endpoint));
  return std::make_unique<EndpointBackend>(
      [shared](const std::string& operation, const std::string& body) {
        return shared->Call(operation, body);
      });
}

Status EndpointBackend::CreateTable(const Model& model, const Table& table) {
  PJ_RETURN_IF_ERROR(call_("CreateTable", client::CreateTableJson(MakeCreateTable(model, table))));
  const std::string body = client::TableNameJson(table.name.text);
  for (int i = 0; i < kPollsMax; ++i) {
    PJ_ASSIGN_OR_RETURN(const std::string described, call_("DescribeTable", body));
    if (client::TableStatusIn(described) != "CREATING") {
      return {};
    }
    usleep(kPollMicroseconds);
  }
  return Error{ErrorCode::kUnavailable,
               "table " + table.name.text + " did not become active within a minute"};
}

Status EndpointBackend::Load(const std::string& table, const std::vector<Item>& items) {
  for (const Item& item : items) {
    std::string body;
    {
      json::ObjectWriter object(body);
      object.String("TableName", table);
      json::AppendItem(item, object.Name("Item"));
    }
    PJ_RETURN_IF_ERROR(call_("PutItem", body));
  }
  return {};
}

Result<ReadAnswer> EndpointBackend::Get(const std::string& table, const Item& key,
                                        bool consistent) {
  const std::string body = client::GetItemJson(MakeGet(table, key, consistent));
  PJ_ASSIGN_OR_RETURN(const std::string text, call_("GetItem", body));
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
  ReadAnswer answer;
  if (const auto item = document.root().Find("Item")) {
    PJ_ASSIGN_OR_RETURN(answer.items.emplace_back(), json::ReadItem(*item));
  }
  answer.read_units = client::ConsumedUnits(document.root());
  return answer;
}

Result<ReadAnswer> EndpointBackend::BatchGet(const std::string& table,
                                             const std::vector<Item>& keys, bool consistent) {
  ReadAnswer answer;
  std::vector<Item> left = keys;
  for (int round = 0; !left.empty(); ++round) {
    if (round == kPollsMax) {
      return Error{ErrorCode::kUnavailable, "BatchGetItem keeps leaving keys unprocessed"};
    }
    if (round > 0) {
      usleep(kPollMicroseconds);
    }
    const std::string body = client::BatchGetItemJson(MakeBatchGet(table, left, consistent));
    PJ_ASSIGN_OR_RETURN(const std::string text, call_("BatchGetItem", body));
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
    PJ_ASSIGN_OR_RETURN(std::vector<Item> items, ItemsOf(document.root(), "Responses", table));
    for (Item& item : items) {
      answer.items.push_back(std::move(item));
    }
    answer.read_units += client::ConsumedUnits(document.root());
    PJ_ASSIGN_OR_RETURN(left, ItemsOf(document.root(), "UnprocessedKeys", table));
  }
  return answer;
}

std::string ScanJson(const KeyQuery& query) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", query.table);
    if (query.start_key) {
      json::AppendItem(*query.start_key, object.Name("ExclusiveStartKey"));
    }
    if (query.consistent) {
      object.Bool("ConsistentRead", true);
    }
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  return body;
}

Result<ReadAnswer> EndpointBackend::Query(const KeyQuery& query) {
  const std::string body = query.scan ? ScanJson(query) : client::QueryJson(MakeQuery(query));
  PJ_ASSIGN_OR_RETURN(const std::string text, call_(query.scan ? "Scan" : "Query", body));
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
  ReadAnswer answer;
  PJ_ASSIGN_OR_RETURN(answer.items, client::ReadItemList(document.root().Find("Items")));
  if (const auto last = document.root().Find("LastEvaluatedKey")) {
    PJ_ASSIGN_OR_RETURN(answer.next_key, json::ReadItem(*last));
  }
  answer.read_units = client::ConsumedUnits(document.root());
  return answer;
}

Result<WriteAnswer> EndpointBackend::Write(const ItemWrite& write) {
  std::string body;
  {
    json::ObjectWriter object(body);
    AppendWrite(write, object);
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  const auto text = call_(OperationOf(write), body);
  if (!text.has_value() && text.error().code == ErrorCode::kConditionalCheckFailed) {
    return WriteAnswer{true, 0};
  }
  if (!text.has_value()) {
    return text.error();
  }
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(*text));
  return WriteAnswer{false, client::ConsumedUnits(document.root())};
}

Result<WriteAnswer> EndpointBackend::WriteTogether(const std::vector<ItemWrite>& writes) {
  std::string body;
  {
    json::ObjectWriter object(body);
    std::string& list = object.Name("TransactItems");
    json::AppendArray(writes, list, [&](const ItemWrite& write) {
      json::ObjectWriter one(list);
      const std::string_view name = !write.new_item ? "Delete" : (write.partial ? "Update" : "Put");
      json::ObjectWriter inner(one.Name(name));
      AppendWrite(write, inner);
    });
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  const auto text = call_("TransactWriteItems", body);
  if (!text.has_value() && text.error().code == ErrorCode::kTransactionCanceled) {
    return WriteAnswer{true, 0};
  }
  if (!text.has_value()) {
    return text.error();
  }
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(*text));
  return WriteAnswer{false, client::ConsumedUnits(document.root())};
}

Result<std::vector<std::string>> EndpointBackend::ListTables() {
  std::vector<std::string> tables;
  std::string last;
  constexpr int kPagesMax = 10'000;
  for (int page = 0; page < kPagesMax; ++page) {
    std::string body;
    {
      json::ObjectWriter object(body);
      if (!last.empty()) {
        object.String("ExclusiveStartTableName", last);
      }
    }
    PJ_ASSIGN_OR_RETURN(const std::string text, call_("ListTables", body));
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
    if (const auto names = document.root().Find("TableNames")) {
      for (const json::Value name : names->elements()) {
        tables.emplace_back(name.string());
      }
    }
    const auto next = document.root().Find("LastEvaluatedTableName");
    if (!next) {
      return tables;
    }
    last = std::string(next->string());
  }
  return tables;
}

Status EndpointBackend::DeleteTable(const std::string& table) {
  const std::string body = client::TableNameJson(table);
  PJ_RETURN_IF_ERROR(call_("DeleteTable", body));
  // A table of that name cannot be created again before it is gone.
  for (int i = 0; i < kPollsMax; ++i) {
    if (!call_("DescribeTable", body).has_value()) {
      return {};
    }
    usleep(kPollMicroseconds);
  }
  return Error{ErrorCode::kUnavailable, "table " + table + " is still there after a minute"};
}

}  // namespace prejoin::model
