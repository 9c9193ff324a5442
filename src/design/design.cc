// Several searches compete, each over a space of its own (designer.h): the file as it is, the file with an entity split in two where
// patterns read only part of it, and the file with attributes themselves as index keys. A change of the logical half or keys that not
// every tool knows must save one per cent to win. The winner then gives a design for each preference, and the losers their cheapest as
// something to compare with.
//
// Figures that the file does not state are assumed first, and named in the report with the interval in which the answer stays the same.
// A search that is stopped gives the best design so far; stopped before anything was chosen, each pattern gets the smallest change that
// serves it, and nothing is weighed (Plainest).
#include "design/design.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "design/designer.h"
#include "design/existing/changes.h"
#include "design/existing/keep.h"
#include "design/finish.h"
#include "design/split.h"
#include "design/stability.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/schema/total.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::Condition;
using model::Entity;
using model::Model;
using model::Pattern;
using model::Section;

constexpr double kWorthIt = 0.99;

// "A small shop" → "SmallShop"
std::string TableName(const Model& model) {
  if (model.tables.size() == 1) {
    return model.tables[0].name.text;
  }
  std::string name;
  std::size_t words = 0;
  bool start = true;
  for (const char c : model.title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 || byte > 127) {
      start = true;
      continue;
    }
    if (start && ++words > 3) {
      break;
    }
    name += start ? static_cast<char>(std::toupper(byte)) : c;
    start = false;
  }
  if (name.size() < 3 || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    name = "Main";
  }
  return name;
}

bool BindsKey(const Entity& entity, const Section& section) {
  return std::ranges::all_of(entity.KeyNames(), [&](const std::string& key) {
    return std::ranges::any_of(section.conditions, [&](const Condition& condition) {
      return condition.attribute.text == key && condition.comparison == model::Comparison::kEqual;
    });
  });
}

// A row that is read with the newest of its children follows them, where reading backwards begins.
std::set<std::string> StandLast(const Model& model) {
  std::set<std::string> last;
  for (const Pattern& pattern : model.patterns) {
    const bool newest = std::ranges::any_of(pattern.sections, [](const Section& section) {
      return section.limit && !section.order.empty() && section.order[0].descending;
    });
    if (!newest) {
      continue;
    }
    for (const Section& section : pattern.sections) {
      const Entity& entity = model.At(section.entity);
      if (section.via.text.empty() && !section.limit &&
          BindsKey(entity, section)) {
        last.insert(entity.name.text);
      }
    }
  }
  return last;
}

AssembleOptions AssembleOptionsFor(const Model& model) {
  AssembleOptions options;
  options.table_name = TableName(model);
  options.partition_name = FreeKeyName(model, options.partition_name);
  options.sort_name = FreeKeyName(model, options.sort_name);
  options.last = StandLast(model);
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (model::IsTotal(stored)) {
          options.maintained[layout.entity.text].push_back(stored);
        }
      }
    }
  }
  return options;
}

// Entities that nothing reads or writes, and that the file's own tables leave out.
std::set<std::string> LeftOut(const Model& model, const Candidates& candidates) {
  std::set<std::string> out;
  if (model.tables.empty()) {
    return out;
  }
  for (const auto& [name, own] : candidates) {
    const std::string& entity = name;
    const bool inside = std::ranges::any_of(model.tables, [&](const model::Table& table) {
      return std::ranges::any_of(table.items, [&](const model::ItemLayout& layout) {
        return layout.entity.text == entity ||
               std::ranges::any_of(layout.attributes, [&](const model::StoredAttribute& stored) {
                 return stored.embedded.text == entity;
               });
      });
    });
    if (!own.used && !inside) {
      out.insert(entity);
    }
  }
  return out;
}

// The searches that compete: the file as it is and with an entity split, with generic and with natural keys.
class Contest {
 public:
  Contest(std::string_view source, const model::ReadModelResult& read, const DesignOptions& options)
      : source_(source), read_(read), options_(options) {
    start_ = std::chrono::steady_clock::now();
  }

