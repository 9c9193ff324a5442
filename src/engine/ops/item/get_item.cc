#include <utility>

#include "engine/item/capacity.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "expr/evaluate.h"

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
  PJ_ASSIGN_OR_RETURN(const TablePtr table, engine.catalog().Find(input.table_name));
  PJ_RETURN_IF_ERROR(CheckKey(*table, input.key));
  if (projection) {
    for (const expr::Path& path : projection->paths) {
      PJ_RETURN_IF_ERROR(CheckKeyPath(*table, path));
    }
  }

  if (table->accesses != nullptr) {
    table->accesses->Count(input.key);
  }
  const std::string key = StoredKey(*table, input.key);
  PJ_ASSIGN_OR_RETURN(std::optional<std::string> stored, engine.store().Get(key));
  context.Saw(engine.store().NewestTicket(std::string_view(key).substr(0, storage::kRouteBytes)));

  GetItemOutput output;
  std::size_t size_bytes = 0;
  if (stored) {
    const Record record = DecodeRecord(*stored);
    size_bytes = record.size_bytes;
    output.item =
        StoredItem(projection ? Project(*projection, record.item()) : std::string(record.body));
  }
  if (input.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    CapacityMeter meter(*table, CapacityMeter::Kind::kRead);
    meter.AddTable(ReadUnits(size_bytes, input.consistent_read.value_or(false)
                                             ? Consistency::kStrong
                                             : Consistency::kEventual));
    output.consumed_capacity = meter.Report(input.return_consumed_capacity);
  }
  return output;
}

}  // namespace prejoin::engine
