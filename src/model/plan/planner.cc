// Planning: the cheapest legal way to serve a pattern.
//
// Each section has a handful of accesses (section_access.h). A plan takes one for each section; accesses that read the
// same partition of the same view can share one Query, and rows kept in a list share the GetItem of the item they are
// in. That sharing is the pre-join, and it is why sections cannot be planned one by one: an access that is dear alone
// may come for nothing beside another.
//
//   find Customer where id = :c       table PK = "C#{:c}" SK = "C"  ·  GetItem, 0.5 units
//   find Order where customer = :c    table PK = "C#{:c}" begins_with(SK, "O#")  ·  Query, 0.5 units
//   together                          Query PK = "C#{:c}"  ·  0.5 units, one request
//
// Few combinations are all tried. Many (fifteen sections with three accesses each would be 14 million) are searched:
// from the cheapest access of each section, and from each partition that several sections could share, one section at a
// time is changed as long as that helps. Sharing only ever ties sections to one partition, so trying each partition as
// the start finds what the single changes would miss.
//
// The cheapest by expected read units wins; among equals the one with fewer requests, then rounds, then the base table.
#include "model/plan/planner.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/limits.h"
#include "model/plan/plan_estimate.h"
#include "model/plan/section_access.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kCombinationsTried = 64;
constexpr int kRoundsOfChangesMax = 4;
constexpr double kWorthSplitting = 0.99;

double Score(const Plan& plan) {
  double score =
      plan.estimate.read_units + 0.01 * plan.estimate.requests + 0.02 * plan.estimate.rounds;
  for (const SectionPlan& section : plan.sections) {
    score += section.client_sort ? 0.05 : 0;
    // A small estimate may be wrong: a key is better than a filter.
    score += section.embedded == nullptr ? 0.01 * static_cast<double>(section.filters.size()) : 0;
  }
  for (const Request& request : plan.requests) {
    score += request.view.index != nullptr ? 0.001 : 0;
  }
  return score;
}

// The same item: rows that are kept inside it come with it.
bool SameItem(const Request& a, const Request& b) {
  return a.kind == RequestKind::kGetItem && b.kind == RequestKind::kGetItem && a.view == b.view &&
         a.in_operands.empty() && b.in_operands.empty() &&
         std::ranges::equal(a.partition, b.partition, SameExpression) &&
         SameExpression(a.ranges[0].low, b.ranges[0].low);
}

bool SamePartition(const Request& a, const Request& b) {
  return a.view == b.view && a.kind != RequestKind::kScan && b.kind != RequestKind::kScan &&
         a.shards == 1 && b.shards == 1 && a.in_operands.empty() && b.in_operands.empty() &&
         a.partition.size() == b.partition.size() && a.view.SortKeys().size() == 1 &&
         std::equal(a.partition.begin(), a.partition.end(), b.partition.begin(), SameExpression);
}

// Joins the access of a section to a request that already reads its partition. False when they
// cannot share a Query.
bool MergeInto(Request& request, const Access& access, bool request_ordered, std::size_t section) {
  if (SameItem(request, access.request)) {
    request.sections.push_back(section);
    return true;
  }
  if (!SamePartition(request, access.request) || access.plan.embedded != nullptr) {
    return false;
  }
  const bool ordered = access.order_needed && access.ordered;
  if (ordered && request_ordered && request.descending != access.request.descending) {
    return false;
  }
  if (ordered) {
    request.descending = access.request.descending;
  }
  request.kind = RequestKind::kQuery;
  request.ranges.push_back(access.request.ranges[0]);
  request.sections.push_back(section);
  return true;
}

// `share`: the sections that join a request which reads their partition already.
Plan BuildPlan(Expectations& figures, const Pattern& pattern,
               const std::vector<const Access*>& accesses, const std::vector<bool>& share) {
  Plan plan;
  plan.pattern = &pattern;
  plan.served = true;
  plan.strong = true;
  std::vector<bool> ordered;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = *accesses[i];
    SectionPlan section = access.plan;
    bool merged = false;
    for (std::size_t r = 0; share[i] && r < plan.requests.size() && !merged; ++r) {
      const bool embedded =
          std::ranges::any_of(plan.requests[r].sections, [&](std::size_t section_number) {
            return plan.sections[section_number].embedded != nullptr;
          });
      merged = (!embedded || SameItem(plan.requests[r], access.request)) &&
               MergeInto(plan.requests[r], access, ordered[r], i);
      if (!merged) {
        continue;
      }
      section.request = r;
      ordered[r] = ordered[r] || (access.order_needed && access.ordered);
    }
    if (!merged) {
      section.request = plan.requests.size();
      plan.requests.push_back(access.request);
      plan.requests.back().sections = {i};
      ordered.push_back(access.order_needed && access.ordered);
    }
    if (access.request.view.IsGlobalIndex()) {
      plan.strong = false;
    }
    plan.sections.push_back(std::move(section));
  }
  EstimatePlan(figures, accesses, plan);
  return plan;
}

