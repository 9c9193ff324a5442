// The file is read line by line; words are separated by blanks. Every line begins with the word of one
// setting, so that a message can say what to write there.
#include "simulate/scenario.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "engine/physics/setting_words.h"

namespace prejoin::simulate {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000;
constexpr int kSettingsMax = 200;  // Every call looks at every change of the load.

using Words = engine::SettingWords;

// "100 read 50 write"
std::optional<Units> TakeUnits(Words& words) {
  const auto read = words.TakeNumber(kUnitsMax);
  const bool has_read = words.TakeIf("read");
  const auto write = words.TakeNumber(kUnitsMax);
  if (!read || !has_read || !write || !words.TakeIf("write") || *read < 1 || *write < 1) {
    return std::nullopt;
  }
  return Units{static_cast<std::int64_t>(*read), static_cast<std::int64_t>(*write)};
}

bool ReadLoad(Words& words, Scenario& scenario) {
  if (words.TakeIf("peak")) {
    scenario.at_peak = true;
    return words.done();
  }
  LoadChange load;
  const auto factor = words.TakeNumber(1e6, "x");
  if (!factor) {
    return false;
  }
  load.factor = *factor;
  while (!words.done()) {
    if (words.TakeIf("of")) {
      load.call = words.Take();
      continue;
    }
    const std::string_view word = words.Take();
    const auto time = words.TakeTime();
    if (!time || (word != "at" && word != "over" && word != "for")) {
      return false;
    }
    if (word == "at") {
      load.at_s = *time;
    } else if (word == "over") {
      load.over_s = *time;
    } else {
      load.length_s = *time;
    }
  }
  scenario.loads.push_back(std::move(load));
  return true;
}

bool ReadCapacity(Words& words, Scenario& scenario) {
  scenario.provisioned.reset();
  scenario.scaling_percent.reset();
  if (words.TakeIf("on-demand")) {
    return words.done();
  }
  if (!words.TakeIf("provisioned") || !(scenario.provisioned = TakeUnits(words))) {
    return false;
  }
  if (words.TakeIf("scaling")) {
    const auto percent = words.TakeNumber(90, "", "%");
    if (!percent || *percent < 20) {
      return false;
    }
    scenario.scaling_percent = static_cast<int>(*percent);
  }
  return words.done();
}

bool ReadHot(Words& words, Scenario& scenario) {
  const auto share = words.TakeNumber(100, "", "%");
  if (!share) {
    return false;
  }
  scenario.hot_share = *share / 100;
  if (words.TakeIf("of")) {
    scenario.hot_call = words.Take();
  }
  return words.done();
}

bool ReadScan(Words& words, Scenario& scenario) {
  ScanLoad scan{.table = std::string(words.Take())};
  const auto pages = words.TakeNumber(1e6, "", "/s");
  if (!pages || *pages <= 0) {
    return false;
  }
  scan.pages_per_second = *pages;
  if (words.TakeIf("at")) {
    const auto at = words.TakeTime();
    if (!at) {
      return false;
    }
    scan.at_s = *at;
  }
  scenario.scans.push_back(std::move(scan));
  return words.done();
}

bool ReadObjective(Words& words, Scenario& scenario) {
  Objective objective;
  if (words.Peek() != "p99" && words.Peek() != "errors") {
    objective.call = words.Take();
  }
  const bool is_time = words.TakeIf("p99");
  if ((!is_time && !words.TakeIf("errors")) || !words.TakeIf("<")) {
    return false;
  }
  const auto value = words.TakeNumber(1e9, "", is_time ? "" : "%");
  if (!value || (is_time && !words.TakeIf("ms"))) {
    return false;
  }
  if (is_time) {
    objective.p99_ms = *value;
  } else {
    objective.error_share = *value / 100;
  }
  scenario.objectives.push_back(std::move(objective));
  return words.done();
}

bool ReadRetries(Words& words, Scenario& scenario) {
  const auto mode = RetryModeOf(words.Take());
  scenario.retries = mode.value_or(scenario.retries);
  return mode && words.done();
}

bool ReadLength(Words& words, Scenario& scenario) {
  scenario.seconds = words.TakeTime();
  return scenario.seconds && *scenario.seconds > 0 && words.done();
}

// "08:30"
bool ReadStart(Words& words, Scenario& scenario) {
  const std::string_view text = words.Take();
  const std::size_t colon = std::min(text.find(':'), text.size());
  Words hour(text.substr(0, colon));
  Words minute(text.substr(std::min(colon + 1, text.size())));
  const auto hours = hour.TakeNumber(23);
  const auto minutes = minute.TakeNumber(59);
  if (!hours || !minutes || std::floor(*hours) != *hours || std::floor(*minutes) != *minutes) {
    return false;
  }
  scenario.start_hour = *hours + *minutes / 60;
  return words.done();
}

bool ReadWarm(Words& words, Scenario& scenario) {
  scenario.warm = TakeUnits(words);
  return scenario.warm && words.done();
}

bool ReadClients(Words& words, Scenario& scenario) {
  const auto count = words.TakeNumber(100'000);
  scenario.clients = static_cast<int>(count.value_or(0));
  return scenario.clients >= 1 && *count == scenario.clients && words.done();
}

bool ReadFault(Words& words, Scenario& scenario) {
  auto rule = engine::ParseFaultRule(words);
  if (rule) {
    scenario.faults.push_back(*std::move(rule));
  }
  return rule.has_value();
}

bool ReadTimeout(Words& words, Scenario& scenario) {
  scenario.timeout_s = words.TakeTime().value_or(0);
  return scenario.timeout_s > 0 && words.done();
}

struct Setting {
  std::string_view word;
  bool (*read)(Words& words, Scenario& scenario);
  std::string_view form;
};

constexpr Setting kSettings[] = {
    {"for", ReadLength, "for 30 minutes"},
    {"start", ReadStart, "start 08:30"},
    {"capacity", ReadCapacity,
     "capacity on-demand, or capacity provisioned 100 read 50 write scaling 70%"},
    {"warm", ReadWarm, "warm 24000 read 8000 write"},
    {"retries", ReadRetries, "retries standard, adaptive, standard-2025, standard-2025-js, legacy or none"},
    {"clients", ReadClients, "clients 20"},
    {"load", ReadLoad, "load x20 at 10 minutes over 5 minutes for 10 minutes of NAME, or load peak"},
    {"hot", ReadHot, "hot 30% of NAME"},
    {"scan", ReadScan, "scan TABLE 20/s at 5 minutes"},
    {"objective", ReadObjective, "objective NAME p99 < 50 ms, or objective errors < 0.01%"},
    {"fault", ReadFault, engine::kFaultRuleForm},
    {"timeout", ReadTimeout, "timeout 2 seconds"},
};

// The limits have messages of their own.
Status ReadPhysics(Words& words, Scenario& scenario) {
  const std::string_view limits = words.Take();
  if (limits.empty() || !words.done()) {
    return ValidationError("write physics aws,split-minutes=5");
  }
  PJ_ASSIGN_OR_RETURN(scenario.physics, ParsePhysics(limits));
  return {};
}

Status ReadLine(std::string_view line, Scenario& scenario) {
  Words words(line);
  const std::string_view first = words.Take();
  if (first == "scenario") {
    std::string_view title = words.Take();
    if (title.size() < 2 || title.front() != '"' || title.back() != '"' || !words.TakeIf("{")) {
      return ValidationError("write scenario \"Title\" {");
    }
    scenario.title = title.substr(1, title.size() - 2);
    return {};
  }
  if (first == "physics") {
    return ReadPhysics(words, scenario);
  }
  const auto* setting = std::ranges::find(kSettings, first, &Setting::word);
  if (setting == std::end(kSettings)) {
    return ValidationError("\"" + std::string(first) +
                           "\" is no setting of a scenario; write for, start, capacity, warm, retries, "
                           "clients, timeout, load, hot, scan, fault, objective or physics");
  }
  return setting->read(words, scenario)
             ? Status()
             : Status(ValidationError("write " + std::string(setting->form)));
}

}  // namespace

double FactorAt(const Scenario& scenario, const std::string& call, double at_s) {
  double factor = scenario.rate_factor;
  for (const LoadChange& load : scenario.loads) {
    if ((!load.call.empty() && load.call != call) || at_s < load.at_s ||
        (load.length_s && at_s >= load.at_s + *load.length_s)) {
      continue;
    }
    const double risen = load.over_s > 0 ? std::min(1.0, (at_s - load.at_s) / load.over_s) : 1;
    factor *= 1 + (load.factor - 1) * risen;
  }
  return factor;
}

Result<Scenario> ParseScenario(std::string_view text) {
  Scenario scenario;
  int number = 0;
  int settings = 0;
  bool ended = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = line.substr(0, line.find("//"));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    if (Words(line).Peek() == "}") {
      ended = true;
      continue;
    }
    const Status read =
        ended ? Status(ValidationError("a file has one scenario")) : ReadLine(line, scenario);
    if (++settings > kSettingsMax) {
      return ValidationError("line " + std::to_string(number) + ": a scenario has at most " + std::to_string(kSettingsMax) + " lines with settings");
    }
    if (!read) {
      return ValidationError("line " + std::to_string(number) + ": " + read.error().message);
    }
  }
  if (scenario.title.empty()) {
    return ValidationError("line 1: write scenario \"Title\" {");
  }
  return scenario;
}

}  // namespace prejoin::simulate
