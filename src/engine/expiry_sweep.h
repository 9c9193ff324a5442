// Background work of time to live.
#ifndef PREJOIN_ENGINE_EXPIRY_SWEEP_H_
#define PREJOIN_ENGINE_EXPIRY_SWEEP_H_

#include <string>

#include "engine/background.h"
#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Deletes what has expired, in small batches, each item only if it is still expired then. Items
// whose time is more than five years ago stay, as in DynamoDB: such a number is a mistake.
Status SweepExpired(Engine& engine, const BackgroundWork& work);

// Makes the entries of items that are older than the setting. Writers know it already.
Status FillExpiry(Engine& engine, const BackgroundWork& work, const std::string& table_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_EXPIRY_SWEEP_H_
