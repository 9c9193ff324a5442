// Attribute values and items: what DynamoDB stores.
#ifndef PREJOIN_ITEM_H_
#define PREJOIN_ITEM_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "prejoin/number.h"
#include "prejoin/result.h"

namespace prejoin {

class AttributeValue;

// Attribute names and their values, ordered by name (bytewise). An item, or a map inside one.
// Thread-compatible.
class Item {
 public:
  using Entry = std::pair<std::string, AttributeValue>;

  Item();
  Item(std::initializer_list<Entry> entries);
  Item(const Item&);
  Item(Item&&) noexcept;
  Item& operator=(const Item&);
  Item& operator=(Item&&) noexcept;
  ~Item();

  const AttributeValue* Find(std::string_view name) const;
  AttributeValue* Find(std::string_view name);
  // Adds or replaces.
  void Set(std::string name, AttributeValue value);
  // False if there was no such attribute.
  bool Remove(std::string_view name);
  // Makes room for this many attributes: fewer allocations when the number is known.
  void Reserve(std::size_t count);

  bool empty() const;
  std::size_t size() const;
  const Entry* begin() const;
  const Entry* end() const;

  friend bool operator==(const Item& a, const Item& b);

 private:
  std::vector<Entry> entries_;
};

// The order is that of AttributeValue's variant.
enum class ValueType : std::uint8_t {
  kString,
  kNumber,
  kBinary,
  kBool,
  kNull,
  kList,
  kMap,
  kStringSet,
  kNumberSet,
  kBinarySet,
};

// DynamoDB's letters: "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS".
std::string_view TypeName(ValueType type);

// One value of any DynamoDB type. Sets hold no duplicates and keep the order in which they were
// given; two sets are equal when they have the same members. Thread-compatible.
class AttributeValue {
 public:
  struct Binary {
    std::string bytes;
    friend bool operator==(const Binary&, const Binary&) = default;
  };
  struct Null {
    friend bool operator==(const Null&, const Null&) = default;
  };
  using List = std::vector<AttributeValue>;
  struct StringSet {
    std::vector<std::string> members;
  };
  struct NumberSet {
    std::vector<Number> members;
  };
  struct BinarySet {
    std::vector<std::string> members;
  };

  AttributeValue() : value_(Null{}) {}
  AttributeValue(std::string text) : value_(std::move(text)) {}
  AttributeValue(std::string_view text) : value_(std::string(text)) {}
  AttributeValue(const char* text) : value_(std::string(text)) {}
  AttributeValue(Number number) : value_(number) {}
  template <Integer T>
  AttributeValue(T number) : value_(Number(number)) {}
  // Nothing else becomes a truth value: neither a pointer nor a double.
  template <std::same_as<bool> T>
  AttributeValue(T value) : value_(value) {}
  AttributeValue(Binary binary) : value_(std::move(binary)) {}
  AttributeValue(Null) : value_(Null{}) {}
  AttributeValue(List list) : value_(std::move(list)) {}
  AttributeValue(Item map) : value_(std::move(map)) {}
  AttributeValue(StringSet set) : value_(std::move(set)) {}
  AttributeValue(NumberSet set) : value_(std::move(set)) {}
  AttributeValue(BinarySet set) : value_(std::move(set)) {}

  ValueType type() const { return static_cast<ValueType>(value_.index()); }

  // Null unless the value has that type.
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  const Number* number() const { return std::get_if<Number>(&value_); }
  const std::string* binary() const {
    const auto* binary = std::get_if<Binary>(&value_);
    return binary ? &binary->bytes : nullptr;
  }
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  bool is_null() const { return std::holds_alternative<Null>(value_); }
  const List* list() const { return std::get_if<List>(&value_); }
  List* list() { return std::get_if<List>(&value_); }
  const Item* map() const { return std::get_if<Item>(&value_); }
  Item* map() { return std::get_if<Item>(&value_); }
  const std::vector<std::string>* string_set() const {
    const auto* set = std::get_if<StringSet>(&value_);
    return set ? &set->members : nullptr;
  }
  const std::vector<Number>* number_set() const {
    const auto* set = std::get_if<NumberSet>(&value_);
    return set ? &set->members : nullptr;
  }
  const std::vector<std::string>* binary_set() const {
    const auto* set = std::get_if<BinarySet>(&value_);
    return set ? &set->members : nullptr;
  }

  // DynamoDB's equality: same type, and sets regardless of order.
  friend bool operator==(const AttributeValue& a, const AttributeValue& b);

 private:
  // The alternatives are in the order of ValueType.
  std::variant<std::string, Number, Binary, bool, Null, List, Item, StringSet, NumberSet, BinarySet>
      value_;
};

// An item as the store keeps it: one run of bytes (docs/formats/item.md) that can be read without
// being taken apart. Returned by reads; Decode() when a program wants to look at more than a few
// attributes. Thread-compatible.
class StoredItem {
 public:
  StoredItem() = default;
  // `body` is an encoded map, as value/encoding.h writes it.
  explicit StoredItem(std::string body) : body_(std::move(body)) {}

  Item Decode() const;
  // Nullopt if there is no such attribute.
  std::optional<AttributeValue> Find(std::string_view name) const;

  std::string_view body() const { return body_; }

 private:
  std::string body_;
};

}  // namespace prejoin

#endif  // PREJOIN_ITEM_H_
