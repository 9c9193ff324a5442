#include "simulate/report.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <utility>

#include "engine/tracking/resource_name.h"
#include "json/writer.h"
#include "model/syntax/figure_text.h"
#include "simulate/simulator.h"

namespace prejoin::simulate {
namespace {

constexpr std::size_t kThrottlesShown = 8;

[[gnu::format(printf, 1, 2)]] std::string Text(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

// "1,234,567"
std::string Thousands(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) {
    text.insert(at - 3, ",");
  }
  return text;
}

// A line, broken at spaces where it would be wider than a terminal of 80 columns.
std::string Wrapped(std::string_view line) {
  constexpr std::size_t kWidth = 80;
  constexpr std::string_view kIndent = "  ";
  std::string out;
  std::string_view indent;
  while (indent.size() + line.size() > kWidth) {
    std::size_t at = line.rfind(' ', kWidth - indent.size());
    if (at == std::string_view::npos || line.find_first_not_of(' ') > at) {
      at = line.find(' ', kWidth - indent.size());
    }
    if (at == std::string_view::npos) {
      break;
    }
    out += std::string(indent) + std::string(line.substr(0, at)) + "\n";
    line.remove_prefix(at + 1);
    indent = kIndent;
  }
  return out + std::string(indent) + std::string(line) + "\n";
}

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string Percent(double share) {
  return share > 0 && share < 0.0001 ? "<0.01%" : Text("%.2f%%", share * 100);
}

std::string TimeOf(double seconds) {
  return seconds < 120 ? Text("%.0f s", seconds) : Text("%.0f min", seconds / 60);
}

std::string DurationOf(double ms) {
  return ms < 1'000 ? Text("%.0f ms", ms) : Text("%.1f s", ms / 1'000);
}

// "Orders/index/ByStatus"
std::string ShortArn(const std::string& arn) {
  const engine::ResourceName name = engine::ResourceNameOf(arn);
  return name.index.empty() ? name.table : name.table + "/index/" + name.index;
}

std::string CapacityText(const Scenario& scenario) {
  if (!scenario.provisioned) {
    return scenario.warm
               ? Text("on demand, warm throughput %lld read and %lld write units a second",
                      static_cast<long long>(scenario.warm->read),
                      static_cast<long long>(scenario.warm->write))
               : "on demand, new tables";
  }
  std::string text = Text("provisioned %lld RCU and %lld WCU for each table and index",
                          static_cast<long long>(scenario.provisioned->read),
                          static_cast<long long>(scenario.provisioned->write));
  if (scenario.scaling_percent) {
    text += Text(", auto scaling at %d%%", *scenario.scaling_percent);
  }
  return text;
}

// " from 08:30"
std::string StartText(const Report& report) {
  if (report.scenario.at_peak) {
    return " at the stated peaks";
  }
  if (!report.outcome.start_hour) {
    return "";
  }
  const auto minutes = static_cast<int>(std::lround(*report.outcome.start_hour * 60));
  return Text(" from %02d:%02d", minutes / 60, minutes % 60);
}

std::string ResultLine(const Outcome& outcome) {
  const CallOutcome& all = outcome.all;
  if (outcome.throttles.empty() && all.failed == 0 && all.retried == 0) {
    return "Nothing was throttled in " + Thousands(all.calls) + " calls.";
  }
  std::string line = Percent(Share(all.failed, all.calls)) + " of " + Thousands(all.calls) + " calls failed";
  if (all.retried > 0) {
    line += ", " + Percent(Share(all.retried, all.calls)) + " succeeded only after retries";
  }
  if (all.failed < all.calls) {
    line += "; one success in a hundred took more than " + DurationOf(all.latencies.Percentile(0.99));
  }
  return line + ".";
}

void AppendCalls(const Outcome& outcome, std::string& out) {
  std::size_t width = 4;
  for (const CallOutcome& call : outcome.calls) {
    width = std::max(width, call.name.size());
  }
  out += "\n" + std::string("call") + std::string(width - 4, ' ') +
         "        calls   after retries     failed      p50 ms      p99 ms\n";
  const auto append = [&](const CallOutcome& call) {
    out += call.name + std::string(width - std::min(width, call.name.size()), ' ') +
           Text(" %12s %15s %10s %11.1f %11.1f\n", Thousands(call.calls).c_str(),
                Percent(Share(call.retried, call.calls)).c_str(),
                Percent(Share(call.failed, call.calls)).c_str(), call.latencies.Percentile(0.5),
                call.latencies.Percentile(0.99));
  };
  std::ranges::for_each(outcome.calls, append);
  append(outcome.all);
}

using ThrottleEntry = std::pair<const ThrottleKind, ThrottleOutcome>;

std::string_view NameOf(ThrottleAnswer answer) {
  switch (answer) {
    case ThrottleAnswer::kCancelledTransaction:
      return "TransactionCanceledException";
    case ThrottleAnswer::kUnprocessedKeys:
      return "UnprocessedKeys";
    case ThrottleAnswer::kException:
      break;
  }
  return "exception";
}

std::vector<const ThrottleEntry*> MostFirst(const Outcome& outcome) {
  std::vector<const ThrottleEntry*> entries;
  for (const ThrottleEntry& entry : outcome.throttles) {
    entries.push_back(&entry);
  }
  std::ranges::stable_sort(entries, std::ranges::greater(),
                           [](const ThrottleEntry* entry) { return entry->second.count; });
  return entries;
}

void AppendThrottles(const Outcome& outcome, std::string& out) {
  if (outcome.throttles.empty()) {
    return;
  }
  out += "\nthrottled requests\n";
  std::size_t shown = 0;
  for (const ThrottleEntry* entry : MostFirst(outcome)) {
    if (++shown > kThrottlesShown) {
      break;
    }
    const auto& [kind, throttle] = *entry;
    const auto [key, count] = throttle.HottestKey();
    std::string line = Text("%12s  ", Thousands(throttle.count).c_str());
    if (kind.answer != ThrottleAnswer::kException) {
      line += std::string(NameOf(kind.answer)) + ": ";
    }
    line += engine::ReasonName(kind.limit) + " of " + ShortArn(kind.limit.arn);
    line += ", from " + TimeOf(throttle.first_s) + " to " + TimeOf(throttle.last_s);
    if (!key.empty()) {
      line += ", " + Percent(Share(count, throttle.count)) + " for key \"" + key + "\"";
    }
    out += Wrapped(line);
  }
}

void AppendResources(const Report& report, std::string& out) {
  out += "\ntables and indexes\n";
  for (const ResourceOutcome& resource : report.outcome.resources) {
    std::string line =
        "  " + ShortArn(resource.arn) +
        Text(": %.0f read and %.0f write units; busiest minute %.0f and %.0f a second; ",
             resource.read_units, resource.write_units, resource.read_per_second_max,
             resource.write_per_second_max) +
        Text("%zu partition%s", resource.partitions, resource.partitions == 1 ? "" : "s");
    if (resource.partitions > resource.partitions_first) {
      line += Text(", %zu at the start, %zu split%s for heat", resource.partitions_first,
                   resource.heat_splits, resource.heat_splits == 1 ? "" : "s");
    }
    out += Wrapped(line);
  }
  for (const std::string& step : report.outcome.scaling) {
    out += "  auto scaling, " + step + "\n";
  }
  out += Text("  cost of capacity: %s%.4f/hour\n", report.currency.c_str(), report.money_per_hour);
}

const CallOutcome& CallOf(const Outcome& outcome, const std::string& name) {
  const auto found = std::ranges::find(outcome.calls, name, &CallOutcome::name);
  return found == outcome.calls.end() ? outcome.all : *found;
}

ObjectiveResult Judge(const Objective& objective, const Outcome& outcome) {
  const CallOutcome& call = CallOf(outcome, objective.call);
  const std::string name = objective.call.empty() ? "" : objective.call + " ";
  if (objective.p99_ms) {
    const double p99 = call.latencies.Percentile(0.99);
    return {name + Text("p99 < %g ms: %.1f ms", *objective.p99_ms, p99), p99 < *objective.p99_ms};
  }
  const double errors = Share(call.failed, call.calls);
  return {name + Text("errors < %g%%: %.4f%%", *objective.error_share * 100, errors * 100),
          errors < *objective.error_share};
}

double MoneyPerHour(const Outcome& outcome, const Scenario& scenario, const model::Prices& prices) {
  const double hours = outcome.seconds / 3'600;
  if (scenario.provisioned) {
    return (outcome.provisioned_read_hours * prices.read_hour +
            outcome.provisioned_write_hours * prices.write_hour) /
           hours;
  }
  double money = 0;
  for (const ResourceOutcome& resource : outcome.resources) {
    money += resource.read_units / 1e6 * prices.read_million +
             resource.write_units / 1e6 * prices.write_million;
  }
  return money / hours;
}

void AppendCallJson(const CallOutcome& call, std::string& out) {
  json::ObjectWriter object(out);
  object.String("name", call.name);
  object.Double("readFactor", call.read_factor);
  object.Integer("calls", static_cast<std::int64_t>(call.calls));
  object.Integer("afterRetries", static_cast<std::int64_t>(call.retried));
  object.Integer("failed", static_cast<std::int64_t>(call.failed));
  object.Integer("attempts", static_cast<std::int64_t>(call.attempts));
  object.Double("p50Ms", call.latencies.Percentile(0.5));
  object.Double("p99Ms", call.latencies.Percentile(0.99));
}

void AppendOutcomeJson(const Outcome& outcome, std::string& out) {
  json::ObjectWriter object(out);
  object.Double("seconds", outcome.seconds);
  if (outcome.start_hour) {
    object.Double("startHour", *outcome.start_hour);
  }
  AppendCallJson(outcome.all, object.Name("all"));
  json::AppendArray(outcome.calls, object.Name("calls"),
                    [&](const CallOutcome& call) { AppendCallJson(call, out); });
  json::AppendArray(MostFirst(outcome), object.Name("throttles"), [&](const ThrottleEntry* entry) {
    const auto& [kind, throttle] = *entry;
    const auto [key, count] = throttle.HottestKey();
    json::ObjectWriter one(out);
    one.String("answer", NameOf(kind.answer));
    one.String("reason", engine::ReasonName(kind.limit));
    one.String("resource", kind.limit.arn);
    one.Integer("count", static_cast<std::int64_t>(throttle.count));
    one.Double("firstSecond", throttle.first_s);
    one.Double("lastSecond", throttle.last_s);
    one.String("hottestKey", key);
    one.Integer("hottestKeyCount", static_cast<std::int64_t>(count));
  });
  json::AppendArray(
      outcome.resources, object.Name("resources"), [&](const ResourceOutcome& resource) {
        json::ObjectWriter one(out);
        one.String("resource", resource.arn);
        one.Double("readUnits", resource.read_units);
        one.Double("writeUnits", resource.write_units);
        one.Integer("partitionsAtStart", static_cast<std::int64_t>(resource.partitions_first));
        one.Integer("partitions", static_cast<std::int64_t>(resource.partitions));
        one.Integer("heatSplits", static_cast<std::int64_t>(resource.heat_splits));
      });
  json::ObjectWriter injected(object.Name("injectedFaults"));
  for (const auto& [fault, count] : outcome.injected) {
    json::AppendInteger(static_cast<std::int64_t>(count), injected.Key(fault));
  }
}

// A share of failed calls that nobody would look into.
constexpr double kFailedShown = 0.0001;

double FailedShare(const Outcome& outcome) { return Share(outcome.all.failed, outcome.all.calls); }

// One call in ten that failed is chance.
bool Helps(const Outcome& before, const Outcome& after) {
  return FailedShare(after) < 0.9 * FailedShare(before);
}

// The same load with one change after the other.
class ChangedRuns {
 public:
  // All outlive this object.
  ChangedRuns(const Workload& workload, const Scenario& scenario, const GiveUp& give_up)
      : workload_(workload), scenario_(scenario), give_up_(give_up) {}

