// The store over cells. A key's hash names its cell (slices.h). A transaction latches its keys here, reads them in their cells, runs its
// body, and commits what the body staged: in one cell as a batch of that cell, in several ones by cell_commit.h.
//
// The cells' logs do not wait for each other, so after a crash one cell may lack changes that are older than some in another. Nobody
// outside can tell, since answers wait until what they show is durable. Inside, three rules keep what depends on each other together:
// a commit waits until what it has read in other cells is durable; a transaction over several cells does so for all its cells; and
// changes under partition hash 0, where the engine keeps its catalog, happen behind everything before and in front of everything after
// (CommitBetween), as they do in a single log.
#include "cells/cell_store.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/patience.h"
#include "cells/cell_tickets.h"
#include "cells/marks.h"
#include "cells/slices.h"
#include "storage/latches.h"

namespace prejoin::cells {
namespace {

using storage::Ticket;

class CellTransaction final : public storage::Transaction {
 public:
  std::optional<std::string_view> Value(std::size_t index) const override {
    PJ_CHECK(index < values.size());
    return values[index];
  }
  void Put(std::string_view key, std::string_view value) override {
    Add(key).value.emplace(value);
  }
  void Delete(std::string_view key) override { Add(key); }

  std::vector<std::optional<std::string>> values;
  StagedWrites staged;

 private:
  StagedWrite& Add(std::string_view key) {
    const std::uint32_t space = SpaceOf(key);
    PJ_CHECK(space != kRecordSpace && space != kAppliedSpace);
    return staged.emplace_back(StagedWrite{.key = std::string(key), .value = {}});
  }
};

std::vector<Marks::Slot> SlotsOf(const StagedWrites& staged) {
  std::vector<Marks::Slot> slots;
  slots.reserve(staged.size());
  for (const StagedWrite& write : staged) {
    slots.push_back(Marks::SlotOf(write.key));
  }
  return slots;
}

// Obstacles (base/patience.h) of transactions that need syncs; they differ by key, for such transactions can go on side by side.
Error NeedsSyncs(const StagedWrites& staged) {
  NoteObstacle(Marks::SlotOf(staged.front().key));
  return storage::WouldWait();
}

class CellStore final : public storage::Store {
 public:
  CellStore(Cells cells, Durability durability, std::size_t cleared_together)
      : cells_(std::move(cells)),
        tickets_(cells_),
        commit_(cells_, marks_, durability, cleared_together) {}
  ~CellStore() override {
    if (commit_.Health()) {
      (void)commit_.Clear();
    }
  }

  Status Recover() { return commit_.Recover(); }

  Result<Ticket> Transact(std::span<const std::string> keys, Body body) override;
  Result<std::optional<std::string>> Get(std::string_view key) override;
  Result<Values> GetTogether(std::span<const std::string> keys) override;
  Status Visit(const storage::Range& range, Visitor visitor) override;
  Status DeleteSpace(std::uint32_t space) override;

  Ticket NewestTicket(std::string_view route) const override {
    return tickets_.Newest(CellOfKey(route), route);
  }
  Ticket NewestTicket() const override { return tickets_.Newest(); }
  bool IsDurable(Ticket ticket) const override { return tickets_.IsDurable(ticket); }
  Status WaitDurable(Ticket ticket) override { return tickets_.WaitDurable(ticket); }
  void WhenDurable(Ticket ticket, std::function<void(Status)> done) override {
    tickets_.WhenDurable(ticket, std::move(done));
  }

  Status Health() const override;
  std::uint64_t Outage() const override;
  FaultCounts Faults() const override;
  Status Need(const std::string& feature) override;
  std::uint64_t ApproximateBytes(std::uint32_t space) const override;

