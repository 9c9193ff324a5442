#include "prejoin/item.h"

#include <algorithm>

#include "value/encoding.h"

namespace prejoin {
namespace {

bool NameBefore(const Item::Entry& entry, std::string_view name) {
  return CompareNames(entry.first, name) < 0;
}

// Small sets are the rule; for the others, sorting keeps the comparison of two large ones from
// growing quadratic.
template <class T>
bool SameMembers(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) {
    return false;
  }
  if (a == b) {
    return true;
  }
  std::vector<const T*> a_sorted;
  std::vector<const T*> b_sorted;
  a_sorted.reserve(a.size());
  b_sorted.reserve(b.size());
  for (const T& member : a) {
    a_sorted.push_back(&member);
  }
  for (const T& member : b) {
    b_sorted.push_back(&member);
  }
  const auto before = [](const T* x, const T* y) { return *x < *y; };
  std::sort(a_sorted.begin(), a_sorted.end(), before);
  std::sort(b_sorted.begin(), b_sorted.end(), before);
  return std::equal(a_sorted.begin(), a_sorted.end(), b_sorted.begin(),
                    [](const T* x, const T* y) { return *x == *y; });
}

}  // namespace

Item::Item() = default;
Item::Item(const Item&) = default;
Item::Item(Item&&) noexcept = default;
Item& Item::operator=(const Item&) = default;
Item& Item::operator=(Item&&) noexcept = default;
Item::~Item() = default;

Item::Item(std::initializer_list<Entry> entries) {
  entries_.reserve(entries.size());
  for (const Entry& entry : entries) {
    Set(entry.first, entry.second);
  }
}

const AttributeValue* Item::Find(std::string_view name) const {
  // Keys and small items: that a name is another one shows in its length, more often than not.
  constexpr std::size_t kScannedMax = 8;
  if (entries_.size() <= kScannedMax) {
    for (const auto& [entry_name, value] : entries_) {
      if (entry_name == name) {
        return &value;
      }
    }
    return nullptr;
  }
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), name, NameBefore);
  return it != entries_.end() && it->first == name ? &it->second : nullptr;
}

AttributeValue* Item::Find(std::string_view name) {
  return const_cast<AttributeValue*>(static_cast<const Item*>(this)->Find(name));
}

void Item::Set(std::string name, AttributeValue value) {
  // Names often come in order, from decoding above all: then no search is needed.
  if (entries_.empty() || NameBefore(entries_.back(), name)) {
    entries_.emplace_back(std::move(name), std::move(value));
    return;
  }
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), name, NameBefore);
  if (it != entries_.end() && it->first == name) {
    it->second = std::move(value);
  } else {
    entries_.emplace(it, std::move(name), std::move(value));
  }
}

bool Item::Remove(std::string_view name) {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), name, NameBefore);
  if (it == entries_.end() || it->first != name) {
    return false;
  }
  entries_.erase(it);
  return true;
}

void Item::Reserve(std::size_t count) { entries_.reserve(count); }

bool Item::empty() const { return entries_.empty(); }
std::size_t Item::size() const { return entries_.size(); }
const Item::Entry* Item::begin() const { return entries_.data(); }
const Item::Entry* Item::end() const { return entries_.data() + entries_.size(); }

bool operator==(const Item& a, const Item& b) { return a.entries_ == b.entries_; }

std::string_view TypeName(ValueType type) {
  switch (type) {
    case ValueType::kString:
      return "S";
    case ValueType::kNumber:
      return "N";
    case ValueType::kBinary:
      return "B";
    case ValueType::kBool:
      return "BOOL";
    case ValueType::kNull:
      return "NULL";
    case ValueType::kList:
      return "L";
    case ValueType::kMap:
      return "M";
    case ValueType::kStringSet:
      return "SS";
    case ValueType::kNumberSet:
      return "NS";
    case ValueType::kBinarySet:
      return "BS";
  }
  return "";
}

bool operator==(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) {
    return false;
  }
  switch (a.type()) {
    case ValueType::kStringSet:
      return SameMembers(*a.string_set(), *b.string_set());
    case ValueType::kNumberSet:
      return SameMembers(*a.number_set(), *b.number_set());
    case ValueType::kBinarySet:
      return SameMembers(*a.binary_set(), *b.binary_set());
    case ValueType::kString:
      return *a.string() == *b.string();
    case ValueType::kNumber:
      return *a.number() == *b.number();
    case ValueType::kBinary:
      return *a.binary() == *b.binary();
    case ValueType::kBool:
      return *a.boolean() == *b.boolean();
    case ValueType::kNull:
      return true;
    case ValueType::kList:
      return *a.list() == *b.list();
    case ValueType::kMap:
      return *a.map() == *b.map();
  }
  return false;
}

Item StoredItem::Decode() const { return ItemView(body_).Decode(); }

std::optional<AttributeValue> StoredItem::Find(std::string_view name) const {
  const ValueView value = ItemView(body_).Find(name);
  return value ? std::optional(value.Decode()) : std::nullopt;
}

}  // namespace prejoin