// An index whose partition key the section names, and that lacks rows without some optional attribute: "`T.I` has no entry …".
std::string WhySparse(const Model& model, const Section& section,
                      const std::set<std::string>& bound) {
  const Entity& rows = model.At(section.searched());
  for (const Model::Placement& placement : model.LayoutsOf(rows)) {
    for (const Index& index : placement.table->indexes) {
      const View view{placement.table, &index};
      const StoredAttribute* partition = placement.layout->Find(view.PartitionKeys()[0].text);
      if (partition == nullptr || !AppearsIn(model, placement.layout->entity, view)) {
        continue;
      }
      const std::vector<std::string> parts = partition->key.Attributes();
      if (!std::ranges::all_of(parts, [&](const auto& part) { return bound.contains(part); })) {
        continue;
      }
      for (const std::string& name : RequiredIn(model, placement.layout->entity, view)) {
        const Attribute* attribute = rows.Find(name);
        if (attribute != nullptr && attribute->optional && !bound.contains(name)) {
          return "`" + view.Label() + "` has no entry for rows of `" + rows.name.text +
                 "` without " + name + ", so it takes a Scan";
        }
      }
    }
  }
  return "";
}

// Names what a section would need, for the refusal.
std::string WhyNot(const Model& model, const Section& section) {
  if (section.has_or) {
    return "`or` cannot be part of a key condition";
  }
  const Reference<Entity>& entity = section.searched();
  if (!model.FindPlacement(entity)) {
    return "`" + entity.text +
           "` has no items of its own, and these conditions find no item that contains it";
  }
  std::string bound;
  std::set<std::string> names;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison != Comparison::kEqual) {
      continue;
    }
    names.insert(condition.attribute.text);
    if (!bound.empty()) {
      bound += ", ";
    }
    bound += condition.attribute.text;
  }
  if (bound.empty()) {
    return "it binds no attribute of `" + entity.text +
           "` by equality, so no partition key can be built and it takes a Scan";
  }
  if (std::string sparse = WhySparse(model, section, names); !sparse.empty()) {
    return sparse;
  }
  return "no partition key of `" + entity.text + "` can be built from " + bound + ", so it takes a Scan";
}

// Builds and scores combinations of accesses, each once.
class PlanSearch {
 public:
  PlanSearch(Expectations& figures, const Pattern& pattern,
             std::vector<std::vector<Access>> choices)
      : figures_(figures), pattern_(pattern), choices_(std::move(choices)) {}

  // All plans that were looked at, cheapest first.
  std::vector<Plan> Run() {
    std::size_t combinations = 1;
    for (const std::vector<Access>& choice : choices_) {
      combinations = std::min(kCombinationsTried + 1, combinations * choice.size());
    }
    all_tried_ = combinations <= kCombinationsTried;
    if (all_tried_) {
      TryAll(combinations);
    } else {
      Search();
    }
    std::ranges::stable_sort(plans_, {}, Score);
    return std::move(plans_);
  }

 private:
  using Combination = std::vector<std::size_t>;

  void TryAll(std::size_t combinations) {
    for (std::size_t n = 0; n < combinations; ++n) {
      Combination combination;
      std::size_t rest = n;
      for (const std::vector<Access>& choice : choices_) {
        combination.push_back(rest % choice.size());
        rest /= choice.size();
      }
      Try(combination);
    }
  }

  void Search() {
    const Combination alone = CheapestAlone();
    std::set<Combination> starts = {alone};
    for (const std::vector<Access>& choice : choices_) {
      for (const Access& access : choice) {
        starts.insert(Sharing(access.request, alone));
      }
    }
    Combination best = alone;
    for (const Combination& start : starts) {
      if (Try(start) < Try(best)) {
        best = start;
      }
    }
    bool changed = true;
    for (int round = 0; changed && round < kRoundsOfChangesMax; ++round) {
      changed = false;
      for (std::size_t section = 0; section < choices_.size(); ++section) {
        for (std::size_t choice = 0; choice < choices_[section].size(); ++choice) {
          Combination other = best;
          other[section] = choice;
          if (Try(other) >= Try(best)) {
            continue;
          }
          best = std::move(other);
          changed = true;
        }
      }
    }
  }

  // Plans each section as if it were the whole pattern.
  Combination CheapestAlone() {
    Combination cheapest;
    Pattern one = pattern_;
    for (std::size_t section = 0; section < choices_.size(); ++section) {
      one.sections = {pattern_.sections[section]};
      std::size_t best = 0;
      double best_score = 0;
      for (std::size_t i = 0; i < choices_[section].size(); ++i) {
        const double score = Score(BuildPlan(figures_, one, {&choices_[section][i]}, {false}));
        if (i > 0 && score >= best_score) {
          continue;
        }
        best = i;
        best_score = score;
      }
      cheapest.push_back(best);
    }
    return cheapest;
  }

