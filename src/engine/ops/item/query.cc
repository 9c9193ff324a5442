#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/item_access.h"
#include "engine/item/key_range.h"
#include "engine/item/keys.h"
#include "engine/item/page_read.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "expr/faults.h"
#include "expr/key_condition.h"
#include "expr/legacy.h"
#include "expr/paths.h"

namespace prejoin::engine {
namespace {

// KeyConditions may be beside expressions that are no key condition.
Status CheckParameters(const QueryInput& input, const expr::Placeholders& placeholders) {
  const std::initializer_list<Parameter> expressions = {
      {"ProjectionExpression", input.projection_expression.has_value(), false},
      {"FilterExpression", input.filter_expression.has_value()},
      {"KeyConditionExpression", input.key_condition_expression.has_value()}};
  PJ_RETURN_IF_ERROR(CheckNotMixed(
      expressions, {{"AttributesToGet", input.attributes_to_get.has_value()},
                    {"QueryFilter", input.query_filter.has_value()},
                    {"ConditionalOperator", input.conditional_operator.has_value()},
                    {"KeyConditions", input.key_conditions.has_value() &&
                                          input.key_condition_expression.has_value()}}));
  PJ_RETURN_IF_ERROR(
      CheckOperatorHasUse(input.conditional_operator.has_value(), input.query_filter.has_value()));
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions));
  if (!input.key_condition_expression && !input.key_conditions) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  return InEnvelope(
      CheckSelect({.select = input.select,
                   .has_projection_expression = input.projection_expression.has_value(),
                   .has_attributes_to_get = input.attributes_to_get.has_value(),
                   .has_index = input.index_name.has_value()}));
}

struct QueryExpressions {
  std::optional<expr::Condition> key_condition;  // Nullopt: the request has KeyConditions.
  std::optional<expr::Condition> filter;
  std::optional<expr::Projection> projection;
};

Result<QueryExpressions> ParseExpressions(const QueryInput& input) {
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names),
                                  PointerTo(input.expression_attribute_values));
  PJ_RETURN_IF_ERROR(CheckParameters(input, placeholders));
  QueryExpressions parsed;
  if (input.query_filter) {
    PJ_ASSIGN_OR_RETURN(parsed.filter,
                        expr::FromFilter(*input.query_filter, input.conditional_operator));
  }
  if (input.key_condition_expression) {
    PJ_ASSIGN_OR_RETURN(parsed.key_condition,
                        ParseCondition(expr::ConditionKind::kKeyCondition,
                                       *input.key_condition_expression, placeholders));
  }
  if (input.filter_expression) {
    PJ_ASSIGN_OR_RETURN(parsed.filter, ParseCondition(expr::ConditionKind::kFilter,
                                                      *input.filter_expression, placeholders));
  }
  PJ_ASSIGN_OR_RETURN(
      parsed.projection,
      ParseReadProjection(input.projection_expression, input.attributes_to_get, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  // DynamoDB complains about the syntax of all expressions before it does about a key condition.
  PJ_RETURN_IF_ERROR(parsed.key_condition ? CheckKeyCondition(*parsed.key_condition)
                                          : expr::CheckKeyConditions(*input.key_conditions));
  return parsed;
}

// Keys are for the key condition: a filter on them is a mistake that DynamoDB names.
Status CheckFilterHasNoKeys(const expr::Condition& filter, const KeyAttributes& keys, bool legacy) {
  std::string key_name;
  ForEachPath(filter, [&](const expr::Path& path) {
    const std::string& name = TopLevelName(path);
    for (const auto& key : keys) {
      if (key_name.empty() && key.name == name) {
        key_name = name;
      }
    }
  });
  if (key_name.empty()) {
    return {};
  }
  return ValidationError(
      std::string(legacy ? "QueryFilter" : "Filter Expression") +
      " can only contain non-primary key attributes: Primary key attribute: " + key_name);
}

KeyType KeyTypeOf(const PageRead& read, const std::string& name) {
  const KeyAttributes& keys = read.index ? read.index->keys : read.table->keys;
  return std::ranges::find(keys, name, &expr::KeyAttribute::name)->key_type;
}

Status Resume(const QueryInput& input, const expr::KeyCondition& key_condition, PageRead& read) {
  if (!input.exclusive_start_key) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(const std::string start_key,
                      StartKey(*read.table, read.index, *input.exclusive_start_key,
                               "The provided starting key is invalid"));
  if (FindsOneItem(read)) {
    const std::string& name = read.table->keys[0].name;
    return ValidationError("The provided exclusive start key is invalid: ExclusiveStartKey: {" +
                           name + "=" +
                           expr::DescribeValue(*input.exclusive_start_key->Find(name)) + "}");
  }
  if (start_key < read.range.begin || start_key >= read.range.end) {
    const bool same_partition =
        std::ranges::all_of(key_condition.terms, [&](const expr::KeyTerm& term) {
          return KeyTypeOf(read, term.attribute_name) == KeyType::kRange ||
                 *input.exclusive_start_key->Find(term.attribute_name) == term.value;
        });
    return ValidationError(
        same_partition
            ? "The provided starting key does not match the range key predicate"
            : "The provided starting key is outside query boundaries based on provided conditions");
  }
  ResumeAfter(start_key, read.range);
  return {};
}

}  // namespace

