// A local index fetches attributes that it does not keep by itself, from the table in
// the same Query, at the price of reading each item.
#ifndef PREJOIN_MODEL_PLAN_LOCAL_FETCH_H_
#define PREJOIN_MODEL_PLAN_LOCAL_FETCH_H_

#include <algorithm>

#include "model/plan/plan.h"

namespace prejoin::model {

inline bool FetchedByIndex(const Request& request, const FollowUp& follow_up) {
  return follow_up.kind == FollowUpKind::kFetchItem && !follow_up.other_layout &&
         request.view.index != nullptr && request.view.index->local;
}

// True if a section's limit can be kept before its follow-ups, so that they fetch no more than the answer has: what filters and orders
// its rows is at hand.
inline bool LimitsBeforeFollowUps(const SectionPlan& plan, const Section& section) {
  const auto fetched = [&](const std::string& name) {
    return std::any_of(plan.follow_ups.begin(), plan.follow_ups.end(), [&](const FollowUp& one) {
      return one.kind == FollowUpKind::kFetchItem &&
             std::find(one.reasons.begin(), one.reasons.end(), name) != one.reasons.end();
    });
  };
  return section.limit && section.via.text.empty() &&
         std::none_of(plan.filters.begin(), plan.filters.end(), fetched) &&
         std::none_of(section.order.begin(), section.order.end(),
                      [&](const OrderKey& key) { return fetched(key.attribute.text); });
}

// The Query must ask for all attributes.
inline bool FetchesFromTable(const Plan& plan, const Request& request) {
  return std::any_of(request.sections.begin(), request.sections.end(), [&](std::size_t i) {
    const std::vector<FollowUp>& all = plan.sections[i].follow_ups;
    return std::any_of(all.begin(), all.end(),
                       [&](const FollowUp& one) { return FetchedByIndex(request, one); });
  });
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_LOCAL_FETCH_H_
