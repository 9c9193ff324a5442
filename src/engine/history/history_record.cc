#include "engine/history/history_record.h"

#include "engine/table/space.h"
#include "storage/store.h"

namespace prejoin::engine {

std::string HistoryKey(std::uint32_t space, std::string_view item_key, SequenceNumber number) {
  std::string key;
  key.reserve(storage::kSpaceBytes + item_key.size() + sizeof(number));
  AppendUint32(space, key);
  key.append(item_key);
  AppendUint64(number, key);
  return key;
}

Error DamagedHistory() { return {ErrorCode::kCorruption, "a record of a history cannot be read"}; }

std::optional<HistoryPlace> SplitHistoryKey(std::string_view stored_key) {
  HistoryPlace place;
  if (stored_key.size() <= storage::kRouteBytes + sizeof(place.number)) {
    return std::nullopt;
  }
  const std::size_t number_at = stored_key.size() - sizeof(place.number);
  place.item_key = stored_key.substr(storage::kSpaceBytes, number_at - storage::kSpaceBytes);
  place.number = ReadBigEndian(stored_key.substr(number_at));
  return place;
}

}  // namespace prejoin::engine
