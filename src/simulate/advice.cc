#include "simulate/advice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "engine/tracking/resource_name.h"
#include "model/syntax/figure_text.h"
#include "model/throughput/capacity.h"

namespace prejoin::simulate {
namespace {

// The limit that throttled most.
struct Worst {
  engine::LimitReached limit;
  const ThrottleOutcome* throttle = nullptr;

  bool of_reads() const { return limit.direction == engine::Direction::kRead; }
};

std::optional<Worst> WorstOf(const Outcome& outcome) {
  std::optional<Worst> worst;
  for (const auto& [kind, throttle] : outcome.throttles) {
    if (!worst || throttle.count > worst->throttle->count) {
      worst = Worst{kind.limit, &throttle};
    }
  }
  return worst;
}

std::string NameOf(const std::string& arn) {
  const engine::ResourceName name = engine::ResourceNameOf(arn);
  return name.index.empty() ? "table " + name.table
                            : "index " + name.index + " of table " + name.table;
}

std::string Rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", number);
  return text;
}

// Units a second that clients asked for in the busiest minute, admitted or not.
double DemandOf(const ResourceOutcome& resource, engine::Direction direction,
                const ThrottleOutcome& throttle, double seconds) {
  const auto side = static_cast<std::size_t>(direction);
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

double WarmMoneyOf(const Units& warm, const model::Prices& prices) {
  return model::WarmMoney(prices, static_cast<double>(warm.read), static_cast<double>(warm.write));
}

// ", which costs $3.50, once"; empty if it costs nothing.
std::string PriceOfWarm(const Units& warm, const Scenario& scenario, const model::Prices& prices) {
  const double money =
      WarmMoneyOf(warm, prices) - WarmMoneyOf(scenario.warm.value_or(Units()), prices);
  return money > 0 ? ", which costs " + model::MoneyText(prices.currency, money) + ", once" : "";
}

std::int64_t Rounded100(double units) {
  return static_cast<std::int64_t>(std::ceil(units / 100) * 100);
}

// A key is hot if it alone takes a good part of a partition.
constexpr double kHotPart = 0.25;

// The hot ones, the hottest first: one at least, whatever rounding says.
std::vector<std::string> HotKeys(const ThrottleOutcome& throttle, double demand, double limit) {
  constexpr std::size_t kMost = 200;
  const double least = std::min(kHotPart * limit / demand * static_cast<double>(throttle.count),
                                static_cast<double>(throttle.HottestKey().second));
  std::vector<std::pair<std::uint64_t, std::string>> hot;
  for (const auto& [key, count] : throttle.keys) {
    if (static_cast<double>(count) >= least) {
      hot.emplace_back(count, key);
    }
  }
  std::ranges::sort(hot, [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  hot.resize(std::min(hot.size(), kMost));
  std::vector<std::string> keys;
  for (auto& [count, key] : hot) {
    keys.push_back(std::move(key));
  }
  return keys;
}

// Shards, parts or copies. Some fall into the same partition, so each gets a quarter of what a partition gives.
int NumberFor(double demand, double limit) {
  constexpr double kOfPartition = 4;
  constexpr double kMost = 200;
  return static_cast<int>(std::clamp(std::ceil(demand / limit * kOfPartition), 2.0, kMost));
}

// More than half of the throttled writes of the key are of one item.
bool IsOneItem(const ThrottleOutcome& throttle) {
  return throttle.HottestItem().second * 2 > throttle.HottestKey().second;
}

void AdviseShards(const Worst& worst, KeyChange keys, Advice& advice) {
  advice.change = "Add a shard number from 0 to " + std::to_string(keys.count - 1) + " to the partition key of " +
                  NameOf(worst.limit.arn) + ", and read all shards in parallel.";
  advice.keys = std::move(keys);
}

// A part of an answer costs half a unit at least, so shards divide large answers only. Small ones need the index more than once.
void AdviseForIndexReads(const Worst& worst, double units_each, double partitions, KeyChange keys, Advice& advice) {
  constexpr double kLeastUnits = 0.5;
  constexpr double kReserve = 1.3;
  if (units_each >= kLeastUnits * keys.count) {
    AdviseShards(worst, std::move(keys), advice);
    return;
  }
  keys.kind = KeyChange::Kind::kIndexCopies;
  keys.count = static_cast<int>(std::clamp(std::ceil(partitions * kReserve), 2.0, static_cast<double>(kGlobalIndexesMax)));
  const std::string more = keys.count == 2 ? "another index" : std::to_string(keys.count - 1) + " more indexes";
  advice.change = "Read this key through a cache, or make " + more + " with the keys of " + keys.resource.index +
                  " and query one of them at random; each pays for its writes.";
  advice.keys = std::move(keys);
}

// " and 5 others"; empty for one key.
std::string OthersText(const KeyChange& keys) {
  const std::size_t others = keys.keys.size() - 1;
  return others == 0   ? ""
         : others == 1 ? " and another one"
                       : " and " + std::to_string(others) + " others";
}

void AdviseForReads(KeyChange keys, Advice& advice) {
  keys.kind = KeyChange::Kind::kCopies;
  const std::string these = keys.keys.size() == 1 ? "this key" : "this key" + OthersText(keys);
  advice.change = "Read " + these + " through a cache, or keep " + std::to_string(keys.count) +
                  " copies of each item under different keys and read one at random.";
  advice.keys = std::move(keys);
}

void AdviseForWrites(const Worst& worst, KeyChange keys, Advice& advice) {
  if (!worst.limit.is_index && IsOneItem(*worst.throttle)) {
    keys.kind = KeyChange::Kind::kParts;
    advice.change = "Divide the item \"" + worst.throttle->HottestItem().first + "\"" + OthersText(keys) + " into " +
                    std::to_string(keys.count) + " parts with keys of their own (a number from 0 to " +
                    std::to_string(keys.count - 1) + "), write to one at random, and read all of them together.";
    advice.keys = std::move(keys);
  } else {
    AdviseShards(worst, std::move(keys), advice);
  }
}

// Shards need partitions to spread over: warm throughput for twice the load makes them.
void AddPartitions(const Worst& worst, double demand, const Scenario& scenario,
                   const model::Prices& prices, Advice& advice) {
  const Units now = scenario.warm.value_or(
      Units{scenario.physics.on_demand_read_units, scenario.physics.on_demand_write_units});
  Units warm = now;
  std::int64_t& side = worst.of_reads() ? warm.read : warm.write;
  const std::int64_t quota =
      worst.of_reads() ? scenario.physics.table_read_quota : scenario.physics.table_write_quota;
  side = std::max(side, std::min(Rounded100(demand * 2), quota));
  const bool is_spread = advice.keys && advice.keys->kind != KeyChange::Kind::kIndexCopies;
  if (scenario.provisioned || !is_spread || (warm.read == now.read && warm.write == now.write)) {
    return;
  }
  advice.change += " Set its WarmThroughput to " + std::to_string(side) +
                   (worst.of_reads() ? " read" : " write") +
                   " units a second, so that there are partitions for them" +
                   PriceOfWarm(warm, scenario, prices) + ".";
  Scenario changed = scenario;
  changed.warm = warm;
  advice.changed = std::move(changed);
}

Advice HotKey(const Worst& worst, double demand, double units_each, const Scenario& scenario,
              const model::Prices& prices) {
  const bool reads = worst.of_reads();
  const auto limit = static_cast<double>(reads ? scenario.physics.partition_read_units
                                               : scenario.physics.partition_write_units);
  const auto [key, count] = worst.throttle->HottestKey();
  const double share = static_cast<double>(count) /
                       static_cast<double>(std::max<std::uint64_t>(1, worst.throttle->count));
  const KeyChange keys{.kind = KeyChange::Kind::kShards,
                       .resource = engine::ResourceNameOf(worst.limit.arn),
                       .count = NumberFor(demand * share, limit),
                       .keys = HotKeys(*worst.throttle, demand, limit)};
  Advice advice;
  advice.why = "One partition of " + NameOf(worst.limit.arn) + " is at its limit of " +
               Rounded(limit) + (reads ? " read" : " write") + " units a second; " +
               Rounded(share * 100) + "% of the throttled requests used the key \"" + key + "\".";
  if (reads && worst.limit.is_index) {
    AdviseForIndexReads(worst, units_each, demand * share / limit, keys, advice);
  } else if (reads) {
    AdviseForReads(keys, advice);
  } else {
    AdviseForWrites(worst, keys, advice);
  }
  AddPartitions(worst, demand, scenario, prices, advice);
  if (worst.limit.is_index && !reads) {
    advice.change += " The index refuses writes of its table until then.";
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
  const bool reads = worst.of_reads();
  Units units = *scenario.provisioned;
  Advice advice;
  advice.why = Capitalised(NameOf(worst.limit.arn)) + " has " +
               std::to_string(reads ? units.read : units.write) + (reads ? " RCU" : " WCU") +
               " and needs about " + Rounded(demand) + ".";
  for (const auto& [kind, throttle] : outcome.throttles) {
    const engine::LimitReached& limit = kind.limit;
    const ResourceOutcome* resource = ResourceOf(outcome, limit.arn);
    if (resource != nullptr && limit.limit == engine::Limit::kProvisioned) {
      std::int64_t& side =
          limit.direction == engine::Direction::kRead ? units.read : units.write;
      side = std::max(side,
                      WithReserve(DemandOf(*resource, limit.direction, throttle, outcome.seconds)));
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
  return Advice{.why = Capitalised(NameOf(worst.limit.arn)) + " reaches the quota of its account" +
                       (known ? ": clients ask for about " + Rounded(demand) + " units a second."
                              : "."),
                .change =
                    "Request a higher quota for throughput of a table before the traffic "
                    "comes."};
}

Advice MoreWarm(const Worst& worst, double demand, const Scenario& scenario,
                const model::Prices& prices, bool outgrown) {
  const bool reads = worst.of_reads();
  Advice advice;
  Units warm = scenario.warm.value_or(
      Units{scenario.physics.on_demand_read_units, scenario.physics.on_demand_write_units});
  std::int64_t& side = reads ? warm.read : warm.write;
  const std::string needs =
      "it needs about " + Rounded(demand) + (reads ? " read" : " write") + " units a second.";
  advice.why = outgrown
                   ? "The traffic of " + NameOf(worst.limit.arn) +
                         " grows faster than on-demand capacity, which is twice the previous peak: " + needs
                   : "The keys of " + NameOf(worst.limit.arn) + " spread over too few partitions: " + needs;
  side = std::max(side, WithReserve(demand));
  advice.change = "Set WarmThroughput to " + std::to_string(side) + (reads ? " read" : " write") +
                  " units a second before the traffic comes" + PriceOfWarm(warm, scenario, prices) + ".";
  Scenario changed = scenario;
  changed.warm = warm;
  advice.changed = std::move(changed);
  return advice;
}

Advice Outlasted() {
  return Advice{.why = "The injected faults last longer than the retries of the clients.",
                .change =
                    "Fail over to another region, or keep the work in a queue and send it later; "
                    "more retries add load and do not bridge minutes."};
}

// The advice for the limit that throttled most.
Advice AdviceForWorst(const Worst& worst, const Outcome& outcome, const Scenario& scenario,
                      const model::Prices& prices) {
  const ResourceOutcome* resource = ResourceOf(outcome, worst.limit.arn);
  PJ_CHECK(resource != nullptr);  // What throttles was used.
  const double demand =
      DemandOf(*resource, worst.limit.direction, *worst.throttle, outcome.seconds);
  if (worst.limit.limit == engine::Limit::kAccount) {
    return BeyondQuota(worst, demand);
  }
  if (worst.limit.limit == engine::Limit::kProvisioned) {
    return MoreProvisioned(worst, demand, outcome, scenario);
  }
  const bool reads = worst.of_reads();
  const bool outgrown = resource->outgrown * 2 > worst.throttle->count;
  const PhysicsOptions& physics = scenario.physics;
  // Without a hot key, many keys need more partitions.
  const double share = static_cast<double>(worst.throttle->HottestKey().second) /
                       static_cast<double>(worst.throttle->count);
  const auto of_partition = static_cast<double>(reads ? physics.partition_read_units
                                                      : physics.partition_write_units);
  if (!outgrown && demand * share >= of_partition * kHotPart) {
    const double units_each = resource->units_each[static_cast<std::size_t>(worst.limit.direction)];
    return HotKey(worst, demand, units_each, scenario, prices);
  }
  const std::int64_t quota = reads ? physics.table_read_quota : physics.table_write_quota;
  return demand > static_cast<double>(quota) ? BeyondQuota(worst, demand)
                                             : MoreWarm(worst, demand, scenario, prices, outgrown);
}

bool CancelsTransactions(const Outcome& outcome) {
  return std::ranges::any_of(outcome.throttles, [](const auto& entry) {
    return entry.first.answer == ThrottleAnswer::kCancelledTransaction;
  });
}

}  // namespace

std::optional<Advice> AdviceFor(const Outcome& outcome, const Scenario& scenario,
                                const model::Prices& prices) {
  const auto worst = WorstOf(outcome);
  if (!worst) {
    return outcome.injected.empty() || outcome.all.failed == 0 ? std::nullopt
                                                               : std::optional(Outlasted());
  }
  Advice advice = AdviceForWorst(*worst, outcome, scenario, prices);
  if (CancelsTransactions(outcome) && !scenario.retries_cancelled) {
    advice.change += " SDKs do not retry a cancelled transaction: retry it in the program.";
    if (!advice.changed) {
      advice.changed = scenario;
    }
    advice.changed->retries_cancelled = true;
  }
  return advice;
}

}  // namespace prejoin::simulate