  Result<DesignReport> Run() {
    assemble_ = AssembleOptionsFor(read_.model);
    PJ_RETURN_IF_ERROR(KeepParts(read_.model, options_.keep, assemble_));
    Model assumed = read_.model;
    AssumeRates(assumed);
    PriceOld(assumed);
    for (const std::string& entity : SplitCandidates(read_.model)) {
      if (assemble_.kept.contains(entity)) {
        continue;
      }
      if (auto split = SplitEntity(read_, entity)) {
        splits_.push_back(*std::move(split));
      }
    }
    const Status first = AddTask(source_, read_, false, "");
    if (!first && Stopped()) {
      return Plainest(assumed);
    }
    PJ_RETURN_IF_ERROR(first);
    for (const SplitModel& split : splits_) {
      PJ_RETURN_IF_ERROR(AddTask(split.source, split.read, false, split.entity + " split"));
    }
    PJ_RETURN_IF_ERROR(AddTask(source_, read_, true, "natural keys"));
    return Collect();
  }

 private:
  void PriceOld(const Model& old) {
    report_.had_design = !old.tables.empty();
    if (!report_.had_design) {
      return;
    }
    model::Expectations figures(old);
    const std::vector<model::Plan> plans = model::PlanAll(figures);
    const model::CostReport cost = model::EstimateCost(figures, plans, options_.prices);
    report_.money_before = cost.money_per_month;
    // A pattern that is not as fresh as it asks to be is not supported either.
    report_.unserved_before =
        static_cast<std::size_t>(std::ranges::count_if(plans, [](const model::Plan& plan) {
          const bool fresh = plan.strong || plan.pattern->freshness == model::Freshness::kEventual;
          return !plan.served || !fresh;
        }));
  }

  // Takes seconds where patterns read many items, so it comes after what was asked for.
  void MeasureOld() {
    Model old = read_.model;
    AssumeRates(old);
    model::Expectations figures(old);
    const auto bill = MeasureDesign(
        old, model::EstimateCost(figures, model::PlanAll(figures), options_.prices));
    report_.measured_before = bill ? bill->money : 0;
  }

  Status AddTask(std::string_view source, const model::ReadModelResult& read, bool natural,
                 std::string note) {
    if (natural && options_.keys == KeyStyle::kGeneric) {
      return {};
    }
    if (!natural && options_.keys == KeyStyle::kNatural && note.empty()) {
      natural = true;
    } else if (natural && options_.keys == KeyStyle::kNatural) {
      return {};
    }
    DesignTask task{source, read, assemble_, {}, std::move(note), start_};
    task.assemble.natural_keys = natural;
    task.left_out = LeftOut(read_.model, FindCandidates(read_.model, options_.candidates));
    auto designer = std::make_unique<Designer>(task, options_);
    Status prepared = designer->Prepare();
    // Where a pattern is not supported because every key begins with the tenant, the report says which keys lack it.
    if (task.tenant && read_.model.tenant && !Stopped() &&
        (!prepared || !designer->space().unserved.empty())) {
      task.tenant = false;
      designer = std::make_unique<Designer>(task, options_);
      prepared = designer->Prepare();
    }
    // The file itself must have an answer; of the others, those that have one compete.
    if (!prepared) {
      return designers_.empty() ? prepared : Status{};
    }
    designers_.push_back(std::move(designer));
    return {};
  }

  // A change of the logical half, or keys that not every tool knows, must be worth it.
  std::size_t Winner() const {
    std::size_t winner = 0;
    for (std::size_t i = 1; i < designers_.size(); ++i) {
      // Entities share indexes only under generic keys.
      if (options_.prefer == Preference::kFewestIndexes &&
          designers_[i]->task().assemble.natural_keys) {
        continue;
      }
      const double limit = designers_[winner]->money() * (winner == 0 ? kWorthIt : 1.0);
      if (designers_[i]->money() < limit) {
        winner = i;
      }
    }
    return winner;
  }

