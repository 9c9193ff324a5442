// Tickets over several cells, each of which has tickets of its own: when all is durable that was committed up to a moment.
#ifndef PREJOIN_CELLS_CELL_TICKETS_H_
#define PREJOIN_CELLS_CELL_TICKETS_H_

#include <array>
#include <atomic>
#include <functional>
#include <span>
#include <string_view>

#include "cells/cell_commit.h"
#include "cells/marks.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::cells {

// Thread-safe. A ticket covers commits of all cells, so waiting for one waits for the cells that have something to sync, all at once.
class CellTickets {
 public:
  // `cells` outlives this object.
  explicit CellTickets(const Cells& cells) : cells_(cells) {}

  // The ticket of the commit that has just made these changes.
  storage::Ticket Take(std::span<const Marks::Slot> slots);
  storage::Ticket Newest() const;
  // `cell` has the route.
  storage::Ticket Newest(const storage::Store& cell, std::string_view route) const;

  bool IsDurable(storage::Ticket ticket) const;
  Status WaitDurable(storage::Ticket ticket);
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done);

 private:
  const Cells& cells_;
  // The last one taken: by a commit, or by a reader who may have seen a commit that has none yet.
  mutable std::atomic<storage::Ticket> last_ = 0;
  mutable std::atomic<storage::Ticket> durable_ = 0;
  // By the slot of a route: its newest commit.
  std::array<std::atomic<storage::Ticket>, Marks::kSlots> newest_ = {};
};

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_CELL_TICKETS_H_
