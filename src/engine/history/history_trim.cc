// Trimming of histories: deletes old images that nobody can ask for any more.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/worker.h"
#include "engine/history/history.h"
#include "engine/history/history_holds.h"
#include "engine/history/history_record.h"
#include "engine/item/keys.h"
#include "engine/stream/sequence_number.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"
#include "prejoin/result.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kRecordsPerStep = 1024;
// A pass is worth it when this part of the recovery period has gone by.
constexpr SequenceNumber kPeriodParts = 32;
constexpr std::int64_t kDayInMs = std::int64_t{24} * 60 * 60 * 1000;

struct Trimming {
  std::uint32_t space = 0;
  SequenceNumber below = 0;     // Records with lower numbers go.
  SequenceNumber step_min = 0;  // The least progress that is worth a pass.
};

// The records of every history that can go.
std::vector<Trimming> Plan(Engine& engine) {
  const std::int64_t now_ms = engine.clock().NowMs();
  std::map<std::uint32_t, Trimming> by_table;  // Keyed by the table's space.
  for (const KeptTable& held : engine.holds().Tables()) {
    by_table[held.space] = {.space = held.history_space, .below = kSequenceNumberMax};
  }
  for (const TablePtr& table : engine.catalog().All()) {
    if (!table->history || !table->recovery) {
      continue;
    }
    const Recovery& recovery = *table->recovery;
    const RecoveryWindow window = WindowOf(recovery, now_ms);
    by_table[table->space] = {.space = table->history->space,
                              .below = std::max(SequenceAt(window.earliest_ms), recovery.since),
                              .step_min = SequenceAt(recovery.days * kDayInMs) / kPeriodParts};
  }
  std::vector<Trimming> plan;
  for (auto& [space, trimming] : by_table) {
    // Looked up last: a hold that came meanwhile was allowed no number below the others.
    trimming.below =
        std::min(trimming.below, engine.holds().Lowest(space).value_or(trimming.below));
    if (trimming.below != kSequenceNumberMax) {
      plan.push_back(trimming);
    }
  }
  return plan;
}

Status DeleteBelow(Engine& engine, const Trimming& trimming) {
  storage::Range range = SpaceRange(trimming.space);
  while (!engine.background().stopping()) {
    std::vector<std::string> old_records;
    std::string last;
    std::size_t seen = 0;
    PJ_RETURN_IF_ERROR(engine.store().Visit(range, [&](std::string_view key, std::string_view) {
      last = key;
      // Verification finds what is no record's.
      if (const auto place = SplitHistoryKey(key); place && place->number < trimming.below) {
        old_records.emplace_back(key);
      }
      return ++seen < kRecordsPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
    }));
    if (seen == 0) {
      return {};
    }
    if (!old_records.empty()) {
      PJ_RETURN_IF_ERROR(
          engine.store().Transact({}, [&](storage::Transaction& transaction) -> Status {
            for (const std::string& key : old_records) {
              transaction.Delete(key);
            }
            return {};
          }));
    }
    range.begin = last + '\0';
  }
  return {};
}

// Records are in order of items, so a pass reads a whole history. Remembers how far the last pass
// went, and makes the next one only when it is worth it. Single thread.
class HistoryTrim {
 public:
  explicit HistoryTrim(Engine& engine) : engine_(engine) {}
  Status Run();

 private:
  Engine& engine_;
  std::map<std::uint32_t, SequenceNumber> trimmed_;  // Keyed by the history's space.
};

Status HistoryTrim::Run() {
  for (const Trimming& trimming : Plan(engine_)) {
    SequenceNumber& trimmed = trimmed_[trimming.space];
    if (trimming.below <= trimmed || trimming.below - trimmed < trimming.step_min) {
      continue;
    }
    PJ_RETURN_IF_ERROR(DeleteBelow(engine_, trimming));
    if (engine_.background().stopping()) {
      return {};
    }
    trimmed = trimming.below;
  }
  return {};
}

}  // namespace

void StartHistoryTrim(Engine& engine) {
  // The next sweep tries again what this one failed to do.
  engine.background().AddSweep(
      kLeftoversInterval, [trim = std::make_shared<HistoryTrim>(engine)] { (void)trim->Run(); });
}

}  // namespace prejoin::engine
