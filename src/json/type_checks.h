// JSON types as DynamoDB demands them: a value of another type is refused with kSerialization and
// the words of the service.
#ifndef PREJOIN_JSON_TYPE_CHECKS_H_
#define PREJOIN_JSON_TYPE_CHECKS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::json {

Error SerializationError(std::string message);

// The name of a structure or map in DynamoDB's complaints about a wrong JSON type.
struct Shape {
  enum class Kind { kStructure, kStructureElement, kMap, kMapElement };
  Kind kind;
  std::string_view type;  // "AttributeValue"; a map's: of its values.
};

Status CheckObject(Value value, Shape shape);
Status CheckArray(Value value);
Result<std::string_view> ReadString(Value value);
// DynamoDB also takes the strings true, yes and 1 (and their opposites) in any letter case.
Result<bool> ReadBool(Value value);
Result<std::int64_t> ReadInteger(Value value, std::string_view java_type);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_TYPE_CHECKS_H_
