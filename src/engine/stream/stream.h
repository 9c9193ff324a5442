// A stream: its shards, and the order of its records.
//
// Every change of an item gets a sequence number while the item's latch is held, so numbers follow
// the order of one item's changes. Commits of different items become visible in any order, so a
// reader must not pass a number that is still on its way: it reads only below the horizon, the
// lowest number that a write in flight may have taken.
//
// Numbers are the clock's milliseconds and a counter after them. So they never come again after a
// restart, not even those whose commit was lost, and the age of a record is in its number.
//
// A shard holds the records of a range of partition hashes, from its first number (which is also
// its identity) to the first number of its children. A shard that is old or full gets its
// children when the next record is written to it. That write stores the children together with its
// record, and readers hear of them only after that, so nobody is ever told of a shard, or of the
// end of one, that a crash then takes back (docs/adr/0007-streams.md).
#ifndef PREJOIN_ENGINE_STREAM_STREAM_H_
#define PREJOIN_ENGINE_STREAM_STREAM_H_

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "engine/stream/sequence_number.h"
#include "engine/stream/shard.h"
#include "prejoin/options.h"
#include "prejoin/result.h"
#include "prejoin/table.h"
#include "storage/store.h"

namespace prejoin::engine {

// Everything below is trimmed at this time.
SequenceNumber TrimPoint(std::int64_t now_ms);

// The part of a stream that never changes.
struct StreamInfo {
  std::string table_name;
  std::string arn;
  std::string label;
  StreamViewType view_type = StreamViewType::kKeysOnly;
  KeySchema key_schema;
  std::int64_t created_ms = 0;
  std::uint32_t space = 0;
};

// Thread-safe.
class Stream {
 public:
  explicit Stream(StreamInfo info) : info_(std::move(info)) {}

  const StreamInfo& info() const { return info_; }

  // One of the two, once, before anything else. Start: a new stream gets its first shards. Load:
  // reads the shards and where to continue; `closed_at`: of a stream that was disabled; numbers below
  // `first` are not given out, because a consumer may have been told that it has seen all of them.
  void Start(const StreamOptions& options, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  struct Resumption {
    std::optional<SequenceNumber> closed_at;
    SequenceNumber first = 0;
    std::int64_t now_ms = 0;
  };
  Status Load(storage::Store& store, const StreamOptions& options, const Resumption& from)
      PJ_EXCLUDES(mutex_);

  // Stores shards that no write has stored yet, so that readers see them.
  Result<storage::Ticket> StoreShards(storage::Store& store) PJ_EXCLUDES(mutex_);

  // ---- Writing. Begin before the transaction, End after it, with what Begin returned.
  SequenceNumber Begin() PJ_EXCLUDES(mutex_);
  void End(SequenceNumber begun) PJ_EXCLUDES(mutex_);

  struct Place {
    SequenceNumber number = 0;
    SequenceNumber shard = 0;
    // Shards that the same transaction has to store; null: none.
    std::shared_ptr<const ShardGroup> new_shards;
  };
  // Inside the transaction. Nullopt once the stream is closed.
  std::optional<Place> Take(std::uint32_t partition_hash, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  // The transaction that stored them has committed.
  void ShowShards(const std::shared_ptr<const ShardGroup>& group) PJ_EXCLUDES(mutex_);

  // No more records. The end of every open shard: `at` if nothing has been recorded since then.
  SequenceNumber Close(SequenceNumber at) PJ_EXCLUDES(mutex_);
  bool closed() const PJ_EXCLUDES(mutex_);

  // A caller that enables a stream and then reads the table must not miss a change in between. Writers
  // that work with an older version of the table record nothing, so the stream is complete only
  // when they are done.
  void AwaitWriters(std::vector<std::shared_future<void>> older_versions) PJ_EXCLUDES(mutex_);
  bool complete() const PJ_EXCLUDES(mutex_);

  // ---- Reading
  // In order of their first numbers; those that are wholly trimmed are left out.
  std::vector<Shard> Shards(std::int64_t now_ms) const PJ_EXCLUDES(mutex_);
  std::optional<Shard> FindShard(SequenceNumber start, std::int64_t now_ms) const
      PJ_EXCLUDES(mutex_);
  // Every record below has been committed or never will be.
  SequenceNumber Horizon(std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  // Above every number taken so far.
  SequenceNumber Next(std::int64_t now_ms) PJ_EXCLUDES(mutex_);

  // Forgets shards that are wholly trimmed and returns them.
  std::vector<Shard> ForgetTrimmed(std::int64_t now_ms) PJ_EXCLUDES(mutex_);

 private:
  // An open shard as writers see it.
  struct Lane {
    SequenceNumber shard = 0;
    std::int64_t opened_ms = 0;
    std::uint64_t record_count = 0;
    std::shared_ptr<const ShardGroup> unstored;
  };

  void MakeFirstShards() PJ_REQUIRES(mutex_);
  void AddGroup(std::shared_ptr<const ShardGroup> group) PJ_REQUIRES(mutex_);
  Status LoadShards(storage::Store& store) PJ_EXCLUDES(mutex_);
  Status LoadLastNumber(storage::Store& store) PJ_EXCLUDES(mutex_);
  void Advance(std::int64_t now_ms) PJ_REQUIRES(mutex_);
  void AddLane(const Shard& shard, std::shared_ptr<const ShardGroup> unstored) PJ_REQUIRES(mutex_);
  bool IsDue(const Lane& lane, std::int64_t now_ms) const PJ_REQUIRES(mutex_);
  void Succeed(SequenceNumber parent) PJ_REQUIRES(mutex_);
  bool IsHidden(const Shard& shard) const PJ_REQUIRES(mutex_);
  Shard Visible(const Shard& shard) const PJ_REQUIRES(mutex_);

  const StreamInfo info_;
  StreamOptions options_;  // Set by Start or Load.

  mutable Mutex mutex_;
  SequenceNumber next_ PJ_GUARDED_BY(mutex_) = 1;
  SequenceNumber last_taken_ PJ_GUARDED_BY(mutex_) = 0;
  std::multiset<SequenceNumber> in_flight_ PJ_GUARDED_BY(mutex_);
  // Nullopt between Start and AwaitWriters.
  std::optional<std::vector<std::shared_future<void>>> awaited_ PJ_GUARDED_BY(mutex_);
  std::optional<SequenceNumber> closed_at_ PJ_GUARDED_BY(mutex_);
  std::map<SequenceNumber, Shard> shards_ PJ_GUARDED_BY(mutex_);
  std::map<std::uint32_t, Lane> lanes_ PJ_GUARDED_BY(mutex_);  // Keyed by the first hash.
  // First numbers of shards that are not stored yet.
  std::set<SequenceNumber> hidden_ PJ_GUARDED_BY(mutex_);
};

using StreamPtr = std::shared_ptr<Stream>;

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_H_
