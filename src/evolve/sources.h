// Where the rows of a new design come from, and which of them must be known while the items of others are made.
#ifndef PREJOIN_EVOLVE_SOURCES_H_
#define PREJOIN_EVOLVE_SOURCES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::evolve {

// Which entities of the new model get their rows from an entity of the old one: the one of the same name, and those that
// are a part of it, as `PaymentState` of `Payment`. An error names what has no source.
using EntitySources =
    std::map<std::string, std::vector<model::Reference<model::Entity>>>;  // Old → new.
Result<EntitySources> FindSources(const model::Model& before, const model::Model& after);

// Entities whose rows are needed while items of other rows are made: what is copied, what is in lists, what sums and
// counts are made of, and what the old design knows only from copies.
std::set<std::string> HeldEntities(const model::Model& before, const model::Model& after,
                                   const EntitySources& sources);

// Sums and counts that the new design keeps and the old rows do not have: entity → attributes.
std::map<std::string, std::set<std::string>> NewTotals(const model::Model& before,
                                                       const model::Model& after);

}  // namespace prejoin::evolve

#endif  // PREJOIN_EVOLVE_SOURCES_H_
