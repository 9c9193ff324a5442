// Reading JSON. The only place that knows the JSON library: values are small handles into a parsed
// document.
#ifndef PREJOIN_WIRE_JSON_READER_H_
#define PREJOIN_WIRE_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::wire {

enum class JsonType : std::uint8_t {
  kNull,
  kBool,
  kInteger,
  kDecimal,
  kString,
  kArray,
  kObject,
};

class JsonElements;
class JsonFields;

// One value of a parsed document. Valid, with all strings it hands out, as long as its
// JsonDocument. Each accessor only for a value of that type.
class JsonValue {
 public:
  JsonType type() const;
  bool is_null() const { return type() == JsonType::kNull; }

  bool boolean() const;
  // kInteger or kDecimal: rounded down, and held at the ends of the range.
  std::int64_t integer() const;
  // kInteger or kDecimal. `number_text` is the shortest text that reads back as the same number;
  // decimals pass through a double, as in JavaScript.
  double number() const;
  std::string number_text() const;
  std::string_view string() const;
  JsonElements elements() const;  // Of an array.
  JsonFields fields() const;      // Of an object, in document order; a name may come twice.
  std::size_t size() const;       // How many elements or fields.

 private:
  friend struct JsonAccess;
  // Where the value stands in the library's document.
  const void* document_ = nullptr;
  std::size_t at_ = 0;
};

class JsonElements {
 public:
  class Iterator {
   public:
    JsonValue operator*() const;
    Iterator& operator++();
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    friend class JsonElements;
    friend struct JsonAccess;
    const void* document_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  friend class JsonValue;
  Iterator begin_;
  Iterator end_;
};

class JsonFields {
 public:
  struct Field {
    std::string_view name;
    JsonValue value;
  };
  class Iterator {
   public:
    Field operator*() const;
    Iterator& operator++();
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    friend class JsonFields;
    friend struct JsonAccess;
    const void* document_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  friend class JsonValue;
  Iterator begin_;
  Iterator end_;
};

// A parsed text. Single thread, and one at a time on each thread: all documents of a thread share
// its parser.
class JsonDocument {
 public:
  // Any well-formed UTF-8 JSON text of limited depth, else kSerialization without a message, as
  // DynamoDB answers. Needs no more stack for deep nesting.
  static Result<JsonDocument> Parse(std::string_view text);

  JsonDocument(JsonDocument&& other) noexcept : root_(other.root_), owner_(other.owner_) {
    other.owner_ = false;
  }
  JsonDocument& operator=(JsonDocument&&) = delete;
  ~JsonDocument();

  JsonValue root() const { return root_; }

 private:
  explicit JsonDocument(JsonValue root) : root_(root) {}

  JsonValue root_;
  bool owner_ = true;
};

// Whether a text inside a document is itself a JSON object, while the document is alive.
bool IsJsonObject(std::string_view text);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_JSON_READER_H_
