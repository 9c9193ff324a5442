// The cost report, for people and for programs.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "json/indented_writer.h"
#include "model/cost/cost.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/fold.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kReportColumns = 80;

std::string Format(const char* format, double number) {
  char text[48];
  std::snprintf(text, sizeof(text), format, number);
  return text;
}

// Cells never touch: what is wider than its column pushes the rest to the right.
std::string Cell(std::string text, std::size_t width, bool right = true) {
  if (text.size() + 1 >= width) {
    return right ? " " + text : text + " ";
  }
  const std::string pad(width - text.size(), ' ');
  return right ? pad + text : text + pad;
}

std::string Bytes(double bytes) {
  const char* units[] = {"B", "KB", "MB", "GB", "TB"};
  int i = 0;
  while (bytes >= 1024 && i < 4) {
    bytes /= 1024;
    ++i;
  }
  return Format(bytes < 100 && i > 0 ? "%.1f" : "%.0f", bytes) + " " + units[i];
}

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

void AppendSizes(const CostReport& report, std::string& out) {
  out +=
      "\nOne collection as data grows: bytes of one entity's items under one partition key, on "
      "average. It grows where its parent does not grow as fast, up to `at most` (<=)\n";
  out += "  " + Cell("", 32, false);
  for (const double factor : kSizeScales) {
    out += Cell("x" + FigureText(factor * report.scale), 9);
  }
  out += "\n";
  std::string view;
  for (const CollectionSize& size : report.sizes) {
    if (size.view != view) {
      out += "  " + size.view + "\n";
    }
    view = size.view;
    out += "    " + Cell(size.entity + " " + size.key, 30, false);
    for (const double bytes : size.bytes) {
      out += Cell(Bytes(bytes), 9);
    }
    if (size.items_most > 1) {
      out +=
          "  <= " + FigureText(size.items_most) + ", " + Bytes(size.items_most * size.item_bytes);
    }
    out += "\n";
  }
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

std::string RenderCost(const Model&, const CostReport& report, const Prices& prices,
                       AssumptionList list) {
  std::string out =
      "Reads                     units each   requests   units/s   " + prices.currency + "/month\n";
  for (const PatternCost& cost : report.patterns) {
    out += "  " + Cell(cost.name, 24, false);
    if (!cost.served) {
      out += "not served\n";
      continue;
    }
    out += Cell(FigureText(cost.each.read_units), 10) + Cell(FigureText(cost.each.requests), 11) +
           Cell(FigureText(cost.units_per_second), 10) + Cell(MoneyText(cost.money_per_month), 10) +
           "\n";
  }
  out += "Writes                    units each   table + indexes + copies\n";
  for (const WriteCost& cost : report.writes) {
    out += "  " + Cell(cost.name, 24, false) + Cell(FigureText(cost.total_units), 10) + "   ";
    bool first = true;
    for (const auto& [view, units] : cost.units) {
      out += (first ? "" : " + ") + (view.empty() ? std::string("table") : view) + " " +
             FigureText(units);
      first = false;
    }
    if (cost.copies > 0) {
      out += " (" + FigureText(cost.copies) + " copies)";
    }
    out += "; " + FigureText(cost.units_per_second) + " units/s, " +
           MoneyText(prices.currency, cost.money_per_month) + "/month\n";
  }
  out += "Storage\n";
  for (const StorageCost& storage : report.storage) {
    out += "  " + Cell(storage.view, 24, false) + Cell(FigureText(std::round(storage.items)), 12) +
           " items  " + Cell(Bytes(storage.bytes), 10) + "  " +
           MoneyText(prices.currency, storage.money_per_month) + "/month\n";
  }
  out += "Hottest keys (a partition gives 3,000 read and 1,000 write units per second)\n";
  for (const Heat& heat : report.heat) {
    const std::string key =
        "  " + Cell(PercentText(heat.utilisation), 9) + "  " + heat.view + " " + heat.key + ":";
    const std::string figures = FigureText(heat.read_units_per_second) + " reads, " +
                                FigureText(heat.write_units_per_second) + " writes per second\n";
    // A long key stands alone: lines that are indented this far are not folded.
    const bool fits = Columns(key) + Columns(figures) <= kReportColumns;
    out += key + (fits ? " " : "\n" + std::string(15, ' ')) + figures;
  }
  AppendSizes(report, out);
  if (!report.copies.empty()) {
    out += "\nCopies, and what a change of the original must touch\n" +
           Indented(RenderCopies(report.copies));
  }
  if (!report.assumptions.empty()) {
    out += "\n" + RenderAssumptions(report.assumptions, prices, list);
    if (report.scale != 1) {
      out += "  Money in this list is that of the file's own counts and rates, x1.\n";
    }
  }
  out += "\nTogether " + MoneyText(prices.currency, report.money_per_month) + " per month\n";
  return out;
}

std::string RenderAssumptions(const std::vector<AssumptionEffect>& effects, const Prices& prices,
                              AssumptionList list) {
  std::string out = "Assumed, because the file does not say\n";
  std::string small;
  std::size_t small_count = 0;
  for (const AssumptionEffect& effect : effects) {
    const Assumption& assumption = effect.assumption;
    const std::string line =
        assumption.line.empty() ? "" : " Say it " + assumption.place + ": " + assumption.line;
    const double apart = std::abs(effect.money_if_more - effect.money_if_less);
    const bool matters = apart > 0.01 * std::max(effect.money_if_more, effect.money_if_less) ||
                         effect.heat_if_more > 1;
    if (!matters) {
      ++small_count;
      small += "  " + assumption.what + "; wrong by ten it changes less than 1%." + line + "\n";
      continue;
    }
    out += "  " + assumption.what +
           ". Wrong by ten: " + MoneyText(prices.currency, effect.money_if_less) +
           " (a tenth) or " + MoneyText(prices.currency, effect.money_if_more) +
           " (ten times) a month in all";
    if (effect.heat_if_more > 1) {
      out += ", and the hottest key at " + PercentText(effect.heat_if_more) + " of a partition";
    }
    out += "." + line + "\n";
  }
  if (list == AssumptionList::kAll || small_count <= 1) {
    return out + small;
  }
  const bool alone = small_count == effects.size();
  return out + (alone ? "  " : "  and ") + std::to_string(small_count) +
         " figures that, wrong by ten, move the bill by less than 1%; --assumptions lists them\n";
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
    json.BeginObject().Field("view", size.view).Field("entity", size.entity).Field("key", size.key);
    json.Field("items", size.items).Field("itemBytes", size.item_bytes);
    json.Field("itemsMost", size.items_most).Name("bytesAtScale").BeginObject();
    for (std::size_t i = 0; i < kSizeScales.size(); ++i) {
      json.Field("x" + FigureText(kSizeScales[i] * report.scale), size.bytes[i]);
    }
    json.EndObject().EndObject();
  }
  json.EndArray().Name("copies").BeginArray();
  for (const CopyPlan& plan : report.copies) {
    json.BeginObject().Field("entity", plan.entity).Field("attribute", plan.attribute);
    json.Field("holder", plan.holder).Field("stored", plan.stored);
    json.Field("keptBy", CopyUpkeepName(plan.upkeep)).Field("copies", plan.copies);
    json.Field("copiesMost", plan.copies_most).Field("writeUnits", plan.units);
    json.Field("foundBy", plan.found_by).EndObject();
  }
  json.EndArray();
  WriteAssumptions(report.assumptions, json);
  return json.EndObject().Finish();
}

}  // namespace prejoin::model
