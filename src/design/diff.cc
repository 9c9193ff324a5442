#include "design/diff.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "json/indented_writer.h"
#include "evolve/plan.h"
#include "model/cost/cost.h"
#include "model/layout/print_physical.h"
#include "model/plan/expectation.h"
#include "model/plan/plan_estimate.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::Expectations;
using model::FigureText;
using model::Model;
using model::MoneyText;

// Everything that is asked about one of the two.
struct Priced {
  explicit Priced(const Model& model, const model::Prices& prices)
      : figures(model),
        plans(model::PlanAll(figures)),
        cost(model::EstimateCost(figures, plans, prices)) {}

  Expectations figures;
  std::vector<model::Plan> plans;
  model::CostReport cost;
};

DiffSide PatternSide(const Priced& priced, const std::string& name) {
  DiffSide side;
  for (std::size_t i = 0; i < priced.plans.size(); ++i) {
    const model::Plan& plan = priced.plans[i];
    if (plan.pattern->name.text != name) {
      continue;
    }
    side.there = true;
    side.served = plan.served;
    side.units = plan.estimate.read_units;
    side.rounds = plan.estimate.rounds;
    side.money = priced.cost.patterns[i].money_per_month;
    for (const model::Request& request : plan.requests) {
      side.requests.push_back(model::DescribeRequest(request));
    }
  }
  return side;
}

DiffSide WriteSide(const Priced& priced, const std::string& name) {
  DiffSide side;
  for (const model::WriteCost& write : priced.cost.writes) {
    if (write.name != name) {
      continue;
    }
    side.there = true;
    side.units = write.total_units;
    side.money = write.money_per_month;
  }
  return side;
}

double StorageMoney(const Priced& priced) {
  double money = 0;
  for (const model::StorageCost& storage : priced.cost.storage) {
    money += storage.money_per_month;
  }
  return money;
}

// Names in the order of the first list, then what only the second has.
template <class List>
std::vector<std::string> AllNames(const List& a, const List& b) {
  std::vector<std::string> names;
  for (const List* list : {&a, &b}) {
    for (const auto& one : *list) {
      if (std::ranges::find(names, one.name.text) == names.end()) {
        names.push_back(one.name.text);
      }
    }
  }
  return names;
}

// An item's layout as text, without the keys of indexes or with nothing else.
std::string LayoutText(const Model& model, const std::string& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return "";
  }
  Model one;
  model::Table table = *placement.table;
  table.items = {*placement.layout};
  table.indexes.clear();
  table.sort_claims.clear();
  one.tables.push_back(std::move(table));
  return model::PrintPhysical(one);
}

std::string KeyText(const Model& model, const std::string& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return "";
  }
  std::string text = placement.table->name.text;
  for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
    const model::StoredAttribute* stored = placement.layout->Find(name->text);
    if (stored != nullptr) {
      text += " " + name->text + "=" + stored->key.ToString();
    }
  }
  return text;
}

class Comparer {
 public:
  Comparer(const Model& before, const Model& after, const model::Prices& prices)
      : before_(before),
        after_(after),
        prices_(prices),
        old_(before, prices),
        new_(after, prices) {}

  DiffReport Run() {
    for (const std::string& name : AllNames(before_.patterns, after_.patterns)) {
      report_.rows.push_back({name, false, PatternSide(old_, name), PatternSide(new_, name)});
    }
    for (const std::string& name : AllNames(before_.writes, after_.writes)) {
      report_.rows.push_back({name, true, WriteSide(old_, name), WriteSide(new_, name)});
    }
    report_.storage_before = StorageMoney(old_);
    report_.storage_after = StorageMoney(new_);
    report_.money_before = old_.cost.money_per_month;
    report_.money_after = new_.cost.money_per_month;
    for (const std::string& entity : AllNames(before_.entities, after_.entities)) {
      AddEntity(entity);
    }
    AddIndexes();
    for (const DiffChange& change : report_.changes) {
      report_.rewrite_money += change.money;
    }
    return std::move(report_);
  }

