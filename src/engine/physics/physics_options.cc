#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "prejoin/physics.h"

namespace prejoin {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000;

constexpr PhysicsParameter kParameters[] = {
    {"partition-read-units", &PhysicsOptions::partition_read_units, 1, kUnitsMax, true},
    {"partition-write-units", &PhysicsOptions::partition_write_units, 1, kUnitsMax, true},
    {"partition-gb", &PhysicsOptions::partition_gb, 1, 1'000, true},
    {"partition-burst-seconds", &PhysicsOptions::partition_burst_seconds, 1, 3'600, false},
    {"burst-seconds", &PhysicsOptions::burst_seconds, 1, 3'600, true},
    {"starts-full", &PhysicsOptions::starts_full, 0, 1, false},
    {"on-demand-read-units", &PhysicsOptions::on_demand_read_units, 2, kUnitsMax, true},
    {"on-demand-write-units", &PhysicsOptions::on_demand_write_units, 2, kUnitsMax, true},
    {"peak-minutes", &PhysicsOptions::peak_minutes, 1, 10'000, true},
    {"table-read-quota", &PhysicsOptions::table_read_quota, 1, kUnitsMax, true},
    {"table-write-quota", &PhysicsOptions::table_write_quota, 1, kUnitsMax, true},
    {"split-percent", &PhysicsOptions::split_percent, 1, 100, false},
    {"split-minutes", &PhysicsOptions::split_minutes, 1, 10'000, false},
    {"index-queue-seconds", &PhysicsOptions::index_queue_seconds, 0, 3'600, false},
    {"eventual-read-percent", &PhysicsOptions::eventual_read_percent, 10, 1'000, false},
};

struct StateParameter {
  std::string_view name;
  std::int64_t StateOptions::*member;
  std::int64_t min;
  std::int64_t max;
};

constexpr std::int64_t kStateSecondsMax = 86'400;

constexpr StateParameter kStateParameters[] = {
    {"creating", &StateOptions::creating, 0, kStateSecondsMax},
    {"updating", &StateOptions::updating, 0, kStateSecondsMax},
    {"deleting", &StateOptions::deleting, 0, kStateSecondsMax},
    {"allocating", &StateOptions::allocating, 0, kStateSecondsMax},
    {"backfilling", &StateOptions::backfilling, 0, kStateSecondsMax},
    {"enabling-ttl", &StateOptions::enabling_ttl, 0, kStateSecondsMax},
    {"enabling-stream", &StateOptions::enabling_stream, 0, kStateSecondsMax},
    {"creating-backup", &StateOptions::creating_backup, 0, kStateSecondsMax},
};

struct StaleReadParameter {
  std::string_view name;
  std::int64_t StaleReadOptions::*member;
  std::int64_t min;
  std::int64_t max;
};

constexpr StaleReadParameter kStaleReadParameters[] = {
    {"mean-ms", &StaleReadOptions::mean_ms, 1, 60'000},
    {"max-ms", &StaleReadOptions::max_ms, 1, 60'000},
    {"seed", &StaleReadOptions::seed, 0, 1'000'000'000},
};

// "NAME=VALUE"
template <class Parameter, std::size_t kCount, class Chosen>
Status SetParameter(const Parameter (&parameters)[kCount], std::string_view setting,
                    Chosen& options) {
  const std::size_t equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  const auto* parameter = std::ranges::find(parameters, name, &Parameter::name);
  if (parameter == std::end(parameters)) {
    std::string names;
    for (const Parameter& known : parameters) {
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    return ValidationError("there is no parameter \"" + std::string(name) + "\"; use one of " +
                           names);
  }
  std::int64_t value = 0;
  const std::string_view digits =
      equals == std::string_view::npos ? std::string_view() : setting.substr(equals + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < parameter->min ||
      value > parameter->max) {
    return ValidationError("write " + std::string(name) + "=N with a whole number from " +
                           std::to_string(parameter->min) + " to " +
                           std::to_string(parameter->max) + ", not \"" + std::string(setting) +
                           "\"");
  }
  options.*(parameter->member) = value;
  return {};
}

// "aws,NAME=VALUE,NAME=VALUE"
template <class Chosen, class Parameter, std::size_t kCount>
Result<Chosen> ParseParameters(const Parameter (&parameters)[kCount], std::string_view text) {
  const std::size_t first_end = std::min(text.find(','), text.size());
  if (text.substr(0, first_end) != "aws") {
    return ValidationError("write off, aws or aws,NAME=VALUE, not \"" + std::string(text) + "\"");
  }
  Chosen options;
  text.remove_prefix(first_end);
  while (!text.empty()) {
    text.remove_prefix(1);  // The comma.
    const std::size_t end = std::min(text.find(','), text.size());
    PJ_RETURN_IF_ERROR(SetParameter(parameters, text.substr(0, end), options));
    text.remove_prefix(end);
  }
  return options;
}

}  // namespace

std::span<const PhysicsParameter> PhysicsParameters() { return kParameters; }

Result<PhysicsOptions> ParsePhysics(std::string_view text) {
  return ParseParameters<PhysicsOptions>(kParameters, text);
}

Result<StateOptions> ParseStates(std::string_view text) {
  return ParseParameters<StateOptions>(kStateParameters, text);
}

Result<StaleReadOptions> ParseStaleReads(std::string_view text) {
  return ParseParameters<StaleReadOptions>(kStaleReadParameters, text);
}

}  // namespace prejoin
