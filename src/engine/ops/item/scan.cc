#include <utility>

#include "base/limits.h"
#include "engine/item/keys.h"
#include "engine/item/page_read.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/reworded_texts.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"
#include "expr/legacy.h"

namespace prejoin::engine {
namespace {

Status CheckSegments(const ScanInput& input, Texts texts) {
  if (input.total_segments && !input.segment) {
    return ValidationError(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is "
        "present");
  }
  if (input.segment && !input.total_segments) {
    return ValidationError(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is "
        "present");
  }
  if (input.segment && *input.segment >= *input.total_segments) {
    return ValidationError(
        Reworded(texts, Rewording::kScanSegmentRange,
                 {std::to_string(*input.segment), std::to_string(*input.total_segments)}));
  }
  return {};
}

Status CheckSelectOf(const ScanInput& input, Texts texts) {
  const bool has_projection =
      input.projection_expression.has_value() || input.attributes_to_get.has_value();
  if (input.select == Select::kSpecificAttributes && !has_projection) {
    return ValidationError(Reworded(texts, Rewording::kScanSpecificAttributes));
  }
  return CheckSelect({.select = input.select,
                      .has_projection_expression = input.projection_expression.has_value(),
                      .has_attributes_to_get = input.attributes_to_get.has_value(),
                      .has_index = input.index_name.has_value()});
}

Status ParseExpressions(const ScanInput& input, Texts texts, PageRead& read) {
  const std::initializer_list<Parameter> expressions = {
      {"ProjectionExpression", input.projection_expression.has_value(), false},
      {"FilterExpression", input.filter_expression.has_value()}};
  PJ_RETURN_IF_ERROR(CheckNotMixed(
      expressions, {{"AttributesToGet", input.attributes_to_get.has_value()},
                    {"ScanFilter", input.scan_filter.has_value()},
                    {"ConditionalOperator", input.conditional_operator.has_value()}}));
  PJ_RETURN_IF_ERROR(
      CheckOperatorHasUse(input.conditional_operator.has_value(), input.scan_filter.has_value()));
  if (input.scan_filter) {
    PJ_ASSIGN_OR_RETURN(read.filter,
                        expr::FromFilter(*input.scan_filter, input.conditional_operator));
  }
  PJ_RETURN_IF_ERROR(CheckSegments(input, texts));
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names),
                                  PointerTo(input.expression_attribute_values));
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions));
  PJ_RETURN_IF_ERROR(CheckSelectOf(input, texts));
  if (input.filter_expression) {
    PJ_ASSIGN_OR_RETURN(read.filter, ParseCondition(expr::ConditionKind::kFilter,
                                                    *input.filter_expression, placeholders));
  }
  PJ_ASSIGN_OR_RETURN(read.projection, ParseReadProjection(input.projection_expression,
                                                           input.attributes_to_get, placeholders));
  return placeholders.CheckAllUsed();
}

// Segments cut the range of partition hashes into equal parts, so that together they cover every
// item once.
storage::Range SegmentRange(std::uint32_t space, std::int64_t segment,
                            std::int64_t total_segments) {
  const auto bound = [&](std::int64_t at) {
    std::string key = SpaceKey(space, "");
    AppendUint32(static_cast<std::uint32_t>((at << 32) / total_segments), key);
    return key;
  };
  return {.begin = bound(segment),
          .end = segment + 1 < total_segments ? bound(segment + 1) : SpaceRange(space).end};
}

Status Resume(const ScanInput& input, Texts texts, PageRead& read) {
  if (!input.exclusive_start_key) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(const std::string start_key,
                      StartKey(*read.table, read.index, *input.exclusive_start_key,
                               Reworded(texts, Rewording::kScanStartKey)));
  if (start_key < read.range.begin || start_key >= read.range.end) {
    return ValidationError(
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
        "ExclusiveStartKey with correct "
        "Segment. TotalSegments: " +
        std::to_string(input.total_segments.value_or(1)) +
        " Segment: " + std::to_string(input.segment.value_or(0)));
  }
  ResumeAfter(start_key, read.range);
  return {};
}

}  // namespace

Result<ScanOutput> Scan(Engine& engine, RequestContext& context, const ScanInput& input) {
  PageRead read;
  const Texts texts = engine.options().texts;
  PJ_RETURN_IF_ERROR(ParseExpressions(input, texts, read));
  PJ_ASSIGN_OR_RETURN(read.table, engine.catalog().FindToRead(input.table_name));
  PJ_ASSIGN_OR_RETURN(
      read.index, FindIndexToRead(*read.table, input.index_name, input.consistent_read, "Scan"));
  read.limit = input.limit;
  read.consistency = ConsistencyOf(input.consistent_read);
  PJ_RETURN_IF_ERROR(ResolveSelect(input.select, read));
  read.range = SegmentRange(read.index ? read.index->space : read.table->space,
                            input.segment.value_or(0), input.total_segments.value_or(1));
  PJ_RETURN_IF_ERROR(Resume(input, texts, read));
  PJ_RETURN_IF_ERROR(CheckKeyPaths(read));
  return ReadPage(engine, context, read, input.return_consumed_capacity);
}

}  // namespace prejoin::engine
