// The facts about a relationship that the decision rules use.
#ifndef PREJOIN_MODEL_ADVISE_FACTS_H_
#define PREJOIN_MODEL_ADVISE_FACTS_H_

#include <string>

#include "model/schema/model.h"

namespace prejoin::model {

struct RelationshipFacts {
  double children_each = 0;   // For one parent.
  double children_bound = 0;  // 0: unbounded.
  double parents_each = 0;    // The other direction, for many-to-many.
  double child_bytes = 0;
  double parent_bytes = 0;
  double reads_from_parent = 0;  // Per second: children (or edges) by parent.
  double reads_from_child = 0;   // The other direction, or children by their own key.
  double reads_alone = 0;        // Of these, the ones by the child's whole key: one row each.
  double reads_with_parent = 0;  // Children together with attributes of the parent.
  double reads_by_value = 0;     // Children by other values of their own.
  // Units per second that the answers cost, of reads by parent and by the other side. Filters that a key can serve are served.
  double units_from_parent = 0;
  double units_from_child = 0;
  double writes = 0;             // Writes of children or edges, per second.
  double parent_changes = 0;     // Changes of attributes that would be copied, per second and parent.
  bool edge_data = false;
  bool strong_needed = false;
  bool parent_immutable = false;
  int levels = 2;
  bool subtree_wanted = false;
  // The most used key that holds the children of one parent: its share of all requests, for each of the two sides.
  double hottest_share = 1;
  double hottest_share_back = 0;
  std::string hottest_key;  // "Enrollment.courseId", of the hotter side.

  // Units per second of the hottest key.
  double HottestWriteUnits() const;
  double HottestReadUnits() const;
};
RelationshipFacts FactsOf(const Model& model, const Relationship& relationship);

// The children, or the links, are in the tables of the model, so that they can be moved.
bool IsStored(const Model& model, const Relationship& relationship);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_FACTS_H_
