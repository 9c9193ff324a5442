// The users of an index: the patterns that read it, the copies that are found through it, the entities it holds.
#ifndef PREJOIN_MODEL_CHECK_INDEX_USE_H_
#define PREJOIN_MODEL_CHECK_INDEX_USE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/cost/copies.h"
#include "model/plan/plan.h"

namespace prejoin::model {

bool Uses(const Plan& plan, const Index& index);
// True if the upkeep of copies needs the index to find them.
bool FindsCopies(const CopyPlan& copy, const Table& table, const Index& index);
bool IsUsed(const std::vector<Plan>& plans, const std::vector<CopyPlan>& copies, const Table& table,
            const Index& index);

// By entity.
std::map<std::string, const ItemLayout*> LayoutsIn(const Model& model, const Table& table,
                                                   const Index& index);
std::set<std::string> EntitiesIn(const Model& model, const Table& table, const Index& index);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_INDEX_USE_H_
