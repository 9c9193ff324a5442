// A model with fewer rows: what a file would state of a smaller business with the same shape.
#ifndef PREJOIN_MODEL_GENERATE_AT_ROWS_H_
#define PREJOIN_MODEL_GENERATE_AT_ROWS_H_

#include "model/schema/model.h"

namespace prejoin::model {

// The model itself when it states no more than `rows` in all. Otherwise every count shrinks by one ratio, and with it
// large numbers of different values and what patterns return; averages of relationships follow the counts where a side
// has too few rows to shrink. An estimate on it is one of rows that can be generated.
Model AtRows(const Model& model, double rows);

// The same with as many parents and values as it can have: every entity has one number of rows, or all that the file states
// where those are fewer. Requests are then for as many keys as in the stated tables, but an answer has fewer rows.
Model WithManyKeys(const Model& model, double rows);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_GENERATE_AT_ROWS_H_