 private:
  void AddEntity(const std::string& entity) {
    const std::string old_text = LayoutText(before_, entity);
    const std::string new_text = LayoutText(after_, entity);
    if (old_text == new_text) {
      return;
    }
    DiffChange change;
    change.entity = entity;
    if (new_text.empty()) {
      change.what = entity + " has no items of its own any more: they are deleted";
      Charge(old_, before_, entity, change);
    } else if (old_text.empty()) {
      change.what = entity + " gets items of its own";
      Charge(new_, after_, entity, change);
    } else if (KeyText(before_, entity) != KeyText(after_, entity)) {
      change.what = entity + " gets another key: each item is put under it, the old item deleted";
      Charge(new_, after_, entity, change);
      Charge(old_, before_, entity, change);
      change.items /= 2;
    } else {
      change.what = entity + " keeps its key; its items get other attributes";
      Charge(new_, after_, entity, change);
    }
    report_.changes.push_back(std::move(change));
  }

  // Reads and writes each item once, index entries included.
  void Charge(Priced& priced, const Model& model, const std::string& entity, DiffChange& change) {
    const Model::Placement placement = model.FindPlacement(entity);
    const model::Reference<model::Entity>& layout = placement.layout->entity;
    const double items = priced.figures.Count(layout);
    const model::View base{placement.table, nullptr};
    const double bytes = priced.figures.EntryBytes(layout, base);
    double units = model::WriteUnits(bytes);
    for (const model::Index& index : placement.table->indexes) {
      const model::View view{placement.table, &index};
      if (model::AppearsIn(model, layout, view)) {
        units += model::WriteUnits(priced.figures.EntryBytes(layout, view)) *
                 priced.figures.PresenceIn(layout, view);
      }
    }
    change.items += items;
    change.write_units += items * units;
    change.money += items * (units * prices_.write_million / 1e6 +
                             model::ReadUnits(bytes, false) * prices_.read_million / 1e6);
  }

  void AddIndexes() {
    std::set<std::string> old_indexes = IndexTexts(before_);
    std::set<std::string> new_indexes = IndexTexts(after_);
    for (const std::string& text : old_indexes) {
      if (!new_indexes.contains(text)) {
        report_.changes.push_back({"goes: " + text, 0, 0, 0});
      }
    }
    for (const std::string& text : new_indexes) {
      if (!old_indexes.contains(text)) {
        report_.changes.push_back({"comes: " + text, 0, 0, 0});
      }
    }
  }

  static std::set<std::string> IndexTexts(const Model& model) {
    std::set<std::string> texts;
    for (const model::Table& table : model.tables) {
      for (const model::Index& index : table.indexes) {
        texts.insert(model::PrintIndex(index) + " (" + table.name.text + ")");
      }
    }
    return texts;
  }

  const Model& before_;
  const Model& after_;
  const model::Prices& prices_;
  Priced old_;
  Priced new_;
  DiffReport report_;
};

// One migration has one price: the one that `migrate` plans. Tables that it does not write, such as old ones
// that are dropped, cost nothing.
void TakeMigrationPrices(const evolve::MigrationPlan& plan, const model::Prices& prices,
                         DiffReport& report) {
  for (DiffChange& change : report.changes) {
    change.write_units = change.money = 0;
  }
  double written = 0;
  for (const evolve::EntityBackfill& backfill : plan.backfills) {
    auto change = std::ranges::find(report.changes, backfill.entity, &DiffChange::entity);
    if (change == report.changes.end()) {
      DiffChange entries;
      entries.what = backfill.entity + " is written again for its entries in other indexes";
      entries.entity = backfill.entity;
      change = report.changes.insert(report.changes.end(), std::move(entries));
    }
    change->items = backfill.items;
    change->write_units += backfill.write_units;
    change->money += backfill.write_units * prices.write_million / 1e6;
    written += backfill.write_units * prices.write_million / 1e6;
  }
  DiffChange reads;
  reads.what = "the backfill reads the old items, and two passes compare both sides";
  reads.money = plan.money - written;
  report.changes.push_back(std::move(reads));
  report.rewrite_money = plan.money;
}

std::string CellText(std::string text, std::size_t width, bool right = true) {
  if (text.size() < width) {
    text.insert(right ? 0 : text.size(), width - text.size(), ' ');
  }
  return text;
}

std::string SideText(const DiffSide& side, bool is_write) {
  if (!side.there) {
    return CellText("-", 28);
  }
  if (!side.served) {
    return CellText("not supported", 28);
  }
  return CellText(FigureText(side.units), 9) +
         CellText(is_write ? "" : FigureText(side.rounds), 7) + CellText(MoneyText(side.money), 12);
}

}  // namespace

