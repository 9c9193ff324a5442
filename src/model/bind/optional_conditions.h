// Patterns with optional conditions: `find Store where country = :country and optional city =
// :city` stands for one pattern with each combination of them.
#ifndef PREJOIN_MODEL_BIND_OPTIONAL_CONDITIONS_H_
#define PREJOIN_MODEL_BIND_OPTIONAL_CONDITIONS_H_

#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Each doubles the number of patterns.
inline constexpr std::size_t kOptionalConditionsMax = 6;

// Replaces each such pattern by its variants: the one without optional conditions keeps the name,
// the others are called Name+city, Name+state+city, …; the rate is shared between them, and each
// example goes to the variant whose parameters it gives. Reports examples that fit none.
void ExpandOptionalConditions(ParsedModel& model, std::vector<Diagnostic>& diagnostics);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_OPTIONAL_CONDITIONS_H_
