// The monthly cost of the patterns and writes of some entities, so that a rule proposes no change that costs more.
#ifndef PREJOIN_MODEL_CHECK_BILL_H_
#define PREJOIN_MODEL_CHECK_BILL_H_

#include <set>
#include <string>

#include "model/schema/model.h"

namespace prejoin::model {

struct MonthlyBill {
  double money_per_month = 0;
  bool complete = true;  // Keys support every pattern, as fresh as it asks to be.

  // True if a change that leads to `after` loses nothing and does not cost more.
  bool NotDearer(const MonthlyBill& after) const;
};

// Patterns and writes that name one of `entities`, and the storage of all tables. A pattern or write without a rate counts once per second.
MonthlyBill BillOf(const Model& model, const std::set<std::string>& entities);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_BILL_H_
