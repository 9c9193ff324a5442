// One search.
#include "design/designer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "design/existing/keep.h"
#include "design/finish.h"
#include "design/pricing.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

// Enough to prove the sizes that people draw optimal; beyond, the gap is told.
constexpr std::uint64_t kNodesCheapest = 3000;
constexpr std::uint64_t kNodesOther = 300;

constexpr std::uint64_t kNodesWhy = 100;
constexpr std::size_t kWhyMax = 40;
constexpr std::chrono::seconds kWhyTimeMax{4};

Weights WeightsFor(Preference preference, double money) {
  Weights weights;
  const double large = 100 * (money + 1);
  switch (preference) {
    case Preference::kCheapest:
      break;
    case Preference::kFewestIndexes:
      weights.index = large;
      break;
    case Preference::kFewestTrips:
      weights.round = large;
      weights.request = large / 50;
      break;
    case Preference::kSimplest:
      // An index, a list or a copy must save a tenth of the bill.
      weights.index = 0.1 * money + 0.5;
      weights.extra = 0.1 * money + 0.5;
      break;
  }
  return weights;
}

std::string ShapeText(const KeyShape& key) {
  const auto joined = [](const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
      out += (out.empty() ? "" : ", ") + name;
    }
    return out;
  };
  std::string out = key.partition.empty() ? "all" : joined(key.partition);
  if (!key.sort.empty()) {
    out += ", sorted by " + joined(key.sort);
  }
  if (key.shards > 1) {
    out += " in " + std::to_string(key.shards) + " shards";
  }
  return out;
}

std::string SetText(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

// The distance of a design from a plain one. An order or a condition that no key serves weighs more than an
// index: it is what the file asked for.
double Tricks(const TrueCost& cost) {
  constexpr double kUntidy = 3;
  return cost.views + cost.extras + kUntidy * cost.untidy;
}

}  // namespace

Designer::Designer(DesignTask task, const DesignOptions& options)
    : task_(std::move(task)), options_(options), logical_(task_.read.model) {
  logical_.tables.clear();
  logical_.strategies.clear();
  AssumeRates(logical_);
}

bool Designer::Stop() {
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - task_.start).count();
  if ((options_.stop && options_.stop()) || elapsed > options_.seconds_max) {
    stopped_ = true;
  }
  return stopped_;
}

Status Designer::Prepare() {
  CandidateLimits limits = options_.candidates;
  limits.tenant = limits.tenant && task_.tenant;
  Candidates candidates = FindCandidates(logical_, limits);
  KeepCandidates(task_.assemble, candidates);
  PricingOptions pricing;
  pricing.assemble = task_.assemble;
  pricing.prices = options_.prices;
  pricing.left_out = task_.left_out;
  pricing.heat_max = options_.heat_max;
  pricing.stop = [this] { return Stop(); };
  pricing.progress = [this](std::size_t done, std::size_t total) {
    if (options_.progress) {
      options_.progress("pricing " + std::to_string(done + 1) + " of " + std::to_string(total));
    }
  };
  space_ = PriceSpace(logical_, candidates, pricing);
  if (!space_.complete) {
    return ValidationError("stopped before the candidates were priced; give it more --seconds");
  }
  cheapest_ = SolveFor(Weights{}, kNodesCheapest);
  if (!cheapest_.feasible) {
    return ValidationError("no design serves this model");
  }
  cheapest_cost_ = Evaluate(cheapest_);
  cheapest_money_ = cheapest_cost_.money;
  bound_ = std::min(cheapest_money_, cheapest_.bound - (cheapest_.cost - cheapest_money_));
  found_money_ = cheapest_money_;
  Tidy();
  return {};
}

// Picks the plainest of the designs that cost the same: an index that saves a few dollars is one more thing to
// know. Each search requires an index, a list, a copy or a filter to be worth its share of the tie.
void Designer::Tidy() {
  constexpr double kCent = 0.005;
  const double tie = std::max(kCent, TieOf(options_, cheapest_money_));
  const double limit = cheapest_money_ + tie;
  for (const double share : {1.0, 0.3, 0.1}) {
    if (share < 1 && tie <= kCent) {
      break;
    }
    Weights tidy;
    tidy.index = tidy.extra = std::max(tidy.index, share * tie);
    tidy.untidy = 3 * tidy.index;
    const Solution other = SolveFor(tidy, kNodesOther);
    if (!other.feasible || Stop()) {
      continue;
    }
    const TrueCost cost = Evaluate(other);
    if (!cost.served || cost.money > limit || Tricks(cost) >= Tricks(cheapest_cost_)) {
      continue;
    }
    cheapest_.open = other.open;
    cheapest_cost_ = cost;
    cheapest_money_ = cost.money;
  }
}

