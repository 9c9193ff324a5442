// Reading the stored form in place.
#include <algorithm>
#include <vector>

#include "base/check.h"
#include "value/encoding.h"
#include "value/number_text.h"

namespace prejoin {
namespace {

// Equal sets mostly have their members in the same order, so each is looked for where the last one
// was found. Past this size the members are sorted instead, or two large sets would take quadratic
// time.
constexpr std::size_t kSmallSet = 16;

bool EqualSets(SetView a, SetView b) {
  if (a.size() != b.size()) {
    return false;
  }
  if (a.size() <= kSmallSet) {
    for (const std::string_view member : a) {
      if (!b.Contains(member)) {
        return false;
      }
    }
    return true;
  }
  std::vector<std::string_view> a_sorted;
  std::vector<std::string_view> b_sorted;
  a_sorted.reserve(a.size());
  b_sorted.reserve(b.size());
  for (const std::string_view member : a) {
    a_sorted.push_back(member);
  }
  for (const std::string_view member : b) {
    b_sorted.push_back(member);
  }
  std::sort(a_sorted.begin(), a_sorted.end());
  std::sort(b_sorted.begin(), b_sorted.end());
  return a_sorted == b_sorted;
}

bool EqualLists(ListView a, ListView b) {
  if (a.size() != b.size()) {
    return false;
  }
  auto other = b.begin();
  for (const ValueView element : a) {
    if (!Equal(element, *other)) {
      return false;
    }
    ++other;
  }
  return true;
}

bool EqualMaps(ItemView a, ItemView b) {
  if (a.size() != b.size()) {
    return false;
  }
  auto other = b.begin();
  for (const auto& [name, value] : a) {
    if (name != other->name || !Equal(value, other->value)) {
      return false;
    }
    ++other;
  }
  return true;
}

Number ParseStored(std::string_view text) {
  auto number = Number::Parse(text);
  PJ_CHECK(number.has_value());
  return *number;
}

std::vector<std::string> DecodeMembers(SetView set) {
  std::vector<std::string> members;
  members.reserve(set.size());
  for (const std::string_view member : set) {
    members.emplace_back(member);
  }
  return members;
}

std::vector<Number> DecodeNumbers(SetView set) {
  std::vector<Number> members;
  members.reserve(set.size());
  for (const std::string_view member : set) {
    members.push_back(ParseStored(member));
  }
  return members;
}

AttributeValue::List DecodeList(ListView list) {
  AttributeValue::List elements;
  elements.reserve(list.size());
  for (const ValueView element : list) {
    elements.push_back(element.Decode());
  }
  return elements;
}

std::size_t CountIn(std::string_view payload) {
  if (payload.empty()) {
    return 0;
  }
  const char* at = payload.data();
  return ReadVarint(at);
}

}  // namespace

Number ValueView::number() const { return ParseStored(number_text()); }
ListView ValueView::list() const { return ListView(Payload()); }
ItemView ValueView::map() const { return ItemView(Payload()); }
SetView ValueView::set() const { return SetView(Payload()); }

AttributeValue ValueView::Decode() const {
  switch (type()) {
    case ValueType::kString:
      return AttributeValue(string());
    case ValueType::kNumber:
      return AttributeValue(number());
    case ValueType::kBinary:
      return AttributeValue(AttributeValue::Binary{std::string(binary())});
    case ValueType::kBool:
      return AttributeValue(boolean());
    case ValueType::kNull:
      return AttributeValue(AttributeValue::Null{});
    case ValueType::kList:
      return AttributeValue(DecodeList(list()));
    case ValueType::kMap:
      return AttributeValue(map().Decode());
    case ValueType::kStringSet:
      return AttributeValue(AttributeValue::StringSet{DecodeMembers(set())});
    case ValueType::kNumberSet:
      return AttributeValue(AttributeValue::NumberSet{DecodeNumbers(set())});
    case ValueType::kBinarySet:
      return AttributeValue(AttributeValue::BinarySet{DecodeMembers(set())});
  }
  PJ_CHECK(false);
}

std::size_t ItemView::size() const { return CountIn(body_); }

// Items have few attributes and most names differ in their first bytes, so a walk is faster than an
// offset table would be to write, store and search; the order of names ends the walk early.
ValueView ItemView::Find(std::string_view name) const {
  if (body_.empty()) {
    return {};
  }
  const char* at = body_.data();
  for (std::size_t remaining = ReadVarint(at); remaining > 0; --remaining) {
    const std::size_t size = ReadVarint(at);
    const ValueView value(at + size);
    const int order = CompareNames({at, size}, name);
    if (order >= 0) {
      return order == 0 ? value : ValueView();
    }
    at = value.End();
  }
  return {};
}

ItemView::Iterator ItemView::begin() const {
  Iterator it;
  if (!body_.empty()) {
    it.at_ = body_.data();
    it.remaining_ = ReadVarint(it.at_);
    it.ReadEntry();
  }
  return it;
}

Item ItemView::Decode() const {
  Item item;
  item.Reserve(size());
  for (const auto& [name, value] : *this) {
    item.Set(std::string(name), value.Decode());
  }
  return item;
}

std::size_t ListView::size() const { return CountIn(payload_); }

ListView::Iterator ListView::begin() const {
  Iterator it;
  it.at_ = payload_.data();
  it.remaining_ = ReadVarint(it.at_);
  return it;
}

ValueView ListView::At(std::size_t index) const {
  if (index >= size()) {
    return {};
  }
  auto it = begin();
  for (; index > 0; --index) {
    ++it;
  }
  return *it;
}

std::size_t SetView::size() const { return CountIn(payload_); }

SetView::Iterator SetView::begin() const {
  Iterator it;
  it.at_ = payload_.data();
  it.remaining_ = ReadVarint(it.at_);
  it.ReadMember();
  return it;
}

bool SetView::Contains(std::string_view member) const {
  for (const std::string_view candidate : *this) {
    if (candidate == member) {
      return true;
    }
  }
  return false;
}

bool Equal(ValueView a, ValueView b) {
  if (a.type() != b.type()) {
    return false;
  }
  switch (a.type()) {
    case ValueType::kString:
    case ValueType::kNumber:  // Equal numbers have equal canonical texts.
    case ValueType::kBinary:
      return a.string() == b.string();
    case ValueType::kBool:
      return a.boolean() == b.boolean();
    case ValueType::kNull:
      return true;
    case ValueType::kList:
      return EqualLists(a.list(), b.list());
    case ValueType::kMap:
      return EqualMaps(a.map(), b.map());
    default:
      return EqualSets(a.set(), b.set());
  }
}

std::optional<int> Compare(ValueView a, ValueView b) {
  if (a.type() != b.type()) {
    return std::nullopt;
  }
  switch (a.type()) {
    case ValueType::kNumber:
      return CompareNumberTexts(a.number_text(), b.number_text());
    case ValueType::kString:
    case ValueType::kBinary:
      return a.string().compare(b.string());
    default:
      return std::nullopt;
  }
}

}  // namespace prejoin