  // Patterns that no key helps: they read a hundred rows or more, and throw nearly all of them away.
  void FindDear(const Model& model) {
    constexpr double kRowsRead = 100;
    constexpr double kShareKept = 0.05;
    model::Expectations figures(model);
    for (const model::Plan& plan : model::PlanAll(figures)) {
      const model::PlanEstimate& each = plan.estimate;
      if (!plan.served || each.items_read < kRowsRead ||
          each.items_returned > kShareKept * each.items_read) {
        continue;
      }
      report_.dear.push_back(
          {plan.pattern->name.text,
           "it reads " + model::FigureText(std::round(each.items_read)) + " rows for " +
               model::RoughText(each.items_returned) + " that it returns",
           "a search index beside the table, fed by its stream, if it is asked often"});
    }
  }

  Result<DesignReport> Collect() {
    const std::size_t winner = Winner();
    Designer& first = *designers_[winner];
    std::vector<Preference> order = {options_.prefer};
    for (const Preference preference : AllPreferences()) {
      if (preference != options_.prefer && !options_.brief) {
        order.push_back(preference);
      }
    }
    for (const Preference preference : order) {
      if (IsEnough()) {
        break;
      }
      PJ_ASSIGN_OR_RETURN(auto found, first.Find(preference, report_.designs));
      if (found) {
        report_.designs.push_back(*std::move(found));
      }
    }
    if (report_.designs.empty()) {
      return ValidationError("no design serves this model");
    }
    if (options_.brief) {
      PJ_RETURN_IF_ERROR(PreferTheFile());
      SetBounds();
      return std::move(report_);
    }
    FindDear(report_.designs[0].read.model);
    report_.designs[0].why = first.Why(report_.designs[0]);
    report_.unserved = first.space().unserved;
    report_.facilities = first.space().facilities.size();
    for (std::size_t i = 0; i < designers_.size(); ++i) {
      Designer& other = *designers_[i];
      report_.nodes += other.nodes();
      report_.stopped = report_.stopped || other.stopped();
      if (i == winner || IsEnough()) {
        continue;
      }
      std::vector<Preference> wanted;
      if (std::abs(other.money() - first.money()) >= 0.005) {
        wanted = {Preference::kCheapest};
      }
      // Entities share indexes only under generic keys, so the fewest are to be found there.
      if (first.task().assemble.natural_keys && !other.task().assemble.natural_keys) {
        wanted.push_back(Preference::kFewestIndexes);
      }
      for (const Preference preference : wanted) {
        PJ_ASSIGN_OR_RETURN(auto found, other.Find(preference, report_.designs));
        if (found) {
          report_.designs.push_back(*std::move(found));
        }
      }
    }
    if (options_.prove && !IsEnough()) {
      PJ_RETURN_IF_ERROR(AddChanges());
    }
    if (options_.prove && report_.had_design && !IsEnough()) {
      MeasureOld();
    }
    AddAssumptions(first);
    GiveLabels(first.task().note);
    PreferTheProved(first);
    PreferTheBetter(first);
    PJ_RETURN_IF_ERROR(PreferTheFile());
    SetBounds();
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return std::move(report_);
  }

  // Each search knows only its own designs. Over all of them a name belongs to the one that deserves it.
  void GiveLabels(const std::string& winner) {
    for (FoundDesign& design : report_.designs) {
      if (design.note != winner) {
        design.best_for.clear();
      }
    }
    MoveLabels();
    // Removes designs that no search chose and that are best at nothing.
    std::erase_if(report_.designs, [&](const FoundDesign& one) {
      return one.best_for.empty() && one.note.empty() && one.note != winner;
    });
  }

  // A design that failed its proof is shown with the reason, but nothing that was proved follows it.
  void PreferTheProved(Designer& first) {
    if (!options_.prove || report_.designs[0].proved) {
      return;
    }
    auto best = report_.designs.end();
    for (auto one = report_.designs.begin(); one != report_.designs.end(); ++one) {
      if (one->proved && (best == report_.designs.end() || one->money < best->money)) {
        best = one;
      }
    }
    if (best == report_.designs.end()) {
      return;
    }
    report_.not_proved = report_.designs[0].proof_problems;
    report_.not_proved_money = report_.designs[0].money;
    PutFirst(best, first);
  }

