#include <set>
#include <utility>

#include "engine/errors.h"
#include "engine/item/cancellation.h"
#include "engine/item/item_read.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

Result<std::optional<expr::Projection>> ParseProjectionOf(const TransactGet& get) {
  expr::Placeholders placeholders(PointerTo(get.expression_attribute_names), nullptr);
  PJ_RETURN_IF_ERROR(CheckPlaceholders(
      placeholders, {{"ProjectionExpression", get.projection_expression.has_value(), false}}));
  PJ_ASSIGN_OR_RETURN(auto projection,
                      ParseReadProjection(get.projection_expression, std::nullopt, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return projection;
}

}  // namespace

Result<TransactGetItemsOutput> TransactGetItems(Engine& engine, RequestContext& context,
                                                const TransactGetItemsInput& input) {
  std::vector<std::optional<expr::Projection>> projections;
  for (const TransactGet& get : input.items) {
    PJ_ASSIGN_OR_RETURN(projections.emplace_back(), ParseProjectionOf(get));
  }
  std::vector<ItemRead> reads;
  std::set<std::string> seen;
  Cancellation cancellation(input.items.size());
  for (std::size_t i = 0; i < input.items.size(); ++i) {
    PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().FindToRead(input.items[i].table_name));
    PJ_RETURN_IF_ERROR(CheckKeyPaths(*table, projections[i]));
    auto read = PlanRead(context, std::move(table), input.items[i].key, Consistency::kTransactional,
                         projections[i]);
    if (!read) {
      cancellation.Add(i, read.error());
      continue;
    }
    if (!seen.insert(read->stored_key).second) {
      return SeveralOnOneItem();
    }
    reads.push_back(*std::move(read));
  }
  PJ_RETURN_IF_ERROR(std::move(cancellation).Finish());

  TableMeters meters(CapacityMeter::Kind::kRead);
  PJ_ASSIGN_OR_RETURN(std::vector<FoundItem> found,
                      ReadItemsTogether(engine, context, reads, meters));
  TransactGetItemsOutput output;
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto& item = output.items.emplace_back();
    if (found[i].stored) {
      item = Shown(projections[i], std::move(found[i]));
      // Unlike in GetItem, an answer without attributes counts as none here (captured, 2026).
      if (ItemView(item->body()).empty()) {
        item.reset();
      }
    }
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace prejoin::engine
