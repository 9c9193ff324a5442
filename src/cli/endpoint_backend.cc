#include "cli/endpoint_backend.h"

#include <unistd.h>

#include <ctime>
#include <optional>

#include "auth/sign.h"
#include "base/limits.h"
#include "json/base64.h"
#include "json/item_json.h"
#include "json/reader.h"
#include "json/writer.h"
#include "wire/request_json.h"

namespace prejoin::cli {
namespace {

constexpr int kPollsMax = 600;
constexpr useconds_t kPollMicroseconds = 100'000;
constexpr int kRetriesMax = 8;
constexpr useconds_t kFirstRetryMicroseconds = 50'000;

std::optional<json::Value> Field(json::Value object, std::string_view name) {
  if (object.type() != json::Type::kObject) return std::nullopt;
  for (const auto& field : object.fields()) {
    if (field.name == name) return field.value;
  }
  return std::nullopt;
}

Item ReadItem(json::Value object);

// A typed value as DynamoDB writes it; what is not understood becomes NULL, which no comparison
// will take for right.
AttributeValue ReadValue(json::Value typed) {
  if (typed.type() != json::Type::kObject) return {};
  for (const auto& [type, value] : typed.fields()) {
    if (type == "S") return AttributeValue(std::string(value.string()));
    if (type == "N") {
      const auto number = Number::Parse(value.string());
      return number ? AttributeValue(*number) : AttributeValue();
    }
    if (type == "B") {
      auto bytes = json::DecodeBase64(value.string());
      return bytes ? AttributeValue(AttributeValue::Binary{*std::move(bytes)}) : AttributeValue();
    }
    if (type == "BOOL") return AttributeValue(value.boolean());
    if (type == "M") return AttributeValue(ReadItem(value));
    if (type == "L") {
      AttributeValue::List list;
      for (const json::Value element : value.elements()) list.push_back(ReadValue(element));
      return AttributeValue(std::move(list));
    }
    if (type == "SS") {
      AttributeValue::StringSet set;
      for (const json::Value element : value.elements()) set.members.emplace_back(element.string());
      return AttributeValue(std::move(set));
    }
    if (type == "NS") {
      AttributeValue::NumberSet set;
      for (const json::Value element : value.elements()) {
        if (const auto number = Number::Parse(element.string())) set.members.push_back(*number);
      }
      return AttributeValue(std::move(set));
    }
    if (type == "BS") {
      AttributeValue::BinarySet set;
      for (const json::Value element : value.elements()) {
        if (auto bytes = json::DecodeBase64(element.string()))
          set.members.push_back(*std::move(bytes));
      }
      return AttributeValue(std::move(set));
    }
  }
  return {};
}

Item ReadItem(json::Value object) {
  Item item;
  for (const auto& field : object.fields())
    item.Set(std::string(field.name), ReadValue(field.value));
  return item;
}

// The items of `table` in "Responses", or its keys in "UnprocessedKeys".
std::vector<Item> ItemsOf(json::Value root, std::string_view member, const std::string& table) {
  std::vector<Item> items;
  const auto tables = Field(root, member);
  if (!tables) return items;
  auto list = Field(*tables, table);
  if (list && list->type() == json::Type::kObject) list = Field(*list, "Keys");
  if (!list) return items;
  for (const json::Value item : list->elements()) items.push_back(ReadItem(item));
  return items;
}

// Numbers come as integers or decimals; the reader gives whole numbers, so halves are read from the
// text.
double ReadUnits(const std::string& body) {
  double total = 0;
  const std::string name = "\"CapacityUnits\":";
  for (std::size_t at = body.find(name); at != std::string::npos; at = body.find(name, at + 1))
    total += std::strtod(body.c_str() + at + name.size(), nullptr);
  return total;
}

void AppendWrite(const model::ItemWrite& write, json::ObjectWriter& object) {
  object.String("TableName", write.table);
  if (!write.new_item) {
    json::AppendItem(write.key, object.Name("Key"));
  } else if (write.partial) {
    const model::UpdateExpression update =
        model::MakeUpdate(write.key, *write.old_item, *write.new_item);
    json::AppendItem(write.key, object.Name("Key"));
    object.String("UpdateExpression", update.text);
    wire::AppendExpressionNames(update.names, object);
    wire::AppendExpressionValues(update.values, object);
  } else {
    json::AppendItem(*write.new_item, object.Name("Item"));
    if (write.once) {
      object.String("ConditionExpression", "attribute_not_exists(#k)");
      wire::AppendExpressionNames(AttributeNames{{"#k", write.key.begin()->first}}, object);
    }
  }
}

// Answers that AWS documents as worth another try.
bool AsksForPatience(const client::HttpAnswer& answer) {
  if (answer.status == 500 || answer.status == 503) return true;
  if (answer.status != 400) return false;
  for (const char* name : {"ProvisionedThroughputExceededException", "ThrottlingException",
                           "RequestLimitExceeded", "TransactionInProgressException"}) {
    if (answer.body.find(name) != std::string::npos) return true;
  }
  return false;
}

const char* OperationOf(const model::ItemWrite& write) {
  return !write.new_item ? "DeleteItem" : (write.partial ? "UpdateItem" : "PutItem");
}

}  // namespace

Result<std::unique_ptr<EndpointBackend>> EndpointBackend::Open(const std::string& url,
                                                               const std::string& region) {
  PJ_ASSIGN_OR_RETURN(client::HttpEndpoint endpoint, client::HttpEndpoint::Parse(url));
  PJ_ASSIGN_OR_RETURN(client::SigningIdentity identity,
                      client::FindSigningIdentity(endpoint.host(), region));
  return std::make_unique<EndpointBackend>(std::move(endpoint), std::move(identity));
}

Result<client::HttpAnswer> EndpointBackend::SendSigned(const std::string& operation,
                                                       const std::string& body) {
  auth::UnsignedRequest request{"POST",
                                {{"Host", endpoint_.HostHeader()},
                                 {"Content-Type", "application/x-amz-json-1.0"},
                                 {"X-Amz-Target", "DynamoDB_20120810." + operation}},
                                body};
  const auth::Headers added = auth::Sign(request, identity_.credentials,
                                         {identity_.region, "dynamodb", std::time(nullptr)});
  request.headers.insert(request.headers.end(), added.begin(), added.end());
  return endpoint_.Post(request.headers, body);
}

Result<std::string> EndpointBackend::Call(const std::string& operation, const std::string& body) {
  PJ_ASSIGN_OR_RETURN(client::HttpAnswer answer, SendSigned(operation, body));
  useconds_t pause = kFirstRetryMicroseconds;
  for (int retry = 0; retry < kRetriesMax && AsksForPatience(answer); ++retry) {
    usleep(pause);
    pause *= 2;
    PJ_ASSIGN_OR_RETURN(answer, SendSigned(operation, body));
  }
  if (answer.status == 200) return std::move(answer.body);
  ErrorCode code = ErrorCode::kValidation;
  if (answer.body.find("ConditionalCheckFailedException") != std::string::npos)
    code = ErrorCode::kConditionalCheckFailed;
  if (answer.body.find("TransactionCanceledException") != std::string::npos)
    code = ErrorCode::kTransactionCanceled;
  if (answer.body.find("UnknownOperationException") != std::string::npos) {
    code = ErrorCode::kUnknownOperation;
  }
  if (answer.body.find("ResourceInUseException") != std::string::npos)
    code = ErrorCode::kTableInUse;
  if (answer.body.find("ResourceNotFoundException") != std::string::npos)
    code = ErrorCode::kResourceNotFound;
  return Error{code, operation + ": HTTP " + std::to_string(answer.status) + " " + answer.body};
}

Status EndpointBackend::CreateTable(const model::Model& model, const model::Table& table) {
  PJ_RETURN_IF_ERROR(
      Call("CreateTable", wire::CreateTableJson(model::MakeCreateTable(model, table))));
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table.name.text);
  }
  for (int i = 0; i < kPollsMax; ++i) {
    PJ_ASSIGN_OR_RETURN(const std::string described, Call("DescribeTable", body));
    if (described.find("\"CREATING\"") == std::string::npos) return {};
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
    PJ_RETURN_IF_ERROR(Call("PutItem", body));
  }
  return {};
}

