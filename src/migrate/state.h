// The progress of a migration, as an item at the target: a migrator that was stopped at any moment continues
// from there. Everything that a migrator does may be done twice, so an item that is a little behind is enough.
#ifndef PREJOIN_MIGRATE_STATE_H_
#define PREJOIN_MIGRATE_STATE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "evolve/plan.h"
#include "migrate/table_requests.h"

namespace prejoin::migrate {

inline constexpr const char* kStateTable = "PrejoinMigrations";

enum class Phase { kTables, kBackfill, kIndexes, kPasses, kReady, kCutOver };
std::string_view PhaseName(Phase phase);

struct MigrationState {
  Phase phase = Phase::kTables;
  std::string designs;         // A fingerprint of both physical halves.
  std::string table;           // Backfill: the old table that is read, …
  std::optional<Item> cursor;  // … and where it continues.
  std::int64_t written = 0;    // Items, in all.
  std::string old_digest;      // At the cut-over: what the old tables held.
};

// Single thread.
class StateStore {
 public:
  StateStore(TableRequests& remote, std::string name) : remote_(remote), name_(std::move(name)) {}

  // Nullopt: no such migration has begun.
  Result<std::optional<MigrationState>> Load();
  Status Save(const MigrationState& state);
  // Also the table, when no other migration is in it.
  Status Forget();

 private:
  Item Key() const;

  TableRequests& remote_;
  const std::string name_;
  bool table_made_ = false;
};

// "Shop -> Shop-2": which migration it is; and what it was begun with.
std::string MigrationName(const model::Model& before, const evolve::MigrationPlan& plan);
std::string DesignsOf(const model::Model& before, const evolve::MigrationPlan& plan);

}  // namespace prejoin::migrate

#endif  // PREJOIN_MIGRATE_STATE_H_
