// All streams there are: those of tables, and those that were disabled, or whose table was deleted,
// less than a day ago.
#ifndef PREJOIN_ENGINE_STREAM_STREAM_CATALOG_H_
#define PREJOIN_ENGINE_STREAM_STREAM_CATALOG_H_

#include <future>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "engine/stream/stream.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

class Catalog;
class Engine;
class SpaceAllocator;
struct Table;

// Thread-safe.
class StreamCatalog {
 public:
  explicit StreamCatalog(storage::Store& store) : store_(store) {}

  // After the catalog of tables, before anything else.
  Status Load(Engine& engine) PJ_EXCLUDES(mutex_);

  // Inside a change of the table: gives `table` a stream with a label of its own. Add follows when
  // the change is done, with the versions of the table that do not know it.
  void Enable(Engine& engine, StreamViewType view_type, Table& table, SpaceAllocator& spaces)
      PJ_EXCLUDES(mutex_);
  Result<storage::Ticket> Add(const StreamPtr& stream,
                              std::vector<std::shared_future<void>> older_versions)
      PJ_EXCLUDES(mutex_);

  // Inside a change that takes the stream from its table: notes that the stream is to be kept,
  // before the change, so that no crash can lose it. Close follows when the change is done. The
  // stream continues until then: should the change fail or a crash undo it, no record is missing.
  Result<SequenceNumber> Retire(const StreamPtr& stream, std::int64_t now_ms) PJ_EXCLUDES(mutex_);
  // `at` is what Retire returned.
  void Close(const StreamPtr& stream, SequenceNumber at) PJ_EXCLUDES(mutex_);

  // Null if there is none.
  StreamPtr Find(std::string_view arn) const PJ_EXCLUDES(mutex_);
  // In order of their ARNs.
  std::vector<StreamPtr> All() const PJ_EXCLUDES(mutex_);

  // Forgets disabled streams whose last record is trimmed, and returns their spaces.
  Result<std::vector<std::uint32_t>> ForgetTrimmed(std::int64_t now_ms) PJ_EXCLUDES(mutex_);

 private:
  struct Entry {
    StreamPtr stream;
    std::optional<SequenceNumber> closed_at;
  };

  storage::Store& store_;

  mutable SharedMutex mutex_;
  std::map<std::string, Entry, std::less<>> streams_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_CATALOG_H_
