// Tables as bytes: a table is stored as one of our own items, so it needs no format of its own
// (docs/formats/catalog.md).
#ifndef PREJOIN_ENGINE_TABLE_CATALOG_CODEC_H_
#define PREJOIN_ENGINE_TABLE_CATALOG_CODEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/table.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Features that a program must know to read or write some of the stored data (storage::Store::Need).
inline constexpr std::string_view kVectorsFeature = "vectors";
// Notes of index entries that come later (index_outbox.h).
inline constexpr std::string_view kOutboxFeature = "index-outbox";
// Stamps of items, and notes for replicas in other regions (item/write_stamp.h).
inline constexpr std::string_view kReplicasFeature = "replicas";
// All that this one knows.
inline std::vector<std::string> StoredFeatures() {
  return {std::string(kVectorsFeature), std::string(kOutboxFeature), std::string(kReplicasFeature)};
}

std::string EncodeTable(const Table& table);
// Keys are resolved and figures start at zero. kCorruption if the bytes are not a table.
Result<std::unique_ptr<Table>> DecodeTable(std::string_view bytes);

std::string EncodeSpaceCounter(std::uint32_t next_space);
Result<std::uint32_t> DecodeSpaceCounter(std::string_view bytes);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_CATALOG_CODEC_H_
