#include "client/request_json.h"

#include "json/enum_names.h"
#include "json/item_json.h"

namespace prejoin::client {
namespace {

void AppendSchema(const KeySchema& schema, std::string& out) {
  json::AppendArray(schema, out, [&](const KeySchemaElement& element) {
    json::ObjectWriter object(out);
    object.String("AttributeName", element.attribute_name);
    object.String("KeyType", json::NameOf(json::kKeyTypeNames, element.key_type));
  });
}

void AppendStrings(const std::vector<std::string>& strings, std::string& out) {
  json::AppendArray(strings, out, [&](const std::string& text) { json::AppendString(text, out); });
}

void AppendIndexes(const std::vector<IndexSpecification>& indexes, std::string& out) {
  json::AppendArray(indexes, out, [&](const IndexSpecification& index) {
    json::ObjectWriter object(out);
    object.String("IndexName", index.index_name);
    AppendSchema(index.key_schema, object.Name("KeySchema"));
    if (!index.projection) {
      return;
    }
    json::ObjectWriter projection(object.Name("Projection"));
    if (index.projection->type) {
      projection.String("ProjectionType",
                        json::NameOf(json::kProjectionTypeNames, *index.projection->type));
    }
    if (index.projection->non_key_attributes) {
      AppendStrings(*index.projection->non_key_attributes, projection.Name("NonKeyAttributes"));
    }
  });
}

void AppendCapacity(ReturnConsumedCapacity wanted, json::ObjectWriter& object) {
  if (wanted == ReturnConsumedCapacity::kNone) {
    return;
  }
  object.String("ReturnConsumedCapacity", json::NameOf(json::kReturnConsumedCapacityNames, wanted));
}

void AppendText(std::string_view name, const std::optional<std::string>& text,
                json::ObjectWriter& object) {
  if (text) {
    object.String(name, *text);
  }
}

}  // namespace

void AppendExpressionNames(const std::optional<AttributeNames>& names, json::ObjectWriter& object) {
  if (!names || names->empty()) {
    return;
  }
  json::ObjectWriter members(object.Name("ExpressionAttributeNames"));
  for (const auto& [placeholder, name] : *names) {
    json::AppendString(name, members.Key(placeholder));
  }
}

void AppendExpressionValues(const std::optional<AttributeValues>& values,
                            json::ObjectWriter& object) {
  if (!values || values->empty()) {
    return;
  }
  json::ObjectWriter members(object.Name("ExpressionAttributeValues"));
  for (const auto& [placeholder, value] : *values) {
    json::AppendValue(value, members.Key(placeholder));
  }
}

std::string TableNameJson(const std::string& table) {
  std::string body;
  json::ObjectWriter(body).String("TableName", table);
  return body;
}

std::string CreateTableJson(const CreateTableInput& input) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", input.table_name);
    AppendSchema(input.key_schema, object.Name("KeySchema"));
    json::AppendArray(input.attribute_definitions, object.Name("AttributeDefinitions"),
                      [&](const AttributeDefinition& definition) {
                        json::ObjectWriter one(body);
                        one.String("AttributeName", definition.attribute_name);
                        one.String("AttributeType",
                                   json::NameOf(json::kScalarTypeNames, definition.type));
                      });
    if (input.billing_mode) {
      object.String("BillingMode", json::NameOf(json::kBillingModeNames, *input.billing_mode));
    }
    if (input.global_indexes) {
      AppendIndexes(*input.global_indexes, object.Name("GlobalSecondaryIndexes"));
    }
    if (input.local_indexes) {
      AppendIndexes(*input.local_indexes, object.Name("LocalSecondaryIndexes"));
    }
  }
  return body;
}

std::string GetItemJson(const GetItemInput& input) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", input.table_name);
    json::AppendItem(input.key, object.Name("Key"));
    if (input.consistent_read.value_or(false)) {
      object.Bool("ConsistentRead", true);
    }
    AppendText("ProjectionExpression", input.projection_expression, object);
    AppendExpressionNames(input.expression_attribute_names, object);
    AppendCapacity(input.return_consumed_capacity, object);
  }
  return body;
}

std::string BatchGetItemJson(const BatchGetItemInput& input) {
  std::string body;
  {
    json::ObjectWriter object(body);
    {
      json::ObjectWriter tables(object.Name("RequestItems"));
      for (const auto& [table, wanted] : input.request_items) {
        json::ObjectWriter request(tables.Key(table));
        json::AppendArray(wanted.keys, request.Name("Keys"),
                          [&](const Item& key) { json::AppendItem(key, body); });
        if (wanted.consistent_read.value_or(false)) {
          request.Bool("ConsistentRead", true);
        }
        AppendText("ProjectionExpression", wanted.projection_expression, request);
        AppendExpressionNames(wanted.expression_attribute_names, request);
      }
    }
    AppendCapacity(input.return_consumed_capacity, object);
  }
  return body;
}

std::string QueryJson(const QueryInput& input) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", input.table_name);
    AppendText("IndexName", input.index_name, object);
    AppendText("KeyConditionExpression", input.key_condition_expression, object);
    AppendText("FilterExpression", input.filter_expression, object);
    AppendText("ProjectionExpression", input.projection_expression, object);
    AppendExpressionNames(input.expression_attribute_names, object);
    AppendExpressionValues(input.expression_attribute_values, object);
    if (!input.scan_index_forward) {
      object.Bool("ScanIndexForward", false);
    }
    if (input.consistent_read.value_or(false)) {
      object.Bool("ConsistentRead", true);
    }
    if (input.limit) {
      object.Integer("Limit", *input.limit);
    }
    if (input.exclusive_start_key) {
      json::AppendItem(*input.exclusive_start_key, object.Name("ExclusiveStartKey"));
    }
    AppendCapacity(input.return_consumed_capacity, object);
  }
  return body;
}

}  // namespace prejoin::client
