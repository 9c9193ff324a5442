#include "simulate/advice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace prejoin::simulate {
namespace {

// The limit that throttled most, where it is known.
struct Worst {
  std::string reason;
  std::string arn;
  const ThrottleOutcome* throttle = nullptr;
};

std::optional<Worst> WorstOf(const Outcome& outcome) {
  std::optional<Worst> worst;
  for (const auto& [what, throttle] : outcome.throttles) {
    const auto& [reason, arn] = what;
    const bool known = !arn.empty();
    const bool worst_known = worst && !worst->arn.empty();
    if (!worst || (known && !worst_known) ||
        (known == worst_known && throttle.count > worst->throttle->count)) {
      worst = Worst{reason, arn, &throttle};
    }
  }
  return worst;
}

std::string NameOf(const std::string& arn) {
  const std::size_t at = arn.find("table/");
  std::string name = at == std::string::npos ? arn : arn.substr(at + 6);
  const std::size_t index = name.find("/index/");
  return index == std::string::npos
             ? "table " + name
             : "index " + name.substr(index + 7) + " of table " + name.substr(0, index);
}

std::string Rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", number);
  return text;
}

// The load that asked for the resource in its busiest minute, admitted or not.
double DemandOf(const ResourceOutcome& resource, const Worst& worst, const Outcome& outcome) {
  const bool reads = worst.reason.find("Read") != std::string::npos;
  const double admitted = reads ? resource.read_per_second_max : resource.write_per_second_max;
  const double span = std::max(worst.throttle->last_s - worst.throttle->first_s, 1.0);
  const double retries = outcome.all.attempts > 0 ? static_cast<double>(outcome.all.calls) /
                                                        static_cast<double>(outcome.all.attempts)
                                                  : 1;
  return admitted + static_cast<double>(worst.throttle->count) / span * std::min(retries, 1.0);
}

Advice HotKey(const Worst& worst, double demand, const Scenario& scenario) {
  const bool reads = worst.reason.find("Read") != std::string::npos;
  const auto limit = static_cast<double>(reads ? scenario.physics.partition_read_units
                                               : scenario.physics.partition_write_units);
  const auto [key, count] = worst.throttle->HottestKey();
  const double share = static_cast<double>(count) /
                       static_cast<double>(std::max<std::uint64_t>(1, worst.throttle->count));
  const double shards = std::max(2.0, std::ceil(demand * share / limit * 1.5));
  Advice advice;
  advice.why = "One partition of " + NameOf(worst.arn) + " is at its limit of " + Rounded(limit) +
               (reads ? " read" : " write") + " units a second; " + Rounded(share * 100) +
               "% of the throttled requests used the key \"" + key + "\".";
  if (reads) {
    advice.change = "Read this key through a cache, or keep " + Rounded(shards) +
                    " copies of the item under different keys and read one at random.";
  } else {
    advice.change = "Add a shard number from 0 to " + Rounded(shards - 1) +
                    " to the partition key of " + NameOf(worst.arn) +
                    ", and read all shards in parallel.";
    if (worst.reason.starts_with("Index")) {
      advice.change += " The index refuses writes of its table until then.";
    }
  }
  return advice;
}

Advice MoreCapacity(const Worst& worst, double demand, const Scenario& scenario) {
  const bool reads = worst.reason.find("Read") != std::string::npos;
  Advice advice;
  Scenario changed = scenario;
  const double wanted = std::ceil(demand * 1.3 / 100) * 100;
  if (worst.reason.ends_with("ProvisionedThroughputExceeded")) {
    Units units = *scenario.provisioned;
    std::int64_t& side = reads ? units.read : units.write;
    advice.why = NameOf(worst.arn) + " has " + std::to_string(side) + (reads ? " RCU" : " WCU") +
                 " and needs about " + Rounded(demand) + ".";
    side = std::max(side, static_cast<std::int64_t>(wanted));
    advice.change = "Provision " + std::to_string(side) + (reads ? " RCU" : " WCU") +
                    " for it, or use on-demand capacity.";
    changed.provisioned = units;
  } else {
    Units warm = scenario.warm.value_or(
        Units{scenario.physics.on_demand_read_units, scenario.physics.on_demand_write_units});
    std::int64_t& side = reads ? warm.read : warm.write;
    advice.why = "The traffic of " + NameOf(worst.arn) +
                 " grows faster than on-demand capacity: it has twice the previous peak, and needs "
                 "about " +
                 Rounded(demand) + (reads ? " read" : " write") + " units a second.";
    side = std::max(side, static_cast<std::int64_t>(wanted));
    advice.change = "Set WarmThroughput to " + std::to_string(side) + (reads ? " read" : " write") +
                    " units a second before the traffic comes.";
    changed.warm = warm;
  }
  advice.why.front() =
      static_cast<char>(std::toupper(static_cast<unsigned char>(advice.why.front())));
  advice.changed = std::move(changed);
  return advice;
}

Advice Outlasted() {
  return Advice{.why = "The injected faults last longer than the retries of the clients.",
                .change =
                    "Fail over to another region, or keep the work in a queue and send it later; "
                    "more retries add load and do not bridge minutes.",
                .changed = std::nullopt};
}

}  // namespace

std::optional<Advice> AdviceFor(const Outcome& outcome, const Scenario& scenario) {
  const auto worst = WorstOf(outcome);
  if (!worst) {
    return outcome.injected.empty() || outcome.all.failed == 0 ? std::nullopt
                                                               : std::optional(Outlasted());
  }
  const auto resource = std::ranges::find(outcome.resources, worst->arn, &ResourceOutcome::arn);
  if (resource == outcome.resources.end()) {
    return Advice{.why = "Requests with several items were throttled: " + worst->reason + ".",
                  .change =
                      "Look at the tables that they use; SDKs do not retry a cancelled "
                      "transaction, so retry it in the program.",
                  .changed = std::nullopt};
  }
  const double demand = DemandOf(*resource, *worst, outcome);
  const bool outgrown = resource->outgrown * 2 > worst->throttle->count;
  if (worst->reason.ends_with("KeyRangeThroughputExceeded") && !outgrown) {
    return HotKey(*worst, demand, scenario);
  }
  if (worst->reason.ends_with("AccountLimitExceeded")) {
    return Advice{.why = NameOf(worst->arn) + " reaches the quota of its account.",
                  .change =
                      "Request a higher quota for throughput of a table before the traffic "
                      "comes.",
                  .changed = std::nullopt};
  }
  return MoreCapacity(*worst, demand, scenario);
}

}  // namespace prejoin::simulate