  const Scenario& scenario() const { return scenario_; }

  // Nullopt: the change cannot be simulated.
  Result<std::optional<Outcome>> Run(const Advice& advice) {
    if (!advice.changed && !advice.keys) {
      return std::optional<Outcome>();
    }
    if (advice.keys) {
      auto next = WithKeys(changed_ ? *changed_ : workload_, *advice.keys);
      if (!next) {
        return std::optional<Outcome>();
      }
      changed_ = std::move(next);
    }
    if (advice.changed) {
      scenario_ = *advice.changed;
    }
    PJ_ASSIGN_OR_RETURN(Outcome outcome, Simulate(changed_ ? *changed_ : workload_, scenario_, give_up_));
    return std::optional(std::move(outcome));
  }

 private:
  const Workload& workload_;
  std::optional<Workload> changed_;
  Scenario scenario_;
  const GiveUp& give_up_;
};

// The same change of the same keys, or of capacity, a second time.
bool IsRepeated(const Advice& advice, const Report& report) {
  const auto is_same = [&](const Advice& made) {
    return made.keys.has_value() == advice.keys.has_value() &&
           (!made.keys || (made.keys->kind == advice.keys->kind && made.keys->resource.table == advice.keys->resource.table &&
                           made.keys->resource.index == advice.keys->resource.index));
  };
  return is_same(*report.advice) ||
         std::ranges::any_of(report.further, [&](const FurtherChange& made) { return is_same(made.advice); });
}

Status AddFurther(ChangedRuns& runs, const model::Prices& prices, Report& report) {
  constexpr std::size_t kFurtherMax = 2;
  std::optional<Outcome> now = report.with_change;
  while (now && Helps(report.outcome, *now) && FailedShare(*now) >= kFailedShown && report.further.size() < kFurtherMax) {
    auto advice = AdviceFor(*now, runs.scenario(), prices);
    if (!advice || IsRepeated(*advice, report)) {
      return {};
    }
    FurtherChange& change = report.further.emplace_back(FurtherChange{.advice = *std::move(advice)});
    PJ_ASSIGN_OR_RETURN(change.outcome, runs.Run(change.advice));
    change.helps = change.outcome && Helps(*now, *change.outcome);
    now = change.helps ? change.outcome : std::nullopt;
  }
  return {};
}

// What is to be said of calls that fail with all changes; empty if there are none.
std::string RestText(const Report& report) {
  const bool first_helps = Helps(report.outcome, *report.with_change);
  const Outcome* last = &*report.with_change;
  for (const FurtherChange& further : report.further) {
    last = further.helps ? &*further.outcome : last;
  }
  if (FailedShare(*last) < kFailedShown) {
    return "";
  }
  const FurtherChange* newest = report.further.empty() ? nullptr : &report.further.back();
  if (newest != nullptr && !newest->outcome) {
    return "This change cannot be simulated.";
  }
  return first_helps && (newest == nullptr || newest->helps)
             ? "simulate knows no change for the calls that still fail."
             : "This change does not help, and simulate knows no other.";
}

// The changes, one after the other, each with what clients see then.
std::string ChangesText(const Report& report) {
  if (!report.advice) {
    return "";
  }
  std::string out = Wrapped("Why: " + report.advice->why) + Wrapped("Change: " + report.advice->change);
  if (!report.with_change) {
    return out;
  }
  out += Wrapped("With this change: " + ResultLine(*report.with_change));
  for (const FurtherChange& further : report.further) {
    out += Wrapped("Then: " + further.advice.why) + Wrapped("Change: " + further.advice.change);
    if (further.outcome) {
      out += Wrapped("With this change too: " + ResultLine(*further.outcome));
    }
  }
  if (const std::string rest = RestText(report); !rest.empty()) {
    out += Wrapped(rest);
  }
  return out;
}

}  // namespace

