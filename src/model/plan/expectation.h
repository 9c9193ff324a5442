// What the declared counts let us expect: rows of an entity, rows under a key, bytes of an item.
#ifndef PREJOIN_MODEL_PLAN_EXPECTATION_H_
#define PREJOIN_MODEL_PLAN_EXPECTATION_H_

#include <set>
#include <string>

#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Declared, or derived from the relationships, or else the number of sample rows.
double EntityCount(const Model& model, const std::string& entity);

// Rows of `entity` for one value of each of `bound`.
double ExpectedRows(const Model& model, const std::string& entity,
                    const std::set<std::string>& bound);

// The most rows there can be, by the declared bounds; 0 when no bound is declared.
double MostRows(const Model& model, const std::string& entity, const std::set<std::string>& bound);

// Average bytes of the entity's entry in a view: the item, or what an index keeps of it.
double ExpectedItemBytes(const Model& model, const std::string& entity, const View& view);

// The largest an item can become by the declared sizes and bounds; negative when an embedded list
// has no bound.
double LargestItemBytes(const Model& model, const std::string& entity);

// Whether items of the entity appear in the view at all.
bool AppearsIn(const Model& model, const std::string& entity, const View& view);

// Attributes of the item (stored names) that an index keeps.
bool IsProjected(const View& view, const std::string& stored_attribute);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_EXPECTATION_H_
