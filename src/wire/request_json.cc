#include "wire/request_json.h"

#include "wire/enum_names.h"
#include "wire/item_json.h"

namespace prejoin::wire {
namespace {

void AppendSchema(const KeySchema& schema, std::string& out) {
  AppendJsonArray(schema, out, [&](const KeySchemaElement& element) {
    ObjectWriter object(out);
    object.String("AttributeName", element.attribute_name);
    object.String("KeyType", NameOf(kKeyTypeNames, element.key_type));
  });
}

void AppendStrings(const std::vector<std::string>& strings, std::string& out) {
  AppendJsonArray(strings, out, [&](const std::string& text) { AppendJsonString(text, out); });
}

void AppendIndexes(const std::vector<IndexSpecification>& indexes, std::string& out) {
  AppendJsonArray(indexes, out, [&](const IndexSpecification& index) {
    ObjectWriter object(out);
    object.String("IndexName", index.index_name);
    AppendSchema(index.key_schema, object.Name("KeySchema"));
    if (!index.projection) return;
    ObjectWriter projection(object.Name("Projection"));
    if (index.projection->type)
      projection.String("ProjectionType", NameOf(kProjectionTypeNames, *index.projection->type));
    if (index.projection->non_key_attributes)
      AppendStrings(*index.projection->non_key_attributes, projection.Name("NonKeyAttributes"));
  });
}

void AppendCapacity(ReturnConsumedCapacity wanted, ObjectWriter& object) {
  if (wanted == ReturnConsumedCapacity::kNone) return;
  object.String("ReturnConsumedCapacity", NameOf(kReturnConsumedCapacityNames, wanted));
}

void AppendText(std::string_view name, const std::optional<std::string>& text,
                ObjectWriter& object) {
  if (text) object.String(name, *text);
}

}  // namespace

void AppendExpressionNames(const std::optional<AttributeNames>& names, ObjectWriter& object) {
  if (!names || names->empty()) return;
  ObjectWriter members(object.Name("ExpressionAttributeNames"));
  for (const auto& [placeholder, name] : *names) AppendJsonString(name, members.Key(placeholder));
}

void AppendExpressionValues(const std::optional<AttributeValues>& values, ObjectWriter& object) {
  if (!values || values->empty()) return;
  ObjectWriter members(object.Name("ExpressionAttributeValues"));
  for (const auto& [placeholder, value] : *values) AppendValue(value, members.Key(placeholder));
}

std::string CreateTableJson(const CreateTableInput& input) {
  std::string body;
  {
    ObjectWriter object(body);
    object.String("TableName", input.table_name);
    AppendSchema(input.key_schema, object.Name("KeySchema"));
    AppendJsonArray(input.attribute_definitions, object.Name("AttributeDefinitions"),
                    [&](const AttributeDefinition& definition) {
                      ObjectWriter one(body);
                      one.String("AttributeName", definition.attribute_name);
                      one.String("AttributeType", NameOf(kScalarTypeNames, definition.type));
                    });
    if (input.billing_mode)
      object.String("BillingMode", NameOf(kBillingModeNames, *input.billing_mode));
    if (input.global_indexes)
      AppendIndexes(*input.global_indexes, object.Name("GlobalSecondaryIndexes"));
    if (input.local_indexes)
      AppendIndexes(*input.local_indexes, object.Name("LocalSecondaryIndexes"));
  }
  return body;
}

std::string GetItemJson(const GetItemInput& input) {
  std::string body;
  {
    ObjectWriter object(body);
    object.String("TableName", input.table_name);
    AppendItem(input.key, object.Name("Key"));
    if (input.consistent_read.value_or(false)) object.Bool("ConsistentRead", true);
    AppendText("ProjectionExpression", input.projection_expression, object);
    AppendExpressionNames(input.expression_attribute_names, object);
    AppendCapacity(input.return_consumed_capacity, object);
  }
  return body;
}

std::string BatchGetItemJson(const BatchGetItemInput& input) {
  std::string body;
  {
    ObjectWriter object(body);
    {
      ObjectWriter tables(object.Name("RequestItems"));
      for (const auto& [table, wanted] : input.request_items) {
        ObjectWriter request(tables.Key(table));
        AppendJsonArray(wanted.keys, request.Name("Keys"),
                        [&](const Item& key) { AppendItem(key, body); });
        if (wanted.consistent_read.value_or(false)) request.Bool("ConsistentRead", true);
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
    ObjectWriter object(body);
    object.String("TableName", input.table_name);
    AppendText("IndexName", input.index_name, object);
    AppendText("KeyConditionExpression", input.key_condition_expression, object);
    AppendText("FilterExpression", input.filter_expression, object);
    AppendText("ProjectionExpression", input.projection_expression, object);
    AppendExpressionNames(input.expression_attribute_names, object);
    AppendExpressionValues(input.expression_attribute_values, object);
    if (!input.scan_index_forward) object.Bool("ScanIndexForward", false);
    if (input.consistent_read.value_or(false)) object.Bool("ConsistentRead", true);
    if (input.limit) object.Integer("Limit", *input.limit);
    if (input.exclusive_start_key)
      AppendItem(*input.exclusive_start_key, object.Name("ExclusiveStartKey"));
    AppendCapacity(input.return_consumed_capacity, object);
  }
  return body;
}

}  // namespace prejoin::wire