bool Report::all_met() const { return std::ranges::all_of(objectives, &ObjectiveResult::met); }

Result<Report> MakeReport(const std::string& file, const Workload& workload,
                          const Scenario& scenario, const model::Prices& prices,
                          const GiveUp& give_up) {
  Report report{.file = file, .scenario = scenario, .left_out = workload.left_out};
  PJ_ASSIGN_OR_RETURN(report.outcome, Simulate(workload, scenario, give_up));
  for (const Objective& objective : scenario.objectives) {
    report.objectives.push_back(Judge(objective, report.outcome));
  }
  report.currency = prices.currency;
  report.money_per_hour = MoneyPerHour(report.outcome, scenario, prices);
  report.advice = AdviceFor(report.outcome, scenario, prices);
  if (report.advice) {
    ChangedRuns runs(workload, scenario, give_up);
    PJ_ASSIGN_OR_RETURN(report.with_change, runs.Run(*report.advice));
    PJ_RETURN_IF_ERROR(AddFurther(runs, prices, report));
  }
  return report;
}

std::string RenderReport(const Report& report) {
  const Scenario& scenario = report.scenario;
  std::string out = report.file;
  if (!scenario.title.empty()) {
    out += ", " + scenario.title;
  }
  out += "\n" + Wrapped(ResultLine(report.outcome));
  out += ChangesText(report);
  for (const ObjectiveResult& objective : report.objectives) {
    out += std::string(objective.met ? "met: " : "missed: ") + objective.text + "\n";
  }
  AppendCalls(report.outcome, out);
  AppendThrottles(report.outcome, out);
  AppendResources(report, out);
  out += "\n" +
         Wrapped("simulated: " + TimeOf(report.outcome.seconds) + StartText(report) + ", " + CapacityText(scenario) +
                 Text(", %d clients, seed %llu", scenario.clients,
                      static_cast<unsigned long long>(scenario.seed))) +
         Wrapped("retries: " + std::string(Describe(scenario.retries)));
  if (report.outcome.is_below_peak) {
    out += Wrapped("The model states higher peaks than these rates. Simulate them with --peak.");
  }
  for (const std::string& left_out : report.left_out) {
    out += Wrapped("not simulated: " + left_out);
  }
  for (const auto& [fault, count] : report.outcome.injected) {
    out += "injected fault, " + Thousands(count) + " times: " + fault + "\n";
  }
  for (const auto& [error, count] : report.outcome.other_errors) {
    out += "other error, " + Thousands(count) + " times: " + error + "\n";
  }
  std::string factors;
  for (const CallOutcome& call : report.outcome.calls) {
    constexpr double kShownMin = 1.05;
    if (call.read_factor >= kShownMin) {
      factors += (factors.empty() ? "" : ", ") + call.name + " \u00d7" + model::FigureText(call.read_factor);
    }
  }
  if (!factors.empty()) {
    out += Wrapped("fewer rows than the model states; reads are charged as if all were there: " + factors);
  }
  std::string estimates;
  for (const PhysicsParameter& parameter : PhysicsParameters()) {
    if (!parameter.documented) {
      estimates += (estimates.empty() ? "" : ", ") + std::string(parameter.name) + " " +
                   std::to_string(scenario.physics.*(parameter.member));
    }
  }
  out += Wrapped("estimates that AWS does not document: latencies, " + estimates);
  return out;
}

