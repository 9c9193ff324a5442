#include "storage/rocks_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace prejoin::storage {
namespace {

constexpr std::size_t kWriteBufferBytes = 64u << 20;
constexpr double kFilterBitsPerKey = 10;

rocksdb::BlockBasedTableOptions MakeTableOptions(std::size_t block_cache_bytes) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(block_cache_bytes);
  table.format_version = 5;
  table.block_size = 4096;
  // Whole keys answer "is this item here" for the read before each write; the prefixes
  // (options.prefix_extractor) answer "has this partition anything here" for queries.
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey, false));
  table.whole_key_filtering = true;
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  // Filters and indexes stay in memory, four to five bytes for each item, and count as part of the
  // cache. In partitions, they could leave it, but each partition costs a cache look-up: 1.7 µs
  // more for a read, and the double for a key that does not exist.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  table.optimize_filters_for_memory = true;
  return table;
}

// All files stay open, unless the process may have only a few: then half of them.
int OpenFilesMax() {
  constexpr rlim_t kPlenty = 8192;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kPlenty) {
    return -1;
  }
  return static_cast<int>(limit.rlim_cur / 2);
}

}  // namespace

rocksdb::Options MakeRocksOptions(const RocksStoreOptions& options) {
  rocksdb::Options rocks;
  rocks.table_factory.reset(
      rocksdb::NewBlockBasedTableFactory(MakeTableOptions(options.block_cache_bytes)));
  rocks.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kRouteBytes));
  rocks.write_buffer_size = kWriteBufferBytes;
  // Most reads are for keys that are not among the newest writes; this answers them without a
  // search there (4 µs down to 1.5).
  rocks.memtable_prefix_bloom_size_ratio = 0.02;
  rocks.memtable_whole_key_filtering = true;
  // RocksDB joins commits that come together into a group, and lets each thread insert its own: two waits for every thread, one for its turn and
  // one for the others, for an insertion of a microsecond. The first of a group inserts for all.
  rocks.allow_concurrent_memtable_write = false;
  rocks.level_compaction_dynamic_level_bytes = true;
  rocks.compression = rocksdb::kLZ4Compression;
  rocks.bytes_per_sync = 1u << 20;

  // The log. Its end may be torn, as a crash leaves it; anything else that does not add up stops
  // the start instead of being skipped.
  rocks.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  rocks.recycle_log_file_num = 0;
  rocks.manual_wal_flush = options.sync == SyncMode::kAlways;
  rocks.max_bgerror_resume_count = 0;
  rocks.paranoid_checks = true;

  // A fast start and a small idle process.
  rocks.avoid_flush_during_recovery = true;
  rocks.max_open_files = OpenFilesMax();
  rocks.max_file_opening_threads = 2;
  rocks.skip_stats_update_on_db_open = true;
  rocks.skip_checking_sst_file_sizes_on_db_open = false;
  rocks.max_background_jobs =
      std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, 6);
  rocks.stats_dump_period_sec = 0;
  rocks.stats_persist_period_sec = 0;
  rocks.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  rocks.max_log_file_size = 1u << 20;
  rocks.keep_log_file_num = 2;
  return rocks;
}

// A new leader opens the store while everybody waits, so that must not take longer the more data there is.
// Were all files opened at the start, and each with its filters and indexes, a terabyte would take half a
// minute, and 25 GB of memory. So: only a few files are opened at the start, as RocksDB does if there is any
// limit to open files, and the others when they are first read; and of a file's filters and indexes only the
// top is read then, their parts when they are needed. Parts cost a read 2 µs more where they are in the
// cache: too much for a database in this process, little beside a request's way to a gateway.
rocksdb::Options MakeSharedRocksOptions(const RocksStoreOptions& options) {
  constexpr int kOpenFilesMax =
      1'000'000;                       // Unlimited: an open file is no descriptor here.
  constexpr int kOpeningThreads = 16;  // They wait for answers, mostly.
  constexpr std::size_t kReadAheadBytes = 2u << 20;
  constexpr std::size_t kPartBytes =
      16u << 10;  // A longer answer takes hardly longer than a short one.
  rocksdb::BlockBasedTableOptions table = MakeTableOptions(options.block_cache_bytes);
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = kPartBytes;
  table.metadata_cache_options.top_level_index_pinning = rocksdb::PinningTier::kAll;
  table.metadata_cache_options.partition_pinning = rocksdb::PinningTier::kNone;
  // Files from before there were parts.
  table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kNone;
  rocksdb::Options rocks = MakeRocksOptions(options);
  rocks.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocks.max_open_files = kOpenFilesMax;
  rocks.max_file_opening_threads = kOpeningThreads;
  rocks.compaction_readahead_size = kReadAheadBytes;
  rocks.bytes_per_sync = 0;
  return rocks;
}

}  // namespace prejoin::storage
