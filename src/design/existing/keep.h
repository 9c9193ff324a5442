// Parts of the file's own physical half that stay as they are.
#ifndef PREJOIN_DESIGN_EXISTING_KEEP_H_
#define PREJOIN_DESIGN_EXISTING_KEEP_H_

#include <string>
#include <vector>

#include "design/assemble.h"
#include "design/candidates.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::design {

// `names` are entities whose items stay, or tables all of whose items stay: keys, lists, copies and totals. Indexes are
// chosen again. Fills in what the assembler keeps, and restricts the candidates; an error says what cannot be kept.
Status KeepParts(const model::Model& model, const std::vector<std::string>& names,
                 AssembleOptions& assemble);
void KeepCandidates(const AssembleOptions& assemble, Candidates& candidates);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_EXISTING_KEEP_H_
