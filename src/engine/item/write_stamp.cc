#include "engine/item/write_stamp.h"

#include <algorithm>

#include "engine/table/space.h"
#include "value/encoding.h"
#include "value/validate.h"

namespace prejoin::engine {
namespace {

constexpr char kStampVersion = 1;
constexpr std::size_t kRegionAt =
    1 + sizeof(std::uint64_t) + 1;  // Version, number, length of the region.
constexpr std::size_t kNumberAt = storage::kRouteBytes;
constexpr std::size_t kItemAt = kNumberAt + sizeof(std::uint64_t);

}  // namespace

std::string EncodeStamp(const WriteStamp& stamp) {
  std::string bytes(1, kStampVersion);
  AppendUint64(stamp.number, bytes);
  bytes.push_back(static_cast<char>(stamp.region.size()));
  bytes += stamp.region;
  return bytes += stamp.deleted_key;
}

Result<WriteStamp> DecodeStamp(std::string_view bytes) {
  const Error corrupt{ErrorCode::kCorruption, "the stamp of an item cannot be read"};
  if (bytes.size() < kRegionAt || bytes[0] != kStampVersion) {
    return corrupt;
  }
  const auto region_bytes = static_cast<unsigned char>(bytes[kRegionAt - 1]);
  if (bytes.size() < kRegionAt + region_bytes) {
    return corrupt;
  }
  WriteStamp stamp;
  stamp.number = ReadBigEndian(bytes.substr(1, sizeof(std::uint64_t)));
  stamp.region = bytes.substr(kRegionAt, region_bytes);
  stamp.deleted_key = bytes.substr(kRegionAt + region_bytes);
  if (stamp.deleted() && !IsItemBody(stamp.deleted_key)) {
    return corrupt;
  }
  return stamp;
}

std::string StampKey(const Replication& replication, std::string_view item_tail) {
  return SpaceKey(replication.stamp_space, item_tail);
}

std::string NoteKey(const Replication& replication, std::uint32_t target, std::uint64_t number,
                    std::string_view item_tail) {
  std::string key;
  AppendUint32(replication.log_space, key);
  AppendUint32(target, key);
  AppendUint64(number, key);
  return key.append(item_tail);
}

storage::Range NotesFor(const Replication& replication, std::uint32_t target) {
  std::string begin;
  AppendUint32(replication.log_space, begin);
  std::string end = begin;
  AppendUint32(target, begin);
  AppendUint32(target + 1, end);
  return {.begin = std::move(begin), .end = std::move(end)};
}

Result<ReplicaNote> DecodeNoteKey(std::string_view key) {
  // The item's tail begins with its hash.
  if (key.size() < kItemAt + storage::kRouteBytes - storage::kSpaceBytes) {
    return Error{ErrorCode::kCorruption, "a note for a replica cannot be read"};
  }
  ReplicaNote note;
  note.target = static_cast<std::uint32_t>(
      ReadBigEndian(key.substr(storage::kSpaceBytes, kNumberAt - storage::kSpaceBytes)));
  note.number = ReadBigEndian(key.substr(kNumberAt, sizeof(std::uint64_t)));
  note.item_tail = key.substr(kItemAt);
  return note;
}

std::uint64_t StampClock::Next(std::uint64_t before) {
  const auto now = static_cast<std::uint64_t>(clock_.NowMs()) << kStampCounterBits;
  const MutexLock lock(mutex_);
  last_ = std::max({last_ + 1, now, before + 1});
  return last_;
}

}  // namespace prejoin::engine
