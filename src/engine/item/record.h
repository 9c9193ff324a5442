// The stored value of an item or index entry: a version byte, the item's size by AWS's rules,
// the item body. The size is kept so that a Query can count capacity without walking every item it
// reads.
#ifndef PREJOIN_ENGINE_ITEM_RECORD_H_
#define PREJOIN_ENGINE_ITEM_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "prejoin/result.h"
#include "value/encoding.h"
#include "value/validate.h"

namespace prejoin::engine {

struct Record {
  std::size_t size_bytes = 0;  // The size by AWS's rules, not the length of the encoding.
  std::string_view body;       // Borrows the stored bytes.

  ItemView item() const { return ItemView(body); }
};

std::string EncodeRecord(std::size_t size_bytes, std::string_view body);

inline constexpr char kRecordVersion = 1;

// The error for a record that cannot be read.
Error DamagedRecord();

// A record that passed DecodeRecord before.
inline Record KnownRecord(std::string_view stored) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(stored[i]));
  };
  return Record{byte(1) | byte(2) << 8 | byte(3) << 16, stored.substr(4)};
}

// Returns the size without reading the body, for callers that count; 0 if it is not a record.
inline std::size_t SizeInRecord(std::string_view stored) {
  return stored.size() >= 4 ? KnownRecord(stored).size_bytes : 0;
}

// Returns true if the bytes are a record. The store's checksums find what a disk does to them; this finds what a
// fault of a program or of memory did before they were summed. Every record that is read passes here, so that
// nothing after it can be led out of its bounds.
inline bool IsRecord(std::string_view stored) {
  return stored.size() >= 4 && stored[0] == kRecordVersion && IsItemBody(stored.substr(4));
}

// kCorruption for anything but a record.
inline Result<Record> DecodeRecord(std::string_view stored) {
  if (!IsRecord(stored)) [[unlikely]] {
    return DamagedRecord();
  }
  return KnownRecord(stored);
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_RECORD_H_