 private:
  storage::Store& CellOfKey(std::string_view key) const {
    return *cells_[CellOf(key, cells_.size())];
  }
  // The error for a transaction that is refused because a cell cannot write.
  Status CheckWritable();
  Status ReadValues(std::span<const std::string> keys, CellTransaction& transaction);
  Result<Ticket> Commit(std::span<const std::string> keys, StagedWrites staged);
  Result<Ticket> CommitIn(std::size_t cell, const StagedWrites& staged);
  // The commit is behind everything that was committed before, in any cell, and durable when this returns.
  Result<Ticket> CommitBetween(std::size_t cell, const StagedWrites& staged);
  // While some cell cannot write, all that is read must be durable (storage::Store::Outage).
  Status SettleInOutage(storage::Store& cell);
  // The part of `range` that lies in one space.
  Status VisitSpace(std::uint32_t space, const storage::Range& range, Visitor visitor, bool& stopped);
  Status VisitSlice(std::size_t cell, const storage::Range& slice, Visitor visitor, bool& stopped);
  // The nearest space with keys in `range`; nullopt: there is none.
  Result<std::optional<std::uint32_t>> NearestSpace(const storage::Range& range);

  const Cells cells_;
  storage::Latches latches_;
  Marks marks_;
  CellTickets tickets_;
  CellCommit commit_;
};

Status CellStore::CheckWritable() {
  PJ_RETURN_IF_ERROR(commit_.Health());
  for (const auto& cell : cells_) {
    if (cell->Outage() != 0) [[unlikely]] {
      // It has the words for it.
      const auto refused = cell->Transact({}, [](storage::Transaction&) { return Status(); });
      PJ_RETURN_IF_ERROR(refused);
    }
  }
  return {};
}

Status CellStore::ReadValues(std::span<const std::string> keys, CellTransaction& transaction) {
  transaction.values.reserve(keys.size());
  for (const std::string& key : keys) {
    PJ_ASSIGN_OR_RETURN(transaction.values.emplace_back(), CellOfKey(key).Get(key));
  }
  return {};
}

Result<Ticket> CellStore::Transact(std::span<const std::string> keys, Body body) {
  PJ_RETURN_IF_ERROR(CheckWritable());
  CellTransaction transaction;
  {
    const storage::Latches::Hold hold(latches_, keys);
    if (!hold.holds()) {
      return storage::WouldWait();
    }
    // Once more: a transaction that is not complete has given its latches back, and what it changes must stay as it is until it is.
    PJ_RETURN_IF_ERROR(commit_.Health());
    PJ_RETURN_IF_ERROR(ReadValues(keys, transaction));
    PJ_RETURN_IF_ERROR(body(transaction));
    if (!transaction.staged.empty()) {
      return Commit(keys, std::move(transaction.staged));
    }
  }
  Ticket seen = 0;
  for (const std::string& key : keys) {
    seen = std::max(seen, NewestTicket(key));
  }
  return seen;
}

Result<Ticket> CellStore::Commit(std::span<const std::string> keys, StagedWrites staged) {
  const auto cell_of = [&](std::string_view key) { return CellOf(key, cells_.size()); };
  const std::size_t first = cell_of(staged.front().key);
  const auto is_first = [&](std::string_view key) { return cell_of(key) == first; };
  const bool one_cell = std::ranges::all_of(staged, is_first, &StagedWrite::key);
  if (one_cell && std::ranges::any_of(staged, [](const StagedWrite& write) { return HashOf(write.key) == 0; })) {
    return CommitBetween(first, staged);
  }
  if (one_cell) {
    for (const std::string& key : keys) {
      storage::Store& cell = CellOfKey(key);
      if (!is_first(key) && !cell.IsDurable(cell.NewestTicket(key))) {
        if (!MayWait()) {
          return NeedsSyncs(staged);
        }
        PJ_RETURN_IF_ERROR(cell.WaitDurable(cell.NewestTicket(key)));
      }
    }
    return CommitIn(first, staged);
  }
  if (!MayWait()) {
    return NeedsSyncs(staged);
  }
  const std::vector<Marks::Slot> slots = SlotsOf(staged);
  std::map<std::size_t, StagedWrites> by_cell;
  bool changes_catalog = false;
  for (StagedWrite& write : staged) {
    changes_catalog = changes_catalog || HashOf(write.key) == 0;
    by_cell[cell_of(write.key)].push_back(std::move(write));
  }
  std::vector<std::size_t> seen;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    const bool read = std::ranges::any_of(keys, [&](const std::string& key) { return cell_of(key) == cell; });
    if ((read || changes_catalog) && !by_cell.contains(cell)) {
      seen.push_back(cell);
    }
  }
  std::vector<CellWrites> parts;
  for (auto& [cell, writes] : by_cell) {
    parts.push_back({.cell = cell, .writes = std::move(writes)});
  }
  PJ_RETURN_IF_ERROR(commit_.Run(std::move(parts), seen));
  return tickets_.Take(slots);
}

Result<Ticket> CellStore::CommitIn(std::size_t cell, const StagedWrites& staged) {
  const auto committed = cells_[cell]->Transact({}, [&](storage::Transaction& transaction) -> Status {
    Stage(staged, transaction);
    return {};
  });
  if (!committed) {
    return committed.error();
  }
  return tickets_.Take(SlotsOf(staged));
}

Result<Ticket> CellStore::CommitBetween(std::size_t cell, const StagedWrites& staged) {
  const Ticket before = tickets_.Newest();
  if (!tickets_.IsDurable(before)) {
    if (!MayWait()) {
      return NeedsSyncs(staged);
    }
    PJ_RETURN_IF_ERROR(tickets_.WaitDurable(before));
  }
  PJ_ASSIGN_OR_RETURN(const Ticket ticket, CommitIn(cell, staged));
  PJ_RETURN_IF_ERROR(WaitForCell(*cells_[cell]));
  return ticket;
}

Status CellStore::SettleInOutage(storage::Store& cell) {
  return Outage() == 0 || cell.Outage() != 0 ? Status() : WaitForCell(cell);
}

Result<std::optional<std::string>> CellStore::Get(std::string_view key) {
  PJ_RETURN_IF_ERROR(marks_.WaitFor(key));
  storage::Store& cell = CellOfKey(key);
  PJ_ASSIGN_OR_RETURN(auto value, cell.Get(key));
  PJ_RETURN_IF_ERROR(SettleInOutage(cell));
  return value;
}

Result<storage::Store::Values> CellStore::GetTogether(std::span<const std::string> keys) {
  if (keys.empty()) {
    return Values();
  }
  storage::Store& first = CellOfKey(keys.front());
  if (std::ranges::all_of(keys, [&](const std::string& key) { return &CellOfKey(key) == &first; })) {
    for (const std::string& key : keys) {
      PJ_RETURN_IF_ERROR(marks_.WaitFor(key));
    }
    PJ_ASSIGN_OR_RETURN(Values values, first.GetTogether(keys));
    PJ_RETURN_IF_ERROR(SettleInOutage(first));
    return values;
  }
  // A transaction that changes one of the keys holds its latch until all cells have the change.
  const storage::Latches::Hold hold(latches_, keys);
  if (!hold.holds()) {
    return storage::WouldWait();
  }
  Values values;
  values.reserve(keys.size());
  for (const std::string& key : keys) {
    PJ_ASSIGN_OR_RETURN(values.emplace_back(), Get(key));
  }
  return values;
}

Status CellStore::Visit(const storage::Range& range, Visitor visitor) {
  storage::Range left = range;
  while (left.end.empty() || left.begin < left.end) {
    PJ_ASSIGN_OR_RETURN(const auto space, NearestSpace(left));
    if (!space) {
      return {};
    }
    bool stopped = false;
    if (*space != kRecordSpace && *space != kAppliedSpace) {
      PJ_RETURN_IF_ERROR(VisitSpace(*space, left, visitor, stopped));
    }
    const bool forward = range.direction == storage::Direction::kForward;
    const std::string edge = forward ? SliceBegin(*space, cells_.size(), cells_.size())
                                     : SliceBegin(*space, 0, cells_.size());
    if (stopped || edge.empty()) {
      return {};
    }
    (forward ? left.begin : left.end) = edge;
  }
  return {};
}

Result<std::optional<std::uint32_t>> CellStore::NearestSpace(const storage::Range& range) {
  const std::uint32_t first = SpaceOf(range.begin);
  if (!range.end.empty() && range.end <= SliceBegin(first, cells_.size(), cells_.size())) {
    return first;
  }
  const bool forward = range.direction == storage::Direction::kForward;
  std::optional<std::uint32_t> nearest;
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(cell->Visit(range, [&](std::string_view key, std::string_view) {
      const std::uint32_t space = SpaceOf(key);
      nearest = !nearest ? space : forward ? std::min(*nearest, space) : std::max(*nearest, space);
      return storage::Visit::kStop;
    }));
  }
  return nearest;
}