  void PutFirst(std::vector<FoundDesign>::iterator design, Designer& first) {
    report_.changes = {};
    std::rotate(report_.designs.begin(), design, std::next(design));
    if (report_.designs[0].note == first.task().note) {
      report_.designs[0].why = first.Why(report_.designs[0]);
    }
  }

  // A search weighs tricks of keys and does not ask `check`. What is cheaper, has fewer warnings and is worse in nothing goes first.
  void PreferTheBetter(Designer& first) {
    if (options_.prefer != Preference::kCheapest) {
      return;
    }
    const FoundDesign& now = report_.designs[0];
    const auto better = std::ranges::find_if(report_.designs, [&](const FoundDesign& one) {
      return (one.proved || !options_.prove) && one.warnings < now.warnings && one.money <= now.money &&
             one.indexes <= now.indexes && one.copies <= now.copies && one.worst_rounds <= now.worst_rounds &&
             one.violations.size() <= now.violations.size();
    });
    if (better != report_.designs.end()) {
      PutFirst(better, first);
    }
  }

  // The file's own tables win a tie: a change that saves a few dollars costs more than it saves.
  Status PreferTheFile() {
    double found = std::numeric_limits<double>::infinity();
    for (const auto& designer : designers_) {
      found = std::min(found, designer->found_money());
    }
    if (!report_.not_proved.empty()) {
      found = report_.designs[0].money;
    }
    report_.cheapest_money = found;
    const bool complete = report_.had_design && report_.unserved_before == 0;
    if (!complete || options_.prefer != Preference::kCheapest ||
        report_.money_before > found + TieOf(options_, found)) {
      return {};
    }
    Model logical = read_.model;
    AssumeRates(logical);
    const DesignChoice none;
    PJ_ASSIGN_OR_RETURN(FoundDesign own,
                        FinishFile({source_, read_, logical, none, assemble_, options_}));
    if (!own.violations.empty()) {
      return {};
    }
    own.note = "the tables in the file";
    report_.keeps_file = true;
    report_.changes = {};
    report_.designs.insert(report_.designs.begin(), std::move(own));
    MoveLabels();
    return {};
  }

  // Nothing on the page is cheaper than the bound, whichever search or person found it.
  void SetBounds() {
    double bound = std::numeric_limits<double>::infinity();
    for (const auto& designer : designers_) {
      bound = std::min(bound, designer->bound());
    }
    for (const FoundDesign& design : report_.designs) {
      bound = std::min(bound, design.money);
    }
    if (report_.had_design && report_.unserved_before == 0) {
      bound = std::min(bound, report_.money_before);
    }
    for (FoundDesign& design : report_.designs) {
      design.bound = bound;
    }
  }

  void MoveLabels() {
    GiveLabel(Preference::kCheapest, [](const FoundDesign& one) { return one.money; });
    GiveLabel(Preference::kFewestIndexes,
              [](const FoundDesign& one) { return static_cast<double>(one.indexes); });
    GiveLabel(Preference::kFewestTrips, [](const FoundDesign& one) { return one.worst_rounds; });
  }

  // Moves the name from the design that has it to one that is better by more than a rounding.
  template <class Measure>
  void GiveLabel(Preference label, const Measure& measure) {
    const auto holder = std::ranges::find_if(report_.designs, [&](const FoundDesign& design) {
      return std::ranges::find(design.best_for, label) != design.best_for.end();
    });
    if (holder == report_.designs.end()) {
      return;
    }
    const auto best = std::ranges::min_element(report_.designs, {}, [&](const FoundDesign& design) {
      return std::pair(measure(design), design.money);
    });
    if (measure(*best) >= measure(*holder) * kWorthIt) {
      return;
    }
    std::erase(holder->best_for, label);
    best->best_for.push_back(label);
  }