  // Every section that can read the partition of `request` does; the others are as in `otherwise`.
  Combination Sharing(const Request& request, const Combination& otherwise) const {
    Combination combination = otherwise;
    for (std::size_t section = 0; section < choices_.size(); ++section) {
      for (std::size_t i = 0; i < choices_[section].size(); ++i) {
        const Request& own = choices_[section][i].request;
        if (SamePartition(own, request) || SameItem(own, request)) {
          combination[section] = i;
          break;
        }
      }
    }
    return combination;
  }

  // The score of the best way to share requests. Sections that share a Query pay for all that lies between their keys, so
  // each that shares one is tried alone too.
  double Try(const Combination& combination) {
    if (const auto known = scores_.find(combination); known != scores_.end()) {
      return known->second;
    }
    std::vector<const Access*> accesses;
    for (std::size_t section = 0; section < choices_.size(); ++section) {
      accesses.push_back(&choices_[section][combination[section]]);
    }
    std::vector<bool> share(accesses.size(), true);
    plans_.push_back(BuildPlan(figures_, pattern_, accesses, share));
    double score = Score(plans_.back());
    const bool shares = plans_.back().requests.size() < accesses.size();
    for (std::size_t i = 1; shares && i < accesses.size(); ++i) {
      share[i] = false;
      Plan alone = BuildPlan(figures_, pattern_, accesses, share);
      const double alone_score = Score(alone);
      // One request is worth a rounded unit.
      const bool saves = alone_score < score * kWorthSplitting;
      share[i] = !saves;
      if (saves) {
        plans_.push_back(std::move(alone));
        score = alone_score;
      }
    }
    scores_.emplace(combination, score);
    return score;
  }

  Expectations& figures_;
  const Pattern& pattern_;
  const std::vector<std::vector<Access>> choices_;
  bool all_tried_ = true;
  std::vector<Plan> plans_;
  std::map<Combination, double> scores_;
};

std::vector<Plan> PlansFor(Expectations& figures, const Pattern& pattern, bool strong,
                           std::string& refusal) {
  const Freshly fresh{strong, pattern.after_write.text};
  std::vector<std::vector<Access>> choices;
  for (const Section& section : pattern.sections) {
    choices.push_back(FindAccesses(figures.model(), section, fresh));
    if (choices.back().empty() && !pattern.scan_reason.empty()) {
      choices.back() = ScanAccesses(figures.model(), section, fresh);
    }
    if (!choices.back().empty()) {
      continue;
    }
    refusal = WhyNot(figures.model(), section);
    return {};
  }
  return PlanSearch(figures, pattern, std::move(choices)).Run();
}

bool HasCopies(const Model& model, const Plan& plan) {
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    const Model::Placement placement = model.FindPlacement(plan.sections[i].item_entity);
    if (!placement) {
      continue;
    }
    for (const Path& path : plan.pattern->sections[i].get) {
      if (path.entity.text.empty() || path.entity == plan.pattern->sections[i].entity) {
        continue;
      }
      for (const StoredAttribute& stored : placement.layout->attributes) {
        if (stored.kind == StoredKind::kCopy && stored.copy.attribute == path.attribute &&
            stored.upkeep != CopyUpkeep::kNever && stored.upkeep != CopyUpkeep::kTransaction) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

std::vector<Plan> PlanAlternatives(Expectations& figures, const Pattern& pattern,
                                   std::size_t count) {
  std::string refusal;
  const bool strong = pattern.freshness != Freshness::kEventual;
  std::vector<Plan> plans = PlansFor(figures, pattern, strong, refusal);
  if (plans.empty() && strong) {
    plans = PlansFor(figures, pattern, false, refusal);
  }
  if (plans.empty()) {
    Plan none;
    none.pattern = &pattern;
    none.refusal = refusal;
    plans.push_back(std::move(none));
  }
  if (plans.size() > count) {
    plans.resize(count);
  }
  for (Plan& plan : plans) {
    plan.stale_copies = plan.served && HasCopies(figures.model(), plan);
  }
  return plans;
}

Plan PlanPattern(Expectations& figures, const Pattern& pattern) {
  return std::move(PlanAlternatives(figures, pattern, 1).front());
}

std::vector<Plan> PlanAll(Expectations& figures) {
  std::vector<Plan> plans;
  for (const Pattern& pattern : figures.model().patterns) {
    plans.push_back(PlanPattern(figures, pattern));
  }
  return plans;
}

std::vector<Plan> PlanAlternatives(const Model& model, const Pattern& pattern, std::size_t count) {
  Expectations figures(model);
  return PlanAlternatives(figures, pattern, count);
}

Plan PlanPattern(const Model& model, const Pattern& pattern) {
  Expectations figures(model);
  return PlanPattern(figures, pattern);
}

std::vector<Plan> PlanAll(const Model& model) {
  Expectations figures(model);
  return PlanAll(figures);
}

}  // namespace prejoin::model
