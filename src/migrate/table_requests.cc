#include "migrate/table_requests.h"

#include <unistd.h>

#include <algorithm>

#include "client/answer_json.h"
#include "client/request_json.h"
#include "json/attribute_value.h"
#include "json/copy.h"
#include "json/item_json.h"
#include "json/reader.h"
#include "json/writer.h"
#include "model/prove/backend.h"

namespace prejoin::migrate {
namespace {

constexpr std::size_t kBatchGetKeys = 100;
constexpr std::size_t kBatchWriteItems = 25;
constexpr std::size_t kConditionAttributesMax = 100;
constexpr int kTriesMax = 600;
constexpr int kTableWaitsMax = 36'000;  // An hour: an index over a large table takes its time.
constexpr useconds_t kPauseMicroseconds = 100'000;

std::string TextOf(json::Value value, std::string_view member) {
  const auto found = value.Find(member);
  return found && found->type() == json::Type::kString ? std::string(found->string()) : "";
}

Error TooLong(const std::string& what) { return Error{ErrorCode::kUnavailable, what}; }

// The part of a CreateTable request that makes one of its global indexes.
Result<std::string> AddIndexBody(const std::string& create, const std::string& table,
                                 const std::string& index) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(create));
  const auto indexes = document.root().Find("GlobalSecondaryIndexes");
  const auto definitions = document.root().Find("AttributeDefinitions");
  if (!indexes || !definitions) {
    return ValidationError("no index " + index);
  }
  for (const json::Value one : indexes->elements()) {
    if (TextOf(one, "IndexName") != index) {
      continue;
    }
    std::vector<json::Value> used;
    for (const json::Value definition : definitions->elements()) {
      const auto schema = one.Find("KeySchema");
      for (const json::Value element : schema->elements()) {
        if (TextOf(element, "AttributeName") == TextOf(definition, "AttributeName")) {
          used.push_back(definition);
        }
      }
    }
    std::string body;
    {
      json::ObjectWriter object(body);
      object.String("TableName", table);
      json::AppendArray(used, object.Name("AttributeDefinitions"),
                        [&](json::Value definition) { json::AppendCopy(definition, body); });
      object.Name("GlobalSecondaryIndexUpdates").append("[{\"Create\":");
      json::AppendCopy(one, body);
      body += "}]";
    }
    return body;
  }
  return ValidationError("no index " + index);
}

}  // namespace

Result<ScanPage> TableRequests::Scan(const std::string& table, const std::optional<Item>& start, int limit,
                              bool consistent) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table);
    object.Integer("Limit", limit);
    if (consistent) {
      object.Bool("ConsistentRead", true);
    }
    if (start) {
      json::AppendItem(*start, object.Name("ExclusiveStartKey"));
    }
  }
  PJ_ASSIGN_OR_RETURN(const std::string text, send_("Scan", body));
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
  ScanPage page;
  PJ_ASSIGN_OR_RETURN(page.items, client::ReadItemList(document.root().Find("Items")));
  if (const auto last = document.root().Find("LastEvaluatedKey")) {
    PJ_ASSIGN_OR_RETURN(page.next, json::ReadItem(*last));
  }
  return page;
}

Result<std::vector<Item>> TableRequests::Get(const std::string& table, const std::vector<Item>& keys) {
  std::vector<Item> found;
  for (std::size_t from = 0; from < keys.size(); from += kBatchGetKeys) {
    const std::size_t to = std::min(keys.size(), from + kBatchGetKeys);
    std::vector<Item> left(keys.begin() + static_cast<std::ptrdiff_t>(from),
                           keys.begin() + static_cast<std::ptrdiff_t>(to));
    for (int tries = 0; !left.empty(); ++tries) {
      if (tries == kTriesMax) {
        return TooLong("BatchGetItem keeps returning UnprocessedKeys");
      }
      if (tries > 0) {
        usleep(kPauseMicroseconds);
      }
      PJ_ASSIGN_OR_RETURN(
          const std::string text,
          send_("BatchGetItem", client::BatchGetItemJson(model::MakeBatchGet(table, left, true))));
      PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
      const auto answers = document.root().Find("Responses");
      PJ_ASSIGN_OR_RETURN(std::vector<Item> items,
                          client::ReadItemList(answers ? answers->Find(table) : std::nullopt));
      for (Item& item : items) {
        found.push_back(std::move(item));
      }
      const auto rest = document.root().Find("UnprocessedKeys");
      const auto of_table = rest ? rest->Find(table) : std::nullopt;
      PJ_ASSIGN_OR_RETURN(left,
                          client::ReadItemList(of_table ? of_table->Find("Keys") : std::nullopt));
    }
  }
  return found;
}

