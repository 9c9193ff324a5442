// A design before it has names: for each entity how its rows are stored and by which keys they can be
// found. assemble.h makes tables of it. Plain data, thread-compatible.
#ifndef PREJOIN_DESIGN_CHOICE_H_
#define PREJOIN_DESIGN_CHOICE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/layout/key_shape.h"

namespace prejoin::design {

using model::KeyShape;

// Rows of another entity kept inside this one's items.
struct ListChoice {
  std::string entity;
  std::vector<std::string>
      members;  // "attribute" or "Other.attribute"; empty: all that do not point here.
  friend auto operator<=>(const ListChoice&, const ListChoice&) = default;
};

// The storage of an entity's rows.
struct Layout {
  bool own_items = true;  // False: only inside lists of other items.
  KeyShape key;
  std::vector<ListChoice> lists;
  std::set<std::string> copies;  // "Other.attribute"
  friend auto operator<=>(const Layout&, const Layout&) = default;
};

// One more way to find them: what an index keeps of an entity.
struct IndexView {
  KeyShape key;
  std::set<std::string> payload;  // Attributes beside the keys.
  bool local = false;
  friend auto operator<=>(const IndexView&, const IndexView&) = default;
};

struct EntityChoice {
  Layout layout;
  std::vector<IndexView> views;
  friend auto operator<=>(const EntityChoice&, const EntityChoice&) = default;
};

// Keyed by entity. An entity that is not in it is not stored.
using DesignChoice = std::map<std::string, EntityChoice>;

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_CHOICE_H_
