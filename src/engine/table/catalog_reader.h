// Reads the members of a stored catalog entry.
#ifndef PREJOIN_ENGINE_TABLE_CATALOG_READER_H_
#define PREJOIN_ENGINE_TABLE_CATALOG_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::engine {

// Remembers that something was missing or of the wrong type, so that readers need no error path of
// their own.
class CatalogReader {
 public:
  explicit CatalogReader(const Item& item) : item_(item) {}

  bool ok() const { return ok_; }
  bool Has(std::string_view name) const { return item_.Find(name) != nullptr; }

  bool IsString(std::string_view name) const {
    const AttributeValue* value = item_.Find(name);
    return value != nullptr && value->string() != nullptr;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : item_) {
      names.push_back(name);
    }
    return names;
  }

  std::string String(std::string_view name) { return Get(name, &AttributeValue::string); }
  bool Bool(std::string_view name) { return Get(name, &AttributeValue::boolean); }
  std::int64_t Int(std::string_view name) {
    const auto value = Get(name, &AttributeValue::number).ToInt64();
    ok_ = value && ok_;
    return value.value_or(0);
  }
  std::optional<std::int64_t> OptionalInt(std::string_view name) {
    return Has(name) ? std::optional(Int(name)) : std::nullopt;
  }
  template <class Enum>
  Enum Code(std::string_view name) {
    return static_cast<Enum>(Int(name));
  }
  Item Map(std::string_view name) {
    const AttributeValue* value = item_.Find(name);
    return value && value->map() ? *value->map() : Fail<Item>();
  }
  AttributeValue::List List(std::string_view name) {
    const AttributeValue* value = item_.Find(name);
    return value && value->list() ? *value->list() : Fail<AttributeValue::List>();
  }
  // Runs `read` on each map of the list.
  template <class Read>
  void Each(std::string_view name, Read read) {
    for (const AttributeValue& element : List(name)) {
      if (element.map() == nullptr) {
        ok_ = false;
        continue;
      }
      CatalogReader reader(*element.map());
      read(reader);
      ok_ = ok_ && reader.ok();
    }
  }
  template <class Read>
  void Inside(std::string_view name, Read read) {
    const Item map = Map(name);
    CatalogReader reader(map);
    read(reader);
    ok_ = ok_ && reader.ok();
  }

 private:
  template <class T>
  T Fail() {
    ok_ = false;
    return T();
  }
  template <class T>
  T Get(std::string_view name, const T* (AttributeValue::*getter)() const) {
    const AttributeValue* value = item_.Find(name);
    const T* inner = value ? (value->*getter)() : nullptr;
    return inner ? *inner : Fail<T>();
  }

  const Item& item_;
  bool ok_ = true;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_CATALOG_READER_H_
