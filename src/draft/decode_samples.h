// Sample rows from sample items.
#ifndef PREJOIN_DRAFT_DECODE_SAMPLES_H_
#define PREJOIN_DRAFT_DECODE_SAMPLES_H_

#include "draft/draft.h"

namespace prejoin::draft {

// The samples of the draft are items as a table holds them; afterwards they are rows of the entities,
// with the attributes that stand only in keys. Items whose key the templates do not give back are
// dropped; with `keep_all` the entity says how many.
void DecodeSamples(Draft& draft, bool keep_all);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_DECODE_SAMPLES_H_
