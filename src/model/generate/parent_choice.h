// Which rows a generated row references.
#ifndef PREJOIN_MODEL_GENERATE_PARENT_CHOICE_H_
#define PREJOIN_MODEL_GENERATE_PARENT_CHOICE_H_

#include <map>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// A row of the parent that some attributes reference together.
struct ParentChoice {
  Reference<Entity> parent;
  std::vector<const Attribute*> attributes;
  std::string deck;
  // Values that another reference of the row fixes in this parent too: an order of a tenant's shop is for a user of the same tenant.
  struct Agreement {
    const Attribute* attribute = nullptr;
    std::string key;  // A key of the parent.
  };
  std::vector<Agreement> agreements;
  std::map<std::string, std::vector<std::size_t>>
      rows;                                  // Rows of the parent, by the values of those keys.
  std::map<std::string, std::size_t> taken;  // The number of these that were dealt.
};

// Entities in an order in which references point backwards. A circle is cut at one of its own entities, not at one that only points
// into it and whose key may need what it points at.
std::vector<const Entity*> ParentsFirst(const Model& model);

// The entities whose rows a link's key names, one for each end; empty where the key has another part.
std::vector<std::string> LinkEnds(const Entity& entity);

// Attributes that reference the same entity take one row of it, but two references to one attribute take two. Those that others restrict
// come last.
std::vector<ParentChoice> ParentChoicesOf(const Model& model, const Entity& entity,
                                          const Dataset& data);

// The parent of a row that its other references, `parents`, allow; null: any. `card` chooses where parents are uneven.
const Row* AgreeingParent(ParentChoice& choice,
                          const std::map<const Attribute*, const Row*>& parents,
                          const Dataset& data, std::size_t card);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_GENERATE_PARENT_CHOICE_H_