std::string ReportJson(const Report& report) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("file", report.file);
    object.String("scenario", report.scenario.title);
    object.String("retries", NameOf(report.scenario.retries));
    object.Integer("seed", static_cast<std::int64_t>(report.scenario.seed));
    AppendOutcomeJson(report.outcome, object.Name("outcome"));
    object.Double("moneyPerHour", report.money_per_hour);
    json::AppendArray(report.objectives, object.Name("objectives"),
                      [&](const ObjectiveResult& objective) {
                        json::ObjectWriter one(out);
                        one.String("text", objective.text);
                        one.Bool("met", objective.met);
                      });
    if (report.advice) {
      object.String("why", report.advice->why);
      object.String("change", report.advice->change);
    }
    if (report.with_change) {
      AppendOutcomeJson(*report.with_change, object.Name("withChange"));
    }
    if (!report.further.empty()) {
      json::AppendArray(report.further, object.Name("further"), [&](const FurtherChange& further) {
        json::ObjectWriter one(out);
        one.String("why", further.advice.why);
        one.String("change", further.advice.change);
        if (further.outcome) {
          AppendOutcomeJson(*further.outcome, one.Name("withChange"));
          one.Bool("helps", further.helps);
        }
      });
    }
    json::AppendArray(report.left_out, object.Name("notSimulated"),
                      [&](const std::string& text) { json::AppendString(text, out); });
  }
  return out;
}

}  // namespace prejoin::simulate
