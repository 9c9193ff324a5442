#include "engine/table/catalog.h"

#include <chrono>
#include <utility>

#include "base/check.h"
#include "engine/errors.h"
#include "engine/item/keys.h"
#include "engine/table/catalog_codec.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

bool IsReady(const std::shared_future<void>& retired) {
  return retired.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

// Lives as long as anybody may write with a version of a table.
struct Writers {
  TablePtr table;
  std::promise<void> gone;
  ~Writers() { gone.set_value(); }
};

// Adds `last` to the promises that are still open, and returns them all.
Retirements WithLast(Retirements earlier, const std::shared_future<void>& last) {
  std::erase_if(earlier, IsReady);
  earlier.push_back(last);
  return earlier;
}

constexpr std::string_view kTablePrefix = "table/";
constexpr std::string_view kSpaceCounter = "next-space";

// Nothing for null.
std::set<std::uint32_t> SpacesSet(const Table* table) {
  if (table == nullptr) {
    return {};
  }
  const std::vector<std::uint32_t> spaces = SpacesOf(*table);
  return {spaces.begin(), spaces.end()};
}

}  // namespace

Status Catalog::Load() {
  MutexLock change_lock(change_mutex_);
  std::vector<std::string> encoded;
  const storage::Range range = CatalogRange(kTablePrefix);
  PJ_RETURN_IF_ERROR(store_.Visit(range, [&](std::string_view, std::string_view value) {
    encoded.emplace_back(value);
    return storage::Visit::kContinue;
  }));
  PJ_ASSIGN_OR_RETURN(const auto counter, store_.Get(CatalogKey(kSpaceCounter)));
  if (counter) {
    PJ_ASSIGN_OR_RETURN(next_space_, DecodeSpaceCounter(*counter));
  }
  WriterLock tables_lock(tables_mutex_);
  for (const std::string& bytes : encoded) {
    PJ_ASSIGN_OR_RETURN(std::unique_ptr<Table> table, DecodeTable(bytes));
    std::string name = table->name();
    tables_.emplace(std::move(name), MakeVersion(std::move(table)));
  }
  return {};
}

Result<TablePtr> Catalog::Find(std::string_view table_name) const {
  if (TablePtr table = FindOrNull(table_name); table != nullptr && HasItems(*table)) {
    return table;
  }
  return ResourceNotFound("Requested resource not found");
}

Result<TablePtr> Catalog::FindToRead(std::string_view table_name) const {
  ReaderLock lock(tables_mutex_);
  const auto found = tables_.find(table_name);
  if (found != tables_.end() && HasItems(*found->second.to_read)) {
    return found->second.to_read;
  }
  return ResourceNotFound("Requested resource not found");
}

TablePtr Catalog::FindOrNull(std::string_view table_name) const {
  ReaderLock lock(tables_mutex_);
  const auto found = tables_.find(table_name);
  return found == tables_.end() ? nullptr : found->second.table;
}

std::vector<std::string> Catalog::Names() const {
  ReaderLock lock(tables_mutex_);
  std::vector<std::string> names;
  names.reserve(tables_.size());
  for (const auto& [name, version] : tables_) {
    names.push_back(name);
  }
  return names;
}

std::vector<TablePtr> Catalog::All() const {
  ReaderLock lock(tables_mutex_);
  std::vector<TablePtr> all;
  for (const auto& [name, version] : tables_) {
    all.push_back(version.table);
  }
  return all;
}

std::set<std::uint32_t> Catalog::SpacesInUse() const {
  std::set<std::uint32_t> used;
  for (const TablePtr& table : All()) {
    used.merge(SpacesSet(table.get()));
  }
  return used;
}

