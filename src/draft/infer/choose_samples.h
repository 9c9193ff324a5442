// The sample rows of an inferred model: few, and the rows that they reference among them.
#ifndef PREJOIN_DRAFT_INFER_CHOOSE_SAMPLES_H_
#define PREJOIN_DRAFT_INFER_CHOOSE_SAMPLES_H_

#include <cstddef>

#include "draft/draft.h"

namespace prejoin::draft {

// Leaves about `most` rows of each entity, of those that `draft` has: rows whose references lead to rows of the sample, and the rows
// that these lead to, which may be more than `most`. An entity without such rows keeps its first ones.
void ChooseSamples(Draft& draft, std::size_t most);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_CHOOSE_SAMPLES_H_
