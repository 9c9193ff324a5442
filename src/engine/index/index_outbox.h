// Global indexes that follow their table after a while, as they do on AWS.
//
// With a lag, the transaction of an item does not write the entries of global indexes. It leaves a
// note of them in the outbox, a space of the store, and a thread applies the note when its time has
// come. So a program that writes an item and reads it back from an index at once finds nothing, here
// as there.
//
// Notes of one partition are applied in the order in which they were committed: their keys hold the
// partition's hash and a number that only grows. A note and the entries it stands for go down in one
// transaction, so a note is applied once, whatever happens in between; those that a stop leaves
// behind are applied at the next start, with or without a lag.
//
//   put item (a=1) ──► [item, note 7: put a=1]
//   put item (a=2) ──► [item, note 8: delete a=1, put a=2]
//   … lag …            [note 7 applied and gone] [note 8 applied and gone]
#ifndef PREJOIN_ENGINE_INDEX_INDEX_OUTBOX_H_
#define PREJOIN_ENGINE_INDEX_INDEX_OUTBOX_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "engine/index/index_writes.h"
#include "engine/item/planned_write.h"
#include "prejoin/options.h"
#include "storage/store.h"

namespace prejoin::engine {

// Collects the entries of one item that are to change later. Stands in for the transaction.
class LaterEntries : public storage::Transaction {
 public:
  std::optional<std::string_view> Value(std::size_t) const override { return std::nullopt; }
  void Put(std::string_view key, std::string_view value) override;
  void Delete(std::string_view key) override;

  // As a note in the outbox holds them.
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// kCorruption for bytes that are no note.
Status CheckIndexNote(std::string_view bytes);

// Thread-safe.
class IndexOutbox {
 public:
  IndexOutbox(Engine& engine, IndexLag lag);
  ~IndexOutbox();
  IndexOutbox(const IndexOutbox&) = delete;
  IndexOutbox& operator=(const IndexOutbox&) = delete;

  // Takes up what a stop left behind, and starts. Once, when tables are loaded.
  Status Start();
  // No note is applied any more when this returns.
  void Stop() PJ_EXCLUDES(mutex_);

  bool lags() const { return lag_.max_ms > 0; }

  // Inside the transaction of a write that changes entries. The key of the note.
  std::string Stage(const ItemWrite& write, const LaterEntries& entries,
                    storage::Transaction& transaction) PJ_EXCLUDES(mutex_);
  // After its commit: the note is applied when its time comes.
  void Committed(std::string note_key) PJ_EXCLUDES(mutex_);

  // Notes that wait.
  std::size_t waiting() const PJ_EXCLUDES(mutex_);
  // Returns when all notes that wait now are applied, whether their time has come or not.
  void DrainForTesting() PJ_EXCLUDES(mutex_);

 private:
  using Time = std::chrono::milliseconds;  // Since any moment: only differences count.
  struct Waiting {
    Time due;
    std::string note_key;
    friend bool operator>(const Waiting& a, const Waiting& b) { return a.due > b.due; }
  };

  void Run() PJ_EXCLUDES(mutex_);
  // Waits until the time of one has come; nullopt at the end.
  std::optional<Waiting> TakeDue() PJ_EXCLUDES(mutex_);
  // Applies all notes of the partition up to this one.
  Status ApplyUpTo(const std::string& note_key);
  Status ApplyNote(const std::string& note_key, std::string_view note);
  std::chrono::milliseconds NextLag() PJ_REQUIRES(mutex_);
  Time Now() const;

  Engine& engine_;
  const IndexLag lag_;
  const bool has_own_clock_;  // Not the machine's.

  mutable Mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t last_number_ PJ_GUARDED_BY(mutex_) = 0;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_ PJ_GUARDED_BY(mutex_);
  std::minstd_rand random_ PJ_GUARDED_BY(mutex_);
  bool hurry_ PJ_GUARDED_BY(mutex_) = false;  // Somebody drains.
  bool busy_ PJ_GUARDED_BY(mutex_) = false;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INDEX_INDEX_OUTBOX_H_