TrueCost Designer::EvaluateChoice(const DesignChoice& choice) const {
  std::vector<const PricedBlock*> blocks;
  for (const PricedBlock& block : space_.blocks) {
    blocks.push_back(&block);
  }
  return space_.evaluate(choice, blocks);
}

TrueCost Designer::Evaluate(const Solution& solution) const {
  return EvaluateChoice(space_.ChoiceOf(solution.open));
}

double Designer::MoneyOf(const DesignChoice& choice) const {
  const TrueCost cost = EvaluateChoice(choice);
  return cost.served ? cost.money : std::numeric_limits<double>::infinity();
}

Solution Designer::SolveFor(const Weights& weights, std::uint64_t nodes_max,
                            const std::vector<bool>& closed) {
  constexpr double kForbidden = 1e9;
  SolveLimits limits;
  limits.nodes_max = nodes_max;
  limits.stop = [this] { return Stop(); };
  limits.progress = [this](double best, double bound, std::uint64_t nodes) {
    if (options_.progress && nodes % 16 == 0) {
      options_.progress("searching: best " + model::MoneyText(best) + ", at least " +
                        model::MoneyText(bound));
    }
  };
  limits.exact = [&](const std::vector<bool>& open, const std::vector<std::size_t>& blocks) {
    std::vector<const PricedBlock*> own;
    for (const std::size_t b : blocks) {
      own.push_back(&space_.blocks[b]);
    }
    const TrueCost cost = space_.evaluate(space_.ChoiceOf(open), own);
    double penalty = 0;
    for (std::size_t f = 0; f < closed.size(); ++f) {
      if (closed[f] && open[f]) {
        penalty += kForbidden;
      }
    }
    return cost.served ? cost.Weighed(weights) + penalty : std::numeric_limits<double>::infinity();
  };
  IntegerProgram program = space_.ToProgram(weights);
  for (std::size_t f = 0; f < closed.size(); ++f) {
    if (closed[f]) {
      program.facilities[f].cost += kForbidden;
    }
  }
  Solution solution = Solve(program, limits);
  nodes_ += solution.nodes;
  if (solution.cost >= kForbidden) {
    solution.feasible = false;
  }
  return solution;
}

// True if fewer indexes do when entries may hold attributes that nobody asked for.
bool Designer::PacksTighter(const DesignChoice& choice) const {
  AssembleOptions tight = task_.assemble;
  tight.tight = true;
  const auto indexes = [&](const AssembleOptions& options) {
    std::size_t count = 0;
    for (const model::Table& table : AssembleTables(logical_, choice, options)) {
      count += table.indexes.size();
    }
    return count;
  };
  return indexes(tight) < indexes(task_.assemble);
}

Result<std::optional<FoundDesign>> Designer::Find(Preference preference,
                                                  std::vector<FoundDesign>& known) {
  Solution solution = cheapest_;
  if (preference != Preference::kCheapest) {
    solution = SolveFor(WeightsFor(preference, cheapest_money_), kNodesOther);
    if (!solution.feasible) {
      return std::optional<FoundDesign>();
    }
  }
  const DesignChoice choice = space_.ChoiceOf(solution.open);
  AssembleOptions assemble = task_.assemble;
  assemble.tight = preference == Preference::kFewestIndexes && PacksTighter(choice);
  for (FoundDesign& one : known) {
    if (assemble.tight) {
      break;
    }
    if (one.choice != choice || one.note != task_.note) {
      continue;
    }
    one.best_for.push_back(preference);
    return std::optional<FoundDesign>();
  }
  if (options_.progress) {
    options_.progress("proving the design that is " + std::string(PreferenceName(preference)));
  }
  const FinishInput input{task_.source, task_.read, logical_, choice, assemble, options_};
  PJ_ASSIGN_OR_RETURN(FoundDesign found, Finish(input));
  found.best_for = {preference};
  found.note = task_.note;
  found.optimal = solution.bound >= solution.cost - 1e-9 * (1 + std::abs(solution.cost));
  found.bound = std::min(bound(), found.money);
  return std::optional<FoundDesign>(std::move(found));
}

