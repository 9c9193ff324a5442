// Write units of the steps of a write on the declared figures: the item, its index entries, lock items, and the items
// elsewhere that hold copies, sums or counts.
#ifndef PREJOIN_MODEL_COST_WRITE_COST_H_
#define PREJOIN_MODEL_COST_WRITE_COST_H_

#include <map>
#include <string>

#include "model/plan/expectation.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The cost of one layout that a step writes: units by view, "" is the table itself.
struct LayoutCost {
  Reference<Entity> layout;
  std::map<std::string, double> units;
};

struct WriteCost {
  std::string name;
  // "" is the table; indexes by name; "copies" and "sums" for items that hold them, "locks" for lock items.
  std::map<std::string, double> units;
  std::vector<LayoutCost>
      layouts;            // The row itself, without what is elsewhere; empty for whole writes.
  double copies = 0;      // Items that must be changed besides the row itself.
  double find_units = 0;  // Read units to find them.
  double total_units = 0;
  double units_per_second = 0;
  double money_per_month = 0;
};

double WriteUnits(double bytes);

// The layouts of the step's entity whose items it writes: all, or of an update those that hold what changes.
std::vector<Model::Placement> LayoutsWritten(const Model& model, const WriteStep& step);

// True if an update changes the table's key of an item in any layout: the old item is deleted and a new one put.
bool MovesAnItem(const Model& model, const WriteStep& step);

// A step that must be one transaction although the file does not say `together`: it changes the table's key, takes a
// lock, writes a row in more than one layout, or keeps copies or sums right by a transaction. The reason, or empty.
std::string NeedsTransaction(const Model& model, const WriteStep& step);

// Rows that one execution of the step writes.
double RowsWritten(Expectations& figures, const WriteStep& step);

WriteCost EstimateStep(Expectations& figures, const Write& write, const WriteStep& step);

// All steps of a write together, without rates and money.
WriteCost EstimateWrite(Expectations& figures, const Write& write);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_WRITE_COST_H_
