// Up when the capacity that the target asks for was higher for two minutes, down when it was lower for fifteen. Reads and writes
// of a table change together, as one UpdateTable.
//
// Until the cooldown after a rise ends, only a larger rise is made, less what the last one added. The cooldown after a fall delays
// falls only, and a rise ends it.
#include "engine/tracking/auto_scaler.h"

#include <algorithm>
#include <cmath>

#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/physics/physics.h"
#include "engine/tracking/resource_name.h"

namespace prejoin::engine {
namespace {

constexpr int kPointsAbove = 2;
constexpr int kPointsBelow = 15;
// From the alarm to the new capacity: the alarm's delay and UpdateTable, "minutes" by the documentation.
constexpr std::int64_t kChangeMs = 120'000;
constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::size_t kStepsMax = 1'000;

std::int64_t WantedOf(const ScalingTarget& target, double used, std::int64_t provisioned) {
  if (!target.used_share) {
    return std::clamp(provisioned, target.least, target.most);
  }
  const auto wanted = static_cast<std::int64_t>(std::ceil(used / *target.used_share));
  const std::int64_t least = target.scales_in ? target.least : std::max(target.least, provisioned);
  return std::clamp(wanted, std::min(least, target.most), target.most);
}

// A clock that is set back ends a cooldown.
bool IsWithin(std::int64_t cooldown_ms, const std::optional<std::int64_t>& since_ms, std::int64_t now_ms) {
  return since_ms && now_ms >= *since_ms && now_ms - *since_ms < cooldown_ms;
}

}  // namespace

void AutoScaler::Set(const std::string& arn, Direction direction, const ScalingTarget& target) {
  resources_[arn].targets[static_cast<std::size_t>(direction)] = target;
}

void AutoScaler::Remove(const std::string& arn, Direction direction) {
  const auto found = resources_.find(arn);
  if (found == resources_.end()) {
    return;
  }
  found->second.targets[static_cast<std::size_t>(direction)].reset();
  if (std::ranges::none_of(found->second.targets, [](const auto& target) { return target.has_value(); })) {
    resources_.erase(found);
  }
}

std::array<std::int64_t, kDirections> AutoScaler::Total() const {
  std::array<std::int64_t, kDirections> total = {};
  for (const auto& [arn, resource] : resources_) {
    for (std::size_t i = 0; i < kDirections; ++i) {
      total[i] += resource.sides[i].provisioned;
    }
  }
  return total;
}

std::map<std::string, AutoScaler::Used> AutoScaler::Observe(std::int64_t minute_ms) {
  std::map<std::string, Used> used;
  EngineOf(database_).physics()->ForEach([&](const Throughput& throughput) {
    const std::string& arn = throughput.settings().arn;
    if (throughput.settings().on_demand || (!all_ && !resources_.contains(arn))) {
      return;
    }
    const bool is_new = !resources_.contains(arn);
    Resource& resource = resources_[arn];
    Used& units = used[arn];
    for (std::size_t i = 0; i < kDirections; ++i) {
      if (is_new) {
        resource.targets[i] = (*all_)[i];
      }
      resource.sides[i].provisioned = throughput.settings().provisioned[i];
    }
    for (const ThroughputMinute& minute : throughput.minutes()) {
      for (std::size_t i = 0; i < kDirections && minute.begin_ms == minute_ms; ++i) {
        units[i] = static_cast<double>(minute.consumed[i]) / static_cast<double>(kMilliUnitsOfUnit * 60);
      }
    }
  });
  return used;
}

void AutoScaler::EndMinute(std::int64_t now_ms) {
  for (const auto& [arn, units] : Observe(now_ms - now_ms % kMinuteMs - kMinuteMs)) {
    Resource& resource = resources_[arn];
    Look(resource, units, now_ms);
    if (resource.due_ms != 0 && now_ms >= resource.due_ms) {
      Apply(arn, resource, now_ms);
    }
  }
}

void AutoScaler::Look(Resource& resource, const Used& used, std::int64_t now_ms) {
  for (std::size_t i = 0; i < kDirections; ++i) {
    if (!resource.targets[i]) {
      continue;
    }
    Side& side = resource.sides[i];
    const ScalingTarget& target = *resource.targets[i];
    const std::int64_t wanted = WantedOf(target, used[i], side.provisioned);
    side.above = wanted > side.provisioned ? side.above + 1 : 0;
    side.below = wanted < side.provisioned ? side.below + 1 : 0;
    const std::int64_t added = IsWithin(target.out_cooldown_ms, side.rose_ms, now_ms) ? side.added : 0;
    const std::int64_t higher = std::max(wanted - added, target.least);
    const bool rises = side.above >= kPointsAbove && higher > side.provisioned;
    const bool falls = side.below >= kPointsBelow && !IsWithin(target.in_cooldown_ms, side.fell_ms, now_ms);
    if ((rises || falls) && resource.due_ms == 0) {
      resource.due_ms = now_ms + kChangeMs;
    }
    if (rises || falls) {
      side.wanted = rises ? higher : wanted;
    }
  }
}

void AutoScaler::NoteChange(std::int64_t before, std::int64_t after, std::int64_t now_ms, Side& side) {
  if (after > before) {
    side.added = after - before;
    side.rose_ms = now_ms;
    side.fell_ms.reset();
  } else if (after < before) {
    side.fell_ms = now_ms;
  }
}

void AutoScaler::Apply(const std::string& arn, Resource& resource, std::int64_t now_ms) {
  resource.due_ms = 0;
  ScalingStep step{.at_ms = now_ms, .arn = arn};
  for (std::size_t i = 0; i < kDirections; ++i) {
    Side& side = resource.sides[i];
    step.before[i] = side.provisioned;
    step.after[i] = side.wanted != 0 ? side.wanted : side.provisioned;
    side.wanted = side.above = side.below = 0;
  }
  const ProvisionedThroughput next{step.after[0], step.after[1]};
  const ResourceName name = ResourceNameOf(arn);
  UpdateTableInput input;
  input.table_name = name.table;
  if (name.index.empty()) {
    input.provisioned_throughput = next;
  } else {
    GlobalIndexUpdate update;
    update.update.emplace();
    update.update->index_name = name.index;
    update.update->provisioned_throughput = next;
    input.global_index_updates.emplace().push_back(std::move(update));
  }
  if (!database_.UpdateTable(input)) {
    return;  // The next alarm tries again.
  }
  for (std::size_t i = 0; i < kDirections; ++i) {
    NoteChange(step.before[i], step.after[i], now_ms, resource.sides[i]);
  }
  if (steps_.size() == kStepsMax) {
    steps_.erase(steps_.begin());
  }
  steps_.push_back(std::move(step));
}

}  // namespace prejoin::engine
