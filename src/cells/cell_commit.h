// Transactions that change several cells: all of them or none, whatever stops when.
#ifndef PREJOIN_CELLS_CELL_COMMIT_H_
#define PREJOIN_CELLS_CELL_COMMIT_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "cells/marks.h"
#include "cells/staged_writes.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::cells {

using Cells = std::vector<std::unique_ptr<storage::Store>>;

// Waits until all that the cell has committed up to now is durable.
Status WaitForCell(storage::Store& cell);
bool IsCellDurable(const storage::Store& cell);

// Says whether a crash leaves anything to complete.
enum class Durability { kKeepsNothing, kKeepsData };

// The caller holds the latches of every item of the transaction from before it read them until Run returns. Thread-safe.
class CellCommit {
 public:
  // Clearing costs two syncs, shared by so many transactions.
  static constexpr std::size_t kClearedTogether = 32;

  // All outlive this object.
  CellCommit(const Cells& cells, Marks& marks, Durability durability, std::size_t cleared_together);
  ~CellCommit();

  // Completes what a stop interrupted, at the start, before anybody reads.
  Status Recover() PJ_EXCLUDES(mutex_);

  // Commits `parts`, one for each cell, at least two. `seen`: the other cells that the transaction has read. Durable when it returns. Waits for
  // syncs, so not for threads that may not wait. After an error the transaction may be decided or not: if it is, it will be completed, at the
  // next start at the latest; until then, Health says that nothing may be committed.
  Status Run(std::vector<CellWrites> parts, std::span<const std::size_t> seen)
      PJ_EXCLUDES(mutex_);

  // The reason why no more may be committed; nothing: there is none. kUnavailable passes when every cell can write again.
  Status Health() const PJ_EXCLUDES(mutex_);

  // Removes the records of all that is applied now. Run does it from time to time.
  Status Clear() PJ_EXCLUDES(mutex_);

 private:
  // A transaction that all its cells have applied, and whose record is still there.
  struct Applied {
    std::uint64_t number = 0;
    std::size_t home = 0;
    std::vector<std::size_t> cells;
  };
  // One that is decided, or may be, and that some cells have not applied.
  struct Undone {
    std::uint64_t number = 0;
    std::vector<CellWrites> parts;
    std::unique_ptr<Marks::Hold> marked;  // Null as long as no cell has applied its part.
  };

  // The commit point.
  // After a failure, `transaction` is among the undone ones.
  Status Decide(Undone& transaction);
  Status Apply(std::uint64_t number, const CellWrites& part);
  Result<std::vector<Undone>> ReadRecords();
  Status CompleteAll(const std::vector<Undone>& undone);
  Status Forget(const std::vector<Applied>& done);
  Status DeleteAll(std::uint32_t space);
  Status Delete(std::size_t cell, std::uint32_t space, const std::vector<std::uint64_t>& numbers);
  void NoteApplied(const Undone& done) PJ_EXCLUDES(mutex_);
  Error Fail(Error error, Undone undone) PJ_EXCLUDES(mutex_);
  bool MayPass() const PJ_REQUIRES(mutex_);

  // The thread that completes what a full disk left undone, once there is room.
  void MendAll() PJ_EXCLUDES(mutex_);
  // Waits until it is time to try; nullopt at the end.
  std::optional<std::vector<Undone>> WaitForUndone() PJ_EXCLUDES(mutex_);
  Status Mend(std::vector<Undone>& undone);

  const Cells& cells_;
  Marks& marks_;
  const Durability durability_;
  const std::size_t cleared_together_;
  std::atomic<std::uint64_t> next_number_ = 1;
  std::atomic<bool> has_failed_ = false;
  std::atomic<bool> clearing_ = false;

  mutable Mutex mutex_;
  std::condition_variable mend_;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;
  std::optional<Error> failure_ PJ_GUARDED_BY(mutex_);
  std::vector<Undone> undone_ PJ_GUARDED_BY(mutex_);
  std::vector<Applied> applied_ PJ_GUARDED_BY(mutex_);

  std::thread mender_;  // Last: it uses everything above.
};

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_CELL_COMMIT_H_
