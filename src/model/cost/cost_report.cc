// The cost report, for people and for programs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "model/cost/cost.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/json_writer.h"

namespace prejoin::model {
namespace {

std::string Format(const char* format, double number) {
  char text[48];
  std::snprintf(text, sizeof(text), format, number);
  return text;
}

std::string Cell(std::string text, std::size_t width, bool right = true) {
  if (text.size() >= width) return text;
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
  return FigureText(bytes) + " " + units[i];
}

void AppendScale(const Model& model, std::string& out) {
  out += "\nSizes as data grows\n  " + Cell("", 10, false);
  for (const ItemLayout& layout :
       model.tables.empty() ? std::vector<ItemLayout>{} : model.tables[0].items) {
    out += Cell(layout.entity.text, 14);
  }
  out += "   (bytes of the largest collection of each entity, by its average)\n";
  for (const double factor : {1.0, 10.0, 100.0, 1000.0}) {
    out += "  " + Cell("x" + Format("%.0f", factor), 10, false);
    for (const Table& table : model.tables) {
      for (const ItemLayout& layout : table.items) {
        std::set<std::string> bound;
        for (const std::string& name : layout.Find(table.partition.text)->key.Attributes())
          bound.insert(name);
        const double bytes = factor * ExpectedRows(model, layout.entity.text, bound) *
                             ExpectedItemBytes(model, layout.entity.text, View{&table, nullptr});
        out += Cell(Bytes(bytes), 14);
      }
      break;
    }
    out += "\n";
  }
}

}  // namespace

std::string RenderCost(const Model& model, const CostReport& report, const Prices& prices) {
  std::string out =
      "Reads                     units each   requests   units/s   " + prices.currency + "/month\n";
  for (const PatternCost& cost : report.patterns) {
    out += "  " + Cell(cost.name, 24, false);
    if (!cost.served) {
      out += "not served\n";
      continue;
    }
    out += Cell(FigureText(cost.each.read_units), 10) + Cell(FigureText(cost.each.requests), 11) +
           Cell(FigureText(cost.units_per_second), 10) +
           Cell(Format("%.2f", cost.money_per_month), 10) + "\n";
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
    if (cost.copies > 0) out += " (" + FigureText(cost.copies) + " copies)";
    out += "; " + FigureText(cost.units_per_second) + " units/s, " + prices.currency +
           Format("%.2f", cost.money_per_month) + "/month\n";
  }
  out += "Storage\n";
  for (const StorageCost& storage : report.storage) {
    out += "  " + Cell(storage.view, 24, false) + Cell(FigureText(std::round(storage.items)), 12) +
           " items  " + Cell(Bytes(storage.bytes), 10) + "  " + prices.currency +
           Format("%.2f", storage.money_per_month) + "/month\n";
  }
  out += "Hottest keys (a partition gives 3,000 read and 1,000 write units per second)\n";
  for (const Heat& heat : report.heat) {
    out += "  " + Cell(Format("%.2f%%", heat.utilisation * 100), 8) + "  " + heat.view + " " +
           heat.key + ": " + FigureText(heat.read_units_per_second) + " reads, " +
           FigureText(heat.write_units_per_second) + " writes per second\n";
  }
  AppendScale(model, out);
  out += "\nTogether " + prices.currency + Format("%.2f", report.money_per_month) + " per month\n";
  return out;
}

std::string CostJson(const CostReport& report) {
  JsonWriter json;
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
    for (const auto& [view, units] : cost.units) json.Field(view.empty() ? "table" : view, units);
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
  return json.EndArray().EndObject().Finish();
}

}  // namespace prejoin::model
