// simdjson's document tree behind our handles. A handle is the same two words as simdjson's own
// element and iterators, so turning one into the other is free and no other file has to include
// the library's very large header.
#include "json/reader.h"

#include <simdjson.h>

#include <algorithm>
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
// above this size are rare, so they get a parser of their own, of which only the document stays.
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

template <class LibraryIterator, class Iterator>
Iterator Next(const Iterator& at) {
  auto it = Access::Cast<LibraryIterator>(at);
  return Access::Cast<Iterator>(++it);
}

// A text of many tiny values, such as [0,0,0,…], takes the library twelve times its bytes. A large one that
// would take more than this and three times its bytes is refused before it is read; requests that people
// send have longer values.
constexpr std::size_t kDenseTextBytesMin = 4 * 1024 * 1024;
constexpr std::size_t kParsedBytesMax = 63 * 1024 * 1024;

// The counts outside strings.
struct TokenCounts {
  std::size_t strings = 0;
  std::size_t string_bytes = 0;
  std::size_t brackets = 0;
  std::size_t commas = 0;
  std::size_t colons = 0;
  std::size_t words = 0;  // true, false, null.
};

TokenCounts CountTokens(std::string_view text) {
  TokenCounts counts;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '"': {
        const std::size_t begin = ++at;
        while (at < text.size() && text[at] != '"') {
          at += text[at] == '\\' ? 2 : 1;
        }
        counts.string_bytes += at - begin;
        ++counts.strings;
        break;
      }
      case '{':
      case '}':
      case '[':
      case ']':
        ++counts.brackets;
        break;
      case ',':
        ++counts.commas;
        break;
      case ':':
        ++counts.colons;
        break;
      case 't':
      case 'f':
      case 'n':
        ++counts.words;
        break;
      default:
        break;
    }
  }
  return counts;
}

// The library copies the text, and keeps four bytes for the place of each token, eight on its tape for each
// string, bracket and word and sixteen for each number, and each string with its length.
std::size_t ParsedBytes(std::string_view text) {
  const TokenCounts counts = CountTokens(text);
  const std::size_t names_and_commas = counts.colons + counts.commas;
  const std::size_t scalars = names_and_commas - std::min(names_and_commas, counts.strings);
  const std::size_t numbers = scalars - std::min(scalars, counts.words);
  const std::size_t tokens = counts.strings + counts.brackets + names_and_commas + scalars;
  const std::size_t tape = counts.strings + counts.brackets + scalars + numbers;
  return text.size() + 4 * tokens + 8 * tape + 5 * counts.strings + counts.string_bytes;
}

bool IsTooDense(std::string_view text) {
  return text.size() >= kDenseTextBytesMin && ParsedBytes(text) > kParsedBytesMax + 2 * text.size();
}

thread_local std::unique_ptr<dom::parser> reused_parser;
thread_local std::unique_ptr<dom::document> large_document;
thread_local bool document_alive = false;

simdjson::simdjson_result<dom::element> ParseLarge(std::string_view text) {
  dom::parser parser;
  if (const auto code = parser.allocate(0, kJsonDepthMax); code != simdjson::SUCCESS) {
    return code;
  }
  large_document = std::make_unique<dom::document>();
  return parser.parse_into_document(*large_document, text.data(), text.size());
}

simdjson::simdjson_result<dom::element> ParseReusing(std::string_view text) {
  if (reused_parser == nullptr) {
    auto parser = std::make_unique<dom::parser>();
    if (const auto code = parser->allocate(0, kJsonDepthMax); code != simdjson::SUCCESS) {
      return code;
    }
    reused_parser = std::move(parser);
  }
  return reused_parser->parse(text.data(), text.size());
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

template <>
Value Elements::Iterator::operator*() const {
  return ValueOf(*Access::Cast<dom::array::iterator>(*this));
}

template <>
Field Fields::Iterator::operator*() const {
  const auto it = Access::Cast<dom::object::iterator>(*this);
  return {it.key(), ValueOf(it.value())};
}

template <>
Elements::Iterator& Elements::Iterator::operator++() {
  return *this = Next<dom::array::iterator>(*this);
}

template <>
Fields::Iterator& Fields::Iterator::operator++() {
  return *this = Next<dom::object::iterator>(*this);
}

Result<Document> Document::Parse(std::string_view text) {
  PJ_CHECK(!document_alive);
  if (IsTooDense(text)) {
    return Error{ErrorCode::kSerialization, ""};
  }
  dom::element root;
  const simdjson::error_code code =
      (text.size() > kReusedParserBytesMax ? ParseLarge(text) : ParseReusing(text)).get(root);
  if (code != simdjson::SUCCESS) {
    large_document.reset();
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
    large_document.reset();
    document_alive = false;
  }
}

}  // namespace prejoin::json
