// A plan in words, and for programs.
#include <algorithm>
#include <cmath>

#include "json/indented_writer.h"
#include "evolve/plan.h"
#include "model/syntax/figure_text.h"

namespace prejoin::evolve {
namespace {

using model::Counted;
using model::FigureText;

std::string DurationText(double seconds) {
  if (seconds < 1) {
    return "a second";
  }
  if (seconds < 120) {
    return Counted(std::ceil(seconds), "second");
  }
  if (seconds < 7200) {
    return Counted(std::ceil(seconds / 60), "minute");
  }
  return Counted(std::ceil(seconds / 360) / 10, "hour");
}

std::string ListText(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

std::string TablesStep(const MigrationPlan& plan) {
  std::string out;
  for (const TablePlan& table : plan.tables) {
    if (table.in_place) {
      out += "   table " + table.name + " stays, and its items keep their keys";
      if (!table.new_indexes.empty()) {
        out += "; it gets " + ListText(table.new_indexes) + " after the backfill, one at a time";
      }
    } else {
      out += "   table " + table.name + " is created";
      if (!table.why_beside.empty()) {
        out += " beside the existing one, because " + table.why_beside;
      }
    }
    out += "\n";
  }
  const bool some_made =
      std::ranges::any_of(plan.tables, [](const TablePlan& table) { return !table.in_place; });
  if (some_made) {
    out +=
        "   time to live, streams, backups, tags and scaling are not copied: set them on a new "
        "table before the cut-over\n";
  }
  return out;
}

std::string CleanUpStep(const MigrationPlan& plan) {
  std::string out;
  for (const std::string& table : plan.dropped) {
    out += "   table " + table + " is deleted\n";
  }
  for (const TablePlan& table : plan.tables) {
    for (const std::string& index : table.old_indexes) {
      out += "   index " + index + " of " + table.name + " is deleted\n";
    }
    if (table.in_place) {
      out += "   attributes that only the old items have are removed\n";
    }
  }
  return out;
}

}  // namespace

std::string RenderPlan(const MigrationPlan& plan, const PlanOptions& options) {
  const std::string& currency = options.prices.currency;
  std::string out = "1. Tables (--run)\n" + TablesStep(plan);
  out += "2. Backfill (--run): " + model::FigureText(std::round(plan.write_units)) + " WCU" + ", " +
         model::FigureText(std::round(plan.read_units)) + " RCU";
  if (options.write_units_per_second > 0) {
    out += ", " + DurationText(plan.seconds) + " at " +
           Counted(options.write_units_per_second, "unit") + " per second";
  }
  out += "\n";
  for (const EntityBackfill& one : plan.backfills) {
    out += "   " + one.entity + " into " + one.table + ": " +
           Counted(std::round(one.items), "item") + ", " +
           model::FigureText(std::round(one.write_units)) + " WCU" + "\n";
  }
  if (!plan.held.empty()) {
    out += "   rows kept in memory to make copies, lists and totals: " + ListText(plan.held) + "\n";
  }
  out +=
      "3. Dual writes (your application): the old items stay authoritative; write them first, then "
      "the new ones.\n   If it does not write both, pause its writes for the last pass before the "
      "cut-over.\n";
  for (const std::string& line : plan.dual_writes) {
    out += "   " + line + "\n";
  }
  out += "4. Passes until one finds no difference, then the audit (--run): " +
         model::FigureText(std::round(plan.pass_read_units)) + " RCU" + " each\n";
  out +=
      "5. Cut-over (--cut-over): one more pass; nothing is copied after it. The application then "
      "reads and writes the new tables.\n";
  out += "6. Clean-up (--finish), once nothing writes the old items any more\n" + CleanUpStep(plan);
  out += "Costs " + model::MoneyText(currency, plan.money) +
         " once, estimated from the model's row counts, with two passes.\n";
  return out;
}

std::string PlanJson(const MigrationPlan& plan) {
  json::IndentedWriter json;
  const auto list = [&](const char* name, const std::vector<std::string>& texts) {
    json.Name(name).BeginArray();
    for (const std::string& text : texts) {
      json.String(text);
    }
    json.EndArray();
  };
  json.BeginObject().Name("tables").BeginArray();
  for (const TablePlan& table : plan.tables) {
    json.BeginObject().Field("name", table.name).Field("inPlace", table.in_place);
    json.Field("whyBeside", table.why_beside);
    list("newIndexes", table.new_indexes);
    list("oldIndexes", table.old_indexes);
    json.EndObject();
  }
  json.EndArray();
  list("dropped", plan.dropped);
  json.Name("backfills").BeginArray();
  for (const EntityBackfill& one : plan.backfills) {
    json.BeginObject().Field("entity", one.entity).Field("table", one.table);
    json.Field("items", one.items).Field("writeUnits", one.write_units).EndObject();
  }
  json.EndArray();
  list("held", plan.held);
  list("dualWrites", plan.dual_writes);
  json.Field("readUnits", plan.read_units).Field("writeUnits", plan.write_units);
  json.Field("passReadUnits", plan.pass_read_units).Field("money", plan.money);
  json.Field("seconds", plan.seconds);
  return json.EndObject().Finish();
}

}  // namespace prejoin::evolve
