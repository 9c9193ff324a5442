// The advice on strategies, for people and for programs.
#include <algorithm>

#include "json/indented_writer.h"
#include "model/advise/advise.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/text_style.h"
#include "model/syntax/text_table.h"

namespace prejoin::model {
namespace {

std::string StrategyNames(const std::vector<const Strategy*>& strategies) {
  std::string out;
  for (const Strategy* strategy : strategies) {
    out += (out.empty() ? "" : " + ") + std::string(strategy->name) + " (" +
           std::string(strategy->pattern) + ")";
  }
  return out.empty() ? "none" : out;
}

std::string PricesHeading(const Advice& advice) {
  if (advice.rates_assumed) {
    return "Cost of each strategy, with every access pattern and write at 1/s (the model states no "
           "rate)";
  }
  if (advice.stored) {
    return "Cost of the whole design with each strategy";
  }
  return std::string("Cost of each strategy for this relationship alone (") +
         (advice.deferred ? "--only prices the whole design)" : "no table stores it yet)");
}

std::string PriceTable(const Advice& advice, const Prices& prices, std::size_t width) {
  TextTable table(
      {Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  table.AddHeading({"", prices.currency + "/month", "RCU/s", "WCU/s", "trips", ""});
  for (const StrategyPrice& price : advice.prices) {
    if (!price.legal) {
      continue;
    }
    table.AddRow({std::string(price.strategy->name), MoneyText(price.money_per_month),
                  RoughText(price.read_units_per_second), RoughText(price.write_units_per_second),
                  FigureText(price.round_trips), price.reason});
  }
  std::string refused;
  for (const StrategyPrice& price : advice.prices) {
    if (!price.legal) {
      refused +=
          (refused.empty() ? "" : "; ") + std::string(price.strategy->name) + ": " + price.reason;
    }
  }
  return table.Render(width, 4) + (refused.empty() ? "" : "    Not possible: " + refused + ".\n");
}

// The step of the rules that decided: the last answer that led to a strategy, or else the last step before the sizes of
// partitions.
const DecisionStep* DecidingStep(const Advice& advice) {
  const DecisionStep* deciding = nullptr;
  for (const DecisionStep& step : advice.path) {
    const bool chooses = step.rule >= 2 && step.rule <= 7;
    if (chooses && (step.settles || deciding == nullptr || !deciding->settles)) {
      deciding = &step;
    }
  }
  return deciding != nullptr || advice.path.empty() ? deciding : &advice.path.back();
}

// The cheapest legal strategy that is neither recommended nor in the price of what is; null if there is none.
const StrategyPrice* RunnerUp(const Advice& advice) {
  const auto is = [](const std::vector<const Strategy*>& list, const Strategy* strategy) {
    return std::ranges::find(list, strategy) != list.end();
  };
  const bool kept = std::ranges::any_of(
      advice.recommended, [&](const Strategy* strategy) { return is(advice.in_use, strategy); });
  for (const StrategyPrice& price : advice.prices) {
    const bool same =
        is(advice.recommended, price.strategy) || (kept && is(advice.in_use, price.strategy));
    if (price.legal && !same) {
      return &price;
    }
  }
  return nullptr;
}

const StrategyPrice* PriceOfRecommended(const Advice& advice) {
  for (const StrategyPrice& price : advice.prices) {
    const bool recommended =
        std::ranges::find(advice.recommended, price.strategy) != advice.recommended.end();
    if (price.legal && recommended) {
      return &price;
    }
  }
  return nullptr;
}

// The decision and the two sentences after it.
void AppendVerdict(const Advice& advice, const Prices& prices, std::string& out) {
  const StrategyPrice* own = PriceOfRecommended(advice);
  out +=
      Styled(Style::kHeading, advice.relationship->name.text) + ": " +
      Styled(Style::kGood, StrategyNames(advice.recommended)) +
      (own != nullptr ? ", " + MoneyText(prices.currency, own->money_per_month) + "/month" : "") +
      "\n";
  out += "  The tables now use: " + StrategyNames(advice.in_use) + "\n";
  const DecisionStep* deciding = DecidingStep(advice);
  out += "  Why: " + (deciding != nullptr ? deciding->text : "") + ".";
  for (const DecisionStep& step : advice.path) {
    if (step.rule == 8) {
      out += " " + step.text + ".";
    }
  }
  out += "\n";
  if (const StrategyPrice* next = RunnerUp(advice)) {
    out += "  Runner-up: " + std::string(next->strategy->name) + ", " +
           MoneyText(prices.currency, next->money_per_month) + "/month" +
           (next->reason.empty() ? "" : " (" + next->reason + ")") + "\n";
  }
}

void AppendLines(const std::string& heading, const std::vector<std::string>& lines,
                 std::string& out) {
  out += "  " + Styled(Style::kHeading, heading) + "\n";
  for (const std::string& line : lines) {
    out += "    " + line + "\n";
  }
}

}  // namespace

std::string RenderAdvice(const std::vector<Advice>& advice, const Prices& prices, std::size_t width,
                         AdviceDetail detail) {
  std::string out;
  for (const Advice& one : advice) {
    AppendVerdict(one, prices, out);
    AppendLines("What would change the choice", one.flips, out);
    out +=
        "  " + Styled(Style::kHeading, PricesHeading(one)) + "\n" + PriceTable(one, prices, width);
    if (detail == AdviceDetail::kRules) {
      std::vector<std::string> steps;
      for (const DecisionStep& step : one.path) {
        steps.push_back(step.text);
      }
      AppendLines("How the rules decided", steps, out);
    }
    out += "\n";
  }
  return out;
}

std::string AdviceJson(const std::vector<Advice>& advice) {
  json::IndentedWriter json;
  json.BeginArray();
  for (const Advice& one : advice) {
    json.BeginObject()
        .Field("relationship", one.relationship->name.text)
        .Name("recommended")
        .BeginArray();
    for (const Strategy* strategy : one.recommended) {
      json.String(strategy->name);
    }
    json.EndArray().Name("inUse").BeginArray();
    for (const Strategy* strategy : one.in_use) {
      json.String(strategy->name);
    }
    json.EndArray().Field("wholeDesign", one.stored).Field("deferred", one.deferred);
    json.Name("path").BeginArray();
    for (const DecisionStep& step : one.path) {
      json.String(step.text);
    }
    json.EndArray().Name("alternatives").BeginArray();
    for (const StrategyPrice& price : one.prices) {
      json.BeginObject()
          .Field("strategy", price.strategy->name)
          .Field("legal", price.legal)
          .Field("switchable", price.switchable)
          .Field("moneyPerMonth", price.money_per_month);
      json.Field("readUnitsPerSecond", price.read_units_per_second)
          .Field("writeUnitsPerSecond", price.write_units_per_second);
      json.Field("roundTrips", price.round_trips).Field("reason", price.reason);
      json.Field("useWhen", price.strategy->use_when);
      json.Field("avoidWhen", price.strategy->avoid_when).EndObject();
    }
    json.EndArray().Name("flips").BeginArray();
    for (const std::string& flip : one.flips) {
      json.String(flip);
    }
    json.EndArray().EndObject();
  }
  return json.EndArray().Finish();
}

}  // namespace prejoin::model