Result<double> TableRequests::SendBatch(std::string requests) {
  double units = 0;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (tries > 0) {
      usleep(kPauseMicroseconds);
    }
    PJ_ASSIGN_OR_RETURN(const std::string text,
                        send_("BatchWriteItem", "{\"RequestItems\":" + requests +
                                                    ",\"ReturnConsumedCapacity\":\"TOTAL\"}"));
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(text));
    units += client::ConsumedUnits(document.root());
    const auto rest = document.root().Find("UnprocessedItems");
    if (!rest || rest->type() != json::Type::kObject || rest->size() == 0) {
      return units;
    }
    requests.clear();
    json::AppendCopy(*rest, requests);
  }
  return TooLong("BatchWriteItem keeps returning UnprocessedItems");
}

Result<double> TableRequests::Write(const std::string& table, const std::vector<Item>& puts,
                             const std::vector<Item>& deletes) {
  double units = 0;
  const std::size_t total = puts.size() + deletes.size();
  for (std::size_t from = 0; from < total; from += kBatchWriteItems) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = from; i < std::min(total, from + kBatchWriteItems); ++i) {
      numbers.push_back(i);
    }
    std::string requests;
    {
      json::ObjectWriter tables(requests);
      json::AppendArray(numbers, tables.Key(table), [&](std::size_t i) {
        const bool is_put = i < puts.size();
        json::ObjectWriter request(requests);
        json::ObjectWriter write(request.Name(is_put ? "PutRequest" : "DeleteRequest"));
        json::AppendItem(is_put ? puts[i] : deletes[i - puts.size()],
                         write.Name(is_put ? "Item" : "Key"));
      });
    }
    PJ_ASSIGN_OR_RETURN(const double used, SendBatch(std::move(requests)));
    units += used;
  }
  return units;
}

Result<double> TableRequests::SendConditional(const std::string& operation, const std::string& body) {
  const auto text = send_(operation, body);
  if (!text && text.error().code == ErrorCode::kConditionalCheckFailed) {
    return 0.0;
  }
  if (!text) {
    return text.error();
  }
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(*text));
  return client::ConsumedUnits(document.root());
}

Result<double> TableRequests::Update(const std::string& table, const ItemUpdate& update) {
  AttributeNames names;
  AttributeValues values;
  std::string set;
  std::string remove;
  std::string condition = "attribute_exists(#key)";
  const auto expect = [&](const std::string& name, const std::string& number) {
    if (!update.expected) {
      return;
    }
    const AttributeValue* value = update.expected->Find(name);
    if (value != nullptr) {
      values[":e" + number] = *value;
    }
    condition += value != nullptr ? " AND #n" + number + " = :e" + number
                                  : " AND attribute_not_exists(#n" + number + ")";
  };
  for (const auto& [name, value] : update.set) {
    const std::string number = std::to_string(names.size());
    set += (set.empty() ? "SET #n" : ", #n") + number + " = :v" + number;
    names["#n" + number] = name;
    values[":v" + number] = value;
    expect(name, number);
  }
  for (const std::string& name : update.remove) {
    const std::string number = std::to_string(names.size());
    remove += (remove.empty() ? "REMOVE #n" : ", #n") + number;
    names["#n" + number] = name;
    expect(name, number);
  }
  names["#key"] = update.key.begin()->first;
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table);
    json::AppendItem(update.key, object.Name("Key"));
    object.String("UpdateExpression", set + (set.empty() || remove.empty() ? "" : " ") + remove);
    object.String("ConditionExpression", condition);
    client::AppendExpressionNames(names, object);
    client::AppendExpressionValues(values, object);
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  return SendConditional("UpdateItem", body);
}

Result<double> TableRequests::PutNew(const std::string& table, const Item& key, const Item& item) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table);
    json::AppendItem(item, object.Name("Item"));
    object.String("ConditionExpression", "attribute_not_exists(#key)");
    client::AppendExpressionNames(AttributeNames{{"#key", key.begin()->first}}, object);
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  return SendConditional("PutItem", body);
}

