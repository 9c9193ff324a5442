#include "engine/history/restore.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/backup_limits.h"
#include "base/check.h"
#include "base/worker.h"
#include "engine/errors.h"
#include "engine/history/history_holds.h"
#include "engine/history/restored_table.h"
#include "engine/history/table_at.h"
#include "engine/item/item_write.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kItemsPerPage = 256;
constexpr std::size_t kItemsPerWrite = 25;

Status CheckRoom(Engine& engine) {
  const auto all = engine.catalog().All();
  const auto restoring = std::ranges::count_if(
      all, [](const TablePtr& table) { return table->restoring.has_value(); });
  if (static_cast<std::size_t>(restoring) >= kRestoresMax) {
    return LimitExceeded("Subscriber limit exceeded: Only " + std::to_string(kRestoresMax) +
                         " restores can be in progress at once");
  }
  return {};
}

Result<std::unique_ptr<Table>> FirstVersion(Engine& engine, const RestoreRequest& request,
                                            const HistoryHold& hold, const Table* current,
                                            SpaceAllocator& spaces) {
  if (current != nullptr) {
    return Error{ErrorCode::kTableAlreadyExists,
                 "Table already exists: " + request.target_table_name};
  }
  PJ_ASSIGN_OR_RETURN(auto table,
                      MakeRestoredTable(engine, *request.definition, request.target_table_name,
                                        request.overrides, spaces));
  table->description.restore = request.summary;
  table->description.restore->in_progress = true;
  table->restoring = RestoreSource{
      .table_name = hold.table_name(), .table = hold.table(), .number = hold.number()};
  return table;
}

// A fill that was stopped continues after the last item that exists.
Result<std::string> ResumeKey(storage::Store& store, const Table& table) {
  storage::Range range = SpaceRange(table.space);
  range.direction = storage::Direction::kBackward;
  std::string key;
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view stored_key, std::string_view) {
    key = stored_key.substr(storage::kSpaceBytes);
    return storage::Visit::kStop;
  }));
  return key;
}

Result<ItemWrite> PutOf(const TablePtr& table, const KeptItem& item) {
  PJ_ASSIGN_OR_RETURN(const Record record, DecodeWithKeys(*table, nullptr, item.record));
  ItemWrite write;
  write.kind = WriteKind::kPut;
  write.table = table;
  write.key = KeyOf(*table, record.item());
  write.stored_key = SpaceKey(table->space, item.key);
  write.new_body = std::string(record.body);
  write.new_size_bytes = record.size_bytes;
  return write;
}

Status WriteItems(Engine& engine, const TablePtr& table, const std::vector<KeptItem>& items) {
  for (std::size_t begin = 0; begin < items.size(); begin += kItemsPerWrite) {
    std::vector<ItemWrite> writes;
    for (std::size_t i = begin; i < std::min(begin + kItemsPerWrite, items.size()); ++i) {
      PJ_ASSIGN_OR_RETURN(ItemWrite write, PutOf(table, items[i]));
      writes.push_back(std::move(write));
    }
    RequestContext context;
    PJ_RETURN_IF_ERROR(RunWrites(engine, context, {.writes = writes, .unmetered = true}));
  }
  return {};
}

Status Finish(Engine& engine, const std::string& table_name) {
  std::optional<RestoreSource> source;
  PJ_RETURN_IF_ERROR(engine.catalog().Change(
      table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
        PJ_CHECK(current != nullptr && current->restoring);
        auto next = CopyOf(*current);
        source = std::exchange(next->restoring, std::nullopt);
        next->description.status = TableStatus::kActive;
        next->description.restore->in_progress = false;
        for (Index& index : next->indexes) {
          index.description.status = IndexStatus::kActive;
        }
        for (VectorIndex& index : next->vector_indexes) {
          index.description.status = IndexStatus::kActive;
        }
        return next;
      }));
  engine.holds().Remove(source->table, source->number);
  ReleaseHistoryLater(engine, source->table_name, source->table);
  return {};
}

// Fills the table and makes it ACTIVE.
Status FillRestored(Engine& engine, const std::string& table_name) {
  // No one else changes the table before it is complete.
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr || !table->restoring) {
    return {};
  }
  const RestoreSource& source = *table->restoring;
  PJ_ASSIGN_OR_RETURN(std::string from, ResumeKey(engine.store(), *table));
  while (!engine.background().stopping()) {
    PJ_ASSIGN_OR_RETURN(ItemsAt page, ReadTableAt(engine.store(), source.table, source.number, from,
                                                  kItemsPerPage));
    PJ_RETURN_IF_ERROR(WriteItems(engine, table, page.items));
    if (!page.next) {
      return Finish(engine, table_name);
    }
    from = *std::move(page.next);
  }
  return {};
}

}  // namespace

Result<TableDescription> BeginRestore(Engine& engine, RequestContext& context,
                                      const RestoreRequest& request, const HistoryHold& hold) {
  PJ_RETURN_IF_ERROR(CheckRoom(engine));
  PJ_ASSIGN_OR_RETURN(const CatalogChange change,
                      engine.catalog().Change(request.target_table_name,
                                              [&](const Table* current, SpaceAllocator& spaces) {
                                                return FirstVersion(engine, request, hold, current,
                                                                    spaces);
                                              }));
  context.Saw(change.ticket);
  engine.holds().Add(hold.table(), hold.number());
  TableDescription description = Describe(*change.table);
  ResumeRestore(engine, request.target_table_name);
  return description;
}

void ResumeRestore(Engine& engine, std::string table_name) {
  engine.background().Add([&engine, table_name = std::move(table_name)] {
    // The table stays CREATING until it is whole.
    if (!FillRestored(engine, table_name)) {
      engine.background().AddLater(kLeftoversInterval,
                                   [&engine, table_name] { ResumeRestore(engine, table_name); });
    }
  });
}

}  // namespace prejoin::engine
