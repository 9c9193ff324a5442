#include "engine/physics/fault_schedule.h"

#include <algorithm>
#include <iterator>

namespace prejoin::engine {
namespace {

struct NamedFault {
  std::string_view name;
  FaultKind kind;
};

constexpr NamedFault kFaults[] = {
    {"error", FaultKind::kError},       {"unavailable", FaultKind::kUnavailable},
    {"timeout", FaultKind::kTimeout},   {"drop", FaultKind::kDrop},
    {"throttle", FaultKind::kThrottle}, {"region", FaultKind::kDrop},
};
constexpr std::size_t kRulesMax = 1'000;

bool Contains(std::span<const std::string> list, const std::string& wanted) {
  return wanted.empty() || std::ranges::find(list, wanted) != list.end();
}

bool Hits(const FaultRule& rule, const FaultTarget& target) {
  const bool in_time = target.at_s >= rule.at_s &&
                       (!rule.length_s || target.at_s < rule.at_s + *rule.length_s);
  return in_time && (rule.operation.empty() || rule.operation == target.operation) &&
         Contains(target.tables, rule.table) && Contains(target.keys, rule.key);
}

// `word` was taken already. False: the words after it do not fit.
bool ReadFilter(std::string_view word, SettingWords& words, FaultRule& rule) {
  if (word == "of" || word == "on" || word == "key") {
    std::string& name = word == "of" ? rule.operation : word == "on" ? rule.table : rule.key;
    name = words.TakeName();
    return !name.empty();
  }
  if (word == "at" || word == "for") {
    const auto time = words.TakeTime();
    if (word == "at") {
      rule.at_s = time.value_or(0);
    } else {
      rule.length_s = time;
    }
    return time.has_value();
  }
  return false;
}

}  // namespace

std::optional<FaultRule> ParseFaultRule(SettingWords& words) {
  const auto* named = std::ranges::find(kFaults, words.Take(), &NamedFault::name);
  if (named == std::end(kFaults)) {
    return std::nullopt;
  }
  FaultRule rule{.kind = named->kind};
  if (words.Peek().ends_with('%')) {
    const auto percent = words.TakeNumber(100, "", "%");
    if (!percent) {
      return std::nullopt;
    }
    rule.share = *percent / 100;
  }
  while (!words.done()) {
    const std::string_view word = words.Take();
    if (!ReadFilter(word, words, rule)) {
      return std::nullopt;
    }
  }
  return rule;
}

Result<std::vector<FaultRule>> ParseFaultRules(std::string_view text) {
  std::vector<FaultRule> rules;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    SettingWords words(line.substr(0, line.find("//")));
    if (words.done()) {
      continue;
    }
    auto rule = words.TakeIf("fault") ? ParseFaultRule(words) : std::nullopt;
    if (!rule || rules.size() == kRulesMax) {
      return ValidationError("line " + std::to_string(number) + ": write " +
                             std::string(kFaultRuleForm));
    }
    rules.push_back(*std::move(rule));
  }
  return rules;
}

std::optional<FaultKind> FaultSchedule::Decide(const FaultTarget& target) {
  for (const FaultRule& rule : rules_) {
    if (Hits(rule, target) && (rule.share >= 1 || random_.Fraction() < rule.share)) {
      return rule.kind;
    }
  }
  return std::nullopt;
}

}  // namespace prejoin::engine
