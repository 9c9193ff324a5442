// Injected faults as a schedule: which requests fail, how, and when. Its decisions depend on the rules,
// the seed and the requests before, so that runs repeat.
//
//   fault error 25% of PutItem on Orders at 10 minutes for 5 minutes
//   fault throttle of Query on Orders key "c1"
//   fault region at 30 minutes for 10 minutes
#ifndef PREJOIN_ENGINE_PHYSICS_FAULT_SCHEDULE_H_
#define PREJOIN_ENGINE_PHYSICS_FAULT_SCHEDULE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random_source.h"
#include "engine/physics/setting_words.h"
#include "prejoin/result.h"

namespace prejoin::engine {

enum class FaultKind {
  kError,        // InternalServerError, 500.
  kUnavailable,  // ServiceUnavailableException, 503.
  kTimeout,      // No answer.
  kDrop,         // The connection is closed.
  kThrottle,     // Throttles as a hot partition does.
};

struct FaultRule {
  FaultKind kind = FaultKind::kError;
  double share = 1;
  std::string operation;  // Empty: every operation.
  std::string table;      // Empty: every table.
  std::string key;        // A value of the request's keys; empty: every key.
  double at_s = 0;        // Since the schedule began.
  std::optional<double> length_s;
};

// A request, as rules look at it. Borrows.
struct FaultTarget {
  std::string_view operation;
  std::span<const std::string> tables;
  std::span<const std::string> keys;  // Texts of the values of its keys.
  double at_s = 0;
};

// The words after `fault`; nullopt: they are no rule.
std::optional<FaultRule> ParseFaultRule(SettingWords& words);
inline constexpr std::string_view kFaultRuleForm =
    "fault error, unavailable, timeout, drop, throttle or region; then, where needed, 25%, of "
    "OPERATION, on TABLE, key \"VALUE\", at 10 minutes, for 5 minutes";

// One rule in each line, beginning with `fault`. An error names the line.
Result<std::vector<FaultRule>> ParseFaultRules(std::string_view text);

// Single thread.
class FaultSchedule {
 public:
  FaultSchedule() = default;
  FaultSchedule(std::vector<FaultRule> rules, std::uint64_t seed)
      : rules_(std::move(rules)), random_(seed) {}

  bool empty() const { return rules_.empty(); }
  // The fault of the first rule that hits the request.
  std::optional<FaultKind> Decide(const FaultTarget& target);

 private:
  std::vector<FaultRule> rules_;
  RandomSource random_{1};
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_FAULT_SCHEDULE_H_
