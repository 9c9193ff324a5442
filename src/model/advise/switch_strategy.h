// The tables of a model with one relationship stored in another way, and everything else as it is.
#ifndef PREJOIN_MODEL_ADVISE_SWITCH_STRATEGY_H_
#define PREJOIN_MODEL_ADVISE_SWITCH_STRATEGY_H_

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/bind/read_model.h"
#include "model/schema/model.h"
#include "model/schema/strategy.h"

namespace prejoin::model {

struct SwitchedDesign {
  Model model;
  std::vector<std::string> added;  // Patterns that needed keys of their own besides the strategy's.
};

// Switches of one model, which it borrows and which has tables. Single thread.
class StrategySwitches {
 public:
  explicit StrategySwitches(const Model& model) : model_(model) {}

  // `relationship` belongs to the model. Nullopt when the tables cannot become so, or would leave out a pattern that they serve
  // now; `why_not` says why, in one line.
  std::optional<SwitchedDesign> Make(const Relationship& relationship, const Strategy& strategy,
                                     std::string& why_not);

 private:
  const Model& model_;
  // Rule and words of each error that the tables have already, once somebody asked.
  std::optional<std::set<std::pair<std::string, std::string>>> known_errors_;
};

// The file with the tables and strategies of `changed`: only lines that say something else are written anew.
std::string WithTablesOf(const ReadModelResult& read, const Model& changed);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_SWITCH_STRATEGY_H_
