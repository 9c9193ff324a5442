#include "engine/fault_relay.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/table/catalog.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kNamedTablesMax = 5;
constexpr std::size_t kReportedMax = 64;

Fault::Kind KindOf(storage::StoreFault::Kind kind) {
  switch (kind) {
    case storage::StoreFault::Kind::kFull:
      return Fault::Kind::kFull;
    case storage::StoreFault::Kind::kWritable:
      return Fault::Kind::kWritable;
    case storage::StoreFault::Kind::kStopped:
      return Fault::Kind::kStopped;
    case storage::StoreFault::Kind::kDamaged:
      break;
  }
  return Fault::Kind::kDamaged;
}

}  // namespace

void FaultRelay::NameTablesOf(const Catalog* catalog) {
  const MutexLock lock(mutex_);
  catalog_ = catalog;
}

std::string FaultRelay::TablesBetween(std::string_view first_key, std::string_view last_key) const {
  if (catalog_ == nullptr || first_key.size() < storage::kSpaceBytes ||
      last_key.size() < storage::kSpaceBytes) {
    return {};
  }
  const std::uint32_t first = SpaceOf(first_key);
  const std::uint32_t last = SpaceOf(last_key);
  std::string names;
  std::size_t count = 0;
  for (const TablePtr& table : catalog_->All()) {
    const std::vector<std::uint32_t> spaces = SpacesOf(*table);
    const bool touched = std::ranges::any_of(
        spaces, [&](std::uint32_t space) { return first <= space && space <= last; });
    if (touched && ++count <= kNamedTablesMax) {
      names += (names.empty() ? " It holds data of: " : ", ") + table->name();
    }
  }
  if (count > kNamedTablesMax) {
    names += " and " + std::to_string(count - kNamedTablesMax) + " more";
  }
  return names.empty() ? names : names + ".";
}

void FaultRelay::ReportTo(std::function<void(const Fault&)> report) {
  const MutexLock lock(mutex_);
  report_ = std::move(report);
  for (const Fault& fault : waiting_) {
    report_(fault);
  }
  waiting_.clear();
}

void FaultRelay::Deliver(Fault fault) {
  if (report_) {
    report_(fault);
  } else if (waiting_.size() < kReportedMax) {
    waiting_.push_back(std::move(fault));
  }
}

void FaultRelay::Report(const storage::StoreFault& fault) {
  const MutexLock lock(mutex_);
  Deliver({.kind = KindOf(fault.kind),
           .message = fault.message + TablesBetween(fault.first_key, fault.last_key)});
}

void FaultRelay::NoteError(std::string_view operation, const Error& error) {
  // The store has told of its own.
  if (error.code != ErrorCode::kCorruption || error.message.starts_with("storage: ")) {
    return;
  }
  ++damaged_records_;
  const std::string text = std::string(operation) + " failed: " + error.message;
  const MutexLock lock(mutex_);
  if (reported_.size() < kReportedMax && reported_.insert(text).second) {
    Deliver({.kind = Fault::Kind::kDamaged,
             .message = text +
                        ". The record passed the checksums of its file, so a program or the memory "
                        "of this machine damaged it. Find all such records with: prejoin verify "
                        "DIRECTORY"});
  }
}

}  // namespace prejoin::engine
