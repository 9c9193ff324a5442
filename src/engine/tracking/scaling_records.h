// The targets of auto scaling, stored beside the tables (docs/formats/catalog.md).
#ifndef PREJOIN_ENGINE_TRACKING_SCALING_RECORDS_H_
#define PREJOIN_ENGINE_TRACKING_SCALING_RECORDS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Durable when it returns. Nullopt deletes the record.
Status StoreScalingRecord(Engine& engine, const std::string& name, const std::optional<std::string>& record);

Result<std::vector<std::string>> ReadScalingRecords(Engine& engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TRACKING_SCALING_RECORDS_H_
