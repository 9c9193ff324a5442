// The proof of a model on items as they are stored, instead of on items made from a sample.
#ifndef PREJOIN_AUDIT_PROVE_STORED_H_
#define PREJOIN_AUDIT_PROVE_STORED_H_

#include <vector>

#include "audit/audit.h"
#include "model/data/dataset.h"
#include "model/data/item_render.h"
#include "model/prove/prove.h"

namespace prejoin::audit {

// The rows that stored items hold, each once; sums and counts are what the rows make them.
model::Dataset RowsOfItems(const model::Model& model, const std::vector<model::TableItems>& stored);

// Every pattern is run on the stored items and compared with the relational answer over their rows, and the items are
// audited: each finding is a problem of the proof. `entities` of `stored` is not used.
Result<model::ProofReport> ProveStored(const model::Model& model,
                                       const std::vector<model::TableItems>& stored,
                                       model::Backend& backend, model::ProveOptions options);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_PROVE_STORED_H_
