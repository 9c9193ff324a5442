// Marks: keys of a transaction over several cells that is being applied, cell by cell. A reader of such a key waits until all cells have
// it, so nobody sees one part of a transaction and then misses another: whoever sees the first part reads the others behind their marks,
// which were all set before.
#ifndef PREJOIN_CELLS_MARKS_H_
#define PREJOIN_CELLS_MARKS_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"

namespace prejoin::cells {

// Thread-safe. Waits end in microseconds: what is applied is decided, and only has to be written. On a thread that may not wait
// (base/patience.h), a wait fails with kOverBudget.
class Marks {
 public:
  // Keys share slots by their route; a shared one only costs waiting.
  using Slot = std::uint32_t;
  static constexpr std::size_t kSlots = 4096;  // A power of two.
  static Slot SlotOf(std::string_view key);

  // Marks the slots (duplicates allowed) while it lives.
  class Hold {
   public:
    Hold(Marks& marks, std::vector<Slot> slots);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    // The transaction could not be applied everywhere: from now on, readers of its keys fail.
    void GiveUp();
    // It has been applied everywhere after all.
    void TakeBack();

   private:
    Marks& marks_;
    const std::vector<Slot> slots_;
    std::uint64_t number_ = 0;
    bool given_up_ = false;
  };

  // Returns when no transaction that was being applied at the call can change the key's route any more.
  Status WaitFor(std::string_view key);
  // The same for every key.
  Status WaitForAll();

 private:
  static constexpr std::uint32_t kGivenUp = 1u << 31;  // Beside the number of holders.

  std::array<std::atomic<std::uint32_t>, kSlots> slots_ = {};

  Mutex mutex_;
  std::condition_variable ended_;
  std::uint64_t last_ PJ_GUARDED_BY(mutex_) = 0;
  std::set<std::uint64_t> active_ PJ_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> active_count_ = 0;
  std::size_t given_up_count_ PJ_GUARDED_BY(mutex_) = 0;
};

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_MARKS_H_
