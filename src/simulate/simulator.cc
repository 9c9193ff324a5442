// Events in the order of time: the next arrival of a call, the next attempt of a call that is under way, the end of
// a minute. The clock of the database is at the event's time while its request runs.
#include "simulate/simulator.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <utility>

#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/item/item_write.h"
#include "engine/physics/physics.h"
#include "engine/table/catalog.h"
#include "engine/tracking/auto_scaler.h"
#include "engine/tracking/resource_name.h"
#include "simulate/check_scenario.h"
#include "simulate/drawer.h"
#include "simulate/resource_outcome.h"
#include "simulate/send.h"

namespace prejoin::simulate {
namespace {

constexpr std::int64_t kStartMs = 1'796'083'200'000;  // 1 December 2026, 00:00 UTC.
constexpr std::size_t kKeysCountedMax = 1'000;
constexpr double kIdleLookS = 1;  // A call whose rate is zero is looked at again after this.

// A call that is under way.
struct Running {
  std::size_t call = 0;
  const Execution* execution = nullptr;
  std::size_t request = 0;
  std::optional<Request> rest;
  std::size_t client = 0;
  int attempt = 0;  // The attempt of this request, from 1 on.
  int retries = 0;  // The retries of all requests.
  double last_cost = 0;  // The cost of this request's last retry; 0: there was none.
  double started_s = 0;
  ThrottleOutcome* refused = nullptr;  // The throttle of this request's first attempt.
  std::int64_t refused_members = 0;    // Of this request.

  std::optional<std::size_t> whole;  // The call of which this is one request, sent beside others.
  std::size_t parts = 0;             // Requests beside each other that have no answer yet.
  bool part_failed = false;
  double answered_s = 0;  // The last answer of those.
};

struct Event {
  double at_s = 0;
  std::uint64_t number = 0;  // Equal times: in the order in which they were made.
  enum class Kind { kArrival, kAttempt, kScan, kMinute } kind = Kind::kArrival;
  std::size_t which = 0;
  friend bool operator>(const Event& a, const Event& b) {
    return a.at_s != b.at_s ? a.at_s > b.at_s : a.number > b.number;
  }
};

class Simulator {
 public:
  Simulator(const Workload& workload, const Scenario& scenario, const GiveUp& give_up)
      : workload_(workload),
        scenario_(scenario),
        seconds_(SecondsOf(workload, scenario)),
        start_hour_(StartHour(workload, scenario)),
        patience_(give_up),
        random_(scenario.seed),
        faults_(scenario.faults, scenario.seed),
        used_(workload.calls.size()),
        next_put_(workload.calls.size()) {
    outcome_.seconds = seconds_;
    NoteRates();
    outcome_.all.name = "all";
    for (const Call& call : workload.calls) {
      outcome_.calls.push_back({.name = call.name, .is_write = call.is_write, .read_factor = call.read_factor});
      const bool hot = scenario.hot_call.empty() || scenario.hot_call == call.name;
      drawers_.emplace_back(call, hot ? scenario.hot_share : 0);
      used_[outcome_.calls.size() - 1].resize(call.executions.size());
    }
    for (int i = 0; i < scenario.clients; ++i) {
      clients_.emplace_back(scenario.retries);
    }
  }

