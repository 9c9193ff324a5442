#include <set>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/item_read.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

// Beside its own bytes, in an answer: {"NULL":true} and a comma, twice, because the text of an
// answer doubles as it grows.
constexpr std::size_t kAnswerBytesOfValue = 28;

// The items of one table to read.
struct TableReads {
  const KeysAndAttributes* request = nullptr;
  std::optional<expr::Projection> projection;
  std::vector<ItemRead> items;
};

Result<std::optional<expr::Projection>> ParseProjectionOf(const KeysAndAttributes& request) {
  const std::initializer_list<Parameter> expressions = {
      {"ProjectionExpression", request.projection_expression.has_value(), false}};
  PJ_RETURN_IF_ERROR(
      CheckNotMixed(expressions, {{"AttributesToGet", request.attributes_to_get.has_value()}}));
  expr::Placeholders placeholders(PointerTo(request.expression_attribute_names), nullptr);
  PJ_RETURN_IF_ERROR(CheckPlaceholders(placeholders, expressions));
  PJ_ASSIGN_OR_RETURN(
      auto projection,
      ParseReadProjection(request.projection_expression, request.attributes_to_get, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return projection;
}

// No key twice, and no more keys in all than one call may have. Needs no table.
Status CheckDifferent(const KeysAndAttributes& request, std::size_t& key_count) {
  std::set<std::string> seen;
  for (const Item& key : request.keys) {
    if (!seen.insert(EncodeItem(key)).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
    if (++key_count > kBatchGetKeysMax) {
      return ValidationError("Too many items requested for the BatchGetItem call");
    }
  }
  return {};
}

Status PlanItems(const TablePtr& table, TableReads& reads) {
  const Consistency consistency = ConsistencyOf(reads.request->consistent_read);
  reads.items.reserve(reads.request->keys.size());
  for (const Item& key : reads.request->keys) {
    PJ_ASSIGN_OR_RETURN(ItemRead read, PlanRead(table, key, consistency));
    reads.items.push_back(std::move(read));
  }
  return CheckKeyPaths(*table, reads.projection);
}

// False: the budget is used up.
bool Charge(std::size_t read_bytes, const StoredItem& shown, RequestBudget& budget) {
  const bool has_room = budget.ChargeMemory(
      3 * shown.body().size() + kAnswerBytesOfValue * ValueCount(ItemView(shown.body())));
  return budget.ChargeWork(read_bytes) && has_room;
}

// Puts off the keys from `first` on: the answer has grown to its limit.
void LeaveUnprocessed(const std::string& table_name, const TableReads& reads, std::size_t first,
                      BatchGetItemOutput& output) {
  KeysAndAttributes rest = *reads.request;
  rest.keys.erase(rest.keys.begin(), rest.keys.begin() + static_cast<std::ptrdiff_t>(first));
  output.unprocessed_keys[table_name] = std::move(rest);
}

}  // namespace

Result<BatchGetItemOutput> BatchGetItem(Engine& engine, RequestContext& context,
                                        const BatchGetItemInput& input) {
  std::vector<TableReads> all;
  std::size_t key_count = 0;
  for (const auto& [table_name, request] : input.request_items) {
    TableReads reads;
    reads.request = &request;
    PJ_ASSIGN_OR_RETURN(reads.projection, ParseProjectionOf(request));
    PJ_RETURN_IF_ERROR(CheckDifferent(request, key_count));
    all.push_back(std::move(reads));
  }
  std::vector<TablePtr> tables;
  for (const auto& [table_name, request] : input.request_items) {
    PJ_ASSIGN_OR_RETURN(const TablePtr table, engine.catalog().Find(table_name));
    PJ_RETURN_IF_ERROR(PlanItems(table, all[tables.size()]));
    tables.push_back(table);
  }

  BatchGetItemOutput output;
  TableMeters meters(CapacityMeter::Kind::kRead);
  std::size_t bytes_left = kBatchGetBytesMax;
  for (std::size_t which = 0; which < all.size(); ++which) {
    const TableReads& reads = all[which];
    const std::string& table_name = tables[which]->name();
    CapacityMeter& meter = meters.Of(tables[which]);
    std::vector<StoredItem>& items = output.responses[table_name];
    for (std::size_t i = 0; i < reads.items.size(); ++i) {
      std::optional<FoundItem> found;
      if (bytes_left > 0) {
        PJ_ASSIGN_OR_RETURN(found, ReadItem(engine, context, reads.items[i], meter, bytes_left));
      }
      if (!found) {
        LeaveUnprocessed(table_name, reads, i, output);
        bytes_left = 0;
        break;
      }
      if (found->stored) {
        items.push_back(Shown(reads.projection, found->record().item()));
        bytes_left -= found->size_bytes();
        if (!Charge(found->size_bytes(), items.back(), context.budget)) {
          if (context.budget.is_trial()) {
            return OverBudget();
          }
          bytes_left = 0;  // The next key is put off.
        }
      }
    }
  }
  output.consumed_capacity = meters.Report(input.return_consumed_capacity);
  return output;
}

}  // namespace prejoin::engine
