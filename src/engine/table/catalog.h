// The catalog: which tables there are. Kept in memory, written to the store with each change.
#ifndef PREJOIN_ENGINE_TABLE_CATALOG_H_
#define PREJOIN_ENGINE_TABLE_CATALOG_H_

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/mutex.h"
#include "engine/table/space.h"
#include "engine/table/table.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// Hands out spaces during a change of the catalog.
class SpaceAllocator {
 public:
  explicit SpaceAllocator(std::uint32_t next) : next_(next) {}
  std::uint32_t Allocate() { return next_++; }
  std::uint32_t next() const { return next_; }

 private:
  std::uint32_t next_;
};

// Versions of a table that somebody may still work with; each is ready when nobody does any more.
using Retirements = std::vector<std::shared_future<void>>;

// The outcome of a change of the catalog.
struct CatalogChange {
  storage::Ticket ticket = 0;
  TablePtr table;  // The new version; null when the table was removed.
  // The retirements of all earlier versions, not only of the last: a slow writer may have missed several changes.
  Retirements old_retired;
  // The same, without those that only read: they change nothing that the next version must know.
  Retirements old_writers_gone;
};

// Thread-safe.
class Catalog {
 public:
  explicit Catalog(storage::Store& store) : store_(store) {}

  // Reads all tables from the store. Once, before anything else.
  Status Load();

  // Error "Requested resource not found", as item operations have it; also for a table that is
  // still being restored.
  Result<TablePtr> Find(std::string_view table_name) const PJ_EXCLUDES(tables_mutex_);
  // The same for readers: waiting for writers does not wait for them.
  Result<TablePtr> FindToRead(std::string_view table_name) const PJ_EXCLUDES(tables_mutex_);
  TablePtr FindOrNull(std::string_view table_name) const PJ_EXCLUDES(tables_mutex_);
  // Ascending, bytewise.
  std::vector<std::string> Names() const PJ_EXCLUDES(tables_mutex_);
  std::vector<TablePtr> All() const PJ_EXCLUDES(tables_mutex_);

  // Which spaces tables and indexes have now.
  std::set<std::uint32_t> SpacesInUse() const PJ_EXCLUDES(tables_mutex_);

  // Changes one table. `edit` gets the current version (null: there is none) and returns the next
  // one (null: remove). Changes run one after the other. An error from `edit` changes nothing.
  using Edit =
      FunctionRef<Result<std::unique_ptr<Table>>(const Table* current, SpaceAllocator& spaces)>;
  Result<CatalogChange> Change(const std::string& table_name, Edit edit)
      PJ_EXCLUDES(change_mutex_, tables_mutex_);

  // Runs `look` while no table changes. It may look tables up, and must not change any.
  void WhileUnchanged(FunctionRef<void()> look) PJ_EXCLUDES(change_mutex_, tables_mutex_);

 private:
  struct Version {
    TablePtr table;    // The view for writers: owns, beside the table, the promise that they are gone.
    TablePtr to_read;  // The same table, without the promise.
    std::shared_future<void> retired;
    std::shared_future<void> writers_gone;
    // Not yet ready when this version was made.
    Retirements earlier;
    Retirements earlier_writers;
  };
  static Version MakeVersion(std::unique_ptr<Table> table);

  // With notes of the spaces that the table had and has no more.
  Result<storage::Ticket> Write(const std::string& table_name, const Table* current,
                                const Table* next, std::uint32_t next_space);

  storage::Store& store_;

  // Held through a whole change, disk included: changes are rare, and must not overtake each other.
  // Taken before tables_mutex_.
  Mutex change_mutex_;
  std::uint32_t next_space_ PJ_GUARDED_BY(change_mutex_) = kFirstFreeSpace;

  mutable SharedMutex tables_mutex_;
  std::map<std::string, Version, std::less<>> tables_ PJ_GUARDED_BY(tables_mutex_);
};

// The table's own, those of its indexes, its expiry entries, its history, and its stamps and notes for replicas. Not its
// stream's: that lives longer.
std::vector<std::uint32_t> SpacesOf(const Table& table);

// A copy to edit: everything but the promise, sharing the live figures.
std::unique_ptr<Table> CopyOf(const Table& table);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_CATALOG_H_
