// Tickets: which commit came when, and what a reader may have seen.
//
// A commit takes its ticket after its bytes reached the log's buffer. So a thread that first reads the
// last ticket and then syncs the log may call everything up to that ticket durable. The price: for
// a moment readers see a commit that has no ticket yet. Each commit therefore marks the routes it
// changes before it writes. A reader that finds a mark takes a fresh ticket for itself: what it saw
// had reached the buffer before, so that ticket covers it.
#ifndef PREJOIN_STORAGE_TICKETS_H_
#define PREJOIN_STORAGE_TICKETS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "storage/store.h"

namespace prejoin::storage {

// Thread-safe, and without locks.
class Tickets {
 public:
  // Routes share slots; a shared slot only makes some reader wait longer than it had to.
  using Slot = std::uint16_t;
  static Slot SlotOf(std::string_view key);

  Tickets();

  // Around the write of one commit, with the slots of all keys it changes (duplicates allowed). End
  // also follows a write that failed.
  void Begin(std::span<const Slot> slots);
  Ticket End(std::span<const Slot> slots);

  // See Store::NewestTicket.
  Ticket Newest(Slot slot) const;
  Ticket Newest() const;
  // The last ticket handed out.
  Ticket Last() const;
  // Returns true if a commit is between Begin and End.
  bool HasInFlight() const;

 private:
  // Commits between Begin and End in the upper 16 bits, a ticket in the lower 48.
  using State = std::atomic<std::uint64_t>;

  mutable State all_ = 0;  // Its ticket is the last handed out.
  const std::unique_ptr<State[]> slots_;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_TICKETS_H_
