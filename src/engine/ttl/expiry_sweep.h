// Background work of time to live.
#ifndef PREJOIN_ENGINE_TTL_EXPIRY_SWEEP_H_
#define PREJOIN_ENGINE_TTL_EXPIRY_SWEEP_H_

#include <string>

#include "engine/background.h"
#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Deletes what has expired, in small batches, each item only if it is still expired then. Items
// whose time is more than five years ago stay, as in DynamoDB: such a number is a mistake.
Status SweepExpired(Engine& engine, const BackgroundWork& work);

// Entries come in by three steps, each begun when the last writer of the step before is done, as
// those of a new index do (engine/index/index_build.h): writers take entries out but put none in; then
// they keep them fully; then one pass makes those of older items.

// Begins the second step. The older versions to wait for before FillExpiry; none if the setting is
// gone.
Result<Retirements> AcceptExpiry(Engine& engine, const std::string& table_name);

// The third step. Ends early when `work` is stopping or the table or setting is gone.
Status FillExpiry(Engine& engine, const BackgroundWork& work, const std::string& table_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TTL_EXPIRY_SWEEP_H_
