// The smallest change of the keys that would serve a pattern.
#ifndef PREJOIN_MODEL_PLAN_PROPOSE_H_
#define PREJOIN_MODEL_PLAN_PROPOSE_H_

#include <optional>
#include <string>
#include <vector>

#include "model/layout/layout_edits.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"
#include "model/syntax/line_edit.h"

namespace prejoin::model {

// The smallest change of the keys that would serve a pattern, tried out by planning again with it;
// or why no key can serve the pattern.
Proposal ProposeChange(const Model& model, const Pattern& pattern);

// The model with that change; nullopt if even it does not serve the pattern.
std::optional<Model> WithProposedChange(const Model& model, const Pattern& pattern);

// Gives each index what the patterns fetch or join behind its entries, if the items have it; of one entity only if `rows` is not null.
void WidenIndexes(Model& model, const Entity* rows);

// How many partitions all rows of an entity need together: as many as the peak of the writes and 10 GB for each ask for.
// Eight if nothing says how many rows there are.
int ShardsFor(const Model& model, const Reference<Entity>& entity, const Table& table);

// Items for an entity that no table holds, found by its own key.
Proposal ProposeItem(const Model& model, const Entity& entity);

// The change that makes a BatchGetItem of a section unnecessary: a wider projection of the index,
// or a copy on the items that are read.
Proposal ProposeAttributes(const Model& model, const SectionPlan& section,
                           const FollowUp& follow_up, const View& view);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PROPOSE_H_
