// One way to reach the rows of a section, and what it can read there.
#ifndef PREJOIN_MODEL_PLAN_ACCESS_H_
#define PREJOIN_MODEL_PLAN_ACCESS_H_

#include <set>
#include <string>

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
  // Filtered attributes that the range of the sort key narrows all the same: `at > :t` where it holds the day.
  std::set<std::string> narrowed;
};

// True if the attribute of an entity can be had from its entry in a view: stored and projected, or
// read back from a key.
bool CanRead(const Model& model, const Reference<Entity>& entity, const std::string& attribute,
             const View& view);

// True if a row that has one of `names` has the attribute: it is one of them, or `together` ties it to one.
bool ComesWith(const Entity& entity, const std::set<std::string>& names,
               const std::string& attribute);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_ACCESS_H_
