#include <map>
#include <set>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/cancellation.h"
#include "engine/item/capacity.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "expr/evaluate.h"

namespace prejoin::engine {
namespace {

struct Read {
  TablePtr table;
  std::optional<expr::Projection> projection;
};

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
  std::vector<Read> reads(input.items.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    PJ_ASSIGN_OR_RETURN(reads[i].projection, ParseProjectionOf(input.items[i]));
  }
  std::vector<std::string> keys;
  std::set<std::string> seen;
  Cancellation cancellation(reads.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    PJ_ASSIGN_OR_RETURN(reads[i].table, engine.catalog().Find(input.items[i].table_name));
    if (const Status check = CheckKey(*reads[i].table, input.items[i].key); !check) {
      cancellation.Add(i, check.error());
      continue;
    }
    keys.push_back(StoredKey(*reads[i].table, input.items[i].key));
    if (!seen.insert(keys.back()).second) {
      return ValidationError("Transaction request cannot include multiple operations on one item");
    }
  }
  PJ_RETURN_IF_ERROR(std::move(cancellation).Finish());

  PJ_ASSIGN_OR_RETURN(const auto values, engine.store().GetTogether(keys));
  TransactGetItemsOutput output;
  std::map<std::string, CapacityMeter> meters;
  std::size_t answer_bytes = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    context.Saw(
        engine.store().NewestTicket(std::string_view(keys[i]).substr(0, storage::kRouteBytes)));
    std::size_t size_bytes = 0;
    auto& item = output.items.emplace_back();
    if (values[i]) {
      const Record record = DecodeRecord(*values[i]);
      size_bytes = record.size_bytes;
      item = StoredItem(reads[i].projection ? Project(*reads[i].projection, record.item())
                                            : std::string(record.body));
    }
    answer_bytes += size_bytes;
    if (!context.budget.ChargeWork(size_bytes)) {
      return OverBudget();
    }
    if (reads[i].table->accesses != nullptr) {
      reads[i].table->accesses->Count(input.items[i].key);
    }
    meters.try_emplace(reads[i].table->name(), *reads[i].table, CapacityMeter::Kind::kRead)
        .first->second.AddTable(ReadUnits(size_bytes, Consistency::kTransactional));
  }
  if (answer_bytes > kTransactionBytesMax) {
    return ValidationError("Collection size exceeds transaction limit of 4 MB");
  }
  for (const auto& [table_name, meter] : meters) {
    if (auto consumed = meter.Report(input.return_consumed_capacity)) {
      output.consumed_capacity.push_back(*std::move(consumed));
    }
  }
  return output;
}

}  // namespace prejoin::engine
