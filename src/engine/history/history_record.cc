#include "engine/history/history_record.h"

#include "base/check.h"
#include "engine/item/keys.h"
#include "storage/store.h"

namespace prejoin::engine {

std::string HistoryKey(std::uint32_t space, std::string_view item_key, SequenceNumber number) {
  std::string key;
  key.reserve(storage::kSpaceBytes + item_key.size() + sizeof(number));
  AppendSpace(space, key);
  key.append(item_key);
  AppendSpace(static_cast<std::uint32_t>(number >> 32), key);
  AppendSpace(static_cast<std::uint32_t>(number), key);
  return key;
}

HistoryPlace SplitHistoryKey(std::string_view stored_key) {
  HistoryPlace place;
  PJ_CHECK(stored_key.size() > storage::kRouteBytes + sizeof(place.number));
  const std::size_t number_at = stored_key.size() - sizeof(place.number);
  place.item_key = stored_key.substr(storage::kSpaceBytes, number_at - storage::kSpaceBytes);
  for (const char byte : stored_key.substr(number_at)) {
    place.number = place.number << 8 | static_cast<unsigned char>(byte);
  }
  return place;
}

}  // namespace prejoin::engine
