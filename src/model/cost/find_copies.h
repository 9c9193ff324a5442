// Finds the items that hold copies of one row, and estimates the reads that this takes.
#ifndef PREJOIN_MODEL_COST_FIND_COPIES_H_
#define PREJOIN_MODEL_COST_FIND_COPIES_H_

#include <string>

#include "model/plan/expectation.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct CopySearch {
  std::string request;    // In words; empty: no key finds them, so the table is scanned.
  double read_units = 0;  // For the copies of one original.
};

// The rows of `holder` in `table` that point at one row of `owner`.
CopySearch FindCopies(Expectations& figures, const Entity& holder, const Entity& owner,
                      const Table& table);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_FIND_COPIES_H_
