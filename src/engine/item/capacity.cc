#include "engine/item/capacity.h"

#include <algorithm>

#include "base/limits.h"

namespace prejoin::engine {
namespace {

double Blocks(std::size_t bytes, std::size_t block) {
  return static_cast<double>(std::max<std::size_t>(1, (bytes + block - 1) / block));
}

}  // namespace

double ReadUnits(std::size_t bytes, Consistency consistency) {
  const double blocks = Blocks(bytes, kReadUnitBytes);
  switch (consistency) {
    case Consistency::kEventual:
      return blocks / 2;
    case Consistency::kStrong:
      return blocks;
    case Consistency::kTransactional:
      return blocks * 2;
  }
  return blocks;
}

double WriteUnits(std::size_t bytes) { return Blocks(bytes, kWriteUnitBytes); }

void CapacityMeter::AddIndex(const Index& index, double units) {
  const auto known = std::ranges::find(index_units_, index.name(), &IndexUnits::name);
  if (known != index_units_.end()) {
    known->units += units;
  } else {
    index_units_.push_back({index.name(), index.global, units});
  }
}

std::optional<ConsumedCapacity> CapacityMeter::Report(ReturnConsumedCapacity wanted) const {
  if (wanted == ReturnConsumedCapacity::kNone) {
    return std::nullopt;
  }
  const auto units = [&](double total) {
    return kind_ == Kind::kRead ? CapacityUnits{.total = total, .read = total, .write = 0}
                                : CapacityUnits{.total = total, .read = 0, .write = total};
  };
  double total = table_units_;
  ConsumedCapacity report;
  report.table_name = table_->name();
  for (const auto& [name, global, used] : index_units_) {
    total += used;
    (global ? report.global_indexes : report.local_indexes)[name] = units(used);
  }
  report.total = units(total);
  if (wanted == ReturnConsumedCapacity::kIndexes) {
    report.table = units(table_units_);
    report.vector_indexes = vector_bytes_;
  } else {
    report.local_indexes.clear();
    report.global_indexes.clear();
  }
  return report;
}

CapacityMeter& TableMeters::Of(const TablePtr& table) {
  const auto [entry, is_new] = meters_.try_emplace(table->name(), *table, kind_);
  if (is_new) {
    tables_.push_back(table);
  }
  return entry->second;
}

std::vector<ConsumedCapacity> TableMeters::Report(ReturnConsumedCapacity wanted) const {
  std::vector<ConsumedCapacity> all;
  for (const auto& [table_name, meter] : meters_) {
    if (auto consumed = meter.Report(wanted)) {
      all.push_back(*std::move(consumed));
    }
  }
  return all;
}

}  // namespace prejoin::engine
