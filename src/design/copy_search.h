// Finds the copies of an attribute again when the original changes.
#ifndef PREJOIN_DESIGN_COPY_SEARCH_H_
#define PREJOIN_DESIGN_COPY_SEARCH_H_

#include <string>

#include "model/schema/model.h"

namespace prejoin::design {

enum class CopySearch {
  kNotNeeded,  // The original never changes.
  kByKey,      // A pattern reads the holders of one original, so a key finds them.
  kByScan,     // No key does, but changes are so rare that a Scan costs next to nothing.
  kTooDear,    // No key does, and a Scan for each change would cost more than the copies are worth.
};

// `original` is "Category.title"; `holder` the entity on whose items the copies stand.
CopySearch HowCopiesAreFound(const model::Model& logical, const std::string& holder,
                             const std::string& original);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_COPY_SEARCH_H_
