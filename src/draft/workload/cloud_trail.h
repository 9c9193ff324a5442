// Rates of patterns and writes from the data events of DynamoDB that CloudTrail records.
#ifndef PREJOIN_DRAFT_WORKLOAD_CLOUD_TRAIL_H_
#define PREJOIN_DRAFT_WORKLOAD_CLOUD_TRAIL_H_

#include <string_view>

#include "draft/draft.h"
#include "prejoin/result.h"

namespace prejoin::draft {

bool LooksLikeCloudTrail(std::string_view log);

// Gives the patterns by key of a draft with tables the rates at which the log has such requests, and adds its writes. Requests that no
// pattern stands for become notes. `seconds`: the time that the log covers; 0: from its first event to its last. Reads a file of
// CloudTrail ({"Records": […]}), an array, or one event on each line.
Status AddCloudTrail(std::string_view log, double seconds, Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_WORKLOAD_CLOUD_TRAIL_H_