Result<double> TableRequests::Delete(const std::string& table, const Item& key, const Item& expected) {
  AttributeNames names;
  AttributeValues values;
  std::string condition;
  for (const auto& [name, value] : expected) {
    // Expressions have at most 4 KB; an item that was written again differs in one of the first, or is the same.
    if (names.size() == kConditionAttributesMax) {
      break;
    }
    const std::string number = std::to_string(names.size());
    condition += (condition.empty() ? "#n" : " AND #n") + number + " = :e" + number;
    names["#n" + number] = name;
    values[":e" + number] = value;
  }
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table);
    json::AppendItem(key, object.Name("Key"));
    object.String("ConditionExpression", condition);
    client::AppendExpressionNames(names, object);
    client::AppendExpressionValues(values, object);
    object.String("ReturnConsumedCapacity", "TOTAL");
  }
  return SendConditional("DeleteItem", body);
}

Result<std::optional<TableRequests::TableFacts>> TableRequests::Describe(const std::string& table) {
  const auto text = send_("DescribeTable", client::TableNameJson(table));
  if (!text && text.error().code == ErrorCode::kResourceNotFound) {
    return std::optional<TableFacts>();
  }
  if (!text) {
    return text.error();
  }
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(*text));
  const auto described = document.root().Find("Table");
  if (!described) {
    return ValidationError("the answer of DescribeTable has no Table");
  }
  TableFacts facts;
  facts.status = TextOf(*described, "TableStatus");
  const auto count = described->Find("ItemCount");
  if (count && count->type() == json::Type::kInteger) {
    facts.items = count->number();
  }
  const auto indexes = described->Find("GlobalSecondaryIndexes");
  if (indexes && indexes->type() == json::Type::kArray) {
    for (const json::Value index : indexes->elements()) {
      facts.indexes.push_back(TextOf(index, "IndexName"));
      if (TextOf(index, "IndexStatus") != "ACTIVE") {
        facts.indexes_ready = false;
      }
    }
  }
  return std::optional(std::move(facts));
}

Status TableRequests::WaitFor(const std::string& table,
                       const std::function<bool(const std::optional<TableFacts>&)>& done) {
  for (int i = 0; i < kTableWaitsMax; ++i) {
    PJ_ASSIGN_OR_RETURN(const auto facts, Describe(table));
    if (done(facts)) {
      return {};
    }
    usleep(kPauseMicroseconds);
  }
  return TooLong("table " + table + " did not become ACTIVE within an hour");
}

Status TableRequests::Create(const model::Model& model, const model::Table& table) {
  const auto made =
      send_("CreateTable", client::CreateTableJson(model::MakeCreateTable(model, table)));
  if (!made && made.error().code != ErrorCode::kTableInUse) {
    return made.error();
  }
  return WaitFor(table.name.text, [](const std::optional<TableFacts>& facts) {
    return facts && facts->status == "ACTIVE" && facts->indexes_ready;
  });
}

Status TableRequests::Drop(const std::string& table) {
  const auto dropped = send_("DeleteTable", client::TableNameJson(table));
  if (!dropped && dropped.error().code != ErrorCode::kResourceNotFound &&
      dropped.error().code != ErrorCode::kTableInUse) {
    return dropped.error();
  }
  return WaitFor(table, [](const std::optional<TableFacts>& facts) { return !facts; });
}

Status TableRequests::AddIndex(const model::Model& model, const model::Table& table,
                        const std::string& index) {
  const std::string& name = table.name.text;
  PJ_ASSIGN_OR_RETURN(const auto before, Describe(name));
  if (before && std::ranges::find(before->indexes, index) == before->indexes.end()) {
    PJ_ASSIGN_OR_RETURN(
        const std::string body,
        AddIndexBody(client::CreateTableJson(model::MakeCreateTable(model, table)), name, index));
    PJ_RETURN_IF_ERROR(send_("UpdateTable", body));
  }
  return WaitFor(name, [&](const std::optional<TableFacts>& facts) {
    return facts && facts->status == "ACTIVE" && facts->indexes_ready;
  });
}

Status TableRequests::DropIndex(const std::string& table, const std::string& index) {
  const auto there = [&](const std::optional<TableFacts>& facts) {
    return facts && std::ranges::find(facts->indexes, index) != facts->indexes.end();
  };
  PJ_ASSIGN_OR_RETURN(const auto before, Describe(table));
  if (!there(before)) {
    return {};
  }
  std::string body = client::TableNameJson(table);
  body.insert(
      body.size() - 1, ",\"GlobalSecondaryIndexUpdates\":[{\"Delete\":" + [&] {
        std::string name;
        {
          json::ObjectWriter object(name);
          object.String("IndexName", index);
        }
        return name;
      }() + "}]");
  PJ_RETURN_IF_ERROR(send_("UpdateTable", body));
  return WaitFor(table, [&](const std::optional<TableFacts>& facts) { return !there(facts); });
}

}  // namespace prejoin::migrate
