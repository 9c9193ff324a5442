// The stored value of an item or index entry: a version byte, the item's size by AWS's rules,
// the item body. The size is kept so that a Query can count capacity without walking every item it
// reads.
#ifndef PREJOIN_ENGINE_ITEM_RECORD_H_
#define PREJOIN_ENGINE_ITEM_RECORD_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "value/encoding.h"

namespace prejoin::engine {

struct Record {
  std::size_t size_bytes = 0;  // By AWS's rules, not the length of the encoding.
  std::string_view body;       // Borrows the stored bytes.

  ItemView item() const { return ItemView(body); }
};

std::string EncodeRecord(std::size_t size_bytes, std::string_view body);

// The store checks its bytes; a record of an unknown version is an error of ours or of a newer
// program.
Record DecodeRecord(std::string_view stored);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_RECORD_H_