double DiffReport::PaybackMonths() const {
  const double saved = money_before - money_after;
  return saved > 0 ? rewrite_money / saved : -1;
}

DiffReport DiffDesigns(const Model& before, const Model& after, const model::Prices& prices) {
  DiffReport report = Comparer(before, after, prices).Run();
  if (report.changes.empty()) {
    return report;
  }
  evolve::PlanOptions options;
  options.prices = prices;
  // Where the rows of the new design do not follow from the old one there is no plan, and the sum of the parts stays.
  if (const auto plan = evolve::PlanMigration(before, after, options)) {
    TakeMigrationPrices(*plan, prices, report);
  }
  return report;
}

std::string RenderDiff(const DiffReport& report, const model::Prices& prices) {
  const std::string heads =
      CellText("units", 9) + CellText("trips", 7) + CellText(prices.currency + "/month", 12);
  std::string out = CellText("", 26, false) + CellText("before", 28) + "  " +
                    CellText("after", 28) + "\n" + CellText("", 26, false) + heads + "  " + heads +
                    "\n";
  for (const DiffRow& row : report.rows) {
    out += CellText(row.name, 26, false) + SideText(row.before, row.is_write) + "  " +
           SideText(row.after, row.is_write) + "\n";
  }
  const auto line = [&](const std::string& name, double before, double after) {
    out += CellText(name, 26, false) + CellText(MoneyText(before), 28) + "  " +
           CellText(MoneyText(after), 28) + "\n";
  };
  line("storage", report.storage_before, report.storage_after);
  line("all", report.money_before, report.money_after);
  out += "\nOther requests\n";
  for (const DiffRow& row : report.rows) {
    if (row.before.requests == row.after.requests) {
      continue;
    }
    out += "  " + row.name + "\n";
    for (const std::string& request : row.before.requests) {
      out += "    - " + request + "\n";
    }
    for (const std::string& request : row.after.requests) {
      out += "    + " + request + "\n";
    }
  }
  out += report.changes.empty() ? "\nNothing must be rewritten.\n" : "\nWhat must be done\n";
  for (const DiffChange& change : report.changes) {
    out += "  " + change.what;
    if (change.items > 0) {
      out += ": " + model::Counted(change.items, "item") + ", " +
             model::Counted(change.write_units, "write unit") + ", " +
             MoneyText(prices.currency, change.money) + " once";
    } else if (change.money > 0) {
      out += ": " + MoneyText(prices.currency, change.money) + " once";
    }
    out += "\n";
  }
  if (report.PaybackMonths() >= 0 && report.rewrite_money > 0) {
    out += "Rewriting costs " + MoneyText(prices.currency, report.rewrite_money) +
           " once, and is paid back in " + model::RoughText(report.PaybackMonths()) + " months.\n";
  }
  return out;
}

std::string DiffJson(const DiffReport& report) {
  json::IndentedWriter json;
  const auto side = [&](const char* name, const DiffSide& one) {
    json.Name(name);
    if (!one.there) {
      json.Null();
      return;
    }
    json.BeginObject().Field("served", one.served).Field("units", one.units);
    json.Field("trips", one.rounds).Field("money", one.money).Name("requests").BeginArray();
    for (const std::string& request : one.requests) {
      json.String(request);
    }
    json.EndArray().EndObject();
  };
  json.BeginObject().Name("rows").BeginArray();
  for (const DiffRow& row : report.rows) {
    json.BeginObject().Field("name", row.name).Field("kind", row.is_write ? "write" : "pattern");
    side("before", row.before);
    side("after", row.after);
    json.EndObject();
  }
  json.EndArray().Name("changes").BeginArray();
  for (const DiffChange& change : report.changes) {
    json.BeginObject().Field("what", change.what).Field("items", change.items);
    json.Field("writeUnits", change.write_units).Field("money", change.money).EndObject();
  }
  json.EndArray();
  json.Field("storageBefore", report.storage_before).Field("storageAfter", report.storage_after);
  json.Field("moneyBefore", report.money_before).Field("moneyAfter", report.money_after);
  json.Field("rewriteMoney", report.rewrite_money);
  return json.EndObject().Finish();
}

}  // namespace prejoin::design
