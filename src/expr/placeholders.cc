#include <algorithm>

#include "expr/characters.h"
#include "expr/parse.h"

namespace prejoin::expr {
namespace {

bool IsPlaceholder(char sigil, std::string_view key) {
  return key.size() > 1 && key.front() == sigil &&
         std::ranges::all_of(key.substr(1), IsIdentifierPart);
}

// `parameter` is DynamoDB's name of the map.
template <class Map>
Status CheckKeys(std::string_view parameter, char sigil, const Map& map) {
  if (map.empty()) {
    return ValidationError(std::string(parameter) + " must not be empty");
  }
  for (const auto& [key, unused] : map) {
    if (!IsPlaceholder(sigil, key)) {
      return ValidationError(std::string(parameter) +
                             " contains invalid key: Syntax error; key: \"" + key + '"');
    }
  }
  return {};
}

// The reason DynamoDB gives for refusing the value, or null. What JSON can get wrong beyond this
// never becomes a value.
const char* FindFlaw(const AttributeValue& value) {
  if (value.string_set() != nullptr && value.string_set()->empty()) {
    return "One or more parameter values were invalid: An string set  may not be empty";
  }
  if (value.number_set() != nullptr && value.number_set()->empty()) {
    return "One or more parameter values were invalid: An number set  may not be empty";
  }
  if (value.binary_set() != nullptr && value.binary_set()->empty()) {
    return "One or more parameter values were invalid: Binary sets should not be empty";
  }
  if (value.list() != nullptr) {
    for (const AttributeValue& element : *value.list()) {
      if (const char* flaw = FindFlaw(element)) {
        return flaw;
      }
    }
  }
  if (value.map() != nullptr) {
    for (const auto& [name, inner] : *value.map()) {
      if (const char* flaw = FindFlaw(inner)) {
        return flaw;
      }
    }
  }
  return nullptr;
}

template <class Map>
Status CheckUsed(std::string_view parameter, const Map* map,
                 const std::vector<const std::string*>& used) {
  if (map == nullptr) {
    return {};
  }
  std::string unused;
  for (const auto& [key, value] : *map) {
    if (std::ranges::find(used, &key) == used.end()) {
      unused += (unused.empty() ? "" : ", ") + key;
    }
  }
  if (unused.empty()) {
    return {};
  }
  return ValidationError("Value provided in " + std::string(parameter) +
                         " unused in expressions: keys: {" + unused + '}');
}

template <class Map>
const typename Map::mapped_type* Use(const Map* map, std::string_view placeholder,
                                     std::vector<const std::string*>& used) {
  if (map == nullptr) {
    return nullptr;
  }
  const auto found = map->find(std::string(placeholder));
  if (found == map->end()) {
    return nullptr;
  }
  used.push_back(&found->first);
  return &found->second;
}

}  // namespace

Status Placeholders::CheckSyntax(bool any_expression, std::string_view absent) const {
  if (names_ != nullptr && !any_expression) {
    return ValidationError("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (values_ != nullptr && (!any_expression || !absent.empty())) {
    std::string message = "ExpressionAttributeValues can only be specified when using expressions";
    if (!absent.empty()) {
      message += ": ";
      message += absent;
    }
    return ValidationError(std::move(message));
  }
  if (names_ != nullptr) {
    PJ_RETURN_IF_ERROR(CheckKeys("ExpressionAttributeNames", '#', *names_));
  }
  if (values_ == nullptr) {
    return {};
  }
  PJ_RETURN_IF_ERROR(CheckKeys("ExpressionAttributeValues", ':', *values_));
  for (const auto& [key, value] : *values_) {
    if (const char* flaw = FindFlaw(value)) {
      return ValidationError(std::string("ExpressionAttributeValues contains invalid value: ") +
                             flaw + " for key " + key);
    }
  }
  return {};
}

Status Placeholders::CheckAllUsed() const {
  PJ_RETURN_IF_ERROR(CheckUsed("ExpressionAttributeNames", names_, used_names_));
  return CheckUsed("ExpressionAttributeValues", values_, used_values_);
}

const std::string* Placeholders::UseName(std::string_view placeholder) {
  return Use(names_, placeholder, used_names_);
}

const AttributeValue* Placeholders::UseValue(std::string_view placeholder) {
  return Use(values_, placeholder, used_values_);
}

}  // namespace prejoin::expr
