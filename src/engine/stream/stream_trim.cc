#include "engine/stream/stream_trim.h"

#include <string>
#include <vector>

#include "base/worker.h"
#include "engine/stream/stream_catalog.h"
#include "engine/stream/stream_record.h"
#include "engine/table/space_drop.h"
#include "prejoin/result.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kTrimmedPerStep = 256;

Status DeleteKeys(storage::Store& store, const std::vector<std::string>& keys) {
  PJ_RETURN_IF_ERROR(store.Transact({}, [&](storage::Transaction& transaction) -> Status {
    for (const std::string& key : keys) {
      transaction.Delete(key);
    }
    return {};
  }));
  return {};
}

Status DeleteRange(storage::Store& store, const Worker& worker, storage::Range range) {
  while (!worker.stopping()) {
    std::vector<std::string> keys;
    PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view) {
      keys.emplace_back(key);
      return keys.size() < kTrimmedPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
    }));
    if (keys.empty()) {
      return {};
    }
    PJ_RETURN_IF_ERROR(DeleteKeys(store, keys));
    range.begin = keys.back();
  }
  return {};
}

Status TrimStream(storage::Store& store, const Worker& worker, Stream& stream,
                  std::int64_t now_ms) {
  const std::uint32_t space = stream.info().space;
  for (const Shard& shard : stream.ForgetTrimmed(now_ms)) {
    PJ_RETURN_IF_ERROR(
        DeleteRange(store, worker, RecordRange(space, shard.start, 0, kSequenceNumberMax)));
    if (worker.stopping()) {
      return {};
    }
    // Last: a shard that is still there after a stop is found and trimmed again.
    PJ_RETURN_IF_ERROR(DeleteKeys(store, {ShardKey(space, shard.start)}));
  }
  for (const Shard& shard : stream.Shards(now_ms)) {
    PJ_RETURN_IF_ERROR(
        DeleteRange(store, worker, RecordRange(space, shard.start, 0, TrimPoint(now_ms))));
  }
  return {};
}

Status TrimStreams(Engine& engine) {
  const Worker& worker = engine.background();
  const std::int64_t now_ms = engine.clock().NowMs();
  PJ_ASSIGN_OR_RETURN(const auto spaces, engine.streams().ForgetTrimmed(now_ms));
  if (!spaces.empty()) {
    DropSpaces(engine, spaces, {});
  }
  for (const StreamPtr& stream : engine.streams().All()) {
    PJ_RETURN_IF_ERROR(TrimStream(engine.store(), worker, *stream, now_ms));
  }
  return {};
}

}  // namespace

void StartStreamTrim(Engine& engine) {
  // The next sweep tries again what this one failed to do.
  engine.background().AddSweep(kLeftoversInterval, [&engine] { (void)TrimStreams(engine); });
}

}  // namespace prejoin::engine
