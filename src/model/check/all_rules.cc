#include "model/check/all_rules.h"

#include <algorithm>
#include <array>
#include <vector>

#include "model/check/checker.h"

namespace prejoin::model {
namespace {

// Reported while reading, by the layers below, which name them by id.
constexpr std::array kReadingRules = std::to_array<Rule>({
    {"PJ001", "syntax", Severity::kError, "the statement is not valid",
     "A statement that Prejoin cannot parse is not part of the model.",
     "Follow the suggestion; docs/model/grammar.md has every statement."},
    {"PJ002", "key-template", Severity::kError, "the key template is not valid",
     "Keys are rendered from templates, so they must be exact.",
     "Write {attribute}, {attribute pad 6}, {attribute lower}, {attribute upper} or {shard 8 of "
     "attribute}."},
    {"PJ003", "unknown-name", Severity::kError, "unknown or ambiguous name",
     "Every name is declared once, so that the check, the proof and the generated code mean the "
     "same thing.",
     "Correct the spelling, or declare the name."},
    {"PJ004", "unused-allow", Severity::kWarning, "`allow` has no effect",
     "An `allow` that is left over hides the next real finding.", "Remove the `allow` line."},
});

}  // namespace

std::span<const Rule> AllRules() {
  static const std::vector<Rule> kAll = [] {
    std::vector<Rule> all(kReadingRules.begin(), kReadingRules.end());
    for (const RuleFamily* family : kRuleFamilies) {
      all.insert(all.end(), family->rules.begin(), family->rules.end());
    }
    std::ranges::sort(all, {}, &Rule::id);
    return all;
  }();
  return kAll;
}

const Rule* FindRule(std::string_view id_or_name) {
  for (const Rule& rule : AllRules()) {
    if (rule.id == id_or_name || rule.name == id_or_name) {
      return &rule;
    }
  }
  return nullptr;
}

std::string ExplainRule(const Rule& rule) {
  std::string out(rule.id);
  out += " " + std::string(rule.name) + " (" + std::string(SeverityName(rule.severity)) + ")\n";
  out += "  What: " + std::string(rule.summary) + "\n";
  out += "  Why:  " + std::string(rule.why) + "\n";
  out += "  Fix: " + std::string(rule.suggestion) + "\n";
  out +=
      "  Allow it in one place with: allow " + std::string(rule.id) + " because \"the reason\"\n";
  return out;
}

}  // namespace prejoin::model
