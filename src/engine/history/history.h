// The kept past of a table: when it begins, who keeps it, when it goes (docs/adr/0013).
//
// Every write of a table that keeps its history stores the old image of what it changes
// (history_writes), and from them the table can be read as it was at any number since (table_at).
// History comes on in three steps, because writers that work with different versions of the table
// run side by side: a version that keeps history is published; the writers of all earlier ones
// finish; then the next number is where the history starts. It goes again when nobody needs it:
// no point-in-time recovery, no backup, nobody who reads.
#ifndef PREJOIN_ENGINE_HISTORY_HISTORY_H_
#define PREJOIN_ENGINE_HISTORY_HISTORY_H_

#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "engine/stream/sequence_number.h"
#include "engine/table/table.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// The right to read a table as it was at a number and later, until this object ends: also when
// history is switched off or the table deleted meanwhile. Does not outlive the engine. Single
// thread.
class HistoryHold {
 public:
  // Somebody keeps the number from going until this returns.
  HistoryHold(Engine& engine, std::string table_name, const KeptTable& table,
              SequenceNumber number);
  HistoryHold(HistoryHold&& other) noexcept;
  HistoryHold& operator=(HistoryHold&&) = delete;
  ~HistoryHold();

  const std::string& table_name() const { return table_name_; }
  const KeptTable& table() const { return table_; }
  SequenceNumber number() const { return number_; }

 private:
  // Takes over a hold that is already noted.
  friend Result<HistoryHold> HoldHistory(Engine& engine, const std::string& table_name);
  friend Result<HistoryHold> HoldMoment(Engine& engine, const std::string& table_name,
                                        std::int64_t time_ms);
  struct Noted {};
  HistoryHold(Noted, Engine& engine, std::string table_name, const KeptTable& table,
              SequenceNumber number);

  Engine* engine_;  // Null: moved away.
  std::string table_name_;
  KeptTable table_;
  SequenceNumber number_;
};

// Makes sure that the table keeps its history and returns the hold of this moment: the table's
// state after every write that has returned. Blocks for the writes in flight. kTableNotFound,
// kTableInUse while it is being restored.
Result<HistoryHold> HoldHistory(Engine& engine, const std::string& table_name);

// The state at the end of a millisecond in the past, within point-in-time recovery.
// kTableNotFound, kPointInTimeRecoveryUnavailable, kInvalidRestoreTime.
Result<HistoryHold> HoldMoment(Engine& engine, const std::string& table_name, std::int64_t time_ms);

// The moments that a table with point-in-time recovery can be restored to.
struct RecoveryWindow {
  std::int64_t earliest_ms = 0;
  std::int64_t latest_ms = 0;
};
RecoveryWindow WindowOf(const Recovery& recovery, std::int64_t now_ms);

// Drops what nobody needs any more, in the background: the history of a table that exists,
// or all that is left of a deleted one.
void ReleaseHistoryLater(Engine& engine, std::string table_name, const KeptTable& table);

// Deletes old images that nobody can ask for any more, in the background, from now on
// (history_trim.cc).
void StartHistoryTrim(Engine& engine);

// At start, when no writer is in flight: finishes what a stop interrupted.
Status ResumeHistories(Engine& engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_HISTORY_H_
