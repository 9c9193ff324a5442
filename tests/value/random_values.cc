#include "tests/value/random_values.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace prejoin {

std::string RandomValues::NumberText() {
  std::string text = OneIn(2) ? "-" : OneIn(8) ? "+" : "";
  if (OneIn(3)) {
    return text + std::to_string(Between(0, 300));
  }
  const int digits = OneIn(4) ? 38 : Between(1, OneIn(3) ? 38 : 6);
  const char only = OneIn(4) ? static_cast<char>(OneIn(2) ? '9' : '0') : '\0';
  std::string coefficient(1, static_cast<char>('0' + Between(1, 9)));
  for (int i = 1; i < digits; ++i) {
    coefficient.push_back(only != '\0' ? only : static_cast<char>('0' + Between(0, 9)));
  }
  const int point = Between(0, digits);
  text += coefficient.substr(0, static_cast<std::size_t>(point));
  if (point < digits) {
    text += "." + coefficient.substr(static_cast<std::size_t>(point));
  }
  if (!OneIn(3)) {
    // The leading digit stands at 10^top.
    const int top = OneIn(4)   ? (OneIn(2) ? 125 : -130)
                    : OneIn(2) ? Between(-130, 125)
                               : Between(-4, 40);
    text += (OneIn(2) ? "e" : "E") + std::to_string(top - (point - 1));
  }
  return text;
}

Number RandomValues::Number() {
  const auto number = prejoin::Number::Parse(NumberText());
  return number.value();
}

std::string RandomValues::Bytes(int size_max) {
  static constexpr char kAlphabet[] = {'\x00', '\x01', 'a', 'b', '\x7F', '\x80', '\xFE', '\xFF'};
  std::string bytes;
  for (int size = Between(0, size_max); size > 0; --size) {
    bytes.push_back(kAlphabet[Between(0, sizeof(kAlphabet) - 1)]);
  }
  return bytes;
}

AttributeValue RandomValues::Value(int depth) {
  const auto members = [&] {
    std::set<std::string> set;
    for (int count = Between(1, OneIn(5) ? 40 : 4); count > 0; --count) {
      set.insert(Bytes(6));
    }
    std::vector<std::string> list(set.begin(), set.end());
    std::shuffle(list.begin(), list.end(), engine_);
    return list;
  };
  switch (Between(0, depth > 0 ? 9 : 7)) {
    case 0:
      return AttributeValue(Bytes(OneIn(10) ? 400 : 12));
    case 1:
      return AttributeValue(Number());
    case 2:
      return AttributeValue(AttributeValue::Binary{Bytes(20)});
    case 3:
      return AttributeValue(OneIn(2));
    case 4:
      return AttributeValue(AttributeValue::Null{});
    case 5:
      return AttributeValue(AttributeValue::StringSet{members()});
    case 6:
      return AttributeValue(AttributeValue::BinarySet{members()});
    case 7: {
      std::set<prejoin::Number> set;
      for (int count = Between(1, 20); count > 0; --count) {
        set.insert(Number());
      }
      std::vector<prejoin::Number> numbers(set.begin(), set.end());
      std::shuffle(numbers.begin(), numbers.end(), engine_);
      return AttributeValue(AttributeValue::NumberSet{numbers});
    }
    case 8: {
      AttributeValue::List list;
      for (int count = Between(0, 5); count > 0; --count) {
        list.push_back(Value(depth - 1));
      }
      return AttributeValue(std::move(list));
    }
    default:
      return AttributeValue(NextItem(depth - 1));
  }
}

Item RandomValues::NextItem(int depth) {
  Item item;
  for (int count = Between(0, OneIn(20) ? 200 : 6); count > 0; --count) {
    item.Set(Bytes(OneIn(20) ? 200 : 5), Value(depth));
  }
  return item;
}

}  // namespace prejoin