Result<QueryOutput> Query(Engine& engine, RequestContext& context, const QueryInput& input) {
  PJ_ASSIGN_OR_RETURN(QueryExpressions parsed, ParseExpressions(input));
  PageRead read;
  PJ_ASSIGN_OR_RETURN(read.table, engine.catalog().FindToRead(input.table_name));
  PJ_ASSIGN_OR_RETURN(
      read.index, FindIndexToRead(*read.table, input.index_name, input.consistent_read, "Query"));
  const KeyAttributes& keys = read.index ? read.index->keys : read.table->keys;
  PJ_ASSIGN_OR_RETURN(const expr::KeyCondition key_condition,
                      parsed.key_condition ? ExtractKeyCondition(*parsed.key_condition, keys)
                                           : ExtractKeyCondition(*input.key_conditions, keys));
  for (const expr::KeyTerm& term : key_condition.terms) {
    PJ_RETURN_IF_ERROR(CheckNotEmpty(term.attribute_name, term.value));
  }
  if (parsed.filter) {
    PJ_RETURN_IF_ERROR(CheckFilterHasNoKeys(*parsed.filter, keys, input.query_filter.has_value()));
  }
  read.filter = std::move(parsed.filter);
  read.projection = std::move(parsed.projection);
  read.limit = input.limit;
  read.consistency = ConsistencyOf(input.consistent_read);
  if (read.index != nullptr && read.filter) {
    const expr::Condition* filter = &*read.filter;
    PJ_RETURN_IF_ERROR(CheckFilterProjected(*read.index, {&filter, 1}));
  }
  PJ_RETURN_IF_ERROR(ResolveSelect(input.select, read));
  read.range = KeyRange(read.index ? read.index->space : read.table->space, keys, key_condition);
  read.range.direction =
      input.scan_index_forward ? storage::Direction::kForward : storage::Direction::kBackward;
  read.is_query = true;
  if (context.access != nullptr) {
    read.leading_keys = {LeadingKeyText(key_condition.terms.front().value)};
    for (std::size_t i = 1; i < keys.size() && keys[i].key_type == KeyType::kHash; ++i) {
      read.further_keys.push_back(LeadingKeyText(key_condition.terms[i].value));
    }
  }
  PJ_RETURN_IF_ERROR(Resume(input, key_condition, read));
  PJ_RETURN_IF_ERROR(CheckKeyPaths(read));
  PJ_ASSIGN_OR_RETURN(QueryOutput output,
                      ReadPage(engine, context, read, input.return_consumed_capacity));
  if (FindsOneItem(read)) {
    output.last_evaluated_key.reset();
  }
  return output;
}

}  // namespace prejoin::engine
