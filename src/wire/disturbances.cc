#include "wire/disturbances.h"

#include <utility>

#include "engine/physics/request_latency.h"

namespace prejoin::wire {

void Disturbances::SetRules(std::vector<engine::FaultRule> rules) {
  const MutexLock lock(mutex_);
  began_ms_ = clock_.NowMs();
  has_rules_ = !rules.empty();
  schedule_ = engine::FaultSchedule(std::move(rules), seed_);
}

std::optional<engine::FaultKind> Disturbances::Decide(engine::FaultTarget target) {
  const std::int64_t now_ms = clock_.NowMs();
  const MutexLock lock(mutex_);
  target.at_s = static_cast<double>(now_ms - began_ms_) / 1'000;
  return schedule_.Decide(target);
}

double Disturbances::LatencyMs(std::string_view operation, bool throttled) {
  if (!has_latency_) {
    return 0;
  }
  const MutexLock lock(mutex_);
  return engine::DrawLatencyMs(operation, throttled, random_);
}

}  // namespace prejoin::wire
