// The types of the model language, in one table. A new type is an enumerator here, a row in attribute_type.cc,
// and its line in docs/model/grammar.md: readers, proofs, generated data and the studio follow the table.
#ifndef PREJOIN_MODEL_SCHEMA_ATTRIBUTE_TYPE_H_
#define PREJOIN_MODEL_SCHEMA_ATTRIBUTE_TYPE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "prejoin/item.h"

namespace prejoin::model {

enum class AttributeType {
  kText,
  kNumber,
  kBool,
  kBinary,
  kDate,
  kTime,
  kList,
  kMap,
  kTextSet,
  kNumberSet
};

struct AttributeTypeTraits {
  AttributeType type;
  std::string_view word;         // In a model file.
  std::string_view other_words;  // As other languages call it; between spaces.
  ValueType stored;              // In an item.
  ValueType written;             // In a model file: sets are written as lists, binary as text.
  double usual_bytes;            // The size of a value where none is stated.
  double distinct;               // The number of values; 0: unbounded.
  // For `contains`: the type of a member.
  AttributeType member = AttributeType::kText;
  // For text that has a form of its own: the `number`th value; null for free text.
  std::string (*form)(std::uint64_t number) = nullptr;
  bool moment = false;  // Values are points in time: new rows have later ones.
  bool zoned = false;   // Values must say their time zone.
};

std::span<const AttributeTypeTraits> AllAttributeTypes();
const AttributeTypeTraits& TraitsOf(AttributeType type);

inline std::string_view AttributeTypeName(AttributeType type) { return TraitsOf(type).word; }
inline bool IsNumber(AttributeType type) { return TraitsOf(type).stored == ValueType::kNumber; }
inline bool IsBool(AttributeType type) { return TraitsOf(type).stored == ValueType::kBool; }
// Lists, maps and sets, which cannot be keys.
bool IsComplex(AttributeType type);

// A value of a model file as an item stores it; nullopt when it is of another type.
std::optional<AttributeValue> ConvertWritten(AttributeType type, const AttributeValue& written);

// Another value of the type, of the same size where that is possible. `value` may be null.
AttributeValue AnotherValue(AttributeType type, const AttributeValue* value);

// The type that is written as `word` in another language; empty if none is.
std::string_view TypeInOtherWords(std::string_view word);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_ATTRIBUTE_TYPE_H_
