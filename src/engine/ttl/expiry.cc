#include "engine/ttl/expiry.h"

#include <charconv>

#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

// Space, lane, second, then the item's stored key without its space.
constexpr std::size_t kSecondAt = storage::kRouteBytes;
constexpr std::size_t kTailAt = kSecondAt + sizeof(std::uint64_t);

std::string LanePrefix(const Expiry& expiry, unsigned lane, std::int64_t second) {
  std::string key;
  AppendUint32(expiry.space, key);
  AppendUint32(lane << 28, key);
  AppendUint64(static_cast<std::uint64_t>(second), key);
  return key;
}

std::string EntryKey(const Expiry& expiry, std::int64_t second, std::string_view stored_key) {
  const unsigned lane = static_cast<unsigned char>(stored_key[storage::kSpaceBytes]) >> 4;
  return LanePrefix(expiry, lane, second).append(stored_key.substr(storage::kSpaceBytes));
}

}  // namespace

std::optional<std::int64_t> ExpiresAt(const Expiry& expiry, ItemView item) {
  const ValueView value = item.Find(expiry.attribute_name);
  if (!value || value.type() != ValueType::kNumber) {
    return std::nullopt;
  }
  std::string_view text = value.number_text();
  text = text.substr(0, text.find('.'));
  std::int64_t second = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), second);
  if (error != std::errc() || at != text.data() + text.size() || text[0] == '-') {
    return std::nullopt;
  }
  return second;
}

void StageExpiry(const Expiry& expiry, std::string_view stored_key,
                 const std::optional<Record>& old_item, const std::optional<Record>& new_item,
                 storage::Transaction& transaction) {
  const auto old_second = old_item ? ExpiresAt(expiry, old_item->item()) : std::nullopt;
  const auto new_second =
      new_item && expiry.accepts_entries ? ExpiresAt(expiry, new_item->item()) : std::nullopt;
  if (old_second == new_second) {
    return;
  }
  if (old_second) {
    transaction.Delete(EntryKey(expiry, *old_second, stored_key));
  }
  if (new_second) {
    transaction.Put(EntryKey(expiry, *new_second, stored_key), "");
  }
}

storage::Range ExpiryRange(const Expiry& expiry, unsigned lane, std::int64_t first,
                           std::int64_t end) {
  return {.begin = LanePrefix(expiry, lane, first), .end = LanePrefix(expiry, lane, end)};
}

Result<Expiring> DecodeExpiring(std::string_view entry_key, std::uint32_t table_space) {
  if (entry_key.size() <= kTailAt) {
    return Error{ErrorCode::kCorruption, "an entry of expiring items cannot be read"};
  }
  Expiring expiring;
  expiring.second =
      static_cast<std::int64_t>(ReadBigEndian(entry_key.substr(kSecondAt, kTailAt - kSecondAt)));
  expiring.stored_key = SpaceKey(table_space, entry_key.substr(kTailAt));
  return expiring;
}

}  // namespace prejoin::engine
