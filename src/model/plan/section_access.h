// All legal ways to reach the rows of one section, each with a single request and what must follow
// it.
#ifndef PREJOIN_MODEL_PLAN_SECTION_ACCESS_H_
#define PREJOIN_MODEL_PLAN_SECTION_ACCESS_H_

#include <set>
#include <string>
#include <vector>

#include "model/plan/plan.h"

namespace prejoin::model {

struct Access {
  Request request;  // `ranges` has one element.
  SectionPlan plan;
  bool ordered = true;          // The keys give the order the section asks for.
  bool order_needed = false;    // The section has an order and expects more than one row.
  std::set<std::string> bound;  // Attributes of the item's entity fixed by the keys.
  std::set<std::string> partition_bound;
  std::set<std::string>
      sparse;          // Optional attributes in the keys: rows without them are not in the view.
  bool exact = false;  // At most one row.
};

// Nothing when no key serves the section. `strong`: leave out what cannot be strongly consistent.
std::vector<Access> FindAccesses(const Model& model, const Section& section, bool strong);

// Reading the whole table, for patterns that allow it; nothing when the rows are not stored as items.
std::vector<Access> ScanAccesses(const Model& model, const Section& section, bool strong);

// <, <=, >, >=, between, begins_with.
bool IsRange(Comparison comparison);

// Whether the attribute of an entity can be had from its entry in a view: stored and projected, or
// read back from a key.
bool CanRead(const Model& model, const std::string& entity, const std::string& attribute,
             const View& view);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_SECTION_ACCESS_H_
