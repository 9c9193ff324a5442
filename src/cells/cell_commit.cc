// Commits over several cells. Each cell has a log of its own, and after a crash each may lack its last changes, as far as they were not
// synced. So that no cell keeps a part of what another one has lost:
//
//   1. All that the transaction has seen is made durable, in every cell that it reads or changes.
//   2. One cell, the transaction's home, stores a record with all its changes. Once that is durable, the transaction is decided.
//   3. Each cell applies its part, in one batch with a note that it has done so. Readers of the keys wait meanwhile (marks.h).
//   4. Much later, many at a time: once the parts are durable, the record is deleted; once that is, the notes are.
//
// A crash before 2 leaves nothing, and nobody saw anything. After 2, the next start finds the record, and applies the parts of all cells
// that have no note, in the order of the numbers. That cannot undo a later change: a change that followed the part in its cell is behind
// it in that cell's log, so if it is there, the part and its note are too. And since numbers are taken while the latches are held,
// transactions that touch the same item are completed in the order in which they were decided.
//
// A disk that is full at 2 or 3 leaves the transaction undone: what it would change is marked or not there yet, nothing else is committed
// anywhere, and when all cells can write again, a thread completes it as a start would (Mend). A cell that failed for good waits for the start.
//
// There is no phase in which a cell may refuse: conditions were checked, under latches that are held until the end, before anything was
// stored. That is what cells in one process have over cells on several machines (docs/adr/0042-cells-in-one-process.md).
#include "cells/cell_commit.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace prejoin::cells {
namespace {

// The interval at which it is tried again to complete what is undone.
constexpr auto kMendInterval = std::chrono::milliseconds(100);

std::vector<Marks::Slot> SlotsOf(const std::vector<CellWrites>& parts) {
  std::vector<Marks::Slot> slots;
  for (const CellWrites& part : parts) {
    for (const StagedWrite& write : part.writes) {
      slots.push_back(Marks::SlotOf(write.key));
    }
  }
  return slots;
}

}  // namespace

bool IsCellDurable(const storage::Store& cell) { return cell.IsDurable(cell.NewestTicket()); }

Status WaitForCell(storage::Store& cell) {
  const storage::Ticket ticket = cell.NewestTicket();
  return cell.IsDurable(ticket) ? Status() : cell.WaitDurable(ticket);
}

CellCommit::CellCommit(const Cells& cells, Marks& marks, Durability durability,
                       std::size_t cleared_together)
    : cells_(cells),
      marks_(marks),
      durability_(durability),
      cleared_together_(cleared_together) {
  if (durability_ == Durability::kKeepsData) {
    mender_ = std::thread([this] { MendAll(); });
  }
}

CellCommit::~CellCommit() {
  if (!mender_.joinable()) {
    return;
  }
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    mend_.notify_one();
  }
  mender_.join();
}

Status CellCommit::Health() const {
  if (!has_failed_) [[likely]] {
    return {};
  }
  const MutexLock lock(mutex_);
  return failure_ ? Status(*failure_) : Status();
}

bool CellCommit::MayPass() const {
  return failure_ && failure_->code == ErrorCode::kUnavailable;
}

Error CellCommit::Fail(Error error, Undone undone) {
  if (error.code != ErrorCode::kUnavailable) {
    error.code = ErrorCode::kIo;
  }
  const MutexLock lock(mutex_);
  undone_.push_back(std::move(undone));
  if (!failure_ || MayPass()) {
    failure_ = error;
  }
  has_failed_ = true;
  mend_.notify_one();
  return error;
}

Status CellCommit::Run(std::vector<CellWrites> parts, std::span<const std::size_t> seen) {
  PJ_RETURN_IF_ERROR(Health());
  Undone transaction{
      .number = next_number_.fetch_add(1), .parts = std::move(parts), .marked = nullptr};
  if (durability_ == Durability::kKeepsData) {
    for (const std::size_t cell : seen) {
      PJ_RETURN_IF_ERROR(WaitForCell(*cells_[cell]));
    }
    PJ_RETURN_IF_ERROR(Decide(transaction));
  }
  transaction.marked = std::make_unique<Marks::Hold>(marks_, SlotsOf(transaction.parts));
  for (const CellWrites& part : transaction.parts) {
    if (const Status applied = Apply(transaction.number, part); !applied) {
      transaction.marked->GiveUp();
      return Fail(applied.error(), std::move(transaction));
    }
  }
  transaction.marked.reset();
  if (durability_ == Durability::kKeepsData) {
    NoteApplied(transaction);
  }
  return {};
}

