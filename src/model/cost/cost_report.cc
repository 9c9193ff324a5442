// The cost report, for people and for programs.
#include <algorithm>
#include <cmath>

#include "json/indented_writer.h"
#include "model/cost/cost.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/text_style.h"
#include "model/syntax/text_table.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kIndent = 2;

std::string Indented(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0 || text[i - 1] == '\n') {
      out += "  ";
    }
    out += text[i];
  }
  return out;
}

std::string Heading(const std::string& text) { return Styled(Style::kHeading, text) + "\n"; }

std::string ReadTable(const CostReport& report, const Prices& prices, std::size_t width) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.AddHeading({"", "RCU each", "requests", "RCU/s", prices.currency + "/month"});
  for (const PatternCost& cost : report.patterns) {
    if (!cost.served) {
      table.AddRow({cost.name, Styled(Style::kBad, "no key supports it")});
      continue;
    }
    table.AddRow({cost.name, FigureText(cost.each.read_units), FigureText(cost.each.requests),
                  FigureText(cost.units_per_second), MoneyText(cost.money_per_month)});
  }
  return Heading("Reads") + table.Render(width, kIndent);
}

std::string WriteTable(const CostReport& report, const Prices& prices, std::size_t width) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  table.AddHeading({"", "WCU each", "WCU/s", prices.currency + "/month", "of which"});
  for (const WriteCost& cost : report.writes) {
    std::string parts;
    for (const auto& [view, units] : cost.units) {
      parts += (parts.empty() ? "" : " + ") + (view.empty() ? std::string("table") : view) + " " +
               FigureText(units);
    }
    if (cost.copies > 0) {
      parts += " (" + FigureText(cost.copies) + " copies)";
    }
    table.AddRow({cost.name, FigureText(cost.total_units), FigureText(cost.units_per_second),
                  MoneyText(cost.money_per_month), parts});
  }
  return Heading("Writes") + table.Render(width, kIndent);
}

std::string StorageTable(const CostReport& report, const Prices& prices, std::size_t width) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight});
  table.AddHeading({"", "items", "size", prices.currency + "/month"});
  for (const StorageCost& storage : report.storage) {
    table.AddRow({storage.view, FigureText(std::round(storage.items)), BytesText(storage.bytes),
                  MoneyText(storage.money_per_month)});
  }
  return Heading("Storage") + table.Render(width, kIndent);
}

std::string HeatTable(const CostReport& report, std::size_t width) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  table.AddHeading({"share of limit", "", "RCU/s", "WCU/s", "partition key"});
  for (const Heat& heat : report.heat) {
    table.AddRow({ShareBar(heat.utilisation), PercentText(heat.utilisation),
                  FigureText(heat.read_units_per_second), FigureText(heat.write_units_per_second),
                  heat.view + " " + heat.key});
  }
  return Heading("Hottest keys at peak load (one partition: 3,000 RCU/s, 1,000 WCU/s)") +
         table.Render(width, kIndent);
}

