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

bool IsOfReads(const std::string& reason) { return reason.find("Read") != std::string::npos; }

// Units a second that clients asked for in the busiest minute, admitted or not.
double DemandOf(const ResourceOutcome& resource, const std::string& reason,
                const ThrottleOutcome& throttle, double seconds) {
  const std::size_t side = IsOfReads(reason) ? 0 : 1;
  double most = side == 0 ? resource.read_per_second_max : resource.write_per_second_max;
  for (const auto& [minute, requests] : throttle.unmet) {
    const auto admitted = resource.by_minute.find(minute);
    const double units =
        (admitted == resource.by_minute.end() ? 0 : admitted->second[side]) +
        static_cast<double>(std::max<std::int64_t>(requests, 0)) * resource.units_each[side];
    const double length = std::clamp(seconds - static_cast<double>(minute) * 60, 1.0, 60.0);
    most = std::max(most, units / length);
  }
  return most;
}

Advice HotKey(const Worst& worst, double demand, const Scenario& scenario) {
  const bool reads = IsOfReads(worst.reason);
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

const ResourceOutcome* ResourceOf(const Outcome& outcome, const std::string& arn) {
  const auto found = std::ranges::find(outcome.resources, arn, &ResourceOutcome::arn);
  return found == outcome.resources.end() ? nullptr : &*found;
}

// With a third in reserve: arrivals are not even.
std::int64_t WithReserve(double demand) {
  const double wanted = demand * 1.3;
  const double step = wanted < 100 ? 10 : 100;
  return static_cast<std::int64_t>(std::ceil(wanted / step) * step);
}

std::string Capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

// Raises both sides to what any table or index needs: the scenario gives all of them the same.
Advice MoreProvisioned(const Worst& worst, double demand, const Outcome& outcome,
                       const Scenario& scenario) {
  const bool reads = IsOfReads(worst.reason);
  Units units = *scenario.provisioned;
  Advice advice;
  advice.why = Capitalised(NameOf(worst.arn)) + " has " +
               std::to_string(reads ? units.read : units.write) + (reads ? " RCU" : " WCU") +
               " and needs about " + Rounded(demand) + ".";
  for (const auto& [what, throttle] : outcome.throttles) {
    const ResourceOutcome* resource = ResourceOf(outcome, what.second);
    if (resource != nullptr && what.first.ends_with("ProvisionedThroughputExceeded")) {
      std::int64_t& side = IsOfReads(what.first) ? units.read : units.write;
      side = std::max(side, WithReserve(DemandOf(*resource, what.first, throttle, outcome.seconds)));
    }
  }
  const bool more_reads = units.read > scenario.provisioned->read;
  const bool more_writes = units.write > scenario.provisioned->write;
  advice.change = "Provision " +
                  (more_reads ? std::to_string(units.read) + " RCU" : std::string()) +
                  (more_reads && more_writes ? " and " : "") +
                  (more_writes ? std::to_string(units.write) + " WCU" : std::string()) +
                  ", or use on-demand capacity.";
  Scenario changed = scenario;
  changed.provisioned = units;
  advice.changed = std::move(changed);
  return advice;
}

Advice BeyondQuota(const Worst& worst, double demand) {
  const bool known = demand > 0;
  return Advice{.why = Capitalised(NameOf(worst.arn)) + " reaches the quota of its account" +
                       (known ? ": clients ask for about " + Rounded(demand) + " units a second."
                              : "."),
                .change =
                    "Request a higher quota for throughput of a table before the traffic "
                    "comes.",
                .changed = std::nullopt};
}

Advice MoreWarm(const Worst& worst, double demand, const Scenario& scenario, bool outgrown) {
  const bool reads = IsOfReads(worst.reason);
  Advice advice;
  Units warm = scenario.warm.value_or(
      Units{scenario.physics.on_demand_read_units, scenario.physics.on_demand_write_units});
  std::int64_t& side = reads ? warm.read : warm.write;
  const std::string needs =
      "it needs about " + Rounded(demand) + (reads ? " read" : " write") + " units a second.";
  advice.why = outgrown
                   ? "The traffic of " + NameOf(worst.arn) +
                         " grows faster than on-demand capacity, which is twice the previous peak: " + needs
                   : "The keys of " + NameOf(worst.arn) + " spread over too few partitions: " + needs;
  side = std::max(side, WithReserve(demand));
  advice.change = "Set WarmThroughput to " + std::to_string(side) + (reads ? " read" : " write") +
                  " units a second before the traffic comes.";
  Scenario changed = scenario;
  changed.warm = warm;
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
  const ResourceOutcome* resource = ResourceOf(outcome, worst->arn);
  if (resource == nullptr) {
    return Advice{.why = "Requests with several items were throttled: " + worst->reason + ".",
                  .change =
                      "Look at the tables that they use; SDKs do not retry a cancelled "
                      "transaction, so retry it in the program.",
                  .changed = std::nullopt};
  }
  const double demand = DemandOf(*resource, worst->reason, *worst->throttle, outcome.seconds);
  if (worst->reason.ends_with("AccountLimitExceeded")) {
    return BeyondQuota(*worst, demand);
  }
  if (worst->reason.ends_with("ProvisionedThroughputExceeded")) {
    return MoreProvisioned(*worst, demand, outcome, scenario);
  }
  const bool reads = IsOfReads(worst->reason);
  const bool outgrown = resource->outgrown * 2 > worst->throttle->count;
  const PhysicsOptions& physics = scenario.physics;
  // A key is hot if it alone takes a good part of a partition. Otherwise many keys need more partitions.
  const double share = static_cast<double>(worst->throttle->HottestKey().second) /
                       static_cast<double>(worst->throttle->count);
  const auto of_partition = static_cast<double>(reads ? physics.partition_read_units
                                                      : physics.partition_write_units);
  if (!outgrown && demand * share >= of_partition / 4) {
    return HotKey(*worst, demand, scenario);
  }
  const std::int64_t quota = reads ? physics.table_read_quota : physics.table_write_quota;
  return demand > static_cast<double>(quota) ? BeyondQuota(*worst, demand)
                                             : MoreWarm(*worst, demand, scenario, outgrown);
}

}  // namespace prejoin::simulate
