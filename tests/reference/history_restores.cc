// Point-in-time recovery against the reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/worker.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "tests/engine/test_database.h"
#include "tests/reference/history.h"

namespace prejoin::reference {

void History::ProtectTables() {
  for (const Table& table : tables_) {
    Must(database_->UpdateContinuousBackups(
        {.table_name = table.name(), .point_in_time_recovery_enabled = true}));
  }
}

void History::Remember() { moments_.push_back({clock_.NowMs(), tables_}); }

void History::CompareRestored(int count) {
  const std::int64_t first = moments_.front().time_ms / 1000 + 1;
  const std::int64_t last = clock_.NowMs() / 1000;
  ASSERT_GT(last, first);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    // Near something that happened: in between, the clock may stand still or jump an hour.
    const std::int64_t near = moments_[random_.Below(moments_.size())].time_ms / 1000;
    const std::int64_t time_ms =
        1000 * std::clamp(near + static_cast<std::int64_t>(random_.Below(2)), first, last);
    const auto after = std::ranges::upper_bound(moments_, time_ms, {}, &Moment::time_ms);
    const std::vector<Table>& past = std::prev(after)->tables;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      // Settings are those of now.
      CreateTableInput schema = tables_[t].schema();
      schema.table_name += "-restored-" + std::to_string(i);
      Table expected(schema);
      for (const Entry& entry : past[t].Entries(std::nullopt)) {
        expected.Put(entry.entry);
      }
      Note("restore " + schema.table_name + " to " + std::to_string(time_ms));
      Must(database_->RestoreTableToPointInTime({.source_table_name = tables_[t].name(),
                                                 .target_table_name = schema.table_name,
                                                 .restore_ms = time_ms}));
      engine::EngineOf(*database_).background().DrainForTesting();
      CompareTable(expected);
      Must(database_->DeleteTable(schema.table_name));
    }
  }
}

}  // namespace prejoin::reference