Status CellStore::VisitSpace(std::uint32_t space, const storage::Range& range, Visitor visitor,
                             bool& stopped) {
  const bool forward = range.direction == storage::Direction::kForward;
  for (std::size_t i = 0; i < cells_.size() && !stopped; ++i) {
    const std::size_t cell = forward ? i : cells_.size() - 1 - i;
    storage::Range slice = range;
    slice.begin = std::max(range.begin, SliceBegin(space, cell, cells_.size()));
    const std::string slice_end = SliceBegin(space, cell + 1, cells_.size());
    if (range.end.empty() || (!slice_end.empty() && slice_end < range.end)) {
      slice.end = slice_end;
    }
    if (slice.end.empty() || slice.begin < slice.end) {
      PJ_RETURN_IF_ERROR(VisitSlice(cell, slice, visitor, stopped));
    }
  }
  return {};
}

Status CellStore::VisitSlice(std::size_t cell, const storage::Range& slice, Visitor visitor,
                             bool& stopped) {
  constexpr std::size_t kRoute = storage::kRouteBytes;
  const bool one_route = slice.begin.size() >= kRoute && slice.end.size() >= kRoute &&
                         slice.begin.compare(0, kRoute, slice.end, 0, kRoute) == 0;
  PJ_RETURN_IF_ERROR(one_route ? marks_.WaitFor(slice.begin) : marks_.WaitForAll());
  PJ_RETURN_IF_ERROR(cells_[cell]->Visit(slice, [&](std::string_view key, std::string_view value) {
    const storage::Visit next = visitor(key, value);
    stopped = next == storage::Visit::kStop;
    return next;
  }));
  return SettleInOutage(*cells_[cell]);
}

