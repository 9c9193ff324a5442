// The smallest change of the keys that would serve a pattern.
#ifndef PREJOIN_MODEL_PLAN_PROPOSE_H_
#define PREJOIN_MODEL_PLAN_PROPOSE_H_

#include <optional>
#include <string>
#include <vector>

#include "model/plan/layout_edits.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"
#include "model/syntax/line_edit.h"

namespace prejoin::model {

// A key attribute with a template that is known to be right.
StoredAttribute MakeStored(const std::string& name, const std::string& text);

// The smallest change of the keys that would serve a pattern, tried out by planning again with it;
// or why no key can serve the pattern.
Proposal ProposeChange(const Model& model, const Pattern& pattern);

// The model with that change; nullopt if even it does not serve the pattern.
std::optional<Model> WithProposedChange(const Model& model, const Pattern& pattern);

// Returns the number of partitions that all rows of an entity need together: as many as the peak of the writes
// and 10 GB for each require. Eight if nothing says how many rows there are.
int ShardsFor(const Model& model, const Reference<Entity>& entity, const Table& table);

// Items for an entity that no table holds, found by its own key.
Proposal ProposeItem(const Model& model, const Entity& entity);

// The change that makes a BatchGetItem of a section unnecessary: a wider projection of the index,
// or a copy on the items that are read.
Proposal ProposeAttributes(const Model& model, const SectionPlan& section,
                           const FollowUp& follow_up, const View& view);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PROPOSE_H_
