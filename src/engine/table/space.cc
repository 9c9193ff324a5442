#include "engine/table/space.h"

#include <utility>

#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

storage::Range RangeOf(std::string prefix) {
  std::string end = PrefixEnd(prefix);
  return {.begin = std::move(prefix), .end = std::move(end)};
}

constexpr std::string_view kDroppedPrefix = "dropped/";

}  // namespace

void AppendUint32(std::uint32_t number, std::string& out) {
  const char bytes[] = {static_cast<char>(number >> 24), static_cast<char>(number >> 16),
                        static_cast<char>(number >> 8), static_cast<char>(number)};
  out.append(bytes, sizeof(bytes));
}

void AppendUint64(std::uint64_t number, std::string& out) {
  AppendUint32(static_cast<std::uint32_t>(number >> 32), out);
  AppendUint32(static_cast<std::uint32_t>(number), out);
}

std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

std::uint32_t SpaceOf(std::string_view stored_key) {
  return static_cast<std::uint32_t>(ReadBigEndian(stored_key.substr(0, storage::kSpaceBytes)));
}

std::string SpaceKey(std::uint32_t space, std::string_view tail) {
  std::string key;
  key.reserve(storage::kSpaceBytes + tail.size());
  AppendUint32(space, key);
  return key.append(tail);
}

storage::Range SpaceRange(std::uint32_t space) { return RangeOf(SpaceKey(space, "")); }

std::string CatalogKey(std::string_view name) {
  std::string key;
  AppendUint32(kCatalogSpace, key);
  AppendUint32(0, key);
  return key.append(name);
}

storage::Range CatalogRange(std::string_view name_prefix) {
  return RangeOf(CatalogKey(name_prefix));
}

std::string DroppedKey(std::uint32_t space) {
  std::string key = CatalogKey(kDroppedPrefix);
  AppendUint32(space, key);
  return key;
}

storage::Range DroppedRange() { return CatalogRange(kDroppedPrefix); }

std::optional<std::uint32_t> SpaceOfDroppedKey(std::string_view key) {
  const std::string prefix = CatalogKey(kDroppedPrefix);
  if (!key.starts_with(prefix) || key.size() != prefix.size() + sizeof(std::uint32_t)) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(ReadBigEndian(key.substr(prefix.size())));
}

}  // namespace prejoin::engine