std::string SizeTable(const CostReport& report, std::size_t width) {
  TextTable table(
      {Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  std::vector<std::string> heading = {"entity, partition key"};
  for (const double factor : kSizeScales) {
    heading.push_back("\u00d7" + FigureText(factor * report.scale));
  }
  heading.emplace_back("maximum");
  table.AddHeading(std::move(heading));
  std::string view;
  for (const CollectionSize& size : report.sizes) {
    if (size.view != view) {
      table.AddRow({size.view});
    }
    view = size.view;
    std::vector<std::string> row = {"  " + size.entity + " " + size.key};
    for (const double bytes : size.bytes) {
      row.push_back(BytesText(bytes));
    }
    const double most = size.items_most > 1 ? size.items_most : size.items_largest;
    row.push_back(most > 1 ? FigureText(std::round(most)) + " items, " +
                                 BytesText(most * size.item_bytes) +
                                 (size.items_most > 1 ? "" : " (largest)")
                           : "");
    table.AddRow(std::move(row));
  }
  return Heading("Item collections as the data grows (average size under one partition key)") +
         table.Render(width, kIndent);
}

void WriteSize(const CollectionSize& size, double scale, json::IndentedWriter& json) {
  json.BeginObject().Field("view", size.view).Field("entity", size.entity).Field("key", size.key);
  json.Field("items", size.items).Field("itemBytes", size.item_bytes);
  json.Field("itemsMost", size.items_most).Field("itemsLargest", size.items_largest);
  json.Name("bytesAtScale").BeginObject();
  for (std::size_t i = 0; i < kSizeScales.size(); ++i) {
    json.Field("x" + FigureText(kSizeScales[i] * scale), size.bytes[i]);
  }
  json.EndObject().EndObject();
}

void WriteAssumptions(const std::vector<AssumptionEffect>& effects, json::IndentedWriter& json) {
  json.Name("assumptions").BeginArray();
  for (const AssumptionEffect& effect : effects) {
    const Assumption& assumption = effect.assumption;
    json.BeginObject().Field("id", assumption.id).Field("what", assumption.what);
    json.Field("value", assumption.value).Field("place", assumption.place);
    json.Field("line", assumption.line).Field("at", static_cast<double>(assumption.at.line));
    json.Field("moneyIfLess", effect.money_if_less).Field("moneyIfMore", effect.money_if_more);
    json.Field("heatIfMore", effect.heat_if_more).Name("users").BeginArray();
    for (const std::string& user : effect.users) {
      json.String(user);
    }
    json.EndArray().EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string RenderCost(const CostReport& report, const Prices& prices, AssumptionList list,
                       std::size_t width) {
  std::string out = ReadTable(report, prices, width) + WriteTable(report, prices, width) +
                    StorageTable(report, prices, width) + "\n" + HeatTable(report, width) + "\n" +
                    SizeTable(report, width);
  if (!report.copies.empty()) {
    out += "\n" + Heading("Copies, and the writes that a change of the original causes") +
           Indented(RenderCopies(report.copies));
  }
  if (!report.assumptions.empty()) {
    out += "\n" + RenderAssumptions(report.assumptions, prices, list);
    if (report.scale != 1) {
      out += "  The amounts in this list are for the counts and rates of the file, \u00d71.\n";
    }
  }
  return out + "\n" +
         Styled(Style::kHeading,
                "Monthly cost: " + MoneyText(prices.currency, report.money_per_month)) +
         "\n";
}

std::string RenderAssumptions(const std::vector<AssumptionEffect>& effects, const Prices& prices,
                              AssumptionList list) {
  std::string out = Heading("Defaults used (not stated in the model)");
  std::string small;
  std::size_t small_count = 0;
  for (const AssumptionEffect& effect : effects) {
    const Assumption& assumption = effect.assumption;
    const std::string line = assumption.line.empty() ? ""
                                                     : " To state it, write " + assumption.place +
                                                           ": " + assumption.line;
    const double apart = std::abs(effect.money_if_more - effect.money_if_less);
    const bool matters = apart > 0.01 * std::max(effect.money_if_more, effect.money_if_less) ||
                         effect.heat_if_more > 1;
    if (!matters) {
      ++small_count;
      small += "  " + assumption.what + ". Off by 10\u00d7, it changes the total by less than 1%." +
               line + "\n";
      continue;
    }
    out += "  " + assumption.what + ". At a tenth of it the total is " +
           MoneyText(prices.currency, effect.money_if_less) + "/month, at ten times " +
           MoneyText(prices.currency, effect.money_if_more) + "/month";
    if (effect.heat_if_more > 1) {
      out += ", with the hottest key at " + PercentText(effect.heat_if_more) +
             " of a partition's limit";
    }
    out += "." + line + "\n";
  }
  if (list == AssumptionList::kAll || small_count <= 1) {
    return out + small;
  }
  const bool alone = small_count == effects.size();
  return out + "  " + std::to_string(small_count) + (alone ? "" : " more") +
         " defaults were used; none changes the total by more than 1% even if it is off by "
         "10\u00d7. "
         "List them with --assumptions.\n";
}

std::string CostJson(const CostReport& report) {
  json::IndentedWriter json;
  json.BeginObject().Field("moneyPerMonth", report.money_per_month).Name("patterns").BeginArray();
  for (const PatternCost& cost : report.patterns) {
    json.BeginObject()
        .Field("name", cost.name)
        .Field("served", cost.served)
        .Field("readUnits", cost.each.read_units);
    json.Field("requests", cost.each.requests)
        .Field("itemsRead", cost.each.items_read)
        .Field("bytesRead", cost.each.bytes_read);
    json.Field("unitsPerSecond", cost.units_per_second)
        .Field("moneyPerMonth", cost.money_per_month)
        .EndObject();
  }
  json.EndArray().Name("writes").BeginArray();
  for (const WriteCost& cost : report.writes) {
    json.BeginObject()
        .Field("name", cost.name)
        .Field("writeUnits", cost.total_units)
        .Field("copies", cost.copies);
    json.Field("unitsPerSecond", cost.units_per_second)
        .Field("moneyPerMonth", cost.money_per_month);
    json.Name("units").BeginObject();
    for (const auto& [view, units] : cost.units) {
      json.Field(view.empty() ? "table" : view, units);
    }
    json.EndObject().EndObject();
  }
  json.EndArray().Name("storage").BeginArray();
  for (const StorageCost& storage : report.storage) {
    json.BeginObject()
        .Field("view", storage.view)
        .Field("items", storage.items)
        .Field("bytes", storage.bytes);
    json.Field("moneyPerMonth", storage.money_per_month).EndObject();
  }
  json.EndArray().Name("heat").BeginArray();
  for (const Heat& heat : report.heat) {
    json.BeginObject()
        .Field("view", heat.view)
        .Field("key", heat.key)
        .Field("utilisation", heat.utilisation);
    json.Field("readUnitsPerSecond", heat.read_units_per_second)
        .Field("writeUnitsPerSecond", heat.write_units_per_second)
        .EndObject();
  }
  json.EndArray().Name("sizes").BeginArray();
  for (const CollectionSize& size : report.sizes) {
    WriteSize(size, report.scale, json);
  }
  json.EndArray().Name("copies").BeginArray();
  for (const CopyPlan& plan : report.copies) {
    json.BeginObject().Field("entity", plan.entity.text).Field("attribute", plan.attribute);
    json.Field("holder", plan.holder.text).Field("stored", plan.stored);
    json.Field("keptBy", CopyUpkeepName(plan.upkeep)).Field("copies", plan.copies);
    json.Field("copiesMost", plan.copies_most).Field("writeUnits", plan.units);
    json.Field("foundBy", plan.found_by).EndObject();
  }
  json.EndArray();
  WriteAssumptions(report.assumptions, json);
  return json.EndObject().Finish();
}

}  // namespace prejoin::model
