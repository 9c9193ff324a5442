#include "model/data/make_value.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace prejoin::model {
namespace {

constexpr double kDigitsMax = 15;
constexpr double kUsualDigits = 6;
constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

// Letters that depend on the number alone.
std::string Letters(std::uint64_t number, std::size_t length) {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  std::string text;
  text.reserve(length);
  std::uint64_t state = (number + 1) * kSpread;
  while (text.size() < length) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    text += kLetters[(state * kSpread >> 33) % kLetters.size()];
  }
  return text;
}

std::size_t Length(const Attribute& attribute, double less = 0) {
  return static_cast<std::size_t>(std::max(1.0, std::round(AverageValueBytes(attribute) - less)));
}

// "k00000012": of the given length where the number leaves room. Numbers keep their order.
std::string Numbered(std::uint64_t number, std::size_t length) {
  std::string id = std::to_string(number);
  if (id.size() >= length) {
    return id;
  }
  return std::string(1, static_cast<char>('a' + length % 26)) +
         std::string(length - id.size() - 1, '0') + id;
}

// Counted on from the first number that has all digits, so that a number of six digits takes the bytes of six digits.
AttributeValue MakeNumber(const Attribute& attribute, std::uint64_t number) {
  const double digits =
      attribute.size_avg > 0 ? std::min(attribute.size_avg, kDigitsMax) : kUsualDigits;
  const auto first = static_cast<std::uint64_t>(std::pow(10, std::ceil(digits) - 1));
  const std::uint64_t counted = attribute.is_key ? number : number % (9 * first);
  const double more = std::floor(attribute.size_avg) - kDigitsMax;
  if (more > 0) {
    // Zeros behind the last digit would take no bytes.
    const std::string text = std::to_string(first + counted) + std::string(static_cast<std::size_t>(more), '7');
    if (const Result<Number> exact = Number::Parse(text); exact.has_value()) {
      return AttributeValue(*exact);
    }
  }
  return AttributeValue(static_cast<std::int64_t>(first + counted));
}

AttributeValue MakeMembers(const Attribute& attribute, std::uint64_t number, std::uint64_t row) {
  Item map;
  for (std::size_t i = 0; i < attribute.members.size(); ++i) {
    const Attribute& member = attribute.members[i];
    const double place = static_cast<double>(((row + 1) * kSpread + i * kSpread) >> 40) / (1 << 24);
    if (!member.optional || place < member.presence.value_or(1)) {
      map.Set(member.name.text, MakeValue(member, number + row, row));
    }
  }
  return AttributeValue(std::move(map));
}

AttributeValue MakeNumberSet(const Attribute& attribute, std::uint64_t number) {
  constexpr double kNumberBytes = 4;
  AttributeValue::NumberSet set;
  const double members = std::max(1.0, std::round(AverageValueBytes(attribute) / kNumberBytes));
  for (double i = 0; i < members; ++i) {
    set.members.push_back(Number(
        static_cast<std::int64_t>(100'001 + number % 800'000 + static_cast<std::uint64_t>(i))));
  }
  return AttributeValue(std::move(set));
}

}  // namespace

AttributeValue MakeBeginning(const Attribute& attribute, const Attribute& derived,
                             const BeginningNumber& number) {
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  const auto first = static_cast<std::size_t>(derived.derivation.first);
  if (!derived.derivation.moment || traits.form == nullptr) {
    const std::size_t length = Length(attribute);
    std::string text;
    std::uint64_t left = number.beginning;
    std::uint64_t ways = 1;
    for (const auto& [characters, values] : number.shorter) {
      const std::uint64_t more = std::max<std::uint64_t>(1, values / ways);
      text += Numbered(left % more, characters - text.size());
      left /= more;
      ways *= more;
    }
    return AttributeValue(text + Numbered(left, first - text.size()) +
                          Numbered(number.rest, length > first ? length - first : 1));
  }
  // The forms have months of 28 days and years of 12 of those; a date counts days, a time seconds.
  constexpr std::uint64_t kSecondsOfHour = 3'600;
  constexpr std::uint64_t kSecondsOfDay = 86'400;
  constexpr auto kDaysOfMonth = static_cast<std::uint64_t>(kDaysOfGeneratedMonth);
  constexpr auto kDaysOfYear = static_cast<std::uint64_t>(kDaysOfGeneratedYear);
  constexpr std::uint64_t kStep = 7'919;  // Prime to all of them: many values without a repetition.
  const std::uint64_t day = traits.zoned ? kSecondsOfDay : 1;
  const std::string& unit = derived.derivation.text;
  const std::uint64_t span = unit == "hour"    ? kSecondsOfHour
                             : unit == "month" ? day * kDaysOfMonth
                             : unit == "year"  ? day * kDaysOfYear
                                               : day;
  // Hours spread over as many days as there are.
  std::uint64_t begin = number.beginning * span;
  if (unit == "hour" && !number.shorter.empty()) {
    const std::uint64_t days = std::max<std::uint64_t>(1, number.shorter.back().second);
    begin = number.beginning % days * kSecondsOfDay +
            number.beginning / days * kSecondsOfHour % kSecondsOfDay;
  }
  return AttributeValue(traits.form(begin + number.rest * kStep % span));
}

AttributeValue MakeValue(const Attribute& attribute, std::uint64_t number, std::uint64_t row) {
  if (!attribute.values.empty()) {
    return attribute.values[number % attribute.values.size()];
  }
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  if (!attribute.members.empty()) {
    AttributeValue map = MakeMembers(attribute, number, row);
    if (traits.stored == ValueType::kMap) {
      return map;
    }
    return AttributeValue(AttributeValue::List{std::move(map)});
  }
  // Without the bytes that lists, maps and their members take besides.
  constexpr double kListOfTwo = 5;
  constexpr double kMapOfTwo = 9;
  switch (traits.stored) {
    case ValueType::kNumber:
      return MakeNumber(attribute, number);
    case ValueType::kBool:
      return AttributeValue(number % 2 == 0);
    case ValueType::kList: {
      const std::size_t half = Length(attribute, kListOfTwo) / 2;
      return AttributeValue(AttributeValue::List{AttributeValue(Letters(number, half)),
                                                 AttributeValue(Letters(number + 7, half))});
    }
    case ValueType::kMap:
      return AttributeValue(
          Item{{"a", AttributeValue(Letters(number, Length(attribute, kMapOfTwo)))},
               {"b", AttributeValue(1)}});
    case ValueType::kStringSet: {
      const std::size_t half = std::max<std::size_t>(2, Length(attribute) / 2);
      return AttributeValue(AttributeValue::StringSet{
          {"a" + Letters(number, half - 1), "b" + Letters(number, half - 1)}});
    }
    case ValueType::kNumberSet:
      return MakeNumberSet(attribute, number);
    case ValueType::kBinary:
      return AttributeValue(AttributeValue::Binary{Letters(number, Length(attribute))});
    default:
      break;
  }
  if (traits.form != nullptr) {
    return AttributeValue(traits.form(number));
  }
  return AttributeValue(Numbered(number, Length(attribute)));
}

}  // namespace prejoin::model