Result<CatalogChange> Catalog::Change(const std::string& table_name, Edit edit) {
  MutexLock change_lock(change_mutex_);
  const TablePtr current = FindOrNull(table_name);
  SpaceAllocator spaces(next_space_);
  PJ_ASSIGN_OR_RETURN(std::unique_ptr<Table> next, edit(current.get(), spaces));
  PJ_CHECK(current != nullptr || next != nullptr);
  if (next != nullptr && !next->vector_indexes.empty()) {
    // An older program would drop the index from the definition, and not keep its entries.
    PJ_RETURN_IF_ERROR(store_.Need(std::string(kVectorsFeature)));
  }
  if (next != nullptr && next->replication) {
    // An older program would leave the replicas behind.
    PJ_RETURN_IF_ERROR(store_.Need(std::string(kReplicasFeature)));
  }
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      Write(table_name, current.get(), next.get(), spaces.next()));
  next_space_ = spaces.next();

  CatalogChange change{.ticket = ticket};
  WriterLock tables_lock(tables_mutex_);
  if (const auto found = tables_.find(table_name); found != tables_.end()) {
    Version& old = found->second;
    change.old_retired = WithLast(std::move(old.earlier), old.retired);
    change.old_writers_gone = WithLast(std::move(old.earlier_writers), old.writers_gone);
    tables_.erase(found);
  }
  if (next != nullptr) {
    Version version = MakeVersion(std::move(next));
    version.earlier = change.old_retired;
    version.earlier_writers = change.old_writers_gone;
    change.table = version.table;
    tables_.emplace(table_name, std::move(version));
  }
  return change;
}

Catalog::Version Catalog::MakeVersion(std::unique_ptr<Table> table) {
  Version version;
  version.retired = table->retired.get_future();
  const auto writers = std::make_shared<Writers>();
  writers->table = std::move(table);
  version.writers_gone = writers->gone.get_future();
  version.to_read = writers->table;
  version.table = TablePtr(writers, writers->table.get());
  return version;
}

void Catalog::WhileUnchanged(FunctionRef<void()> look) {
  MutexLock change_lock(change_mutex_);
  look();
}

Result<storage::Ticket> Catalog::Write(const std::string& table_name, const Table* current,
                                       const Table* next, std::uint32_t next_space) {
  const std::string table_key = CatalogKey(std::string(kTablePrefix) + table_name);
  const std::string counter_key = CatalogKey(kSpaceCounter);
  const std::string keys[] = {table_key, counter_key};
  const std::set<std::uint32_t> kept = SpacesSet(next);
  return store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    if (next != nullptr) {
      transaction.Put(table_key, EncodeTable(*next));
    } else {
      transaction.Delete(table_key);
    }
    transaction.Put(counter_key, EncodeSpaceCounter(next_space));
    for (const std::uint32_t space : SpacesSet(current)) {
      if (!kept.contains(space)) {
        transaction.Put(DroppedKey(space), "");
      }
    }
    return {};
  });
}

std::vector<std::uint32_t> SpacesOf(const Table& table) {
  std::vector<std::uint32_t> spaces = {table.space};
  if (table.HasLocalIndexes()) {
    spaces.push_back(table.collection_space);
  }
  for (const Index& index : table.indexes) {
    spaces.push_back(index.space);
  }
  for (const VectorIndex& index : table.vector_indexes) {
    spaces.push_back(index.space);
  }
  if (table.expiry) {
    spaces.push_back(table.expiry->space);
  }
  if (table.history) {
    spaces.push_back(table.history->space);
  }
  if (table.replication) {
    spaces.push_back(table.replication->stamp_space);
    spaces.push_back(table.replication->log_space);
  }
  return spaces;
}

std::unique_ptr<Table> CopyOf(const Table& table) {
  auto copy = std::make_unique<Table>();
  copy->description = table.description;
  copy->tags = table.tags;
  copy->resource_policy = table.resource_policy;
  copy->stream_policies = table.stream_policies;
  copy->insights = table.insights;
  copy->accesses = table.accesses;
  copy->space = table.space;
  copy->collection_space = table.collection_space;
  copy->keys = table.keys;
  copy->indexes = table.indexes;
  copy->vector_indexes = table.vector_indexes;
  copy->stats = table.stats;
  copy->stream = table.stream;
  copy->expiry = table.expiry;
  copy->expiry_changed_ms = table.expiry_changed_ms;
  copy->history = table.history;
  copy->recovery = table.recovery;
  copy->replication = table.replication;
  copy->restoring = table.restoring;
  return copy;
}

}  // namespace prejoin::engine
