// Planning. Each section has a handful of accesses (section_access.h). All combinations are tried;
// in each, accesses that read the same partition of the same view are also tried as one Query. The
// cheapest by expected read units wins; among equals the one with fewer requests, then rounds, then
// the base table.
#include "model/plan/planner.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "model/plan/plan_estimate.h"
#include "model/plan/section_access.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kCombinationsMax = 4096;

double Score(const Plan& plan) {
  double score =
      plan.estimate.read_units + 0.01 * plan.estimate.requests + 0.02 * plan.estimate.rounds;
  for (const SectionPlan& section : plan.sections) {
    score += section.client_sort ? 0.05 : 0;
    // What is small by estimate may not be small: rather a key than a filter.
    score += section.embedded == nullptr ? 0.01 * static_cast<double>(section.filters.size()) : 0;
  }
  for (const Request& request : plan.requests) score += request.view.index != nullptr ? 0.001 : 0;
  return score;
}

bool SamePartition(const Request& a, const Request& b) {
  return a.view == b.view && a.shards == 1 && b.shards == 1 && a.in_operands.empty() &&
         b.in_operands.empty() && a.partition.size() == b.partition.size() &&
         a.view.SortKeys().size() == 1 &&
         std::equal(a.partition.begin(), a.partition.end(), b.partition.begin(), SameExpression);
}

// Joins the access of a section to a request that already reads its partition. False when they
// cannot share a Query.
bool MergeInto(Request& request, const Access& access, bool request_ordered, std::size_t section) {
  if (!SamePartition(request, access.request) || access.plan.embedded != nullptr) return false;
  const bool ordered = access.order_needed && access.ordered;
  if (ordered && request_ordered && request.descending != access.request.descending) return false;
  if (ordered) request.descending = access.request.descending;
  request.kind = RequestKind::kQuery;
  request.ranges.push_back(access.request.ranges[0]);
  request.sections.push_back(section);
  return true;
}

Plan BuildPlan(const Model& model, const Pattern& pattern, const std::vector<Access>& accesses,
               bool merge) {
  Plan plan;
  plan.pattern = &pattern;
  plan.served = true;
  plan.strong = true;
  std::vector<bool> ordered;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    SectionPlan section = access.plan;
    bool merged = false;
    for (std::size_t r = 0; merge && r < plan.requests.size() && !merged; ++r) {
      const bool embedded = plan.sections[plan.requests[r].sections[0]].embedded != nullptr;
      merged = !embedded && MergeInto(plan.requests[r], access, ordered[r], i);
      if (!merged) continue;
      section.request = r;
      ordered[r] = ordered[r] || (access.order_needed && access.ordered);
    }
    if (!merged) {
      section.request = plan.requests.size();
      plan.requests.push_back(access.request);
      plan.requests.back().sections = {i};
      ordered.push_back(access.order_needed && access.ordered);
    }
    if (access.request.view.IsGlobalIndex()) plan.strong = false;
    plan.sections.push_back(std::move(section));
  }
  EstimatePlan(model, accesses, plan);
  return plan;
}

// Names what a section would need, for the refusal.
std::string WhyNot(const Model& model, const Section& section) {
  if (section.has_or) return "`or` cannot be part of a key condition";
  const std::string& entity = section.via.text.empty() ? section.entity.text : section.via.text;
  if (!model.FindPlacement(entity)) {
    return "`" + entity +
           "` is not stored as items of its own, and no item that holds it is found by these "
           "conditions";
  }
  std::string bound;
  for (const Condition& condition : section.conditions) {
    if (condition.comparison != Comparison::kEqual) continue;
    if (!bound.empty()) bound += ", ";
    bound += condition.attribute.text;
  }
  if (bound.empty()) {
    return "it binds no attribute of `" + entity +
           "` by equality, so no partition key can be made: it would need a Scan";
  }
  return "no partition key of `" + entity + "` can be made from " + bound +
         ": it would need a Scan";
}

std::vector<Plan> PlansFor(const Model& model, const Pattern& pattern, bool strong,
                           std::string& refusal) {
  std::vector<std::vector<Access>> choices;
  std::size_t combinations = 1;
  for (const Section& section : pattern.sections) {
    choices.push_back(FindAccesses(model, section, strong));
    if (choices.back().empty()) {
      refusal = WhyNot(model, section);
      return {};
    }
    combinations = std::min(kCombinationsMax, combinations * choices.back().size());
  }
  std::vector<Plan> plans;
  for (std::size_t n = 0; n < combinations; ++n) {
    std::vector<Access> accesses;
    std::size_t rest = n;
    for (const std::vector<Access>& choice : choices) {
      accesses.push_back(choice[rest % choice.size()]);
      rest /= choice.size();
    }
    plans.push_back(BuildPlan(model, pattern, accesses, /*merge=*/true));
    // Only if merging changed anything.
    if (plans.back().requests.size() < accesses.size()) {
      plans.push_back(BuildPlan(model, pattern, accesses, /*merge=*/false));
    }
  }
  std::stable_sort(plans.begin(), plans.end(),
                   [](const Plan& a, const Plan& b) { return Score(a) < Score(b); });
  return plans;
}

bool HasCopies(const Model& model, const Plan& plan) {
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    const Model::Placement placement = model.FindPlacement(plan.sections[i].item_entity);
    if (!placement) continue;
    for (const Path& path : plan.pattern->sections[i].get) {
      if (path.entity.text.empty() || path.entity == plan.pattern->sections[i].entity) continue;
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

double ReadUnits(double bytes, bool consistent) {
  // An empty answer costs the minimum.
  const double units = std::max(1.0, std::ceil(bytes / static_cast<double>(kReadUnitBytes)));
  return consistent ? units : units / 2;
}

std::vector<Plan> PlanAlternatives(const Model& model, const Pattern& pattern, std::size_t count) {
  std::string refusal;
  const bool strong = pattern.freshness != Freshness::kEventual;
  std::vector<Plan> plans = PlansFor(model, pattern, strong, refusal);
  if (plans.empty() && strong) plans = PlansFor(model, pattern, false, refusal);
  if (plans.empty()) {
    Plan none;
    none.pattern = &pattern;
    none.refusal = refusal;
    plans.push_back(std::move(none));
  }
  if (plans.size() > count) plans.resize(count);
  for (Plan& plan : plans) plan.stale_copies = plan.served && HasCopies(model, plan);
  return plans;
}

Plan PlanPattern(const Model& model, const Pattern& pattern) {
  return std::move(PlanAlternatives(model, pattern, 1).front());
}

std::vector<Plan> PlanAll(const Model& model) {
  std::vector<Plan> plans;
  for (const Pattern& pattern : model.patterns) plans.push_back(PlanPattern(model, pattern));
  return plans;
}

}  // namespace prejoin::model