// ---- Why ----

std::vector<std::string> Designer::Why(const FoundDesign& design) {
  std::vector<std::string> why;
  const bool stopped = stopped_;
  const auto end = std::chrono::steady_clock::now() + kWhyTimeMax;
  const auto enough = [&] {
    return Stop() || why.size() >= kWhyMax || std::chrono::steady_clock::now() > end;
  };
  for (const auto& [entity, choice] : design.choice) {
    if (enough()) {
      break;
    }
    why.push_back(WhyLayout(entity, choice));
    for (const IndexView& view : choice.views) {
      if (enough()) {
        break;
      }
      why.push_back("  " + WhyView(entity, view));
    }
  }
  // The reasons may be cut short; the search was not.
  stopped_ = stopped;
  return why;
}

std::string Designer::WhyLayout(const std::string& entity, const EntityChoice& choice) {
  std::string line = entity + ": ";
  line += choice.layout.own_items
              ? "primary key " + ShapeText(choice.layout.key)
              : "stored inside the items of other entities, which bound it and are read with it";
  for (const ListChoice& list : choice.layout.lists) {
    line += "; stores its " + list.entity + " rows in a list";
  }
  if (!choice.layout.copies.empty()) {
    line += "; copies " + SetText(choice.layout.copies);
  }
  std::vector<bool> closed(space_.facilities.size(), false);
  bool others = false;
  for (std::size_t f = 0; f < closed.size(); ++f) {
    const PricedFacility& facility = space_.facilities[f];
    if (facility.entity != entity || facility.is_view) {
      continue;
    }
    const bool same = facility.layout.own_items == choice.layout.own_items &&
                      facility.layout.key == choice.layout.key;
    closed[f] = same;
    others = others || !same;
  }
  if (!others) {
    return line + " (the only candidate).";
  }
  const Solution other = SolveFor(Weights{}, kNodesWhy, closed);
  if (!other.feasible) {
    return line + ". No other key supports every access pattern.";
  }
  const DesignChoice instead = space_.ChoiceOf(other.open);
  const EntityChoice& next = instead.at(entity);
  const double more = Evaluate(other).money - cheapest_money_;
  return line + ". Runner-up: " +
         (next.layout.own_items ? ShapeText(next.layout.key) : "a list in another item") + ", " +
         (more < 0.005 ? "at the same cost"
                       : model::MoneyText(options_.prices.currency, more) + "/month more") +
         ".";
}

std::string Designer::WhyView(const std::string& entity, const IndexView& view) {
  std::string line = (view.local ? "LSI on " : "GSI on ") + ShapeText(view.key);
  line += view.payload.empty() ? ", keys only" : ", projecting " + SetText(view.payload);
  std::vector<bool> closed(space_.facilities.size(), false);
  for (std::size_t f = 0; f < closed.size(); ++f) {
    const PricedFacility& facility = space_.facilities[f];
    closed[f] = facility.is_view && facility.entity == entity &&
                facility.view.key.partition == view.key.partition &&
                facility.view.key.sort == view.key.sort && facility.view.local == view.local;
  }
  const Solution other = SolveFor(Weights{}, kNodesWhy, closed);
  if (!other.feasible) {
    return line + ". Without it an access pattern is not supported.";
  }
  const TrueCost without = Evaluate(other);
  const double more = without.money - cheapest_money_;
  line += more < 0.005 ? ". Removing it costs the same with other keys."
                       : ". Removing it costs " + model::MoneyText(options_.prices.currency, more) +
                             "/month more.";
  // Two fixed designs: both parts of the difference grow with their own rates.
  const double upkeep = cheapest_cost_.upkeep - without.upkeep;
  const double reads = (without.money - without.upkeep) - (cheapest_money_ - cheapest_cost_.upkeep);
  if (upkeep > 1e-6 && reads > upkeep) {
    line += " It pays off until writes and rows grow " + model::FigureText(reads / upkeep) +
            "-fold, or reads shrink by that factor.";
  }
  return line;
}

}  // namespace prejoin::design
