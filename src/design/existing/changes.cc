// The smallest set of changes.
//
// The best design may give every item another key, which means a new table and all of the data written again. Often a
// few changes that leave the items where they are get most of the money: an index that nobody reads goes, one keeps
// less of each item, one that the best design has comes, an attribute is copied. Each such change is tried on the
// tables as they stand and priced as `cost` prices them; the one that saves most is made, and so on until nine tenths
// of what the best design saves are reached, or nothing helps any more. The result is read again and proved like any
// design.
//
// DynamoDB cannot change the projection of an index, so another one under a new name takes its place.
#include "design/existing/changes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "design/assemble.h"
#include "design/finish.h"
#include "evolve/plan.h"
#include "model/cost/cost.h"
#include "model/data/evaluate.h"
#include "model/layout/key_shape.h"
#include "model/layout/key_spelling.h"
#include "model/layout/print_physical.h"
#include "model/layout/table_edits.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::Index;
using model::ItemLayout;
using model::Model;
using model::StoredAttribute;
using model::Table;

constexpr double kShareEnough = 0.9;
constexpr double kShareWorthIt =
    0.02;  // Share of the best design's saving; a smaller change is not worth making.
constexpr std::size_t kChangesMax = 6;

struct Move {
  std::string what;
  std::vector<Table> tables;
};

