// Background work of time to live.
#ifndef PREJOIN_ENGINE_TTL_EXPIRY_SWEEP_H_
#define PREJOIN_ENGINE_TTL_EXPIRY_SWEEP_H_

#include <string>

#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Deletes what has expired from now on, in small batches, each item only if it is still expired
// then. Items whose time is more than five years ago stay, as in DynamoDB: such a number is a
// mistake.
void StartExpirySweep(Engine& engine);

// Makes the entries of items that are older than the table's time to live, in the background.
// Entries come in by three steps, each begun when the last writer of the step before is done, as
// those of a new index do (engine/index/index_build.h): writers take entries out but put none in;
// then they keep them fully; then one pass makes those of older items. Ends early when the table or
// setting is gone.
void BuildExpiry(Engine& engine, std::string table_name, Retirements old_versions);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TTL_EXPIRY_SWEEP_H_
