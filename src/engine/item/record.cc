#include "engine/item/record.h"

namespace prejoin::engine {

Error DamagedRecord() { return {ErrorCode::kCorruption, "a stored record cannot be read"}; }

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

}  // namespace prejoin::engine
