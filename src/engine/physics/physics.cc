#include "engine/physics/physics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/errors.h"
#include "storage/store.h"

namespace prejoin::engine {
namespace {

// Bytes of an encoded string or binary value at the beginning of `bytes`, or of a number, whose end
// byte depends on its sign (docs/formats/keys.md).
std::size_t EncodedValueBytes(std::string_view bytes, ScalarType type) {
  if (type == ScalarType::kNumber) {
    constexpr char kZero = 2;
    if (bytes.empty() || bytes.front() == kZero) {
      return std::min<std::size_t>(bytes.size(), 1);
    }
    const char end = bytes.front() == 1 ? '\xff' : '\0';
    const std::size_t at = bytes.find(end, 2);
    return at == std::string_view::npos ? bytes.size() : at + 1;
  }
  for (std::size_t at = bytes.find('\0'); at != std::string_view::npos;
       at = bytes.find('\0', at + 2)) {
    if (at + 1 < bytes.size() && bytes[at + 1] == '\0') {
      return at + 2;
    }
  }
  return bytes.size();
}

// The length of a key's prefix, without its space, that a split may look at: an item of a table with local
// indexes stays with its collection, and entries of equal index keys stay together.
std::size_t DivisibleBytes(const Demand& demand, std::string_view key) {
  constexpr std::size_t kHashLength = storage::kRouteBytes - storage::kSpaceBytes;
  if (demand.index == nullptr && !demand.table.HasLocalIndexes()) {
    return key.size();
  }
  const KeyAttributes& keys = demand.index != nullptr ? demand.index->keys : demand.table.keys;
  std::size_t length = std::min(kHashLength, key.size());
  for (const expr::KeyAttribute& part : keys) {
    length += EncodedValueBytes(key.substr(length), part.type);
    if (demand.index == nullptr) {
      break;
    }
  }
  return length;
}

std::optional<std::int64_t> Positive(std::optional<std::int64_t> limit) {
  return limit && *limit > 0 ? limit : std::nullopt;
}

// `description` is a table's or an index's.
template <class Description>
ThroughputSettings SettingsOf(const Table& table, const Description& description) {
  ThroughputSettings settings;
  settings.arn = description.arn;
  settings.on_demand = table.description.billing_mode == BillingMode::kPayPerRequest;
  settings.provisioned = {description.provisioned_throughput.read_capacity_units,
                          description.provisioned_throughput.write_capacity_units};
  if (description.on_demand_throughput) {
    settings.maximum = {Positive(description.on_demand_throughput->max_read_request_units),
                        Positive(description.on_demand_throughput->max_write_request_units)};
  }
  if (description.warm_throughput) {
    settings.warm = {description.warm_throughput->read_units_per_second.value_or(0),
                     description.warm_throughput->write_units_per_second.value_or(0)};
  }
  return settings;
}

ThroughputSettings SettingsOf(const Table& table, const Index* index) {
  if (index == nullptr) {
    return SettingsOf(table, table.description);
  }
  ThroughputSettings settings = SettingsOf(table, index->description);
  settings.is_index = true;
  return settings;
}

std::string_view WithoutSpace(std::string_view stored_key) {
  return stored_key.substr(std::min(stored_key.size(), storage::kSpaceBytes));
}

Throughput::Request RequestOf(const Demand& demand) {
  const std::string_view key = WithoutSpace(demand.stored_key);
  return {.direction = demand.direction,
          .key = key,
          .divisible_bytes = DivisibleBytes(demand, key),
          .units = demand.units,
          .eventual = demand.eventual};
}

bool IsLess(const ProvisionedThroughput& a, const ProvisionedThroughput& b) {
  return a.read_capacity_units < b.read_capacity_units ||
         a.write_capacity_units < b.write_capacity_units;
}

// A local index shares the table's throughput.
Demand DemandOf(const ReadCost& cost, double units) {
  return {.table = *cost.table,
          .index = cost.index != nullptr && cost.index->global ? cost.index : nullptr,
          .direction = Direction::kRead,
          .stored_key = cost.stored_key,
          .units = MilliUnitsOf(units),
          .eventual = cost.consistency == Consistency::kEventual};
}

}  // namespace

MilliUnits MilliUnitsOf(double units) {
  return std::llround(units * static_cast<double>(kMilliUnitsOfUnit));
}

Physics::Physics(const PhysicsOptions& options, const Clock& clock)
    : options_(options), clock_(clock) {}

Throughput& Physics::Of(const Table& table, const Index* index, std::int64_t now_ms) {
  std::unique_ptr<Throughput>& known = by_space_[index != nullptr ? index->space : table.space];
  if (known == nullptr) {
    const Stats& stats = index != nullptr ? *index->stats : *table.stats;
    known = std::make_unique<Throughput>(options_, SettingsOf(table, index), stats.ShownBytes(),
                                         now_ms);
  }
  return *known;
}

std::optional<LimitReached> Physics::Take(const Demand& demand) {
  const std::int64_t now_ms = clock_.NowMs();
  const Throughput::Request request = RequestOf(demand);
  const MutexLock lock(mutex_);
  Throughput& throughput = Of(demand.table, demand.index, now_ms);
  const auto limit = throughput.Take(request, now_ms);
  if (!limit) {
    return std::nullopt;
  }
  last_reached_ = LimitReached{.arn = throughput.settings().arn,
                               .is_index = demand.index != nullptr,
                               .on_demand = throughput.settings().on_demand,
                               .direction = demand.direction,
                               .limit = *limit};
  return last_reached_;
}

void Physics::GiveBack(const Demand& demand) {
  const std::int64_t now_ms = clock_.NowMs();
  const Throughput::Request request = RequestOf(demand);
  const MutexLock lock(mutex_);
  Of(demand.table, demand.index, now_ms).GiveBack(request, now_ms);
}

Status Physics::AllowChange(const Table& current, const Table& next) {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  const BillingMode mode = next.description.billing_mode;
  const bool switches = mode != current.description.billing_mode;
  if (switches && mode == BillingMode::kPayPerRequest) {
    SwitchQuota& quota = switches_[current.space];
    if (!quota.Has(now_ms)) {
      return LimitExceeded(
          "Subscriber limit exceeded: Updates to PAY_PER_REQUEST mode are limited to 4 times in 24 "
          "hours.");
    }
    quota.Use(now_ms);
  }
  std::vector<std::uint32_t> decreased;
  if (!switches &&
      IsLess(next.description.provisioned_throughput, current.description.provisioned_throughput)) {
    decreased.push_back(current.space);
  }
  for (const Index& index : next.indexes) {
    const Index* before = current.FindIndex(index.name());
    if (!switches && before != nullptr &&
        IsLess(index.description.provisioned_throughput,
               before->description.provisioned_throughput)) {
      decreased.push_back(index.space);
    }
  }
  for (const std::uint32_t space : decreased) {
    if (!decreases_[space].Has(now_ms)) {
      return LimitExceeded(
          "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given "
          "UTC day. After the first 4 decreases, each subsequent decrease in the same UTC day can "
          "be performed at most once every 3600 seconds. Number of decreases today: " +
          std::to_string(decreases_[space].used_today()) + ".");
    }
  }
  for (const std::uint32_t space : decreased) {
    decreases_[space].Use(now_ms);
  }
  return {};
}

void Physics::Changed(const Table& table) {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  const auto change = [&](const Index* index, const Stats& stats) PJ_REQUIRES(mutex_) {
    const auto known = by_space_.find(index != nullptr ? index->space : table.space);
    if (known != by_space_.end()) {
      known->second->Change(SettingsOf(table, index), now_ms);
      known->second->NoteSize(stats.ShownBytes(), now_ms);
    }
  };
  change(nullptr, *table.stats);
  for (const Index& index : table.indexes) {
    change(&index, *index.stats);
  }
}

void Physics::Forget(std::span<const std::uint32_t> spaces) {
  const MutexLock lock(mutex_);
  for (const std::uint32_t space : spaces) {
    by_space_.erase(space);
    decreases_.erase(space);
    switches_.erase(space);
  }
}

Status TakeRead(Physics& physics, RequestContext& context, const ReadCost& cost) {
  const double units = cost.units * physics.read_factor();
  const Demand demand = DemandOf(cost, units);
  if (auto reached = physics.Take(demand)) {
    return ThrottlingError({*std::move(reached)});
  }
  context.taken_reads.push_back({.table = cost.table,
                                 .index = demand.index,
                                 .stored_key = std::string(cost.stored_key),
                                 .units = units,
                                 .eventual = demand.eventual});
  return {};
}

void GiveBackReads(Engine& engine, RequestContext& context) {
  for (const TakenRead& read : context.taken_reads) {
    engine.physics()->GiveBack({.table = *read.table,
                                .index = read.index,
                                .direction = Direction::kRead,
                                .stored_key = read.stored_key,
                                .units = MilliUnitsOf(read.units),
                                .eventual = read.eventual});
  }
  context.taken_reads.clear();
}

}  // namespace prejoin::engine
