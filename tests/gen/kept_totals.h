// Sums and counts that generated writes keep, for the reference that all languages are compared with.
#ifndef PREJOIN_TESTS_GEN_KEPT_TOTALS_H_
#define PREJOIN_TESTS_GEN_KEPT_TOTALS_H_

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::gen {

// Brings the totals of `after` up to date. False if one would change on a row that is in neither dataset: such a write is refused.
bool KeepTotals(const model::Model& model, const model::Dataset& before, model::Dataset& after);

}  // namespace prejoin::gen

#endif  // PREJOIN_TESTS_GEN_KEPT_TOTALS_H_
