#include "storage/tickets.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace prejoin::storage {
namespace {

constexpr std::size_t kSlotCount = std::size_t{std::numeric_limits<Tickets::Slot>::max()} + 1;
constexpr std::uint64_t kOneInFlight = std::uint64_t{1} << 48;
constexpr std::uint64_t kTicketMask = kOneInFlight - 1;

bool IsInFlight(std::uint64_t state) { return state >= kOneInFlight; }

}  // namespace

Tickets::Tickets() : slots_(std::make_unique<State[]>(kSlotCount)) {}

Tickets::Slot Tickets::SlotOf(std::string_view key) {
  std::uint64_t route = 0;
  std::memcpy(&route, key.data(), std::min(key.size(), kRouteBytes));
  return static_cast<Slot>(route * 0x9E3779B97F4A7C15u >> 48);
}

void Tickets::Begin(std::span<const Slot> slots) {
  all_.fetch_add(kOneInFlight);
  for (const Slot slot : slots) {
    slots_[slot].fetch_add(kOneInFlight);
  }
}

Ticket Tickets::End(std::span<const Slot> slots) {
  // One step: the commit leaves the flight and the next ticket is taken.
  const Ticket ticket = (all_.fetch_add(std::uint64_t{1} - kOneInFlight) + 1) & kTicketMask;
  for (const Slot slot : slots) {
    std::uint64_t old = slots_[slot].load();
    std::uint64_t changed;
    do {
      changed = (old & ~kTicketMask) - kOneInFlight + std::max(old & kTicketMask, ticket);
    } while (!slots_[slot].compare_exchange_weak(old, changed));
  }
  return ticket;
}

Ticket Tickets::Newest(Slot slot) const {
  const std::uint64_t state = slots_[slot].load();
  return IsInFlight(state) ? (all_.fetch_add(1) + 1) & kTicketMask : state & kTicketMask;
}

Ticket Tickets::Newest() const {
  const std::uint64_t state = all_.load();
  return IsInFlight(state) ? (all_.fetch_add(1) + 1) & kTicketMask : state & kTicketMask;
}

Ticket Tickets::Last() const { return all_.load() & kTicketMask; }

bool Tickets::HasInFlight() const { return IsInFlight(all_.load()); }

}  // namespace prejoin::storage