Result<model::ReadAnswer> EndpointBackend::Get(const std::string& table, const Item& key,
                                               bool consistent) {
  const std::string body = wire::GetItemJson(model::MakeGet(table, key, consistent));
  PJ_ASSIGN_OR_RETURN(const std::string text, Call("GetItem", body));
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
  model::ReadAnswer answer;
  if (const auto item = Field(document.root(), "Item")) answer.items.push_back(ReadItem(*item));
  answer.read_units = ReadUnits(text);
  return answer;
}

Result<model::ReadAnswer> EndpointBackend::BatchGet(const std::string& table,
                                                    const std::vector<Item>& keys,
                                                    bool consistent) {
  model::ReadAnswer answer;
  std::vector<Item> left = keys;
  for (int round = 0; !left.empty(); ++round) {
    if (round == kPollsMax)
      return Error{ErrorCode::kUnavailable, "BatchGetItem keeps leaving keys unprocessed"};
    if (round > 0) usleep(kPollMicroseconds);
    const std::string body = wire::BatchGetItemJson(model::MakeBatchGet(table, left, consistent));
    PJ_ASSIGN_OR_RETURN(const std::string text, Call("BatchGetItem", body));
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
    for (Item& item : ItemsOf(document.root(), "Responses", table))
      answer.items.push_back(std::move(item));
    answer.read_units += ReadUnits(text);
    left = ItemsOf(document.root(), "UnprocessedKeys", table);
  }
  return answer;
}

