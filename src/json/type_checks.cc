#include "json/type_checks.h"

#include <absl/strings/ascii.h>

namespace prejoin::json {
namespace {

constexpr std::string_view kUnexpectedStructure =
    "Start of structure or map found where not expected";
constexpr std::string_view kElementCast =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')";

// The token's name in Coral's messages; only for scalars.
std::string_view TokenName(Value value) {
  switch (value.type()) {
    case Type::kBool:
      return value.boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
    case Type::kInteger:
      return "NUMBER_VALUE";
    case Type::kDecimal:
      return "DECIMAL_VALUE";
    default:
      return "STRING_VALUE";
  }
}

Error WrongScalar(Value value, std::string_view java_type) {
  switch (value.type()) {
    case Type::kObject:
      return SerializationError(std::string(kUnexpectedStructure));
    case Type::kArray:
      return SerializationError("Unrecognized collection type class java.lang." +
                                std::string(java_type));
    default:
      return SerializationError(std::string(TokenName(value)) + " cannot be converted to " +
                                std::string(java_type));
  }
}

std::string QualifiedType(std::string_view type) {
  // Types of the service have no package in our tables; Java's own have.
  return type.find('.') != std::string_view::npos
             ? std::string(type)
             : "com.amazonaws.dynamodb.v20120810." + std::string(type);
}

}  // namespace

Error SerializationError(std::string message) {
  return Error{ErrorCode::kSerialization, std::move(message)};
}

Status CheckObject(Value value, Shape shape) {
  const Type type = value.type();
  if (type == Type::kObject) {
    return {};
  }
  const bool map = shape.kind == Shape::Kind::kMap || shape.kind == Shape::Kind::kMapElement;
  if (type == Type::kArray) {
    return map ? SerializationError(
                     "Unrecognized collection type java.util.Map<java.lang.String, " +
                     QualifiedType(shape.type) + ">")
               : SerializationError("Unrecognized collection type class " +
                                    QualifiedType(shape.type));
  }
  switch (shape.kind) {
    case Shape::Kind::kStructureElement:
      return SerializationError("Unexpected value type in payload");
    case Shape::Kind::kMapElement:
      return SerializationError(std::string(kElementCast));
    default:
      return SerializationError("Unexpected field type");
  }
}

Status CheckArray(Value value) {
  switch (value.type()) {
    case Type::kArray:
      return {};
    case Type::kObject:
      return SerializationError(std::string(kUnexpectedStructure));
    default:
      return SerializationError("Unexpected field type");
  }
}

Result<std::string_view> ReadString(Value value) {
  if (value.type() != Type::kString) {
    return WrongScalar(value, "String");
  }
  return value.string();
}

Result<bool> ReadBool(Value value) {
  if (value.type() == Type::kBool) {
    return value.boolean();
  }
  if (value.type() != Type::kString) {
    return WrongScalar(value, "Boolean");
  }
  const std::string word = absl::AsciiStrToUpper(std::string(value.string()));
  if (word == "TRUE" || word == "YES" || word == "1") {
    return true;
  }
  if (word == "FALSE" || word == "NO" || word == "0") {
    return false;
  }
  return SerializationError("Unexpected token received from parser");
}

Result<std::int64_t> ReadInteger(Value value, std::string_view java_type) {
  if (value.type() != Type::kInteger && value.type() != Type::kDecimal) {
    return WrongScalar(value, java_type);
  }
  return value.integer();
}

}  // namespace prejoin::json
