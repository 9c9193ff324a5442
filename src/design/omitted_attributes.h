// Attributes that a key spells out are not stored a second time.
#ifndef PREJOIN_DESIGN_OMITTED_ATTRIBUTES_H_
#define PREJOIN_DESIGN_OMITTED_ATTRIBUTES_H_

#include "design/choice.h"
#include "model/schema/model.h"

namespace prejoin::design {

// Adds to `without` every attribute that can be read back from a key that each row has. Requires the keys of `layout`.
void OmitSpelledAttributes(const model::Model& model, const EntityChoice& choice,
                           const model::Table& table, model::ItemLayout& layout);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_OMITTED_ATTRIBUTES_H_