  void AddAssumptions(const Designer& winner) {
    if (options_.progress && options_.intervals) {
      options_.progress("trying other values of the defaults");
    }
    const auto cheapest = std::ranges::find_if(report_.designs, [&](const FoundDesign& design) {
      return design.note == winner.task().note &&
             std::ranges::find(design.best_for, Preference::kCheapest) != design.best_for.end();
    });
    if (cheapest == report_.designs.end()) {
      return;
    }
    report_.assumed = DescribeAssumptions(winner.task(), options_, winner.CheapestChoice(),
                                          cheapest->cost.assumptions, cheapest->money);
  }

  // A search that was stopped still proves and measures its best design, which takes longer than all the rest. It does so for one.
  bool IsEnough() {
    report_.stopped = report_.stopped || (!report_.designs.empty() && Stopped());
    return report_.stopped;
  }

  bool Stopped() const {
    const double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return elapsed > options_.seconds_max || (options_.stop && options_.stop());
  }

  // Stopped before anything could be chosen, the best so far is what `check` would propose: the tables that the file has,
  // or each entity by its own key, and for each pattern that they do not serve the smallest change that does.
  Result<DesignReport> Plainest(const Model& assumed) {
    Model model = assumed;
    if (model.tables.empty()) {
      DesignChoice choice;
      for (const Entity& entity : model.entities) {
        const std::vector<std::string> keys = entity.KeyNames();
        if (keys.empty()) {
          return ValidationError("stopped before any design was found");
        }
        choice[entity.name.text].layout.key = {{keys[0]}, {keys.begin() + 1, keys.end()}, 1, ""};
      }
      model.tables = AssembleTables(model, choice, assemble_);
    }
    for (const Pattern& pattern : assumed.patterns) {
      if (model::PlanPattern(model, pattern).served) {
        continue;
      }
      if (auto changed = model::WithProposedChange(model, pattern)) {
        model = *std::move(changed);
      }
    }
    Model logical = assumed;
    logical.tables.clear();
    logical.strategies.clear();
    const DesignChoice none;
    PJ_ASSIGN_OR_RETURN(
        FoundDesign found,
        FinishTables({source_, read_, logical, none, assemble_, options_}, model.tables));
    found.note = "stopped early: each pattern by itself, nothing weighed";
    found.best_for = {options_.prefer};
    report_.designs.push_back(std::move(found));
    report_.stopped = true;
    return std::move(report_);
  }

  // From the tables that the file has, where that is worth the trouble.
  Status AddChanges() {
    constexpr double kWorthTelling = 0.01;
    const FoundDesign& best = report_.designs[0];
    const double saved = report_.money_before - best.money;
    // Changes that migrate cannot make are not worth a path.
    if (!report_.had_design || report_.unserved_before > 0 || !read_.model.second_layouts.empty() ||
        saved < kWorthTelling * report_.money_before || saved < 0.005) {
      return {};
    }
    const auto stop = [this] { return Stopped(); };
    if (options_.progress) {
      options_.progress("looking for the smallest change");
    }
    const ChangesInput input{read_,           best.choice,         best.read.model, best.money,
                             options_.prices, options_.proof_rows, options_.prove,  stop};
    PJ_ASSIGN_OR_RETURN(report_.changes, FindChanges(input));
    return {};
  }

  const std::string_view source_;
  const model::ReadModelResult& read_;
  const DesignOptions& options_;
  std::chrono::steady_clock::time_point start_;
  AssembleOptions assemble_;
  std::vector<SplitModel> splits_;
  std::vector<std::unique_ptr<Designer>> designers_;
  DesignReport report_;
};

}  // namespace

Result<DesignReport> MakeDesign(std::string_view source, const model::ReadModelResult& read,
                                const DesignOptions& options) {
  if (read.model.entities.empty()) {
    return ValidationError("the file has no entities to store");
  }
  return Contest(source, read, options).Run();
}

}  // namespace prejoin::design