void CellCommit::NoteApplied(const Undone& done) {
  Applied applied{.number = done.number, .home = done.parts.front().cell, .cells = {}};
  for (const CellWrites& part : done.parts) {
    applied.cells.push_back(part.cell);
  }
  bool clears = false;
  {
    const MutexLock lock(mutex_);
    applied_.push_back(std::move(applied));
    clears = applied_.size() >= cleared_together_;
  }
  if (clears) {
    (void)Clear();  // After an error the records stay, and the next call clears them too.
  }
}

Status CellCommit::Decide(Undone& transaction) {
  const std::vector<CellWrites>& parts = transaction.parts;
  for (const CellWrites& part : parts) {
    if (&part != &parts.front()) {  // In its home, the record is behind all that was there before.
      PJ_RETURN_IF_ERROR(WaitForCell(*cells_[part.cell]));
    }
  }
  storage::Store& home = *cells_[parts.front().cell];
  const std::string key = NumberedKey(kRecordSpace, transaction.number);
  const std::string record = EncodeRecord(parts);
  const auto stored = home.Transact({}, [&](storage::Transaction& batch) -> Status {
    batch.Put(key, record);
    return {};
  });
  if (!stored) {
    return Fail(stored.error(), std::move(transaction));
  }
  const Status durable = home.IsDurable(*stored) ? Status() : home.WaitDurable(*stored);
  return durable ? durable : Status(Fail(durable.error(), std::move(transaction)));
}

Status CellCommit::Apply(std::uint64_t number, const CellWrites& part) {
  const auto applied =
      cells_[part.cell]->Transact({}, [&](storage::Transaction& transaction) -> Status {
        Stage(part.writes, transaction);
        if (durability_ == Durability::kKeepsData) {
          transaction.Put(NumberedKey(kAppliedSpace, number), "");
        }
        return {};
      });
  return applied ? Status() : Status(applied.error());
}

Status CellCommit::Clear() {
  if (clearing_.exchange(true)) {
    return {};  // Another thread does, and what it leaves comes next time.
  }
  std::vector<Applied> done;
  {
    const MutexLock lock(mutex_);
    done.swap(applied_);
  }
  Status forgotten = Forget(done);
  if (!forgotten) {
    const MutexLock lock(mutex_);
    applied_.insert(applied_.end(), done.begin(), done.end());
  }
  clearing_ = false;
  return forgotten;
}

Status CellCommit::Forget(const std::vector<Applied>& done) {
  std::map<std::size_t, std::vector<std::uint64_t>> records;
  std::map<std::size_t, std::vector<std::uint64_t>> notes;
  for (const Applied& applied : done) {
    records[applied.home].push_back(applied.number);
    for (const std::size_t cell : applied.cells) {
      notes[cell].push_back(applied.number);
    }
  }
  for (const auto& [cell, numbers] : notes) {
    PJ_RETURN_IF_ERROR(WaitForCell(*cells_[cell]));
  }
  for (const auto& [cell, numbers] : records) {
    PJ_RETURN_IF_ERROR(Delete(cell, kRecordSpace, numbers));
  }
  for (const auto& [cell, numbers] : records) {
    PJ_RETURN_IF_ERROR(WaitForCell(*cells_[cell]));
  }
  for (const auto& [cell, numbers] : notes) {
    PJ_RETURN_IF_ERROR(Delete(cell, kAppliedSpace, numbers));
  }
  return {};
}

Status CellCommit::Delete(std::size_t cell, std::uint32_t space,
                          const std::vector<std::uint64_t>& numbers) {
  const auto deleted = cells_[cell]->Transact({}, [&](storage::Transaction& transaction) -> Status {
    for (const std::uint64_t number : numbers) {
      transaction.Delete(NumberedKey(space, number));
    }
    return {};
  });
  return deleted ? Status() : Status(deleted.error());
}

