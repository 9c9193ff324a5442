#include "cells/cell_tickets.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace prejoin::cells {
namespace {

// A cell that is awaited, and up to where.
struct Awaited {
  storage::Store* cell;
  storage::Ticket ticket;
};

std::vector<Awaited> NotYetDurable(const Cells& cells) {
  std::vector<Awaited> awaited;
  for (const auto& cell : cells) {
    const storage::Ticket ticket = cell->NewestTicket();
    if (!cell->IsDurable(ticket)) {
      awaited.push_back({cell.get(), ticket});
    }
  }
  return awaited;
}

void Raise(std::atomic<storage::Ticket>& to, storage::Ticket ticket) {
  storage::Ticket old = to.load();
  while (old < ticket && !to.compare_exchange_weak(old, ticket)) {
  }
}

// Calls `done` once, when all `count` have come, with the first error.
class Countdown {
 public:
  Countdown(std::size_t count, std::function<void(Status)> done)
      : left_(count), done_(std::move(done)) {}

  void Come(const Status& status) {
    Status first;
    {
      const MutexLock lock(mutex_);
      if (!status && !error_) {
        error_ = status.error();
      }
      if (--left_ > 0) {
        return;
      }
      first = error_ ? Status(*error_) : Status();
    }
    done_(first);
  }

 private:
  Mutex mutex_;
  std::size_t left_ PJ_GUARDED_BY(mutex_);
  std::optional<Error> error_ PJ_GUARDED_BY(mutex_);
  const std::function<void(Status)> done_;
};

}  // namespace

storage::Ticket CellTickets::Take(std::span<const Marks::Slot> slots) {
  const storage::Ticket ticket = last_.fetch_add(1) + 1;
  for (const Marks::Slot slot : slots) {
    Raise(newest_[slot], ticket);
  }
  return ticket;
}

storage::Ticket CellTickets::Newest() const {
  const bool all_durable =
      std::ranges::all_of(cells_, [](const auto& cell) { return IsCellDurable(*cell); });
  return all_durable ? last_.load() : last_.fetch_add(1) + 1;
}

storage::Ticket CellTickets::Newest(const storage::Store& cell, std::string_view route) const {
  // A commit that has no ticket of ours yet is durable, or the cell would say so.
  return cell.IsDurable(cell.NewestTicket(route)) ? newest_[Marks::SlotOf(route)].load()
                                                  : last_.fetch_add(1) + 1;
}

// A commit takes its ticket after it is in its cell's log, so what a cell has committed by now includes all up to `ticket`.
bool CellTickets::IsDurable(storage::Ticket ticket) const {
  if (durable_.load() >= ticket) {
    return true;
  }
  const storage::Ticket last = last_.load();
  if (!std::ranges::all_of(cells_, [](const auto& cell) { return IsCellDurable(*cell); })) {
    return false;
  }
  Raise(durable_, last);
  return true;
}

Status CellTickets::WaitDurable(storage::Ticket ticket) {
  if (IsDurable(ticket)) {
    return {};
  }
  const storage::Ticket last = last_.load();
  const std::vector<Awaited> awaited = NotYetDurable(cells_);
  if (awaited.empty()) {
    Raise(durable_, last);
    return {};
  }
  // This thread leads the sync of the first cell; the others sync beside it.
  struct Others {
    Mutex mutex;
    std::condition_variable come;
    std::optional<Status> status PJ_GUARDED_BY(mutex);
  };
  const auto others = std::make_shared<Others>();
  const auto countdown = std::make_shared<Countdown>(awaited.size(), [others](const Status& status) {
    const MutexLock lock(others->mutex);
    others->status = status;
    others->come.notify_all();
  });
  for (std::size_t i = 1; i < awaited.size(); ++i) {
    awaited[i].cell->WhenDurable(awaited[i].ticket, [countdown](const Status& status) { countdown->Come(status); });
  }
  countdown->Come(awaited[0].cell->WaitDurable(awaited[0].ticket));
  MutexLock lock(others->mutex);
  while (!others->status) {
    lock.Wait(others->come);
  }
  PJ_RETURN_IF_ERROR(*others->status);
  Raise(durable_, last);
  return {};
}

void CellTickets::WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) {
  if (IsDurable(ticket)) {
    done({});
    return;
  }
  const storage::Ticket last = last_.load();
  const std::vector<Awaited> awaited = NotYetDurable(cells_);
  // One more, for this call: nothing may end before all have been asked.
  const auto countdown = std::make_shared<Countdown>(
      awaited.size() + 1, [this, last, done = std::move(done)](const Status& status) {
        if (status) {
          Raise(durable_, last);
        }
        done(status);
      });
  for (const Awaited& one : awaited) {
    one.cell->WhenDurable(one.ticket, [countdown](const Status& status) { countdown->Come(status); });
  }
  countdown->Come({});
}

}  // namespace prejoin::cells
