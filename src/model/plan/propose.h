// The smallest change of the keys that would serve a pattern.
#ifndef PREJOIN_MODEL_PLAN_PROPOSE_H_
#define PREJOIN_MODEL_PLAN_PROPOSE_H_

#include <optional>
#include <string>
#include <vector>

#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// A key attribute with a template that is known to be right.
StoredAttribute MakeStored(const std::string& name, const std::string& text);

// `index GSI1 partition GSI1PK sort GSI1SK project grade`
std::string IndexLine(const Index& index);

// Lines a person can paste. `place` names where: inside a declaration, in place of a line, at the end of the file; or
// what they are to be removed from. check/apply_help.h knows all forms.
struct Edit {
  std::string place;
  std::vector<std::string> lines;
};

// The edits as text: each place on a line, the lines to paste below it, indented.
std::string EditsText(const std::vector<Edit>& edits);

// The smallest change of the keys that would serve a pattern, tried out by planning again with it;
// or why no key can serve the pattern.
std::string ProposeChange(const Model& model, const Pattern& pattern);

// The model with that change; nullopt if even it does not serve the pattern.
std::optional<Model> WithProposedChange(const Model& model, const Pattern& pattern);

// How many partitions all rows of an entity need together: as many as the peak of the writes and 10 GB for each ask for.
// Eight if nothing says how many rows there are.
int ShardsFor(const Model& model, const std::string& entity, const Table& table);

// Items for an entity that no table holds, found by its own key.
std::string ProposeItem(const Model& model, const Entity& entity);

// The change that makes a BatchGetItem of a section unnecessary: a wider projection of the index,
// or a copy on the items that are read.
std::string ProposeAttributes(const Model& model, const SectionPlan& section,
                              const FollowUp& follow_up, const View& view);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PROPOSE_H_