Result<model::ReadAnswer> EndpointBackend::Query(const model::KeyQuery& query) {
  const std::string body = wire::QueryJson(model::MakeQuery(query));
  PJ_ASSIGN_OR_RETURN(const std::string text, Call("Query", body));
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
  model::ReadAnswer answer;
  if (const auto items = Field(document.root(), "Items")) {
    for (const json::Value item : items->elements()) answer.items.push_back(ReadItem(item));
  }
  if (const auto last = Field(document.root(), "LastEvaluatedKey"))
    answer.next_key = ReadItem(*last);
  answer.read_units = ReadUnits(text);
  return answer;
}

Result<model::WriteAnswer> EndpointBackend::Write(const model::ItemWrite& write) {
  std::string body;
  {
    json::ObjectWriter object(body);
    AppendWrite(write, object);
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  const auto text = Call(OperationOf(write), body);
  if (!text.has_value() && text.error().code == ErrorCode::kConditionalCheckFailed)
    return model::WriteAnswer{true, 0};
  if (!text.has_value()) return text.error();
  return model::WriteAnswer{false, ReadUnits(*text)};
}

Result<model::WriteAnswer> EndpointBackend::WriteTogether(
    const std::vector<model::ItemWrite>& writes) {
  std::string body;
  {
    json::ObjectWriter object(body);
    std::string& list = object.Name("TransactItems");
    json::AppendArray(writes, list, [&](const model::ItemWrite& write) {
      json::ObjectWriter one(list);
      const std::string_view name = !write.new_item ? "Delete" : (write.partial ? "Update" : "Put");
      json::ObjectWriter inner(one.Name(name));
      AppendWrite(write, inner);
    });
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  const auto text = Call("TransactWriteItems", body);
  if (!text.has_value() && text.error().code == ErrorCode::kTransactionCanceled)
    return model::WriteAnswer{true, 0};
  if (!text.has_value()) return text.error();
  return model::WriteAnswer{false, ReadUnits(*text)};
}

Result<std::vector<std::string>> EndpointBackend::ListTables() {
  std::vector<std::string> tables;
  std::string last;
  constexpr int kPagesMax = 10'000;
  for (int page = 0; page < kPagesMax; ++page) {
    std::string body;
    {
      json::ObjectWriter object(body);
      if (!last.empty()) object.String("ExclusiveStartTableName", last);
    }
    PJ_ASSIGN_OR_RETURN(const std::string text, Call("ListTables", body));
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
    if (const auto names = Field(document.root(), "TableNames")) {
      for (const json::Value name : names->elements()) tables.emplace_back(name.string());
    }
    const auto next = Field(document.root(), "LastEvaluatedTableName");
    if (!next) return tables;
    last = std::string(next->string());
  }
  return tables;
}

Status EndpointBackend::DeleteTable(const std::string& table) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table);
  }
  PJ_RETURN_IF_ERROR(Call("DeleteTable", body));
  // A table of that name cannot be created again before it is gone.
  for (int i = 0; i < kPollsMax; ++i) {
    if (!Call("DescribeTable", body).has_value()) return {};
    usleep(kPollMicroseconds);
  }
  return Error{ErrorCode::kUnavailable, "table " + table + " is still there after a minute"};
}

}  // namespace prejoin::cli
