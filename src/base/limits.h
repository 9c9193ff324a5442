// Every limit of the service and of this program, by name. AWS's own unless the comment says
// otherwise.
#ifndef PREJOIN_BASE_LIMITS_H_
#define PREJOIN_BASE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace prejoin {

// Items and values.
inline constexpr std::size_t kItemBytesMax = 400 * 1024;
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;
inline constexpr int kNestingDepthMax = 32;
inline constexpr int kNumberDigitsMax = 38;

// Expressions.
inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr int kExpressionOperatorsMax = 300;
inline constexpr int kInOperandsMax = 100;
inline constexpr std::size_t kPlaceholderBytesMax = 255;
// Names and values that stand for the placeholders of one request.
inline constexpr std::size_t kSubstitutionBytesMax = 2 * 1024 * 1024;

// Requests.
inline constexpr std::size_t kRequestBytesMax = 16 * 1024 * 1024;
inline constexpr std::size_t kItemAttributeNameBytesMax = 65535;
inline constexpr std::size_t kPageBytesMax = 1024 * 1024;
inline constexpr std::size_t kBatchGetKeysMax = 100;
inline constexpr std::size_t kBatchGetBytesMax = 16 * 1024 * 1024;
inline constexpr std::size_t kBatchWriteItemsMax = 25;
inline constexpr std::size_t kTransactionItemsMax = 100;
inline constexpr std::size_t kTransactionBytesMax = 4 * 1024 * 1024;
inline constexpr std::int64_t kIdempotencyWindowMs = 10 * 60 * 1000;
// Our own: what one request may use beside its own bytes; RequestBudget counts it.
inline constexpr std::uint64_t kRequestWorkMax = std::uint64_t{1} << 29;
inline constexpr std::size_t kRequestMemoryBytesMax = 64 * 1024 * 1024;
inline constexpr std::int32_t kScanSegmentsMax = 1'000'000;

// Tables and indexes.
inline constexpr std::size_t kGlobalIndexesMax = 20;
inline constexpr std::size_t kLocalIndexesMax = 5;
inline constexpr std::size_t kOutboxNotesMax = 1'000'000;  // That wait in memory; our own.
inline constexpr std::size_t kProjectedAttributesMax = 100;
inline constexpr std::size_t kIndexKeyPartsMax =
    4;  // HASH attributes, and RANGE attributes, of one global index.
inline constexpr std::int64_t kItemCollectionBytesMax = std::int64_t{10} * 1024 * 1024 * 1024;
inline constexpr std::size_t kTagsMax = 50;

// Streams.
inline constexpr std::int64_t kStreamRetentionMs = 24 * 60 * 60 * 1000;
inline constexpr std::int64_t kShardIteratorLifeMs = 15 * 60 * 1000;
inline constexpr std::int32_t kStreamRecordsMax = 1000;  // The most records in one GetRecords.
inline constexpr std::size_t kOpenShardsMax = 64;        // The most open shards of one stream; our own limit.

// Time to live.
inline constexpr std::int64_t kExpiryAgeMaxSeconds = std::int64_t{5} * 365 * 24 * 60 * 60;
inline constexpr std::int64_t kTimeToLiveChangeIntervalMs = 60 * 60 * 1000;

// Capacity units.
inline constexpr std::size_t kReadUnitBytes = 4096;
inline constexpr std::size_t kWriteUnitBytes = 1024;

}  // namespace prejoin

#endif  // PREJOIN_BASE_LIMITS_H_
