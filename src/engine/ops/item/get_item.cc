#include <utility>

#include "engine/item/item_read.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<GetItemOutput> GetItem(Engine& engine, RequestContext& context, const GetItemInput& input) {
  const std::initializer_list<Parameter> expressions = {
      {"ProjectionExpression", input.projection_expression.has_value(), false}};
  PJ_RETURN_IF_ERROR(
      CheckNotMixed(expressions, {{"AttributesToGet", input.attributes_to_get.has_value()}}));
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names), nullptr);
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions));
  PJ_ASSIGN_OR_RETURN(
      const auto projection,
      ParseReadProjection(input.projection_expression, input.attributes_to_get, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().FindToRead(input.table_name));
  PJ_ASSIGN_OR_RETURN(const ItemRead read,
                      PlanRead(context, std::move(table), input.key,
                               ConsistencyOf(input.consistent_read), projection));
  PJ_RETURN_IF_ERROR(CheckKeyPaths(*read.table, projection));

  CapacityMeter meter(*read.table, CapacityMeter::Kind::kRead);
  PJ_ASSIGN_OR_RETURN(FoundItem found, ReadItem(engine, context, read, meter));
  GetItemOutput output;
  if (found.stored) {
    output.item = Shown(projection, std::move(found));
  }
  output.consumed_capacity = meter.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace prejoin::engine
