#include "simulate/auto_scaler.h"

#include <algorithm>
#include <cmath>

#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/physics/physics.h"

namespace prejoin::simulate {
namespace {

constexpr int kPointsAbove = 2;
constexpr int kPointsBelow = 15;
// From the alarm to the new capacity: the alarm's delay and UpdateTable, "minutes" by the documentation.
constexpr std::int64_t kChangeMs = 120'000;
constexpr std::int64_t kProvisionedUnitsMax = 40'000;

}  // namespace

AutoScaler::AutoScaler(Database& database, Units least, int target_percent)
    : database_(database), least_(least), target_(target_percent / 100.0) {}

Units AutoScaler::Total() const {
  Units total;
  for (const auto& [arn, target] : targets_) {
    total.read += target.provisioned[0];
    total.write += target.provisioned[1];
  }
  return total;
}

void AutoScaler::EndMinute(std::int64_t now_ms) {
  ++minutes_;
  const std::int64_t minute_ms = now_ms - now_ms % 60'000 - 60'000;
  std::map<std::string, std::array<double, 2>> used;
  engine::EngineOf(database_).physics()->ForEach([&](const engine::Throughput& throughput) {
    auto& units = used[throughput.settings().arn];
    Target& target = targets_[throughput.settings().arn];
    target.provisioned = throughput.settings().provisioned;
    for (const engine::ThroughputMinute& minute : throughput.minutes()) {
      for (std::size_t i = 0; i < 2 && minute.begin_ms == minute_ms; ++i) {
        units[i] = static_cast<double>(minute.consumed[i]) / 60'000;
      }
    }
  });
  for (const auto& [arn, units] : used) {
    Target& target = targets_[arn];
    Look(target, units, now_ms);
    if (target.due_ms != 0 && now_ms >= target.due_ms) {
      Apply(arn, target);
    }
  }
}

void AutoScaler::Look(Target& target, std::array<double, 2> used, std::int64_t now_ms) {
  const std::int64_t least[] = {least_.read, least_.write};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto wanted =
        std::clamp(static_cast<std::int64_t>(std::ceil(used[i] / target_)), least[i], kProvisionedUnitsMax);
    target.above[i] = wanted > target.provisioned[i] ? target.above[i] + 1 : 0;
    target.below[i] = wanted < target.provisioned[i] ? target.below[i] + 1 : 0;
    const bool changes = target.above[i] >= kPointsAbove || target.below[i] >= kPointsBelow;
    if (changes && target.due_ms == 0) {
      target.due_ms = now_ms + kChangeMs;
    }
    if (changes) {
      target.wanted[i] = wanted;
    }
  }
}

void AutoScaler::Apply(const std::string& arn, Target& target) {
  target.due_ms = 0;
  ProvisionedThroughput next{target.wanted[0] != 0 ? target.wanted[0] : target.provisioned[0],
                             target.wanted[1] != 0 ? target.wanted[1] : target.provisioned[1]};
  target.wanted = {};
  target.above = target.below = {};
  constexpr std::string_view kIndex = "/index/";
  const std::size_t index_at = arn.find(kIndex);
  const std::size_t name_at = arn.find("table/") + 6;
  UpdateTableInput input;
  input.table_name = arn.substr(name_at, index_at - name_at);
  if (index_at == std::string::npos) {
    input.provisioned_throughput = next;
  } else {
    GlobalIndexUpdate update;
    update.update.emplace();
    update.update->index_name = arn.substr(index_at + kIndex.size());
    update.update->provisioned_throughput = next;
    input.global_index_updates.emplace().push_back(std::move(update));
  }
  if (!database_.UpdateTable(input)) {
    return;  // The next minute tries again.
  }
  log_.push_back("minute " + std::to_string(minutes_) + ": " + arn.substr(name_at) + " " +
                 std::to_string(target.provisioned[0]) + " → " +
                 std::to_string(next.read_capacity_units) + " RCU, " +
                 std::to_string(target.provisioned[1]) + " → " +
                 std::to_string(next.write_capacity_units) + " WCU");
}

}  // namespace prejoin::simulate