std::string JoinedNames(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

class ChangeFinder {
 public:
  explicit ChangeFinder(const ChangesInput& input) : input_(input), model_(input.read.model) {
    AssumeRates(model_);
  }

  Result<ChangePath> Run() {
    ChangePath path;
    const double before = MoneyOf(model_.tables);
    const double wanted = before - input_.best_money;
    path.money = before;
    path.whole.what = "all of it";
    path.whole.money = input_.best_money;
    path.whole.saves = wanted;
    PJ_RETURN_IF_ERROR(PlanChange(input_.best_model, path.whole));
    while (path.changes.size() < kChangesMax && wanted > 0 &&
           before - path.money < kShareEnough * wanted) {
      PJ_ASSIGN_OR_RETURN(const bool changed, MakeBest(wanted * kShareWorthIt, path));
      if (!changed) {
        break;
      }
    }
    path.share = wanted > 0 ? (before - path.money) / wanted : 0;
    if (!path.changes.empty()) {
      PJ_RETURN_IF_ERROR(Prove(path));
    }
    return path;
  }

 private:
  // Infinite where a pattern is not supported, or is less fresh than before.
  double MoneyOf(const std::vector<Table>& tables) {
    Model model = model_;
    model.tables = tables;
    model::Expectations figures(model);
    double money = 0;
    for (const model::Plan& plan : model::PlanAll(figures)) {
      const bool strong = plan.pattern->freshness == model::Freshness::kEventual || plan.strong;
      if (!plan.served || !strong) {
        return std::numeric_limits<double>::infinity();
      }
      money += model::PricePattern(figures, plan, input_.prices).money_per_month;
    }
    for (const model::Write& write : model.writes) {
      money += model::PriceWrite(figures, write, input_.prices).money_per_month;
    }
    for (const Table& table : model.tables) {
      money += model::PriceStorage(figures, {&table, nullptr}, input_.prices).money_per_month;
      for (const Index& index : table.indexes) {
        money += model::PriceStorage(figures, {&table, &index}, input_.prices).money_per_month;
      }
    }
    return money;
  }

  Result<bool> MakeBest(double worth, ChangePath& path) {
    const Move* best = nullptr;
    double best_money = path.money - worth;
    const std::vector<Move> moves = Moves();
    for (const Move& move : moves) {
      if (input_.stop && input_.stop()) {
        return false;
      }
      const double money = MoneyOf(move.tables);
      if (money >= best_money) {
        continue;
      }
      best = &move;
      best_money = money;
    }
    if (best == nullptr) {
      return false;
    }
    DesignChange change;
    change.what = best->what;
    change.money = best_money;
    change.saves = path.money - best_money;
    Model after = model_;
    after.tables = best->tables;
    PJ_RETURN_IF_ERROR(PlanChange(after, change));
    model_.tables = best->tables;
    path.money = best_money;
    path.changes.push_back(std::move(change));
    return true;
  }

  Status PlanChange(const Model& after, DesignChange& change) const {
    evolve::PlanOptions options;
    options.prices = input_.prices;
    PJ_ASSIGN_OR_RETURN(const evolve::MigrationPlan plan,
                        evolve::PlanMigration(model_, after, options));
    change.write_units = plan.write_units;
    change.read_units = plan.read_units;
    change.seconds = plan.seconds;
    change.migration_money = plan.money;
    for (const evolve::TablePlan& table : plan.tables) {
      change.in_place = change.in_place && table.in_place;
      if (!table.in_place) {
        change.order.push_back("make table " + table.name);
      }
    }
    if (plan.write_units > 0) {
      change.order.push_back("fill in the new attributes");
    }
    for (const evolve::TablePlan& table : plan.tables) {
      for (const std::string& index : table.new_indexes) {
        change.order.push_back("make index " + index + " of " + table.name);
      }
    }
    if (!plan.dual_writes.empty()) {
      change.order.push_back("write both forms until the cut-over");
    }
    for (const evolve::TablePlan& table : plan.tables) {
      for (const std::string& index : table.old_indexes) {
        change.order.push_back("delete index " + index + " of " + table.name);
      }
    }
    for (const std::string& table : plan.dropped) {
      change.order.push_back("delete table " + table);
    }
    return {};
  }

  Status Prove(ChangePath& path) {
    Model printed = input_.read.model;
    printed.tables = model_.tables;
    path.source = model::WithPhysical(input_.read.tree, model::PrintPhysical(printed));
    const model::ReadModelResult read = model::ReadModel(path.source);
    if (!read.ok) {
      std::string problem = "the changed file cannot be read again";
      for (const model::Diagnostic& diagnostic : read.diagnostics) {
        if (diagnostic.severity == model::Severity::kError) {
          problem += ": " + diagnostic.message;
          break;
        }
      }
      path.problems.push_back(std::move(problem));
      return {};
    }
    if (!input_.prove) {
      return {};
    }
    PJ_ASSIGN_OR_RETURN(ProofOutcome proof, ProveDesign(read.model, input_.proof_rows));
    path.problems = std::move(proof.problems);
    path.proved = path.problems.empty();
    return {};
  }

  // ---- Moves ----

  std::vector<Move> Moves() {
    std::vector<Move> moves;
    for (std::size_t t = 0; t < model_.tables.size(); ++t) {
      for (std::size_t i = 0; i < model_.tables[t].indexes.size(); ++i) {
        if (model_.tables[t].indexes[i].local) {
          continue;
        }
        AddDrop(t, i, moves);
        AddProjections(t, i, moves);
      }
      for (const ItemLayout& layout : model_.tables[t].items) {
        const auto wanted = input_.best.find(layout.entity.text);
        if (wanted == input_.best.end()) {
          continue;
        }
        for (const IndexView& view : wanted->second.views) {
          if (!view.local) {
            AddView(t, layout.entity.text, view, moves);
          }
        }
        AddCopies(t, layout.entity.text, wanted->second.layout.copies, moves);
      }
    }
    return moves;
  }

  void AddDrop(std::size_t t, std::size_t i, std::vector<Move>& moves) const {
    Move move;
    move.tables = model_.tables;
    Table& table = move.tables[t];
    const Index gone = table.indexes[i];
    move.what = "index " + gone.name.text + " goes";
    table.indexes.erase(table.indexes.begin() + static_cast<std::ptrdiff_t>(i));
    for (const std::vector<model::Name>* part : {&gone.partition, &gone.sort}) {
      for (const model::Name& name : *part) {
        DropKey(table, name.text);
      }
    }
    moves.push_back(std::move(move));
  }

  // The key attribute of an index that is gone, unless another one uses it.
  static void DropKey(Table& table, const std::string& name) {
    const auto projects = [&](const Index& index) {
      return std::ranges::find(index.include, name, &model::Name::text) != index.include.end();
    };
    if (table.HasKey(name) || std::ranges::any_of(table.indexes, projects)) {
      return;
    }
    for (ItemLayout& layout : table.items) {
      const StoredAttribute* stored = layout.Find(name);
      // Attributes that only this key spelled out must stay.
      const bool needed =
          stored != nullptr &&
          std::ranges::any_of(stored->key.Attributes(), [&](const std::string& attribute) {
            return layout.Omits(attribute) && !SpelledElsewhere(layout, attribute, name);
          });
      if (needed) {
        return;
      }
    }
    for (ItemLayout& layout : table.items) {
      std::erase_if(layout.attributes, [&](const StoredAttribute& stored) {
        return stored.name.text == name && stored.kind == model::StoredKind::kTemplate;
      });
    }
  }

  static bool SpelledElsewhere(const ItemLayout& layout, const std::string& attribute,
                               const std::string& key) {
    return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
      if (stored.name.text == key || stored.kind != model::StoredKind::kTemplate) {
        return false;
      }
      const std::vector<std::string> spelled = stored.key.Attributes();
      return std::ranges::find(spelled, attribute) != spelled.end();
    });
  }

  // The attributes of each entry that the patterns reading the index want.
  std::set<std::string> Wanted(const Table& table, const Index& index) {
    model::Expectations figures(model_);
    std::set<std::string> names;
    for (const model::Plan& plan : model::PlanAll(figures)) {
      for (std::size_t s = 0; s < plan.sections.size(); ++s) {
        const model::View& view = plan.requests[plan.sections[s].request].view;
        if (view.index == nullptr || view.index->name.text != index.name.text ||
            view.table->name.text != table.name.text) {
          continue;
        }
        const model::Section& section = plan.pattern->sections[s];
        for (const model::Path& path : model::SectionPaths(model_, section)) {
          if (path.entity.text.empty() || path.entity.text == section.entity.text) {
            names.insert(path.attribute.text);
          }
        }
        for (const model::Condition& condition : section.conditions) {
          names.insert(condition.attribute.text);
        }
        for (const model::OrderKey& key : section.order) {
          names.insert(key.attribute.text);
        }
      }
    }
    return names;
  }

  void AddProjections(std::size_t t, std::size_t i, std::vector<Move>& moves) {
    const Table& table = model_.tables[t];
    const Index& index = table.indexes[i];
    const std::set<std::string> wanted = Stored(table, Wanted(table, index));
    std::vector<std::set<std::string>> tries = {{}};
    if (!wanted.empty()) {
      tries.push_back(wanted);
    }
    for (const std::set<std::string>& attributes : tries) {
      Move move;
      move.tables = model_.tables;
      Index& changed = move.tables[t].indexes[i];
      model::Project(changed, std::vector(attributes.begin(), attributes.end()));
      if (model::PrintIndex(changed) == model::PrintIndex(index)) {
        continue;
      }
      changed.name.text = model::FreeIndexName(table);
      move.what = "index " + changed.name.text + " takes the place of " + index.name.text +
                  ", with " +
                  (attributes.empty() ? "keys only" : "only " + JoinedNames(attributes));
      moves.push_back(std::move(move));
    }
  }

  // Attributes that items of the table have on their own, beside their keys.
  static std::set<std::string> Stored(const Table& table, const std::set<std::string>& names) {
    std::set<std::string> out;
    for (const std::string& whole : names) {
      const std::string name = model::BaseName(whole);  // A condition on `at day` wants `at`.
      const bool kept = std::ranges::any_of(
          table.items, [&](const ItemLayout& layout) { return !layout.Omits(name); });
      if (kept && name != table.partition.text && name != table.sort.text) {
        out.insert(name);
      }
    }
    return out;
  }

  void AddView(std::size_t t, const std::string& entity, const IndexView& view,
               std::vector<Move>& moves) const {
    Move move;
    move.tables = model_.tables;
    Table& table = move.tables[t];
    const auto is_local = [](const Index& index) { return index.local; };
    const auto local = static_cast<std::size_t>(std::ranges::count_if(table.indexes, is_local));
    if (table.indexes.size() - local >= kGlobalIndexesMax) {
      return;
    }
    Index& index = model::NewIndex(table);
    const std::set<std::string> stored = Stored(table, view.payload);
    model::Project(index, std::vector(stored.begin(), stored.end()));
    const std::string partition = model::PartitionText(model_, entity, view.key);
    const std::string sort = model::SortText(model_, entity, view.key, model::SortPlace::kAlone);
    for (ItemLayout& layout : table.items) {
      if (layout.entity.text != entity) {
        continue;
      }
      layout.attributes.push_back(model::MakeStored(index.partition[0].text, partition));
      layout.attributes.push_back(model::MakeStored(index.sort[0].text, sort));
    }
    move.what =
        "index " + index.name.text + " comes: " + entity + " by " + partition + " | " + sort;
    moves.push_back(std::move(move));
  }

  void AddCopies(std::size_t t, const std::string& entity, const std::set<std::string>& copies,
                 std::vector<Move>& moves) const {
    Move move;
    move.tables = model_.tables;
    std::set<std::string> added;
    for (ItemLayout& layout : move.tables[t].items) {
      if (layout.entity.text != entity) {
        continue;
      }
      for (const std::string& copy : copies) {
        const std::size_t dot = copy.find('.');
        const model::Path original{model_.AtName(copy.substr(0, dot)), {copy.substr(dot + 1), {}}};
        StoredAttribute stored =
            model::MakeCopy(model_.AtName(entity), original, model::CopyUpkeep::kStream);
        if (model::FindCopy(layout, original) != nullptr ||
            layout.Find(stored.name.text) != nullptr) {
          continue;
        }
        added.insert(copy);
        layout.attributes.push_back(std::move(stored));
      }
    }
    if (added.empty()) {
      return;
    }
    move.what = entity + " gets copies of " + JoinedNames(added) + ", kept by stream";
    moves.push_back(std::move(move));
  }

  const ChangesInput& input_;
  Model model_;  // With assumed rates, and the tables as far as they are changed.
};

}  // namespace

Result<ChangePath> FindChanges(const ChangesInput& input) { return ChangeFinder(input).Run(); }

}  // namespace prejoin::design
