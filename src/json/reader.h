// Reading JSON. The only place that knows the JSON library: values are small handles into a parsed
// document.
#ifndef PREJOIN_JSON_READER_H_
#define PREJOIN_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "prejoin/result.h"

namespace prejoin::json {

enum class Type : std::uint8_t {
  kNull,
  kBool,
  kInteger,
  kDecimal,
  kString,
  kArray,
  kObject,
};

struct Field;
template <class Part>
class Sequence;
using Elements = Sequence<class Value>;
using Fields = Sequence<Field>;

// One value of a parsed document. Valid, with all strings it hands out, as long as its
// Document. Each accessor only for a value of that type.
class Value {
 public:
  Type type() const;
  bool is_null() const { return type() == Type::kNull; }

  bool boolean() const;
  // kInteger or kDecimal: rounded down, and held at the ends of the range.
  std::int64_t integer() const;
  // kInteger or kDecimal. `number_text` is the shortest text that reads back as the same number;
  // decimals pass through a double, as in JavaScript.
  double number() const;
  std::string number_text() const;
  std::string_view string() const;
  Elements elements() const;  // For an array.
  Fields fields() const;      // For an object, in document order; a name may come twice.
  std::size_t size() const;   // The number of elements or fields.
  // The member of that name, the last if it comes twice; nullopt if there is none, or if this is no
  // object.
  std::optional<Value> Find(std::string_view name) const;

 private:
  friend struct Access;
  // Where the value is in the library's document.
  const void* document_ = nullptr;
  std::size_t at_ = 0;
};

struct Field {
  std::string_view name;
  Value value;
};

// The elements of an array, or the fields of an object.
template <class Part>
class Sequence {
 public:
  class Iterator {
   public:
    Part operator*() const;
    Iterator& operator++();
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    friend class Sequence;
    friend struct Access;
    const void* document_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  friend class Value;
  Iterator begin_;
  Iterator end_;
};

template <>
Value Elements::Iterator::operator*() const;
template <>
Field Fields::Iterator::operator*() const;
template <>
Elements::Iterator& Elements::Iterator::operator++();
template <>
Fields::Iterator& Fields::Iterator::operator++();

// A parsed text. Single thread, and one at a time on each thread: all documents of a thread share
// its parser.
class Document {
 public:
  // Any well-formed UTF-8 JSON text of limited depth, else kSerialization without a message, as
  // DynamoDB answers. Needs no more stack for deep nesting.
  static Result<Document> Parse(std::string_view text);
  // The same with a parser of its own, so also while another document of the thread is alive. Slower.
  static Result<Document> ParseAside(std::string_view text);

  Document(Document&& other) noexcept
      : root_(other.root_), owner_(other.owner_), own_parser_(std::move(other.own_parser_)) {
    other.owner_ = false;
  }
  Document& operator=(Document&&) = delete;
  ~Document();

  Value root() const { return root_; }

 private:
  explicit Document(Value root) : root_(root) {}

  Value root_;
  bool owner_ = true;                 // True if it owns the thread's parser.
  std::shared_ptr<void> own_parser_;  // Null: the thread's.
};

// Returns true if a text inside a document is itself a JSON object, while the document is alive.
bool IsObject(std::string_view text);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_READER_H_
