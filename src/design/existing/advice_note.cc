#include "design/existing/advice_note.h"

#include <algorithm>

#include "model/schema/strategy_match.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::Strategy;

std::string StrategyNames(const std::vector<const Strategy*>& strategies) {
  std::string out;
  for (const Strategy* strategy : strategies) {
    out += (out.empty() ? "" : ", ") + std::string(strategy->name);
  }
  return out;
}

const model::StrategyPrice* PriceAmong(const model::Advice& advice, const Strategy* strategy) {
  for (const model::StrategyPrice& price : advice.prices) {
    if (price.strategy == strategy && price.legal) {
      return &price;
    }
  }
  return nullptr;
}

// The cost of the two by themselves, if both are priced there.
std::string AloneText(const model::Advice& advice, const std::vector<const Strategy*>& picked,
                      const model::Prices& prices) {
  const model::StrategyPrice* rule =
      advice.recommended.empty() ? nullptr : PriceAmong(advice, advice.recommended[0]);
  for (const Strategy* strategy : picked) {
    const model::StrategyPrice* price = PriceAmong(advice, strategy);
    if (price == nullptr || rule == nullptr || price == rule) {
      continue;
    }
    return (advice.stored ? "with all else as the tables have it "
                          : "for this relationship alone ") +
           std::string(strategy->name) + " costs " +
           model::MoneyText(prices.currency, price->money_per_month) + " a month and " +
           std::string(rule->strategy->name) + " " +
           model::MoneyText(prices.currency, rule->money_per_month) + "; ";
  }
  return "";
}

}  // namespace

std::vector<AdviceNote> CompareAdvice(const std::vector<model::Advice>& advice,
                                      const DesignReport& report, const model::Prices& prices) {
  std::vector<AdviceNote> notes;
  if (report.designs.empty()) {
    return notes;
  }
  const FoundDesign& best = report.designs[0];
  for (const model::Advice& one : advice) {
    const model::Relationship* relationship =
        best.read.model.FindRelationship(one.relationship->name.text);
    if (relationship == nullptr) {
      continue;
    }
    const std::vector<const Strategy*> picked =
        model::StrategiesInUse(best.read.model, *relationship);
    const bool agree = std::ranges::all_of(one.recommended, [&](const Strategy* strategy) {
      return std::ranges::find(picked, strategy) != picked.end();
    });
    if (agree) {
      continue;
    }
    notes.push_back({one.relationship->name.text, StrategyNames(picked),
                     AloneText(one, picked, prices) +
                         "the rules look at one relationship, `design` prices all patterns and "
                         "writes together: " +
                         model::MoneyText(prices.currency, best.money) + " a month"});
  }
  return notes;
}

std::string RenderAdviceNotes(const std::vector<AdviceNote>& notes) {
  if (notes.empty()) {
    return "`prejoin design` picks these strategies too.\n";
  }
  std::string out = "Where `prejoin design` picks something else\n";
  for (const AdviceNote& note : notes) {
    out += "  " + note.relationship + ": " + (note.picked.empty() ? "none" : note.picked) + ". " +
           note.why + ".\n";
  }
  return out;
}

}  // namespace prejoin::design
