// The plan of a migration, before anything is done: which tables are made, what is written into them, what that
// costs and how long it takes, what the application must do meanwhile.
#ifndef PREJOIN_EVOLVE_PLAN_H_
#define PREJOIN_EVOLVE_PLAN_H_

#include <string>
#include <vector>

#include "model/cost/prices.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::evolve {

// A table of the new design. In place: it is a table of the old design that gets more attributes and indexes, because
// all items keep their keys. Beside: it is a table of its own, filled from the old ones.
struct TablePlan {
  std::string name;  // As it is stored.
  bool in_place = false;
  std::string why_beside;  // Why the old table of this name cannot be changed in place.
  std::vector<std::string> new_indexes;  // Only in place: what comes …
  std::vector<std::string> old_indexes;  // … and what goes at the clean-up.
};

// The writing of one entity's items.
struct EntityBackfill {
  std::string entity;
  std::string table;
  double items = 0;
  double write_units = 0;  // Index entries and lock items included.
};

struct PlanOptions {
  model::Prices prices;
  double write_units_per_second = 1'000;  // The write rate of the backfill; 0: no limit.
  std::string suffix = "-2";              // Appended to a new table's name if an old table has that name.
};

struct MigrationPlan {
  model::Model after;  // The new design; its tables have the names that they are stored under.
  std::vector<TablePlan> tables;
  std::vector<std::string> dropped;  // Old tables that the clean-up deletes.
  std::vector<EntityBackfill> backfills;
  std::vector<std::string> held;  // Entities whose rows are kept in memory for copies and lists.
  double read_units = 0;          // Read units of the backfill.
  double write_units = 0;
  double pass_read_units = 0;  // Read units of one comparing pass over both.
  double money = 0;            // The backfill and two passes.
  double seconds = 0;          // The backfill.
  std::vector<std::string> dual_writes;
};

// The logical halves may differ where the rows of the new one follow from the old one: fewer attributes, entities that
// are a part of an old entity. Else an error says what is missing.
Result<MigrationPlan> PlanMigration(const model::Model& before, const model::Model& after,
                                    const PlanOptions& options);

std::string RenderPlan(const MigrationPlan& plan, const PlanOptions& options);
std::string PlanJson(const MigrationPlan& plan);

}  // namespace prejoin::evolve

#endif  // PREJOIN_EVOLVE_PLAN_H_
