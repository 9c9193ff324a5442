// Does a relationship have the strategy the model states? And what the sample rows show.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "model/check/checker.h"
#include "model/data/dataset.h"
#include "model/data/item_render.h"
#include "model/layout/layout_edits.h"
#include "model/plan/expectation.h"
#include "model/schema/strategy.h"
#include "model/schema/strategy_match.h"

namespace prejoin::model {
namespace {

constexpr std::array kStrategyRules = std::to_array<Rule>({
    {"PJ113", "sample-clash", Severity::kError, "two sample rows become one item",
     "What happens in the sample will happen in production.", "Make the key unique."},
    {"PJ115", "delimiter-in-value", Severity::kError, "a value contains the delimiter of its key",
     "The key would be ambiguous: two different rows could have the same key, so Prejoin refuses "
     "to build it.",
     "Forbid the delimiter in the value, or choose another delimiter."},
    {"PJ219", "strategy-mismatch", Severity::kWarning,
     "the keys do not implement the stated strategy",
     "A reader of the model relies on the stated strategy.",
     "State the strategy the keys have, or change the keys."},
    {"PJ220", "local-time", Severity::kWarning, "a time without a time zone",
     "Local times do not sort across zones and disagree with ids made from epochs.",
     "Store UTC: 2019-09-26T03:31:54Z."},
});

// PJ220: "2019-09-25 22:31:54" and "2024-03-31T10:00:00" have no zone.
bool IsLocalTime(const std::string& text) {
  return text.size() >= 16 && !text.ends_with('Z') && text.find('+', 10) == std::string::npos &&
         text.find('-', 10) == std::string::npos;
}

// "2019-09-25 22:31…" in a text that is not declared as a time.
bool LooksLikeTime(const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00 00:00";
  if (text.size() < kForm.size()) {
    return false;
  }
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : (text[i] != kForm[i] && !(i == 10 && text[i] == 'T'))) {
      return false;
    }
  }
  return true;
}

// The same time, taken to be UTC.
std::string InUtc(std::string text) {
  if (text[10] == ' ') {
    text[10] = 'T';
  }
  return text + "Z";
}

void CheckTimes(Checker& checker, const Sample& sample) {
  const Entity& entity = checker.model.At(sample.entity);
  for (std::size_t column = 0; column < sample.columns.size(); ++column) {
    const Attribute* attribute = entity.Find(sample.columns[column].text);
    if (attribute == nullptr) {
      continue;
    }
    const bool zoned = TraitsOf(attribute->type).zoned;
    for (const SampleRow& row : sample.rows) {
      const auto& value = row.values[column];
      if (!value || value->string() == nullptr || !IsLocalTime(*value->string())) {
        continue;
      }
      if (!zoned && !LooksLikeTime(*value->string())) {
        continue;
      }
      checker.Report(
          RuleIn(kStrategyRules, "PJ220"), row.at[column],
          "`" + *value->string() +
              "` has no time zone: it does not sort with UTC times or with ids made from epochs",
          checker.placer.Write(row.at[column], InUtc(*value->string()),
                               "write \"" + InUtc(*value->string()) + "\"",
                               Applicability::kUnsafe));
      break;
    }
  }
}

// PJ115
void CheckDelimiters(Checker& checker, const Sample& sample) {
  const Model::Placement placement = checker.model.FindPlacement(sample.entity.text);
  if (!placement) {
    return;
  }
  for (std::size_t column = 0; column < sample.columns.size(); ++column) {
    for (const StoredAttribute& stored : placement.layout->attributes) {
      if (stored.kind != StoredKind::kTemplate || stored.key.natural) {
        continue;
      }
      for (const SampleRow& row : sample.rows) {
        const auto& value = row.values[column];
        // One column at a time, so that each finding is at its value.
        const std::string why = !value ? "" : WhyNoKey(stored.key, [&](std::string_view attribute) {
          return attribute == sample.columns[column].text ? &*value : nullptr;
        });
        if (why.empty()) {
          continue;
        }
        checker.Report(RuleIn(kStrategyRules, "PJ115"), row.at[column],
                       why + " in " + stored.name.text + " = " + stored.key.ToString());
      }
    }
  }
}

// PJ113
void CheckClashes(Checker& checker, const Sample& sample) {
  const Model::Placement placement = checker.model.FindPlacement(sample.entity.text);
  const Entity& entity = checker.model.At(sample.entity);
  std::map<std::string, int> lines;
  for (const SampleRow& sample_row : sample.rows) {
    Row row;
    for (std::size_t i = 0; i < sample.columns.size(); ++i) {
      if (sample_row.values[i]) {
        row.Set(sample.columns[i].text, *sample_row.values[i]);
      }
    }
    std::string key = TupleText(row, entity.KeyNames());
    if (placement) {
      const auto rendered = RenderPrimaryKey(placement, row);
      key.clear();
      if (rendered) {
        for (const auto& [name, value] : *rendered) {
          key += ValueText(value) + "\x03";
        }
      }
    }
    const auto [found, is_new] = lines.emplace(key, sample_row.at[0].line);
    if (is_new || key.empty()) {
      continue;
    }
    checker.Report(RuleIn(kStrategyRules, "PJ113"), sample_row.at[0],
                   "this " + sample.entity.text + " has the same key as the one on line " +
                       std::to_string(found->second) + ": one overwrites the other");
  }
}

// The strategies that the keys have.
Proposal StrategiesOfTheKeys(const Model& model, const StrategyChoice& choice,
                             const Relationship& relationship) {
  std::string in_use;
  for (const Strategy* strategy : StrategiesInUse(model, relationship)) {
    in_use += (in_use.empty() ? "" : ", ") + std::string(strategy->name);
  }
  if (in_use.empty()) {
    return {};
  }
  const std::string start = "strategy " + choice.relationship.text + " = ";
  return std::vector{ReplaceIn("", choice.relationship.at, start + "…", start + in_use)};
}

void CheckStrategies(Checker& checker) {
  for (const StrategyChoice& choice : checker.model.strategies) {
    const Relationship& relationship = *checker.model.FindRelationship(choice.relationship.text);
    for (const Name& name : choice.strategies) {
      const std::string problem =
          StrategyMismatch(checker.model, relationship, *FindStrategy(name.text));
      if (problem.empty()) {
        continue;
      }
      checker.Report(RuleIn(kStrategyRules, "PJ219"), name.at, problem,
                     StrategiesOfTheKeys(checker.model, choice, relationship));
    }
  }
}

void CheckSamples(Checker& checker) {
  for (const Sample& sample : checker.model.samples) {
    CheckTimes(checker, sample);
    CheckDelimiters(checker, sample);
    CheckClashes(checker, sample);
  }
}

void CheckStrategy(Checker& checker) {
  CheckStrategies(checker);
  CheckSamples(checker);
}

}  // namespace

constinit const RuleFamily kStrategyFamily = {kStrategyRules, CheckStrategy};

}  // namespace prejoin::model
