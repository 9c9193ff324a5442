#include "cells/marks.h"

#include <utility>

#include "base/patience.h"
#include "cells/slices.h"
#include "storage/latches.h"

namespace prejoin::cells {
namespace {

Error GivenUp() {
  return {ErrorCode::kUnavailable,
          "storage: a transaction over several cells is not complete; it will be when every cell can write again, "
          "or with the next start"};
}

}  // namespace

Marks::Slot Marks::SlotOf(std::string_view key) {
  const std::uint64_t route = std::uint64_t{SpaceOf(key)} << 32 | HashOf(key);
  return static_cast<Slot>(route * 0x9E3779B97F4A7C15u >> 52) & (kSlots - 1);
}

Marks::Hold::Hold(Marks& marks, std::vector<Slot> slots)
    : marks_(marks), slots_(std::move(slots)) {
  {
    const MutexLock lock(marks_.mutex_);
    number_ = ++marks_.last_;
    marks_.active_.insert(number_);
    marks_.active_count_ = marks_.active_.size();
  }
  for (const Slot slot : slots_) {
    marks_.slots_[slot].fetch_add(1);
  }
}

Marks::Hold::~Hold() {
  if (given_up_) {
    return;
  }
  for (const Slot slot : slots_) {
    marks_.slots_[slot].fetch_sub(1);
    marks_.slots_[slot].notify_all();
  }
  const MutexLock lock(marks_.mutex_);
  marks_.active_.erase(number_);
  marks_.active_count_ = marks_.active_.size();
  marks_.ended_.notify_all();
}

void Marks::Hold::GiveUp() {
  given_up_ = true;
  for (const Slot slot : slots_) {
    marks_.slots_[slot].fetch_or(kGivenUp);
    marks_.slots_[slot].notify_all();
  }
  const MutexLock lock(marks_.mutex_);
  ++marks_.given_up_count_;
  marks_.ended_.notify_all();
}

void Marks::Hold::TakeBack() {
  given_up_ = false;
  // Another holder may share a slot and stay given up. It loses its bit then: its readers wait instead of failing.
  for (const Slot slot : slots_) {
    marks_.slots_[slot].fetch_and(~kGivenUp);
  }
  const MutexLock lock(marks_.mutex_);
  --marks_.given_up_count_;
}

Status Marks::WaitFor(std::string_view key) {
  std::atomic<std::uint32_t>& slot = slots_[SlotOf(key)];
  for (std::uint32_t state = slot.load(); state != 0; state = slot.load()) {
    if ((state & kGivenUp) != 0) {
      return GivenUp();
    }
    if (!MayWait()) {
      NoteObstacle(SlotOf(key));
      return storage::WouldWait();
    }
    slot.wait(state);
  }
  return {};
}

Status Marks::WaitForAll() {
  if (active_count_ == 0) [[likely]] {
    return {};
  }
  MutexLock lock(mutex_);
  const std::uint64_t last = last_;
  while (!active_.empty() && *active_.begin() <= last) {
    if (given_up_count_ > 0) {
      return GivenUp();
    }
    if (!MayWait()) {
      NoteObstacle(kSlots);
      return storage::WouldWait();
    }
    lock.Wait(ended_);
  }
  return {};
}

}  // namespace prejoin::cells
