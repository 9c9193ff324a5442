// The BatchGetItems after a request: what the view that it reads does not hold.
#ifndef PREJOIN_MODEL_PLAN_FOLLOW_UPS_H_
#define PREJOIN_MODEL_PLAN_FOLLOW_UPS_H_

#include <set>
#include <string>
#include <vector>

#include "model/plan/access.h"

namespace prejoin::model {

// The scope of the answer: everything that was written, or (`write`) the effect of one write; or nothing in particular.
struct Freshly {
  bool strong = false;
  std::string write;
};

// Adds the BatchGetItems that bring what the view does not have. False when even they cannot.
bool AddFollowUps(const Model& model, const Section& section, const Entity& entity,
                  const std::vector<Path>& paths, const Freshly& fresh, Access& access);

// The follow-up of this kind to this entity or layout, made if it is not there yet.
FollowUp& AddFollowUp(SectionPlan& plan, FollowUpKind kind, const Reference<Entity>& entity,
                      std::vector<JoinColumn> columns);

// The first layout of an entity that is found by the row's key and holds all of `attributes`; null when there is none.
const Entity* LayoutWith(const Model& model, const Entity& entity,
                         const std::set<std::string>& attributes);

// True if an embedded row has what is asked for: its members and the key of the item it is in.
bool EmbeddedHas(const Model& model, const Access& access, const Section& section,
                 const Entity& entity);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_FOLLOW_UPS_H_
