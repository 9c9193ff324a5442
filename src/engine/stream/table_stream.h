// The stream of a table.
#ifndef PREJOIN_ENGINE_STREAM_TABLE_STREAM_H_
#define PREJOIN_ENGINE_STREAM_TABLE_STREAM_H_

#include <cstdint>

#include "engine/stream/stream.h"
#include "engine/table/table.h"

namespace prejoin::engine {

// The stream that a table with these settings has, unloaded.
StreamPtr MakeStream(const Table& table, std::uint32_t space, std::int64_t created_ms);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_TABLE_STREAM_H_