  Result<Outcome> Run() {
    PJ_RETURN_IF_ERROR(Open());
    for (std::size_t i = 0; i < workload_.calls.size(); ++i) {
      Add(NextArrival(i, 0), Event::Kind::kArrival, i);
    }
    for (std::size_t i = 0; i < scenario_.scans.size(); ++i) {
      Add(scenario_.scans[i].at_s, Event::Kind::kScan, i);
    }
    Add(60, Event::Kind::kMinute, 0);
    while (!events_.empty()) {
      PJ_RETURN_IF_ERROR(patience_.GoOn());
      const Event event = events_.top();
      events_.pop();
      clock_.Set(kStartMs + static_cast<std::int64_t>(event.at_s * 1'000));
      PJ_RETURN_IF_ERROR(Handle(event));
      if (static_cast<double>(outcome_.all.calls) > scenario_.calls_max) {
        return TooManyCalls(scenario_);  // More than the moments have shown.
      }
    }
    if (outcome_.all.calls == 0) {
      return ValidationError("no call arrived in this time: simulate more minutes, or multiply the rates");
    }
    Gather();
    return std::move(outcome_);
  }

 private:
  Status Open() {
    PJ_ASSIGN_OR_RETURN(database_,
                        Database::Open({.physics = scenario_.physics, .clock = &clock_}));
    for (CreateTableInput table : workload_.tables) {
      SetCapacity(table);
      PJ_RETURN_IF_ERROR(database_->CreateTable(table));
    }
    for (const auto& [table, item] : workload_.items) {
      PJ_RETURN_IF_ERROR(patience_.GoOn());
      PJ_RETURN_IF_ERROR(RestoreItem({table, item, true}));
    }
    if (scenario_.provisioned && scenario_.scaling_percent) {
      const double share = *scenario_.scaling_percent / 100.0;
      scaler_.emplace(*database_).SetAll({{{.least = scenario_.provisioned->read, .used_share = share},
                                           {.least = scenario_.provisioned->write, .used_share = share}}});
    }
    return {};
  }

  void SetCapacity(CreateTableInput& table) const {
    if (scenario_.warm) {
      const WarmThroughput warm{scenario_.warm->read, scenario_.warm->write};
      table.warm_throughput = warm;
      if (table.global_indexes) {
        for (IndexSpecification& index : *table.global_indexes) {
          index.warm_throughput = warm;
        }
      }
    }
    if (!scenario_.provisioned) {
      return;
    }
    const ProvisionedThroughput units{scenario_.provisioned->read, scenario_.provisioned->write};
    table.billing_mode = BillingMode::kProvisioned;
    table.provisioned_throughput = units;
    if (table.global_indexes) {
      for (IndexSpecification& index : *table.global_indexes) {
        index.provisioned_throughput = units;
      }
    }
  }

  // Without capacity: it is not a part of the load.
  Status RestoreItem(const Restore& restore) {
    engine::Engine& engine = engine::EngineOf(*database_);
    engine::RequestContext context = engine::BeginRequest(engine);
    PJ_ASSIGN_OR_RETURN(engine::TablePtr table, engine.catalog().Find(restore.table));
    engine::ItemWrite write;
    if (restore.present) {
      PJ_RETURN_IF_ERROR(engine::PlanPut(std::move(table), restore.item, write));
    } else {
      Item key;
      for (const auto& part : table->keys) {
        key.Set(part.name, *restore.item.Find(part.name));
      }
      PJ_RETURN_IF_ERROR(engine::PlanDelete(std::move(table), key, write));
    }
    PJ_RETURN_IF_ERROR(
        engine::RunWrites(engine, context, {.writes = {&write, 1}, .unmetered = true}));
    return {};
  }

  void Add(double at_s, Event::Kind kind, std::size_t which) {
    events_.push({at_s, number_++, kind, which});
  }

  double RateAt(std::size_t call, double now_s) const {
    const Call& of = workload_.calls[call];
    return simulate::RateAt(of, scenario_, start_hour_, now_s) * FactorAt(scenario_, of.name, now_s);
  }

  // Rates change while a slow call waits, so it draws again after each second without an arrival.
  double NextArrival(std::size_t call, double now_s) {
    while (now_s < seconds_ && !patience_.IsOver()) {
      const double rate = RateAt(call, now_s);
      const double interval = rate > 0 ? random_.Interval(rate) : kIdleLookS;
      if (rate > 0 && interval < kIdleLookS) {
        return now_s + interval;
      }
      now_s += kIdleLookS;
    }
    return seconds_;
  }

  Status Handle(const Event& event) {
    switch (event.kind) {
      case Event::Kind::kArrival:
        return Arrive(event);
      case Event::Kind::kAttempt:
        Attempt(event.which, event.at_s);
        return {};
      case Event::Kind::kScan:
        ScanPage(event);
        return {};
      case Event::Kind::kMinute:
        EndMinute(event);
        return {};
    }
    return {};
  }

  Status Arrive(const Event& event) {
    if (event.at_s >= seconds_) {
      return {};
    }
    const std::size_t which = event.which;
    const Call& call = workload_.calls[which];
    Add(NextArrival(which, event.at_s), Event::Kind::kArrival, which);
    const auto [drawn, is_hot] = DrawExecution(which);
    const Execution& first = is_hot ? call.hot[drawn] : call.executions[drawn];
    const std::size_t other = first.others.empty() ? 0 : random_.Below(first.others.size() + 1);
    const Execution& execution = other == 0 ? first : first.others[other - 1];
    if (used_[which][drawn]) {
      for (const Restore& restore : execution.before) {
        PJ_RETURN_IF_ERROR(RestoreItem(restore));
      }
    }
    used_[which][drawn] = true;
    ++outcome_.calls[which].calls;
    ++outcome_.all.calls;
    SendNext(Start({.call = which,
                    .execution = &execution,
                    .client = random_.Below(clients_.size()),
                    .started_s = event.at_s}),
             event.at_s);
    return {};
  }

  struct Drawn {
    std::size_t number = 0;
    bool is_hot = false;  // Of the call's hot executions.
  };
  // New rows come in their order, and from the first one on again.
  Drawn DrawExecution(std::size_t which) {
    const Call& call = workload_.calls[which];
    const bool draws = !call.is_write || drawers_[which].HasHotKey();
    const std::size_t drawn = draws ? drawers_[which].Draw(random_) : 0;
    if (draws && call.hot.empty()) {
      return {drawn, false};
    }
    return {next_put_[which]++ % call.executions.size(), draws && drawn == 0};
  }

  std::size_t Start(Running running) {
    if (free_.empty()) {
      running_.push_back(std::move(running));
      return running_.size() - 1;
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    running_[slot] = std::move(running);
    return slot;
  }

  // Sends a call's next request, and those that go beside it.
  void SendNext(std::size_t slot, double now_s) {
    const std::vector<Request>& requests = running_[slot].execution->requests;
    const std::size_t first = running_[slot].request;
    std::size_t end = first + 1;
    while (end < requests.size() && requests[end].beside) {
      ++end;
    }
    if (end == first + 1) {
      SendLater(slot, now_s);
      return;
    }
    running_[slot].request = end - 1;
    running_[slot].parts = end - first;
    for (std::size_t i = first; i < end; ++i) {
      const Running& whole = running_[slot];
      SendLater(Start({.call = whole.call,
                       .execution = whole.execution,
                       .request = i,
                       .client = whole.client,
                       .whole = slot}),
                now_s);
    }
  }

  void NoteRates() {
    for (const Call& call : workload_.calls) {
      if (!call.day.hours.empty() && !scenario_.at_peak) {
        outcome_.start_hour = start_hour_;
      } else if (call.peak_per_second > call.per_second && !scenario_.at_peak) {
        outcome_.is_below_peak = true;
      }
    }
  }

  // The client may hold the request back.
  void SendLater(std::size_t slot, double now_s) {
    const double delay_ms = clients_[running_[slot].client].SendDelayMs(now_s * 1'000);
    Add(now_s + delay_ms / 1'000, Event::Kind::kAttempt, slot);
  }

  void Attempt(std::size_t slot, double now_s) {
    Running& running = running_[slot];
    const Request& request =
        running.rest ? *running.rest : running.execution->requests[running.request];
    ++running.attempt;
    ++outcome_.calls[running.call].attempts;
    ++outcome_.all.attempts;
    if (const auto fault = FaultOf(request, now_s)) {
      Suffer(slot, *fault, request, now_s);
      return;
    }
    SetReadFactor(workload_.calls[running.call].read_factor);
    const Sent sent = Send(*database_, request);
    const bool throttled = !sent.throttles.empty();
    const double answered_s = now_s + LatencyMs(request, throttled, random_) / 1'000;
    for (const Throttle& throttle : sent.throttles) {
      ThrottleOutcome& counted = Count(throttle, request, now_s);
      if (running.attempt == 1 && running.refused == nullptr) {
        running.refused = &counted;
        running.refused_members = static_cast<std::int64_t>(
            MembersOf(sent.rest ? *sent.rest : request, throttle.kind.limit.arn, workload_.tables));
        counted.unmet[MinuteOf(now_s)] += running.refused_members;
      }
    }
    if (!sent.error.empty()) {
      ++outcome_.other_errors[sent.error];
      Fail(slot, answered_s);
      return;
    }
    if (!throttled && sent.rest) {
      running.rest = sent.rest;  // An answer that was full.
      SendLater(slot, answered_s);
      return;
    }
    if (!throttled) {
      if (ThrottleOutcome* refused = std::exchange(running.refused, nullptr)) {
        refused->unmet[MinuteOf(now_s)] -= running.refused_members;
      }
      running.rest.reset();
      running.attempt = 0;
      clients_[running.client].Succeeded(std::exchange(running.last_cost, 0), answered_s * 1'000);
      if (running.whole) {
        EndPart(slot, false, answered_s);
      } else {
        Continue(slot, answered_s);
      }
      return;
    }
    if (sent.rest) {
      running.rest = sent.rest;
    }
    if (sent.retries || scenario_.retries_cancelled) {
      TryAgain(slot, Failure::kThrottled, answered_s);
    } else {
      Fail(slot, answered_s);
    }
  }

  void SetReadFactor(double factor) { engine::EngineOf(*database_).physics()->SetReadFactor(factor); }

  void TryAgain(std::size_t slot, Failure failure, double answered_s) {
    Running& running = running_[slot];
    const auto wait = clients_[running.client].WaitAfter(failure, running.attempt,
                                                         answered_s * 1'000, random_);
    if (!wait) {
      Fail(slot, answered_s);
      return;
    }
    ++running.retries;
    running.last_cost = wait->cost;
    SendLater(slot, answered_s + wait->ms / 1'000);
  }

  std::optional<engine::FaultKind> FaultOf(const Request& request, double now_s) {
    if (faults_.empty()) {
      return std::nullopt;
    }
    const std::vector<std::string> tables = TablesOf(request);
    std::vector<std::string> keys;
    if (!tables.empty()) {
      keys.push_back(KeyOf(request, "table/" + tables.front(), 0, workload_.tables));
    }
    return faults_.Decide(
        {.operation = OperationOf(request), .tables = tables, .keys = keys, .at_s = now_s});
  }

  // The client sees an injected fault instead of an answer.
  void Suffer(std::size_t slot, engine::FaultKind fault, const Request& request, double now_s) {
    const bool times_out = fault == engine::FaultKind::kTimeout;
    const bool throttled = fault == engine::FaultKind::kThrottle;
    ++outcome_.injected[NameOfFault(fault)];
    const double answered_s =
        now_s + (times_out ? scenario_.timeout_s : LatencyMs(request, throttled, random_) / 1'000);
    TryAgain(slot,
             throttled   ? Failure::kThrottled
             : times_out ? Failure::kTimeout
                         : Failure::kTransient,
             answered_s);
  }

  static std::string NameOfFault(engine::FaultKind fault) {
    switch (fault) {
      case engine::FaultKind::kError:
        return "InternalServerError";
      case engine::FaultKind::kUnavailable:
        return "ServiceUnavailable";
      case engine::FaultKind::kTimeout:
        return "timeout";
      case engine::FaultKind::kDrop:
        return "connection lost";
      case engine::FaultKind::kThrottle:
        break;
    }
    return "throttled";
  }

  void Succeed(std::size_t slot, double now_s) {
    const Running& running = running_[slot];
    const double ms = (now_s - running.started_s) * 1'000;
    for (CallOutcome* outcome : {&outcome_.calls[running.call], &outcome_.all}) {
      outcome->latencies.Add(ms);
      outcome->retried += running.retries > 0 ? 1 : 0;
    }
    free_.push_back(slot);
  }

  // A request has its answer.
  void Continue(std::size_t slot, double now_s) {
    Running& running = running_[slot];
    if (++running.request < running.execution->requests.size()) {
      SendNext(slot, now_s);
    } else {
      Succeed(slot, now_s);
    }
  }

  // One of several requests beside each other has ended.
  void EndPart(std::size_t slot, bool failed, double now_s) {
    const std::size_t of = *running_[slot].whole;
    Running& whole = running_[of];
    whole.retries += running_[slot].retries;
    whole.part_failed = whole.part_failed || failed;
    whole.answered_s = std::max(whole.answered_s, now_s);
    free_.push_back(slot);
    if (--whole.parts > 0) {
      return;
    }
    if (whole.part_failed) {
      Fail(of, whole.answered_s);
    } else {
      Continue(of, whole.answered_s);
    }
  }

  void Fail(std::size_t slot, double now_s) {
    if (running_[slot].whole) {
      EndPart(slot, true, now_s);
      return;
    }
    ++outcome_.calls[running_[slot].call].failed;
    ++outcome_.all.failed;
    free_.push_back(slot);
  }

  static std::int64_t MinuteOf(double at_s) { return static_cast<std::int64_t>(at_s / 60); }

  static void CountKey(const std::string& key, std::map<std::string, std::uint64_t>& counts) {
    if (counts.size() < kKeysCountedMax || counts.contains(key)) {
      ++counts[key];
    }
  }

  ThrottleOutcome& Count(const Throttle& throttle, const Request& request, double now_s) {
    ThrottleOutcome& outcome = outcome_.throttles[throttle.kind];
    if (outcome.count++ == 0) {
      outcome.first_s = now_s;
    }
    outcome.last_s = now_s;
    const std::string key =
        KeyOf(request, throttle.kind.limit.arn, throttle.member, workload_.tables);
    CountKey(key, outcome.keys);
    if (throttle.kind.limit.direction == engine::Direction::kWrite) {
      CountKey(ItemOf(request, throttle.kind.limit.arn, throttle.member, workload_.tables),
               outcome.items);
    }
    return outcome;
  }

  void ScanPage(const Event& event) {
    if (event.at_s >= seconds_) {
      return;
    }
    const ScanLoad& scan = scenario_.scans[event.which];
    Add(event.at_s + 1 / scan.pages_per_second, Event::Kind::kScan, event.which);
    std::optional<Item>& start = scan_keys_[event.which];
    const Request request{ScanInput{.table_name = scan.table, .exclusive_start_key = start}, ""};
    SetReadFactor(1);
    const auto page = database_->Scan(std::get<ScanInput>(request.input));
    if (page) {
      start = page->last_evaluated_key;
    }
    for (engine::LimitReached& limit : page ? std::vector<engine::LimitReached>()
                                            : engine::LimitsOf(page.error())) {
      Count({{ThrottleAnswer::kException, std::move(limit)}}, request, event.at_s);
    }
  }

  void EndMinute(const Event& event) {
    if (event.at_s < seconds_) {
      Add(event.at_s + 60, Event::Kind::kMinute, 0);
    }
    if (scaler_) {
      scaler_->EndMinute(kStartMs + static_cast<std::int64_t>(event.at_s * 1'000));
      const auto [read, write] = scaler_->Total();
      outcome_.provisioned_read_hours += static_cast<double>(read) / 60;
      outcome_.provisioned_write_hours += static_cast<double>(write) / 60;
    }
  }

  // "minute 12: Orders 10 → 10 RCU, 50 → 320 WCU"
  static std::string ScalingText(const engine::ScalingStep& step) {
    const engine::ResourceName name = engine::ResourceNameOf(step.arn);
    const auto change = [&](std::size_t side) {
      return std::to_string(step.before[side]) + " → " + std::to_string(step.after[side]);
    };
    return "minute " + std::to_string((step.at_ms - kStartMs) / 60'000) + ": " + name.table +
           (name.index.empty() ? "" : "/index/" + name.index) + " " + change(0) + " RCU, " +
           change(1) + " WCU";
  }

  void Gather() {
    engine::EngineOf(*database_).physics()->ForEach([&](const engine::Throughput& throughput) {
      outcome_.resources.push_back(OutcomeOf(throughput, kStartMs));
    });
    if (scaler_) {
      for (const engine::ScalingStep& step : scaler_->steps()) {
        outcome_.scaling.push_back(ScalingText(step));
      }
    } else if (scenario_.provisioned) {
      const double hours = seconds_ / 3'600;
      const auto count = static_cast<double>(outcome_.resources.size());
      outcome_.provisioned_read_hours =
          static_cast<double>(scenario_.provisioned->read) * count * hours;
      outcome_.provisioned_write_hours =
          static_cast<double>(scenario_.provisioned->write) * count * hours;
    }
  }

  const Workload& workload_;
  const Scenario& scenario_;
  const double seconds_;
  const double start_hour_;
  Patience patience_;
  VirtualClock clock_{kStartMs};
  RandomSource random_;
  engine::FaultSchedule faults_;
  std::unique_ptr<Database> database_;
  std::optional<engine::AutoScaler> scaler_;
  std::vector<Drawer> drawers_;
  std::vector<RetryPolicy> clients_;
  std::vector<std::vector<bool>> used_;
  std::vector<std::size_t> next_put_;
  std::vector<Running> running_;
  std::vector<std::size_t> free_;
  std::map<std::size_t, std::optional<Item>> scan_keys_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t number_ = 0;
  Outcome outcome_;
};

}  // namespace

Result<Outcome> Simulate(const Workload& workload, const Scenario& scenario,
                         const GiveUp& give_up) {
  PJ_RETURN_IF_ERROR(CheckScenario(workload, scenario));
  return Simulator(workload, scenario, give_up).Run();
}

}  // namespace prejoin::simulate