// Everything is durable, and no note of an earlier life is left, before the first new number is taken.
Status CellCommit::Recover() {
  PJ_ASSIGN_OR_RETURN(const std::vector<Undone> undone, ReadRecords());
  PJ_RETURN_IF_ERROR(CompleteAll(undone));
  PJ_RETURN_IF_ERROR(DeleteAll(kRecordSpace));
  return DeleteAll(kAppliedSpace);
}

Result<std::vector<CellCommit::Undone>> CellCommit::ReadRecords() {
  std::vector<Undone> undone;
  Status status;
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(
        cell->Visit(NumberedRange(kRecordSpace), [&](std::string_view key, std::string_view value) {
          auto parts = DecodeRecord(value, cells_.size());
          if (!parts) {
            status = parts.error();
            return storage::Visit::kStop;
          }
          undone.push_back(
              {.number = NumberOf(key), .parts = *std::move(parts), .marked = nullptr});
          return storage::Visit::kContinue;
        }));
    PJ_RETURN_IF_ERROR(status);
  }
  std::ranges::sort(undone, {}, &Undone::number);
  return undone;
}

Status CellCommit::CompleteAll(const std::vector<Undone>& undone) {
  for (const Undone& transaction : undone) {
    for (const CellWrites& part : transaction.parts) {
      PJ_ASSIGN_OR_RETURN(
          const auto note,
          cells_[part.cell]->Get(NumberedKey(kAppliedSpace, transaction.number)));
      if (!note) {
        PJ_RETURN_IF_ERROR(Apply(transaction.number, part));
      }
    }
  }
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(WaitForCell(*cell));
  }
  return {};
}

Status CellCommit::DeleteAll(std::uint32_t space) {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    std::vector<std::uint64_t> numbers;
    PJ_RETURN_IF_ERROR(
        cells_[cell]->Visit(NumberedRange(space), [&](std::string_view key, std::string_view) {
          numbers.push_back(NumberOf(key));
          return storage::Visit::kContinue;
        }));
    if (!numbers.empty()) {
      PJ_RETURN_IF_ERROR(Delete(cell, space, numbers));
    }
  }
  for (const auto& cell : cells_) {
    PJ_RETURN_IF_ERROR(WaitForCell(*cell));
  }
  return {};
}

void CellCommit::MendAll() {
  while (std::optional<std::vector<Undone>> undone = WaitForUndone()) {
    const Status mended = Mend(*undone);
    const MutexLock lock(mutex_);
    if (mended && undone_.empty()) {
      failure_.reset();
      has_failed_ = false;
    } else if (!mended) {
      std::ranges::move(*undone, std::back_inserter(undone_));
      if (mended.error().code != ErrorCode::kUnavailable) {
        failure_ = mended.error();
      }
    }
  }
}

std::optional<std::vector<CellCommit::Undone>> CellCommit::WaitForUndone() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (!MayPass()) {
      lock.Wait(mend_);
      continue;
    }
    lock.WaitFor(mend_, kMendInterval);
    const bool all_write =
        std::ranges::all_of(cells_, [](const auto& cell) { return cell->Outage() == 0; });
    if (!stopping_ && MayPass() && all_write) {
      return std::exchange(undone_, {});
    }
  }
  return std::nullopt;
}

// One whose record never reached its home is not decided, and none of its parts is anywhere.
Status CellCommit::Mend(std::vector<Undone>& undone) {
  std::ranges::sort(undone, {}, &Undone::number);
  for (std::size_t i = 0; i < undone.size();) {
    storage::Store& home = *cells_[undone[i].parts.front().cell];
    PJ_ASSIGN_OR_RETURN(const auto record, home.Get(NumberedKey(kRecordSpace, undone[i].number)));
    if (!record) {
      undone.erase(undone.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    PJ_RETURN_IF_ERROR(WaitForCell(home));
    if (undone[i].marked == nullptr) {
      undone[i].marked = std::make_unique<Marks::Hold>(marks_, SlotsOf(undone[i].parts));
      undone[i].marked->GiveUp();
    }
    ++i;
  }
  PJ_RETURN_IF_ERROR(CompleteAll(undone));
  for (Undone& transaction : undone) {
    transaction.marked->TakeBack();
    transaction.marked.reset();
    NoteApplied(transaction);
  }
  return {};
}

}  // namespace prejoin::cells
