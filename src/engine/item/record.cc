#include "engine/item/record.h"

#include "base/check.h"

namespace prejoin::engine {
namespace {

constexpr char kRecordVersion = 1;

}  // namespace

std::string EncodeRecord(std::size_t size_bytes, std::string_view body) {
  std::string stored;
  stored.reserve(body.size() + 4);
  stored.push_back(kRecordVersion);
  // Three bytes hold 16 MB, far above the largest item.
  stored.push_back(static_cast<char>(size_bytes & 0xFF));
  stored.push_back(static_cast<char>((size_bytes >> 8) & 0xFF));
  stored.push_back(static_cast<char>((size_bytes >> 16) & 0xFF));
  stored.append(body);
  return stored;
}

Record DecodeRecord(std::string_view stored) {
  PJ_CHECK(stored.size() >= 4);
  PJ_CHECK(stored[0] == kRecordVersion);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(stored[i]));
  };
  return Record{byte(1) | byte(2) << 8 | byte(3) << 16, stored.substr(4)};
}

}  // namespace prejoin::engine
