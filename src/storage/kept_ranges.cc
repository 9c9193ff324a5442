#include "storage/kept_ranges.h"

#include <cstring>
#include <functional>
#include <utility>

namespace prejoin::storage {
namespace {

struct Sizes {
  std::uint32_t key = 0;
  std::uint32_t value = 0;
};

}  // namespace

bool RangeCopy::Add(std::string_view key, std::string_view value) {
  if (bytes_.size() + sizeof(Sizes) + key.size() + value.size() > kBytesMax) {
    return false;
  }
  const Sizes sizes{static_cast<std::uint32_t>(key.size()),
                    static_cast<std::uint32_t>(value.size())};
  bytes_.append(reinterpret_cast<const char*>(&sizes), sizeof(sizes));
  bytes_.append(key).append(value);
  return true;
}

void RangeCopy::Show(Store::Visitor visitor) const {
  const char* at = bytes_.data();
  const char* const end = at + bytes_.size();
  while (at != end) {
    Sizes sizes;
    std::memcpy(&sizes, at, sizeof(sizes));
    const std::string_view key(at + sizeof(sizes), sizes.key);
    const std::string_view value(key.data() + key.size(), sizes.value);
    if (visitor(key, value) == Visit::kStop) {
      return;
    }
    at = value.data() + value.size();
  }
}

KeptRanges::Place& KeptRanges::PlaceOf(const Range& range) {
  const std::hash<std::string_view> hash;
  // The ends of two ranges of one partition may be alike, and their beginnings too.
  return places_[(hash(range.begin) * 31 + hash(range.end)) % kPlaces];
}

KeptRanges::Found KeptRanges::Find(const Range& range, Ticket newest) {
  Place& place = PlaceOf(range);
  std::shared_ptr<const RangeCopy> old;  // Freed without the mutex.
  const MutexLock lock(place.mutex);
  if (place.begin == range.begin && place.end == range.end && place.direction == range.direction &&
      place.newest == newest) {
    return {place.copy, place.copy == nullptr};
  }
  old = std::move(place.copy);
  place.copy = nullptr;
  place.begin = range.begin;
  place.end = range.end;
  place.direction = range.direction;
  place.newest = newest;
  return {};
}

void KeptRanges::Keep(const Range& range, Ticket newest, std::shared_ptr<const RangeCopy> copy) {
  Place& place = PlaceOf(range);
  const MutexLock lock(place.mutex);
  if (place.begin == range.begin && place.end == range.end && place.direction == range.direction &&
      place.newest == newest) {
    place.copy = std::move(copy);
  }
}

void KeptRanges::Clear() {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const MutexLock lock(places_[i].mutex);
    places_[i].copy = nullptr;
    places_[i].begin.clear();
  }
}

}  // namespace prejoin::storage
