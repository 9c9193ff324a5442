#include <algorithm>

#include "base/limits.h"
#include "expr/characters.h"
#include "expr/parse.h"
#include "value/size.h"

namespace prejoin::expr {
namespace {

bool IsPlaceholder(char sigil, std::string_view key) {
  return key.size() > 1 && key.front() == sigil &&
         std::ranges::all_of(key.substr(1), IsIdentifierPart);
}

// `parameter` is DynamoDB's name of the map; it says how long a name's key is, but not a value's.
template <class Map>
Status CheckKeys(std::string_view parameter, char sigil, const Map& map) {
  std::string message(parameter);
  if (map.empty()) {
    return ValidationError(message + " must not be empty");
  }
  message += " contains invalid key: ";
  for (const auto& [key, unused] : map) {
    if (key.size() > kPlaceholderBytesMax) {
      message += "The expression attribute map contains a key that is too long;";
      return ValidationError(sigil == '#' ? message + " size of key: " + std::to_string(key.size())
                                          : message);
    }
    if (!IsPlaceholder(sigil, key)) {
      return ValidationError(message + "Syntax error; key: \"" + key + '"');
    }
  }
  return {};
}

Status CheckNames(const AttributeNames& names) {
  PJ_RETURN_IF_ERROR(CheckKeys("ExpressionAttributeNames", '#', names));
  for (const auto& [key, name] : names) {
    if (name.empty()) {
      return ValidationError(
          "ExpressionAttributeNames contains invalid value: Empty attribute name for key " + key);
    }
    if (name.size() > kItemAttributeNameBytesMax) {
      return ValidationError(
          "1 validation error detected: Attribute name is too large, must be less than 65536 "
          "bytes");
    }
  }
  return {};
}

// The reason DynamoDB gives for refusing the value, or null. Other faults of the JSON never become a
// value.
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

Status CheckValues(const AttributeValues& values) {
  PJ_RETURN_IF_ERROR(CheckKeys("ExpressionAttributeValues", ':', values));
  for (const auto& [key, value] : values) {
    if (const char* flaw = FindFlaw(value)) {
      return ValidationError(std::string("ExpressionAttributeValues contains invalid value: ") +
                             flaw + " for key " + key);
    }
  }
  return {};
}

// `used` is a copy: sorted, it is looked through in logarithmic time.
template <class Map>
Status CheckUsed(std::string_view parameter, const Map* map, std::vector<const std::string*> used) {
  if (map == nullptr) {
    return {};
  }
  std::ranges::sort(used);
  std::string unused;
  for (const auto& [key, value] : *map) {
    if (!std::ranges::binary_search(used, &key)) {
      unused += (unused.empty() ? "" : ", ") + key;
    }
  }
  if (unused.empty()) {
    return {};
  }
  return ValidationError("Value provided in " + std::string(parameter) +
                         " unused in expressions: keys: {" + unused + '}');
}

// The entry, or null.
template <class Map>
const typename Map::value_type* FindEntry(const Map* map, std::string_view placeholder) {
  if (map == nullptr) {
    return nullptr;
  }
  const auto found = map->find(std::string(placeholder));
  return found == map->end() ? nullptr : &*found;
}

Status CheckSubstitutionSize(const AttributeNames* names, const AttributeValues* values) {
  std::size_t bytes = 0;
  if (names != nullptr) {
    for (const auto& [key, name] : *names) {
      bytes += key.size() + name.size();
    }
  }
  if (values != nullptr) {
    for (const auto& [key, value] : *values) {
      bytes += key.size() + ValueSizeBytes(value);
    }
  }
  if (bytes <= kSubstitutionBytesMax) {
    return {};
  }
  return SubstitutionTooLarge();
}

}  // namespace

Error SubstitutionTooLarge() {
  return ValidationError(
      "One or more parameter values were invalid: ExpressionAttributeNames and "
      "ExpressionAttributeValues have exceeded the maximum allowed size of 2 MB");
}

Status Placeholders::CheckSyntax(bool any_expression) const {
  if (names_ != nullptr && !any_expression) {
    return ValidationError("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (values_ != nullptr && !any_expression) {
    return ValidationError(
        "ExpressionAttributeValues can only be specified when using expressions");
  }
  if (names_ != nullptr) {
    PJ_RETURN_IF_ERROR(CheckNames(*names_));
  }
  if (values_ != nullptr) {
    PJ_RETURN_IF_ERROR(CheckValues(*values_));
  }
  return CheckSubstitutionSize(names_, values_);
}

Status Placeholders::CheckAllUsed() const {
  PJ_RETURN_IF_ERROR(CheckUsed("ExpressionAttributeNames", names_, used_names_));
  std::vector<const std::string*> used_values;
  used_values.reserve(used_values_.size());
  for (const UsedValue& used : used_values_) {
    used_values.push_back(used.key);
  }
  return CheckUsed("ExpressionAttributeValues", values_, std::move(used_values));
}

const std::string* Placeholders::UseName(std::string_view placeholder) {
  const auto* entry = FindEntry(names_, placeholder);
  if (entry == nullptr) {
    return nullptr;
  }
  used_names_.push_back(&entry->first);
  return &entry->second;
}

std::shared_ptr<const BoundValue> Placeholders::UseValue(std::string_view placeholder) {
  const auto* entry = FindEntry(values_, placeholder);
  if (entry == nullptr) {
    return nullptr;
  }
  // An expression has few bytes, so it names few values.
  const auto earlier = std::ranges::find(used_values_, &entry->first, &UsedValue::key);
  if (earlier != used_values_.end()) {
    return earlier->bound;
  }
  used_values_.push_back({&entry->first, MakeLiteral({}, entry->second).bound});
  return used_values_.back().bound;
}

}  // namespace prejoin::expr
