#include "model/schema/attribute_type.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace prejoin::model {
namespace {

// Days from 2010 to 2037 in an order that is that of the numbers as far as they go.
std::string DateForm(std::uint64_t number) {
  char text[48];
  std::snprintf(text, sizeof(text), "20%02d-%02d-%02d", static_cast<int>(10 + number / 336 % 28),
                static_cast<int>(1 + number / 28 % 12), static_cast<int>(1 + number % 28));
  return text;
}

std::string TimeForm(std::uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof(text), "T%02d:%02d:%02dZ", static_cast<int>(number / 3600 % 24),
                static_cast<int>(number / 60 % 60), static_cast<int>(number % 60));
  return DateForm(number / 86'400) + text;
}

using enum AttributeType;
constexpr std::array kTypes = std::to_array<AttributeTypeTraits>({
    {kText, "text", " string str varchar char uuid enum ", ValueType::kString, ValueType::kString,
     16, 0},
    {kNumber, "number", " int integer long float double decimal ", ValueType::kNumber,
     ValueType::kNumber, 4, 0},
    {kBool, "bool", " boolean ", ValueType::kBool, ValueType::kBool, 1, 2},
    {kBinary, "binary", " bytes blob ", ValueType::kBinary, ValueType::kString, 64, 0},
    {kDate, "date", "", ValueType::kString, ValueType::kString, 10, 0, kText, DateForm, true},
    {kTime, "time", " timestamp datetime ", ValueType::kString, ValueType::kString, 20, 0, kText,
     TimeForm, true, true},
    {kList, "list", " array ", ValueType::kList, ValueType::kList, 100, 0},
    {kMap, "map", " object json ", ValueType::kMap, ValueType::kMap, 100, 0},
    {kTextSet, "text-set", " string-set set ", ValueType::kStringSet, ValueType::kList, 100, 0},
    {kNumberSet, "number-set", " int-set ", ValueType::kNumberSet, ValueType::kList, 100, 0,
     kNumber},
});

AttributeValue AnotherText(const AttributeTypeTraits& traits, const AttributeValue* value) {
  const bool has = value != nullptr && value->string() != nullptr;
  if (traits.form != nullptr) {
    constexpr std::uint64_t kLate = 7'056;  // 2031, behind what samples and generated rows hold.
    std::string text = traits.form(kLate * 86'400);
    if (has && *value->string() == text) {
      text = traits.form(kLate * 86'400 + 86'401);
    }
    return AttributeValue(std::move(text));
  }
  std::string text = has ? *value->string() : "new";
  // A whole character, in as many bytes: half of one would be no text.
  const std::size_t at = text.find_first_not_of('Q');
  if (at != std::string::npos) {
    const std::size_t bytes = Utf8CharacterBytes(static_cast<unsigned char>(text[at]));
    return AttributeValue(text.replace(at, bytes, bytes, 'Q'));
  }
  return AttributeValue(text + "Q");
}

}  // namespace

std::span<const AttributeTypeTraits> AllAttributeTypes() { return kTypes; }

const AttributeTypeTraits& TraitsOf(AttributeType type) {
  const AttributeTypeTraits& traits = kTypes.at(static_cast<std::size_t>(type));
  PJ_CHECK(traits.type == type);
  return traits;
}

bool IsComplex(AttributeType type) {
  const ValueType stored = TraitsOf(type).stored;
  return stored != ValueType::kString && stored != ValueType::kNumber &&
         stored != ValueType::kBinary && stored != ValueType::kBool;
}

std::optional<AttributeValue> ConvertWritten(AttributeType type, const AttributeValue& written) {
  const AttributeTypeTraits& traits = TraitsOf(type);
  if (written.type() == traits.stored) {
    return written;
  }
  if (written.type() != traits.written) {
    return std::nullopt;
  }
  if (traits.stored == ValueType::kStringSet) {
    AttributeValue::StringSet set;
    for (const AttributeValue& member : *written.list()) {
      if (member.string() != nullptr) {
        set.members.push_back(*member.string());
      }
    }
    return AttributeValue(std::move(set));
  }
  if (traits.stored == ValueType::kNumberSet) {
    AttributeValue::NumberSet set;
    for (const AttributeValue& member : *written.list()) {
      if (member.number() != nullptr) {
        set.members.push_back(*member.number());
      }
    }
    return AttributeValue(std::move(set));
  }
  return written;
}

AttributeValue AnotherValue(AttributeType type, const AttributeValue* value) {
  const AttributeTypeTraits& traits = TraitsOf(type);
  switch (traits.stored) {
    case ValueType::kNumber:
      if (value == nullptr || value->number() == nullptr) {
        return AttributeValue(7);
      }
      if (auto sum = Number::Add(*value->number(), Number(1))) {
        return AttributeValue(*sum);
      }
      return AttributeValue(8);
    case ValueType::kBool:
      return AttributeValue(
          !(value != nullptr && value->boolean() != nullptr && *value->boolean()));
    case ValueType::kList:
      return AttributeValue(AttributeValue::List{AttributeValue("new")});
    case ValueType::kMap:
      return AttributeValue(Item{{"new", AttributeValue("value")}});
    case ValueType::kStringSet:
      return AttributeValue(AttributeValue::StringSet{{"new"}});
    case ValueType::kNumberSet:
      return AttributeValue(AttributeValue::NumberSet{{Number(7)}});
    default:
      return AnotherText(traits, value);
  }
}

std::string_view TypeInOtherWords(std::string_view word) {
  const std::string wanted = " " + absl::AsciiStrToLower(std::string(word)) + " ";
  const auto found = std::ranges::find_if(kTypes, [&](const AttributeTypeTraits& traits) {
    return traits.other_words.find(wanted) != std::string_view::npos;
  });
  return found == kTypes.end() ? std::string_view() : found->word;
}

}  // namespace prejoin::model
