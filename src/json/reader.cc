// simdjson's document tree behind our handles. A handle is the same two words as simdjson's own
// element and iterators, so turning one into the other is free and no other file has to include
// the library's very large header.
#include "json/reader.h"

#include <simdjson.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "base/check.h"

namespace prejoin::json {

namespace dom = simdjson::dom;

// A parser keeps about ten bytes of memory for each byte of the largest text it has seen. Texts
// above this size are rare, so they get a parser of their own.
constexpr std::size_t kReusedParserBytesMax = 1024 * 1024;

// An item may nest 32 levels, which is 64 levels of JSON, inside a few levels of request.
constexpr std::size_t kJsonDepthMax = 256;

struct Access {
  template <class To, class From>
  static To Cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From) && alignof(To) == alignof(From));
    return std::bit_cast<To>(from);
  }
};

namespace {

dom::element ElementOf(const Value& value) { return Access::Cast<dom::element>(value); }

Value ValueOf(const dom::element& element) { return Access::Cast<Value>(element); }

thread_local std::unique_ptr<dom::parser> reused_parser;
thread_local std::unique_ptr<dom::parser> large_parser;  // Freed with its document.
thread_local bool document_alive = false;

dom::parser* ParserFor(std::size_t text_bytes) {
  auto& parser = text_bytes > kReusedParserBytesMax ? large_parser : reused_parser;
  if (parser == nullptr) {
    parser = std::make_unique<dom::parser>();
    if (parser->allocate(0, kJsonDepthMax) != simdjson::SUCCESS) {
      parser.reset();
    }
  }
  return parser.get();
}

}  // namespace

Type Value::type() const {
  switch (ElementOf(*this).type()) {
    case dom::element_type::ARRAY:
      return Type::kArray;
    case dom::element_type::OBJECT:
      return Type::kObject;
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
      return Type::kInteger;
    case dom::element_type::DOUBLE:
      return Type::kDecimal;
    case dom::element_type::STRING:
      return Type::kString;
    case dom::element_type::BOOL:
      return Type::kBool;
    case dom::element_type::NULL_VALUE:
      break;
  }
  return Type::kNull;
}

bool Value::boolean() const { return ElementOf(*this).get_bool().value_unsafe(); }

std::int64_t Value::integer() const {
  const dom::element element = ElementOf(*this);
  switch (element.type()) {
    case dom::element_type::INT64:
      return element.get_int64().value_unsafe();
    case dom::element_type::UINT64:
      return std::numeric_limits<std::int64_t>::max();
    default:
      break;
  }
  constexpr double kEnd = 9223372036854775808.0;  // 2^63, the first that does not fit.
  const double number = std::floor(element.get_double().value_unsafe());
  if (number >= kEnd) {
    return std::numeric_limits<std::int64_t>::max();
  }
  return number < -kEnd ? std::numeric_limits<std::int64_t>::min()
                        : static_cast<std::int64_t>(number);
}

double Value::number() const { return ElementOf(*this).get_double().value_unsafe(); }

std::string Value::number_text() const {
  const dom::element element = ElementOf(*this);
  std::array<char, 32> text;
  char* const end = text.data() + text.size();
  switch (element.type()) {
    case dom::element_type::INT64:
      return {text.data(), std::to_chars(text.data(), end, element.get_int64().value_unsafe()).ptr};
    case dom::element_type::UINT64:
      return {text.data(),
              std::to_chars(text.data(), end, element.get_uint64().value_unsafe()).ptr};
    default:
      return {text.data(), std::to_chars(text.data(), end, number()).ptr};
  }
}

std::string_view Value::string() const { return ElementOf(*this).get_string().value_unsafe(); }

std::optional<Value> Value::Find(std::string_view name) const {
  std::optional<Value> found;
  if (type() == Type::kObject) {
    for (const auto& field : fields()) {
      if (field.name == name) {
        found = field.value;
      }
    }
  }
  return found;
}

Elements Value::elements() const {
  const dom::array array = ElementOf(*this).get_array().value_unsafe();
  Elements elements;
  elements.begin_ = Access::Cast<Elements::Iterator>(array.begin());
  elements.end_ = Access::Cast<Elements::Iterator>(array.end());
  return elements;
}

Fields Value::fields() const {
  const dom::object object = ElementOf(*this).get_object().value_unsafe();
  Fields fields;
  fields.begin_ = Access::Cast<Fields::Iterator>(object.begin());
  fields.end_ = Access::Cast<Fields::Iterator>(object.end());
  return fields;
}

std::size_t Value::size() const {
  // The library's own count stops at 2^24-1, far above what 16 MB of text can hold in practice but
  // not in principle; the exact number is never needed up there.
  const dom::element element = ElementOf(*this);
  return type() == Type::kArray ? element.get_array().value_unsafe().size()
                                : element.get_object().value_unsafe().size();
}

Value Elements::Iterator::operator*() const {
  return ValueOf(*Access::Cast<dom::array::iterator>(*this));
}

Elements::Iterator& Elements::Iterator::operator++() {
  auto it = Access::Cast<dom::array::iterator>(*this);
  *this = Access::Cast<Iterator>(++it);
  return *this;
}

Fields::Field Fields::Iterator::operator*() const {
  const auto it = Access::Cast<dom::object::iterator>(*this);
  return {it.key(), ValueOf(it.value())};
}

Fields::Iterator& Fields::Iterator::operator++() {
  auto it = Access::Cast<dom::object::iterator>(*this);
  *this = Access::Cast<Iterator>(++it);
  return *this;
}

Result<Document> Document::Parse(std::string_view text) {
  PJ_CHECK(!document_alive);
  dom::parser* parser = ParserFor(text.size());
  if (parser == nullptr) {
    return Error{ErrorCode::kInternal, "Out of memory"};
  }
  dom::element root;
  const simdjson::error_code code = parser->parse(text.data(), text.size()).get(root);
  if (code != simdjson::SUCCESS) {
    large_parser.reset();
    return code == simdjson::MEMALLOC ? Error{ErrorCode::kInternal, "Out of memory"}
                                      : Error{ErrorCode::kSerialization, ""};
  }
  document_alive = true;
  return Document(ValueOf(root));
}

Result<Document> Document::ParseAside(std::string_view text) {
  auto parser = std::make_shared<dom::parser>();
  dom::element root;
  if (parser->allocate(0, kJsonDepthMax) != simdjson::SUCCESS) {
    return Error{ErrorCode::kInternal, "Out of memory"};
  }
  if (parser->parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) {
    return Error{ErrorCode::kSerialization, ""};
  }
  Document document(ValueOf(root));
  document.owner_ = false;
  document.own_parser_ = std::move(parser);
  return document;
}

bool IsObject(std::string_view text) {
  dom::parser parser;
  dom::element root;
  return parser.allocate(0, kJsonDepthMax) == simdjson::SUCCESS &&
         parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS && root.is_object();
}

Document::~Document() {
  if (owner_) {
    large_parser.reset();
    document_alive = false;
  }
}

}  // namespace prejoin::json
