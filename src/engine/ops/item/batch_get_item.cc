#include <set>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/capacity.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "expr/evaluate.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

// Beside its own bytes, in an answer: {"NULL":true} and a comma.
constexpr std::size_t kAnswerBytesOfValue = 14;

// The keys of one table, checked.
struct TableReads {
  TablePtr table;
  const KeysAndAttributes* request = nullptr;
  std::optional<expr::Projection> projection;
  std::vector<std::string> stored_keys;
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

// Whatever the table's keys are: no key twice, and no more keys in all than one call may have.
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

Status CheckKeys(TableReads& reads) {
  reads.stored_keys.reserve(reads.request->keys.size());
  for (const Item& key : reads.request->keys) {
    PJ_RETURN_IF_ERROR(CheckKey(*reads.table, key));
    reads.stored_keys.push_back(StoredKey(*reads.table, key));
  }
  if (reads.projection) {
    for (const expr::Path& path : reads.projection->paths) {
      PJ_RETURN_IF_ERROR(CheckKeyPath(*reads.table, path));
    }
  }
  return {};
}

// Puts off the keys from `first` on: the answer has grown to its limit.
void LeaveUnprocessed(const TableReads& reads, std::size_t first, BatchGetItemOutput& output) {
  KeysAndAttributes rest = *reads.request;
  rest.keys.erase(rest.keys.begin(), rest.keys.begin() + static_cast<std::ptrdiff_t>(first));
  output.unprocessed_keys[reads.table->name()] = std::move(rest);
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
  std::size_t which = 0;
  for (const auto& [table_name, request] : input.request_items) {
    PJ_ASSIGN_OR_RETURN(all[which].table, engine.catalog().Find(table_name));
    PJ_RETURN_IF_ERROR(CheckKeys(all[which]));
    ++which;
  }

  BatchGetItemOutput output;
  std::size_t answer_bytes = 0;
  for (const TableReads& reads : all) {
    const Consistency consistency = reads.request->consistent_read.value_or(false)
                                        ? Consistency::kStrong
                                        : Consistency::kEventual;
    CapacityMeter meter(*reads.table, CapacityMeter::Kind::kRead);
    std::vector<StoredItem>& items = output.responses[reads.table->name()];
    for (std::size_t i = 0; i < reads.stored_keys.size(); ++i) {
      if (answer_bytes >= kBatchGetBytesMax) {
        LeaveUnprocessed(reads, i, output);
        break;
      }
      const std::string& key = reads.stored_keys[i];
      PJ_ASSIGN_OR_RETURN(const std::optional<std::string> stored, engine.store().Get(key));
      context.Saw(
          engine.store().NewestTicket(std::string_view(key).substr(0, storage::kRouteBytes)));
      std::size_t size_bytes = 0;
      if (stored) {
        const Record record = DecodeRecord(*stored);
        size_bytes = record.size_bytes;
        if (answer_bytes + size_bytes > kBatchGetBytesMax) {
          LeaveUnprocessed(reads, i, output);
          answer_bytes = kBatchGetBytesMax;
          break;
        }
        items.emplace_back(reads.projection ? Project(*reads.projection, record.item())
                                            : std::string(record.body));
        answer_bytes += size_bytes;
        const std::string_view body = items.back().body();
        const bool has_room = context.budget.ChargeMemory(
            2 * body.size() + kAnswerBytesOfValue * ValueCount(ItemView(body)));
        if (!context.budget.ChargeWork(size_bytes) || !has_room) {
          if (context.budget.is_trial()) {
            return OverBudget();
          }
          answer_bytes = kBatchGetBytesMax;  // The next key is put off.
        }
      }
      meter.AddTable(ReadUnits(size_bytes, consistency));
      if (reads.table->accesses != nullptr) {
        reads.table->accesses->Count(reads.request->keys[i]);
      }
    }
    if (auto consumed = meter.Report(input.return_consumed_capacity)) {
      output.consumed_capacity.push_back(*std::move(consumed));
    }
  }
  return output;
}

}  // namespace prejoin::engine
