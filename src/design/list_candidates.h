// Children that an owner's item could hold as a list, and what patterns read beside their rows.
#ifndef PREJOIN_DESIGN_LIST_CANDIDATES_H_
#define PREJOIN_DESIGN_LIST_CANDIDATES_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "design/choice.h"
#include "model/schema/model.h"

namespace prejoin::design {

// The number of lists, and of copies, that are tried for one entity.
inline constexpr std::size_t kListsMax = 2;

// Attributes of other entities that patterns read with the rows of `entity`.
std::set<std::string> JoinedWith(const model::Model& logical, const model::Entity& entity);

// Children that could be kept in a list: bounded, few, and safe there.
std::vector<ListChoice> ListsFor(const model::Model& logical, const model::Entity& owner);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_LIST_CANDIDATES_H_
