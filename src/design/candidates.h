// The choices worth trying for each entity, read off the patterns and the entity's own key. docs/design.md states this space.
#ifndef PREJOIN_DESIGN_CANDIDATES_H_
#define PREJOIN_DESIGN_CANDIDATES_H_

#include <map>
#include <string>
#include <vector>

#include "design/choice.h"
#include "model/schema/model.h"

namespace prejoin::design {

struct EntityCandidates {
  std::vector<Layout> layouts;   // Sorted; `own_items` false at most once.
  std::vector<KeyShape> shapes;  // For index views, sorted.
  bool strong = false;           // A pattern wants the newest: local indexes are worth trying.
  bool used = false;             // A pattern reads it or a write writes it.
};

using Candidates = std::map<std::string, EntityCandidates>;

struct CandidateLimits {
  std::size_t shapes_max = 24;
  std::size_t keys_max = 12;  // Base keys, before lists and copies.
  bool lists = true;
  bool copies = true;
  bool tenant = true;  // Keys begin with the tenant wherever every request for the entity knows it.
};

Candidates FindCandidates(const model::Model& logical, const CandidateLimits& limits);

// The entity whose rows a section reads first: the links of a `via`, else the entity itself.
const std::string& RowsOf(const model::Section& section);

// Other entities whose items a section needs by their key.
std::vector<std::string> TargetsOf(const model::Section& section);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_CANDIDATES_H_
