// How many rows there are of what a person gave no number for.
#ifndef PREJOIN_DRAFT_INTERVIEW_UNKNOWN_COUNTS_H_
#define PREJOIN_DRAFT_INTERVIEW_UNKNOWN_COUNTS_H_

#include <set>
#include <string>

#include "draft/draft.h"

namespace prejoin::draft {

// Sets the counts of the entities in `unknown` so that they agree with the averages of the relationships and with the counts that
// a person gave, which stay. Where nobody gave any, there are 1,000 of the rarest.
void FillUnknownCounts(const std::set<std::string>& unknown, Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INTERVIEW_UNKNOWN_COUNTS_H_
