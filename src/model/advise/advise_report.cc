// The advice on strategies, for people and for programs.
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
  TextTable refused({Align::kLeft, Align::kLeft});
  for (const StrategyPrice& price : advice.prices) {
    if (!price.legal) {
      refused.AddRow({std::string(price.strategy->name), "not possible: " + price.reason});
    }
  }
  return table.Render(width, 4) + refused.Render(width, 4);
}

void AppendLines(const std::string& heading, const std::vector<std::string>& lines,
                 std::string& out) {
  out += "  " + Styled(Style::kHeading, heading) + "\n";
  for (const std::string& line : lines) {
    out += "    " + line + "\n";
  }
}

}  // namespace

std::string RenderAdvice(const std::vector<Advice>& advice, const Prices& prices,
                         std::size_t width) {
  std::string out;
  for (const Advice& one : advice) {
    out += Styled(Style::kHeading, one.relationship->name.text) + ": " +
           Styled(Style::kGood, StrategyNames(one.recommended)) + "\n";
    out += "  The tables now use: " + StrategyNames(one.in_use) + "\n";
    for (const Strategy* strategy : one.recommended) {
      out += "  " + std::string(strategy->name) + ": " + std::string(strategy->use_when) + " " +
             std::string(strategy->avoid_when) + "\n";
    }
    out +=
        "  " + Styled(Style::kHeading, PricesHeading(one)) + "\n" + PriceTable(one, prices, width);
    AppendLines("What would change the choice", one.flips, out);
    AppendLines("How the rules decided", one.path, out);
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
    for (const std::string& step : one.path) {
      json.String(step);
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
