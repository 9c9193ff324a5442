// The stored value of an item or index entry: a version byte, the item's size by AWS's rules,
// the item body. The size is kept so that a Query can count capacity without walking every item it
// reads.
#ifndef PREJOIN_ENGINE_ITEM_RECORD_H_
#define PREJOIN_ENGINE_ITEM_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "value/encoding.h"

namespace prejoin::engine {

struct Record {
  std::size_t size_bytes = 0;  // By AWS's rules, not the length of the encoding.
  std::string_view body;       // Borrows the stored bytes.

  ItemView item() const { return ItemView(body); }
};

std::string EncodeRecord(std::size_t size_bytes, std::string_view body);

inline constexpr char kRecordVersion = 1;

// The store checks its bytes; a record of an unknown version is an error of ours or of a newer
// program. Inline, because every item that is read passes here.
inline Record DecodeRecord(std::string_view stored) {
  PJ_CHECK(stored.size() >= 4);
  PJ_CHECK(stored[0] == kRecordVersion);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(stored[i]));
  };
  return Record{byte(1) | byte(2) << 8 | byte(3) << 16, stored.substr(4)};
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_RECORD_H_
