// The rows that a row points at.
#ifndef PREJOIN_AUDIT_REFERENCES_H_
#define PREJOIN_AUDIT_REFERENCES_H_

#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/join.h"
#include "model/schema/model.h"

namespace prejoin::audit {

// Every way in which rows of `from` point at rows of `to`: a trip begins at a station and ends at one. The first is the one that
// relationships and copies follow. Empty when the whole key of `to` is not referenced.
std::vector<std::vector<model::JoinColumn>> ReferencesTo(const model::Entity& from,
                                                         const model::Entity& to);

// The key of the row of `to` that `row` points at; empty if it points at none.
std::string TargetTuple(const model::Row& row, const model::Entity& to,
                        const std::vector<model::JoinColumn>& columns);

// An attribute of a parent's items that holds rows.
struct ListPlace {
  model::Reference<model::Entity> parent;
  std::string attribute;
};

// The lists that should hold a row: those of the parents that it points at, as "Parent.attribute".
AttributeValue ExpectedLists(const model::Model& model, const model::Entity& entity,
                             const model::Row& row, const std::vector<ListPlace>& lists);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_REFERENCES_H_
