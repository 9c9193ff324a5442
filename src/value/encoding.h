// The stored form of values and items (docs/formats/item.md), and views that read it in place.
//
// A value is a tag byte and a payload; an item body is the payload of a map. Attributes are in
// bytewise order of their names. Numbers are stored as their canonical text: it is what a reader is
// sent, so reading costs nothing, and two numbers are equal exactly when their texts are.
//
// Views borrow the bytes, never allocate, and trust them: they were written by this file and are
// under the store's checksum. Bytes from outside go through ValidateItemBody first. All views are
// thread-compatible. They iterate:
//   for (const auto& [name, value] : item) …   for (ValueView element : list) …   for
//   (std::string_view member : set) …
#ifndef PREJOIN_VALUE_ENCODING_H_
#define PREJOIN_VALUE_ENCODING_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "prejoin/item.h"
#include "value/varint.h"

namespace prejoin {

class ItemView;
class ListView;
class SetView;

// A value inside an encoded item. Empty (`!view`) means "no such attribute".
class ValueView {
 public:
  ValueView() = default;
  explicit ValueView(const char* encoded) : encoded_(encoded) {}

  explicit operator bool() const { return encoded_ != nullptr; }
  ValueType type() const { return static_cast<ValueType>(*encoded_); }

  // Each only for a value of that type.
  std::string_view string() const {
    const char* at = encoded_ + 1;
    const std::size_t size = ReadVarint(at);
    return {at, size};
  }
  std::string_view binary() const { return string(); }
  std::string_view number_text() const { return string(); }  // Canonical.
  Number number() const;
  bool boolean() const { return encoded_[1] != 0; }
  ListView list() const;
  ItemView map() const;
  SetView set() const;  // The members of an SS, NS or BS.

  AttributeValue Decode() const;
  // The whole encoding, tag included: fit for appending to another item.
  std::string_view bytes() const { return {encoded_, static_cast<std::size_t>(End() - encoded_)}; }

  // The byte after this value, where the next one begins. In the header because every walk over an
  // item lives on it.
  const char* End() const {
    if (type() <= ValueType::kBinary) {
      const std::string_view text = string();
      return text.data() + text.size();
    }
    if (type() >= ValueType::kList) {
      const std::string_view payload = Payload();
      return payload.data() + payload.size();
    }
    return encoded_ + (type() == ValueType::kBool ? 2 : 1);
  }

 private:
  // The bytes after the length field of a list, map or set.
  std::string_view Payload() const {
    std::uint32_t size = 0;
    std::memcpy(&size, encoded_ + 1, sizeof(size));
    return {encoded_ + 1 + sizeof(size), size};
  }

  const char* encoded_ = nullptr;
};

// The entries of an encoded map or item, in order of name. A default-made view is an empty item.
class ItemView {
 public:
  struct Entry {
    std::string_view name;
    ValueView value;
  };

  ItemView() = default;
  // `body` must outlive the view.
  explicit ItemView(std::string_view body) : body_(body) {}

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  ValueView Find(std::string_view name) const;
  std::string_view body() const { return body_; }
  Item Decode() const;

  class Iterator {
   public:
    const Entry& operator*() const { return entry_; }
    const Entry* operator->() const { return &entry_; }
    Iterator& operator++() {
      at_ = entry_.value.End();
      --remaining_;
      ReadEntry();
      return *this;
    }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.remaining_ == 0;
    }

   private:
    friend class ItemView;
    void ReadEntry() {
      if (remaining_ > 0) {
        const std::size_t size = ReadVarint(at_);
        entry_ = {{at_, size}, ValueView(at_ + size)};
      }
    }
    const char* at_ = nullptr;
    std::size_t remaining_ = 0;
    Entry entry_;
  };
  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }

 private:
  std::string_view body_;
};

// The elements of a list, in order.
class ListView {
 public:
  explicit ListView(std::string_view payload) : payload_(payload) {}

  std::size_t size() const;
  // Empty view when `index` is past the end.
  ValueView At(std::size_t index) const;

  class Iterator {
   public:
    ValueView operator*() const { return ValueView(at_); }
    Iterator& operator++() {
      at_ = ValueView(at_).End();
      --remaining_;
      return *this;
    }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.remaining_ == 0;
    }

   private:
    friend class ListView;
    const char* at_ = nullptr;
    std::size_t remaining_ = 0;
  };
  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }

 private:
  std::string_view payload_;
};

// The members of a set: strings, bytes or canonical number texts, in the order in which they were
// given.
class SetView {
 public:
  explicit SetView(std::string_view payload) : payload_(payload) {}

  std::size_t size() const;
  bool Contains(std::string_view member) const;

  class Iterator {
   public:
    std::string_view operator*() const { return member_; }
    Iterator& operator++() {
      at_ += member_.size();
      --remaining_;
      ReadMember();
      return *this;
    }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.remaining_ == 0;
    }

   private:
    friend class SetView;
    void ReadMember() {
      if (remaining_ > 0) {
        const std::size_t size = ReadVarint(at_);
        member_ = {at_, size};
      }
    }
    const char* at_ = nullptr;
    std::size_t remaining_ = 0;
    std::string_view member_;
  };
  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }

 private:
  std::string_view payload_;
};

// The order of names, bytewise. Settles most comparisons on the first byte, without a call.
inline int CompareNames(std::string_view a, std::string_view b) {
  if (!a.empty() && !b.empty() && a.front() != b.front()) {
    return static_cast<unsigned char>(a.front()) - static_cast<unsigned char>(b.front());
  }
  return a.compare(b);
}

// DynamoDB's equality on encoded values: same type; sets regardless of order.
bool Equal(ValueView a, ValueView b);
// <0, 0, >0 for two S, two N or two B; nullopt for anything else: such values do not compare.
std::optional<int> Compare(ValueView a, ValueView b);

void EncodeValue(const AttributeValue& value, std::string& out);  // Tag and payload.
void EncodeItem(const Item& item, std::string& out);              // An item body.
std::string EncodeItem(const Item& item);

// Builds an item body attribute by attribute; names must come in ascending order. For projections,
// which copy encoded values from one item to another without decoding them. Single thread.
class ItemBuilder {
 public:
  void Add(std::string_view name, ValueView value);
  void Add(std::string_view name, const AttributeValue& value);
  std::string Finish() &&;

 private:
  void AddName(std::string_view name);

  std::uint32_t count_ = 0;
  std::size_t last_name_at_ =
      0;  // Offset and size of the last name in `entries_`, for the check of their order.
  std::size_t last_name_size_ = 0;
  std::string entries_;
};

// Checks that `body` is exactly one well-formed item body: lengths, tags, order of names, canonical
// numbers, nesting; UTF-8 is left alone. kCorruption if it is not. For bytes of doubtful origin.
Status ValidateItemBody(std::string_view body);

}  // namespace prejoin

#endif  // PREJOIN_VALUE_ENCODING_H_
