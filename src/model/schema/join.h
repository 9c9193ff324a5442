// How the rows of two entities find each other.
#ifndef PREJOIN_MODEL_SCHEMA_JOIN_H_
#define PREJOIN_MODEL_SCHEMA_JOIN_H_

#include <set>
#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Describes how rows of `from` find the row of `to` that they point at: attribute of `from` → key attribute of
// `to`.
struct JoinColumn {
  std::string from;
  std::string to;
};
// Empty when `from` does not reference the whole key of `to`.
std::vector<JoinColumn> JoinColumns(const Entity& from, const Entity& to);
// The same where rows of `from` point at rows that point at `to`: a team's members are the organisation's. `through` are the entities on
// the way.
std::vector<JoinColumn> JoinColumnsThrough(const Entity& from, const Entity& to,
                                           const std::vector<const Entity*>& through);
// How rows of `child` find the row that a step deletes and that they go with.
std::vector<JoinColumn> CascadeColumns(const Model& model, const WriteStep& step,
                                       const Entity& child);
// The attributes of the rows that point.
std::set<std::string> NamesIn(const std::vector<JoinColumn>& columns);
// The attributes of `from` that together name a row of `to`; empty when they do not.
std::set<std::string> PointingAt(const Entity& from, const Entity& to);

// Where the values of an attribute come from, along `references`: Org.id for a task's orgId.
Path OriginOf(const Model& model, const Entity& entity, const std::string& attribute);

enum class RelationshipEnd { kFrom, kTo };

// The same for one side of a relationship: how its rows (links, or rows of `to`) find the row of that side. It differs where two
// attributes reference one entity: a message's sender and its recipient, a follower and who is followed.
std::vector<JoinColumn> JoinColumnsOf(const Relationship& relationship, RelationshipEnd side,
                                      const Entity& rows, const Entity& end);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_JOIN_H_
