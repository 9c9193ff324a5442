#include "audit/fix_request.h"

#include "client/request_json.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "model/prove/backend.h"

namespace prejoin::audit {
namespace {

constexpr std::size_t kComparedMax = 50;  // An expression is at most 4 KB long.

// Every attribute that the change touches still has its old value.
model::WriteCondition Unchanged(const Item& key, const Item& old_item, const Item& new_item) {
  model::WriteCondition condition;
  int next = 0;
  const auto require = [&](const std::string& name, const AttributeValue* value) {
    const std::string number = std::to_string(next++);
    condition.names["#c" + number] = name;
    if (!condition.text.empty()) {
      condition.text += " AND ";
    }
    if (value == nullptr) {
      condition.text += "attribute_not_exists(#c" + number + ")";
      return;
    }
    condition.values[":c" + number] = *value;
    condition.text += "#c" + number + " = :c" + number;
  };
  for (const auto& [name, value] : new_item) {
    const AttributeValue* old_value = old_item.Find(name);
    if (key.Find(name) != nullptr || (old_value != nullptr && *old_value == value)) {
      continue;
    }
    require(name, old_value);
  }
  for (const auto& [name, value] : old_item) {
    if (key.Find(name) == nullptr && new_item.Find(name) == nullptr) {
      require(name, &value);
    }
  }
  return condition;
}

void AppendTable(const std::string& table, json::ObjectWriter& object) {
  json::AppendString(table, object.Name("TableName"));
}

// attribute_exists or attribute_not_exists of the key's first attribute.
void AppendPresence(const Item& key, const char* function, json::ObjectWriter& object) {
  object.String("ConditionExpression", std::string(function) + "(#k)");
  client::AppendExpressionNames(AttributeNames{{"#k", key.begin()->first}}, object);
}

std::string PutBody(const std::string& table, const Item& key, const Item& item) {
  std::string body;
  {
    json::ObjectWriter object(body);
    AppendTable(table, object);
    json::AppendItem(item, object.Name("Item"));
    AppendPresence(key, "attribute_not_exists", object);
  }
  return body;
}

std::string DeleteBody(const std::string& table, const Item& key) {
  std::string body;
  {
    json::ObjectWriter object(body);
    AppendTable(table, object);
    json::AppendItem(key, object.Name("Key"));
    AppendPresence(key, "attribute_exists", object);
  }
  return body;
}

// Deletes an item that another takes the place of, so none of its attributes may have changed.
std::string ReplaceBody(const std::string& table, const Item& key, const Item& item) {
  Item compared;
  for (const auto& [name, value] : item) {
    if (compared.size() < kComparedMax && key.Find(name) == nullptr) {
      compared.Set(name, value);
    }
  }
  if (compared.empty()) {
    return DeleteBody(table, key);
  }
  const model::WriteCondition condition = Unchanged(key, compared, {});
  std::string body;
  {
    json::ObjectWriter object(body);
    AppendTable(table, object);
    json::AppendItem(key, object.Name("Key"));
    object.String("ConditionExpression", condition.text);
    client::AppendExpressionNames(condition.names, object);
    client::AppendExpressionValues(condition.values, object);
  }
  return body;
}

}  // namespace

Fix PutNewItem(const std::string& table, const Item& key, const Item& item) {
  return {"PutItem", PutBody(table, key, item)};
}

Fix DeleteStored(const std::string& table, const Item& key) {
  return {"DeleteItem", DeleteBody(table, key)};
}

Fix ChangeItem(const std::string& table, const Item& old_key, const Item& new_key,
               const Item& old_item, const Item& new_item) {
  if (!(old_key == new_key)) {
    return {"TransactWriteItems",
            "{\"TransactItems\":[{\"Put\":" + PutBody(table, new_key, new_item) +
                "},{\"Delete\":" + ReplaceBody(table, old_key, old_item) + "}]}"};
  }
  model::UpdateExpression update = model::MakeUpdate(old_key, old_item, new_item);
  const model::WriteCondition condition = Unchanged(old_key, old_item, new_item);
  update.names.insert(condition.names.begin(), condition.names.end());
  update.values.insert(condition.values.begin(), condition.values.end());
  std::string body;
  {
    json::ObjectWriter object(body);
    AppendTable(table, object);
    json::AppendItem(old_key, object.Name("Key"));
    object.String("UpdateExpression", update.text);
    object.String("ConditionExpression", condition.text);
    client::AppendExpressionNames(update.names, object);
    client::AppendExpressionValues(update.values, object);
  }
  return {"UpdateItem", std::move(body)};
}

}  // namespace prejoin::audit
