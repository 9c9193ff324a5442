#include "audit/finding.h"

#include <array>

namespace prejoin::audit {
namespace {

struct KindWords {
  std::string_view name;
  std::string_view title;
};

constexpr std::array<KindWords, kFindingKinds> kKindWords = {{
    {"unknown-item", "an item matches no `item` of the model"},
    {"missing-key", "a key is missing"},
    {"malformed-key", "a key does not match its template"},
    {"stale-key", "a key disagrees with the attributes"},
    {"surplus-key", "a key should be absent"},
    {"missing-attribute", "an attribute is missing"},
    {"wrong-attribute", "an attribute has a wrong type or value"},
    {"orphan", "a reference to a row that is not stored"},
    {"drift", "a copy differs from its original"},
    {"lost-copy", "a copy is missing"},
    {"wrong-total", "a sum or count disagrees with its rows"},
    {"duplicate-row", "one row is stored twice"},
    {"duplicate-value", "a unique value occurs twice"},
    {"missing-lock", "a unique value has no lock item"},
    {"orphan-lock", "a lock item has no row"},
    {"broken-guard", "a value violates the condition of a write"},
}};

constexpr std::size_t kShownBytesMax = 60;

}  // namespace

std::string_view FindingName(FindingKind kind) {
  return kKindWords[static_cast<std::size_t>(kind)].name;
}

std::string_view FindingTitle(FindingKind kind) {
  return kKindWords[static_cast<std::size_t>(kind)].title;
}

std::string ShownValue(const AttributeValue& value) {
  if (const std::string* text = value.string()) {
    const bool cut = text->size() > kShownBytesMax;
    return "\"" + text->substr(0, kShownBytesMax) + (cut ? "…\"" : "\"");
  }
  if (const Number* number = value.number()) {
    return number->ToString();
  }
  if (const bool* boolean = value.boolean()) {
    return *boolean ? "true" : "false";
  }
  return "a value of type " + std::string(TypeName(value.type()));
}

std::string KeyText(const Item& key) {
  std::string out;
  for (const auto& [name, value] : key) {
    out += (out.empty() ? "" : ", ") + name + " " + ShownValue(value);
  }
  return out;
}

}  // namespace prejoin::audit
