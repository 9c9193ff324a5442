#include "engine/item/item_read.h"

#include <string_view>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/cancellation.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/physics/physics.h"
#include "engine/physics/replicas.h"
#include "expr/evaluate.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

// Beside its own bytes, in an answer: {"NULL":true} and a comma, twice, because the text of an
// answer doubles as it grows.
constexpr std::size_t kAnswerBytesOfValue = 28;

// Only a read that is answered is charged, and only one that is not throttled.
Status Account(Engine& engine, RequestContext& context, const ItemRead& read,
               const FoundItem& found, CapacityMeter& meter) {
  context.Saw(engine.store().NewestTicket(
      std::string_view(read.stored_key).substr(0, storage::kRouteBytes)));
  const Status admitted = engine.physics() != nullptr && !read.unmetered
                              ? TakeRead(*engine.physics(), context, CostOf(read, found))
                              : Status();
  if (read.counted_key && admitted) {
    read.table->accesses->Count(*read.counted_key, CostOf(read, found).units,
                                engine.clock().NowMs());
  } else if (read.counted_key) {
    read.table->accesses->CountThrottle(*read.counted_key, engine.clock().NowMs());
  }
  PJ_RETURN_IF_ERROR(admitted);
  meter.AddTable(ReadUnits(found.size_bytes(), read.consistency));
  return {};
}

}  // namespace

ReadCost CostOf(const ItemRead& read, const FoundItem& found) {
  return {.table = read.table,
          .stored_key = read.stored_key,
          .units = ReadUnits(found.size_bytes(), read.consistency),
          .consistency = read.consistency};
}

Result<ItemRead> PlanRead(const RequestContext& context, TablePtr table, const Item& key,
                          Consistency consistency,
                          const std::optional<expr::Projection>& projection) {
  PJ_RETURN_IF_ERROR(CheckKey(*table, key));
  ItemRead read;
  read.stored_key = StoredKey(*table, key);
  if (table->accesses != nullptr) {
    read.counted_key = std::make_unique<const Item>(key);
  }
  read.consistency = consistency;
  read.table = std::move(table);
  if (context.access != nullptr) {
    read.terms = TermsOfRead(*read.table, key, projection);
  }
  return read;
}

Result<FoundItem> ReadItem(Engine& engine, RequestContext& context, const ItemRead& read,
                           CapacityMeter& meter, std::size_t bytes_max) {
  if (context.access != nullptr && !read.covered) {
    PJ_RETURN_IF_ERROR(CheckAccess(context, *read.table, read.terms));
  }
  FoundItem found;
  PJ_ASSIGN_OR_RETURN(found.stored, engine.store().Get(read.stored_key));
  if (engine.replicas() != nullptr && read.consistency == Consistency::kEventual &&
      !read.unmetered) {
    if (auto older = engine.replicas()->Read(read.stored_key)) {
      found.stored = *std::move(older);
    }
  }
  if (found.stored && !IsRecord(*found.stored)) [[unlikely]] {
    return DamagedRecord();
  }
  if (found.size_bytes() > bytes_max) {
    return FoundItem{.stored = std::nullopt, .left_out = true};
  }
  PJ_RETURN_IF_ERROR(Account(engine, context, read, found, meter));
  return found;
}

Result<std::optional<FoundItem>> ReadItemOfEntry(Engine& engine, RequestContext& context,
                                                 const std::string& entry_key, const ItemRead& read,
                                                 CapacityMeter& meter) {
  const std::string keys[] = {entry_key, read.stored_key};
  PJ_ASSIGN_OR_RETURN(auto values, engine.store().GetTogether(keys));
  if (!values[0]) {
    return std::optional<FoundItem>();
  }
  if (!values[1]) {
    return Error{ErrorCode::kCorruption, "an index entry has no item"};
  }
  PJ_RETURN_IF_ERROR(DecodeRecord(*values[1]));
  FoundItem found{.stored = std::move(values[1])};
  PJ_RETURN_IF_ERROR(Account(engine, context, read, found, meter));
  return std::optional(std::move(found));
}

namespace {

// A transaction that reads items of one that writes them is cancelled.
Status CheckRunning(Engine& engine, std::span<const std::string> keys) {
  const RunningTransactions* running =
      engine.physics() == nullptr ? nullptr : engine.physics()->running_transactions();
  if (running == nullptr) {
    return {};
  }
  Cancellation cancellation(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const Status status = running->Check(keys[i]); !status) {
      cancellation.Add(i, status.error());
    }
  }
  return std::move(cancellation).Finish();
}

}  // namespace

Result<std::vector<FoundItem>> ReadItemsTogether(Engine& engine, RequestContext& context,
                                                 std::span<const ItemRead> reads,
                                                 TableMeters& meters) {
  std::vector<std::string> keys;
  keys.reserve(reads.size());
  for (const ItemRead& read : reads) {
    if (context.access != nullptr && !read.covered) {
      PJ_RETURN_IF_ERROR(CheckAccess(context, *read.table, read.terms));
    }
    keys.push_back(read.stored_key);
  }
  PJ_RETURN_IF_ERROR(CheckRunning(engine, keys));
  PJ_ASSIGN_OR_RETURN(auto values, engine.store().GetTogether(keys));
  std::vector<FoundItem> all;
  all.reserve(reads.size());
  std::size_t total_bytes = 0;
  Cancellation cancellation(reads.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (values[i] && !IsRecord(*values[i])) [[unlikely]] {
      return DamagedRecord();
    }
    const FoundItem& found = all.emplace_back(FoundItem{.stored = std::move(values[i])});
    if (const Status status = Account(engine, context, reads[i], found, meters.Of(reads[i].table));
        !status) {
      PJ_RETURN_IF_ERROR(cancellation.Throttle(i, status.error()));
    }
    total_bytes += found.size_bytes();
    if (!context.budget.ChargeWork(found.size_bytes())) {
      return OverBudget();
    }
  }
  if (total_bytes > kTransactionBytesMax) {
    return ValidationError("Collection size exceeds transaction limit of 4 MB");
  }
  PJ_RETURN_IF_ERROR(std::move(cancellation).Finish());
  return all;
}

StoredItem Shown(const std::optional<expr::Projection>& projection, ItemView item) {
  return StoredItem(projection ? Project(*projection, item) : std::string(item.body()));
}

StoredItem Shown(const std::optional<expr::Projection>& projection, FoundItem found) {
  const std::string_view body = found.record().body;
  if (projection) {
    return Shown(projection, ItemView(body));
  }
  std::string stored = *std::move(found.stored);
  stored.erase(0, stored.size() - body.size());
  return StoredItem(std::move(stored));
}

bool ChargeShown(std::size_t read_bytes, const StoredItem& shown, RequestBudget& budget) {
  const bool has_room = budget.ChargeMemory(
      3 * shown.body().size() + kAnswerBytesOfValue * ValueCount(ItemView(shown.body())));
  return budget.ChargeWork(read_bytes) && has_room;
}

Status CheckKeyPaths(const Table& table, const std::optional<expr::Projection>& projection) {
  if (projection) {
    for (const expr::Path& path : projection->paths) {
      PJ_RETURN_IF_ERROR(CheckKeyPath(table, path));
    }
  }
  return {};
}

}  // namespace prejoin::engine
