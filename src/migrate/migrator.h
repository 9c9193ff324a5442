// Does a migration, step by step, on a database that is in use. It may be stopped at any moment and started again.
#ifndef PREJOIN_MIGRATE_MIGRATOR_H_
#define PREJOIN_MIGRATE_MIGRATOR_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "evolve/plan.h"
#include "migrate/table_requests.h"
#include "migrate/rows.h"
#include "migrate/state.h"
#include "migrate/target.h"

namespace prejoin::migrate {

struct RunOptions {
  double write_units_per_second = 1'000;  // 0: as fast as it goes.
  int passes_max = 20;                    // Then somebody else writes faster than a pass reads.
  int page_items = 250;
  std::size_t held_bytes_max = std::size_t{2} << 30;
  bool leave_unknown = false;  // Cut over although old items fit no entity, and are not copied.
  // Before differences are looked at again. Empty: sleeps.
  std::function<void(int milliseconds)> pause = {};
  std::function<void(const std::string& what)> progress;
};

// The work of one call, and its findings.
struct RunReport {
  Phase phase = Phase::kTables;
  bool done = false;  // The goal of the call is reached; else `remarks` says why not.
  int passes = 0;
  std::int64_t read = 0;     // Old items.
  std::int64_t written = 0;  // New items put or updated, …
  std::int64_t deleted = 0;  // … and deleted.
  std::int64_t unknown = 0;  // Old items that fit no entity.
  std::int64_t keyless = 0;  // Rows that lack an attribute of their new key.
  std::int64_t moving = 0;   // Differences of the last pass that were others at every look.
  std::int64_t findings_before = 0;
  std::int64_t findings_after = 0;
  std::vector<std::string> remarks;
};

// The number of times that a difference is checked again before the pass continues without it.
inline constexpr int kLooksMax = 10;

// 128 bits that stand for a text.
std::pair<std::uint64_t, std::uint64_t> MarkOf(const std::string& text);

// Borrows the models and the remote. Single thread.
class Migrator {
 public:
  static Result<Migrator> Open(const model::Model& before, const evolve::MigrationPlan& plan,
                               TableRequests& remote, RunOptions options);

  // The phase that the state at the target tells; nullopt: not begun.
  Result<std::optional<Phase>> Where();
  // Makes tables, fills them, and makes passes until one finds nothing to do and the audit agrees.
  Result<RunReport> Run();
  // The same once more; then the new tables are the truth, and nothing is ever copied into them again.
  Result<RunReport> CutOver();
  // After the cut-over: deletes what only the old design needs, unless somebody still writes it.
  Result<RunReport> Finish();

 private:
  using Marks = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // One mark per target name.

  Migrator(const model::Model& before, const evolve::MigrationPlan& plan, TableRequests& remote,
           RunOptions options, evolve::EntitySources sources);

  Result<bool> FinishedBefore();
  Status LoadState();
  Status EnterPhase(Phase phase);
  Status MakeTables();
  Status Backfill();
  Status MakeIndexes();
  // Fills what copies, lists and totals are made from.
  Status ReadHeld();
  // Until a pass changes nothing, and the audit agrees. Gives whether it came to that.
  Result<bool> Settle();
  // Gives how many differences it wrote, or could not settle.
  Result<std::int64_t> Pass();

  // A new item that differs from its row, or has none (`old_table` is null), when it was looked at last.
  struct Suspect {
    const model::Table* old_table = nullptr;
    Item old_key;
    const model::Table* table = nullptr;
    Item key;
    std::string seen;  // A fingerprint of both sides.
  };
  using Suspects = std::map<std::string, Suspect>;  // Keyed by the name of the target.
  using StoredItems = std::map<std::string, Item>;  // Keyed by the name of the target.
  // One that was the same twice.
  struct Difference {
    Target target;
    bool wanted = true;  // False: no row follows the stored item.
    std::optional<Item> stored;
  };
  using Differences = std::vector<Difference>;

  Status ComparePage(const model::Table& table, const std::vector<Item>& items, Marks& marks,
                     Suspects& suspects);
  Status FindStale(const model::Table& table, const Marks& marks, Suspects& suspects);
  Result<std::int64_t> Resolve(Suspects& suspects);
  Status FindRows(Suspects& suspects);
  // Takes those out that are right, and moves those that are the same as before to `real`.
  Status LookAt(Suspects& suspects, Differences& real);
  static std::string Seen(const Target* target, const StoredItems& stored, const std::string& name);
  void Pause(int look) const;
  Targets RenderPage(const model::Table& table, const std::vector<Item>& items, bool count);
  Result<StoredItems> StoredOf(const Targets& targets);
  // Targets that are not stored so.
  Targets Differing(const Targets& targets, const StoredItems& stored) const;
  Status WriteTargets(const Targets& targets);
  Result<std::int64_t> WriteDifferences(const Differences& differences);
  Result<double> WriteOne(const Difference& difference);
  bool InPlace(const model::Table& table) const;
  ItemUpdate UpdateFor(const Target& target, const Item& stored) const;
  Result<bool> Audit();
  Result<audit::AuditReport> AuditTables(const model::Model& model);
  Status StripOldAttributes(const model::Table& table);
  Result<std::string> DigestOfOld();
  Status EachPage(const std::string& table,
                  const std::function<Status(const std::vector<Item>& items)>& visit);
  void Tell(const std::string& what) const;
  void Charge(double units);

  const model::Model& before_;
  const evolve::MigrationPlan& plan_;
  TableRequests& remote_;
  const RunOptions options_;
  RowReader reader_;
  HeldRows held_;
  StateStore store_;
  MigrationState state_;
  bool begun_ = false;
  RunReport report_;
  double units_ = 0;
  std::chrono::steady_clock::time_point start_;
};

std::string RenderRun(const RunReport& report);
std::string RunJson(const RunReport& report);

}  // namespace prejoin::migrate

#endif  // PREJOIN_MIGRATE_MIGRATOR_H_
