#include "engine/stream/stream_writes.h"

#include <algorithm>
#include <string>

#include "engine/stream/stream_record.h"
#include "engine/table/space.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

bool SameItem(const Record& a, const Record& b) {
  if (a.body == b.body) {
    return true;
  }
  // Sets are equal whatever their order.
  const ItemView other = b.item();
  if (a.size_bytes != b.size_bytes || a.item().size() != other.size()) {
    return false;
  }
  for (const auto& [name, value] : a.item()) {
    const ValueView same_name = other.Find(name);
    if (!same_name || !Equal(value, same_name)) {
      return false;
    }
  }
  return true;
}

std::uint32_t PartitionHashOf(std::string_view stored_key) {
  return static_cast<std::uint32_t>(
      ReadBigEndian(stored_key.substr(storage::kSpaceBytes, sizeof(std::uint32_t))));
}

bool ShowsOld(StreamViewType view) {
  return view == StreamViewType::kOldImage || view == StreamViewType::kNewAndOldImages;
}

bool ShowsNew(StreamViewType view) {
  return view == StreamViewType::kNewImage || view == StreamViewType::kNewAndOldImages;
}

}  // namespace

StreamWrites::StreamWrites(const Clock& clock, std::span<const ItemWrite> writes) : clock_(clock) {
  for (const ItemWrite& write : writes) {
    const StreamPtr& stream = write.table->stream;
    if (stream != nullptr && std::ranges::find(begun_, stream, [](const auto& begun) {
                               return begun.first;
                             }) == begun_.end()) {
      begun_.emplace_back(stream, stream->Begin());
    }
  }
}

StreamWrites::~StreamWrites() {
  for (const auto& [stream, number] : begun_) {
    stream->End(number);
  }
}

void StreamWrites::Stage(const ItemWrite& write, const std::optional<Record>& old_item,
                         const std::optional<Record>& new_item, storage::Transaction& transaction) {
  if ((!old_item && !new_item) || (old_item && new_item && SameItem(*old_item, *new_item))) {
    return;
  }
  Stream& stream = *write.table->stream;
  const auto place = stream.Take(PartitionHashOf(write.stored_key), clock_.NowMs());
  if (!place) {
    return;
  }
  const StreamInfo& info = stream.info();
  const std::string keys = EncodeItem(write.key);
  ChangeRecord change;
  change.event = !old_item   ? StreamEvent::kInsert
                 : !new_item ? StreamEvent::kRemove
                             : StreamEvent::kModify;
  change.by_time_to_live = write.expired_at.has_value();
  change.keys = keys;
  change.size_bytes = ItemSizeBytes(write.key);
  if (old_item && ShowsOld(info.view_type)) {
    change.old_image = old_item->body;
    change.size_bytes += old_item->size_bytes;
  }
  if (new_item && ShowsNew(info.view_type)) {
    change.new_image = new_item->body;
    change.size_bytes += new_item->size_bytes;
  }
  transaction.Put(RecordKey(info.space, place->shard, place->number), EncodeChange(change));
  if (place->new_shards != nullptr) {
    StageShards(info.space, *place->new_shards, transaction);
    staged_shards_.emplace_back(&stream, place->new_shards);
  }
}

void StreamWrites::Committed() {
  for (const auto& [stream, group] : staged_shards_) {
    stream->ShowShards(group);
  }
}

}  // namespace prejoin::engine
