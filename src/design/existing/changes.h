// Finds the fewest changes to the tables of a file that achieve most of the saving of the best design.
#ifndef PREJOIN_DESIGN_EXISTING_CHANGES_H_
#define PREJOIN_DESIGN_EXISTING_CHANGES_H_

#include <functional>
#include <string>
#include <vector>

#include "design/choice.h"
#include "design/existing/change_path.h"
#include "model/bind/read_model.h"
#include "model/cost/prices.h"
#include "prejoin/result.h"

namespace prejoin::design {

struct ChangesInput {
  const model::ReadModelResult& read;  // The file.
  const DesignChoice& best;            // The design it should become, …
  const model::Model& best_model;      // … as a model, …
  double best_money = 0;               // … and what that costs.
  const model::Prices& prices;
  double proof_rows = 300;
  bool prove = true;
  std::function<bool()> stop;  // True: leave it at the changes found so far.
};

// Returns no changes if none of them saves enough.
Result<ChangePath> FindChanges(const ChangesInput& input);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_EXISTING_CHANGES_H_
