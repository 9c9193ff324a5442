// Changes of a design, one on top of the other. Plain data.
#ifndef PREJOIN_DESIGN_EXISTING_CHANGE_PATH_H_
#define PREJOIN_DESIGN_EXISTING_CHANGE_PATH_H_

#include <string>
#include <vector>

namespace prejoin::design {

// One change, on top of those before it, with its migration.
struct DesignChange {
  std::string what;
  double money = 0;  // Per month, when it is made.
  double saves = 0;  // Per month.
  bool in_place = true;
  std::vector<std::string> order;  // The steps of the migration.
  double write_units = 0;
  double read_units = 0;
  double seconds = 0;
  double migration_money = 0;  // Once.

  double PaybackMonths() const { return saves > 0 ? migration_money / saves : -1; }
};

struct ChangePath {
  DesignChange whole;  // The best design itself, as one change.
  std::vector<DesignChange> changes;
  double money = 0;    // Per month, with all of them.
  double share = 0;    // Share of the saving of the best design.
  std::string source;  // The whole file with them.
  bool proved = false;
  std::vector<std::string> problems;
};

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_EXISTING_CHANGE_PATH_H_
