// A row that is stored in more than one layout: each further item against the first.
#ifndef PREJOIN_AUDIT_SECOND_LAYOUTS_H_
#define PREJOIN_AUDIT_SECOND_LAYOUTS_H_

#include <optional>
#include <string>
#include <vector>

#include "audit/finding.h"
#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::audit {

// Returns the problems of one item of a second layout. The caller sets Finding::table and key. `stored_table` is
// the table's name in requests.
std::vector<Finding> CompareLayout(const model::Model& model, const model::Model::Placement& layout,
                                   const Item& item, const model::Row& first,
                                   const std::string& stored_table);

// The item that a second layout should have of a row, as a finding with the request that puts it where the first item
// holds all of it; nullopt when the row has no key in that layout.
std::optional<Finding> MissingInLayout(const model::Model& model,
                                       const model::Model::Placement& layout,
                                       const model::Row& first, const std::string& stored_table);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_SECOND_LAYOUTS_H_