Status CellStore::DeleteSpace(std::uint32_t space) {
  PJ_RETURN_IF_ERROR(CheckWritable());
  // Files go at once and for good, so all that led to this deletion has to be durable before.
  PJ_RETURN_IF_ERROR(tickets_.WaitDurable(tickets_.Newest()));
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(cell->DeleteSpace(space));
  }
  return {};
}

Status CellStore::Health() const {
  PJ_RETURN_IF_ERROR(commit_.Health());
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(cell->Health());
  }
  return {};
}

std::uint64_t CellStore::Outage() const {
  std::uint64_t outages = 0;
  std::uint64_t place = 1;
  for (const auto& cell : cells_) {
    outages += cell->Outage() * place;
    place *= 0x9E3779B97F4A7C15u;  // Odd, so that a cell's number is not lost.
  }
  return outages;
}

storage::Store::FaultCounts CellStore::Faults() const {
  FaultCounts all;
  for (const auto& cell : cells_) {
    const FaultCounts faults = cell->Faults();
    all.outages += faults.outages;
    all.damaged_reads += faults.damaged_reads;
    all.damaged_files += faults.damaged_files;
  }
  return all;
}

Status CellStore::Need(const std::string& feature) {
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(cell->Need(feature));
  }
  return {};
}

std::uint64_t CellStore::ApproximateBytes(std::uint32_t space) const {
  std::uint64_t bytes = 0;
  for (const auto& cell : cells_) {
    bytes += cell->ApproximateBytes(space);
  }
  return bytes;
}

}  // namespace

Result<std::unique_ptr<storage::Store>> OpenCellStore(Cells cells, Durability durability,
                                                      std::size_t cleared_together) {
  PJ_CHECK(IsCellCount(cells.size()));
  auto store = std::make_unique<CellStore>(std::move(cells), durability, cleared_together);
  PJ_RETURN_IF_ERROR(store->Recover());
  return store;
}

std::unique_ptr<storage::Store> NewMemoryCells(std::size_t count) {
  Cells cells;
  for (std::size_t i = 0; i < count; ++i) {
    cells.push_back(storage::NewMemoryStore());
  }
  return std::make_unique<CellStore>(std::move(cells), Durability::kKeepsNothing,
                                     CellCommit::kClearedTogether);
}

}  // namespace prejoin::cells
