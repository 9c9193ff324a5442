// Items in few bytes: a proof holds every row three times, as a row, in the database and in the predictor, and an Item
// takes some four times the bytes of what it holds.
//
//   packed item   length of the rest, then for each attribute: number of its name, type, length, value
//
// Lengths and numbers are varints. Values of documents and sets hold their members in the same form; numbers are their
// canonical text. So an attribute is found by skipping, and two texts are compared where they lie.
#ifndef PREJOIN_MODEL_PROVE_PACKED_ITEM_H_
#define PREJOIN_MODEL_PROVE_PACKED_ITEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::model {

// A value as it lies in a packed item, or in the bytes that PackValue wrote.
struct PackedValue {
  ValueType type = ValueType::kNull;
  std::string_view bytes;
};

// The type in front, then the value.
std::string PackValue(const AttributeValue& value);
PackedValue ViewValue(std::string_view packed);
AttributeValue UnpackValue(const PackedValue& packed);

// The order of CompareValues.
int ComparePacked(const PackedValue& a, const PackedValue& b);

// Keeps packed items, and all of them until it is destroyed. Single thread.
class PackedItems {
 public:
  // Borrowed from the keeper, which hands out nothing else.
  using Pointer = const char*;

  // The number of a name; the same name always has the same.
  std::uint32_t NameNumber(const std::string& name);

  Pointer Pack(const Item& item);
  Item Unpack(Pointer packed) const;
  // Only these attributes.
  Item UnpackSome(Pointer packed, const std::vector<std::uint32_t>& names) const;

  static std::optional<PackedValue> Find(Pointer packed, std::uint32_t name);

 private:
  char* Allocate(std::size_t bytes);

  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> names_;  // By number.
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0;  // Used bytes of the last block.
  std::size_t size_ = 0;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PACKED_ITEM_H_
