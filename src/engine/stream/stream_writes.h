// Writes the stream's records of item changes, in the items' own transaction.
#ifndef PREJOIN_ENGINE_STREAM_STREAM_WRITES_H_
#define PREJOIN_ENGINE_STREAM_STREAM_WRITES_H_

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/item/planned_write.h"
#include "engine/item/record.h"
#include "engine/stream/stream.h"
#include "prejoin/clock.h"
#include "storage/store.h"

namespace prejoin::engine {

// A set of writes and the streams of their tables. Lives from before the transaction until its
// result is known, and costs nothing when no table has a stream. Single thread.
class StreamWrites {
 public:
  // `writes` outlive this.
  StreamWrites(const Clock& clock, std::span<const ItemWrite> writes);
  ~StreamWrites();
  StreamWrites(const StreamWrites&) = delete;
  StreamWrites& operator=(const StreamWrites&) = delete;

  // When the transaction's body starts, or starts again.
  void Restart() { staged_shards_.clear(); }
  // Inside the transaction. The table has a stream. Nothing is recorded when the item stays equal.
  void Stage(const ItemWrite& write, const std::optional<Record>& old_item,
             const std::optional<Record>& new_item, storage::Transaction& transaction);
  void Committed();

 private:
  const Clock& clock_;
  std::vector<std::pair<StreamPtr, SequenceNumber>> begun_;
  std::vector<std::pair<Stream*, std::shared_ptr<const ShardGroup>>> staged_shards_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_WRITES_H_
