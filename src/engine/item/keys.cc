#include "engine/item/keys.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "engine/table/space.h"
#include "expr/key_condition.h"
#include "expr/paths.h"
#include "storage/store.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

const AttributeValue& At(const Item& item, const std::string& name) {
  const AttributeValue* value = item.Find(name);
  PJ_CHECK(value != nullptr);
  return *value;
}

ValueView At(ItemView item, const std::string& name) {
  const ValueView value = item.Find(name);
  PJ_CHECK(value);
  return value;
}

// HASH parts after a route, then RANGE parts. `source` is an Item or an ItemView.
template <class Source>
std::string EncodeKeys(std::uint32_t space, const KeyAttributes& keys, const Source& source) {
  std::string partition;
  std::size_t part = 0;
  for (; part < keys.size() && keys[part].key_type == KeyType::kHash; ++part) {
    AppendKeyValue(At(source, keys[part].name), partition);
  }
  std::string stored = PartitionPrefix(space, partition);
  for (; part < keys.size(); ++part) {
    AppendKeyValue(At(source, keys[part].name), stored);
  }
  return stored;
}

template <class Source>
std::string EncodeEntryKey(const Table& table, const Index& index, const Source& source) {
  std::string stored = EncodeKeys(index.space, index.keys, source);
  for (const auto& key : table.keys) {
    AppendKeyValue(At(source, key.name), stored);
  }
  return stored;
}

std::size_t KeyBytes(const AttributeValue& value) {
  if (const auto* text = value.string()) {
    return text->size();
  }
  if (const auto* bytes = value.binary()) {
    return bytes->size();
  }
  return 0;  // A number never comes near the limits.
}

// "string" or "binary" when the value is an empty one of these; empty otherwise.
std::string_view EmptyKind(const AttributeValue& value) {
  if (const auto* text = value.string(); text && text->empty()) {
    return "string";
  }
  if (const auto* bytes = value.binary(); bytes && bytes->empty()) {
    return "binary";
  }
  return {};
}

Status CheckKeyLength(const expr::KeyAttribute& key, const AttributeValue& value) {
  // The missing blanks are DynamoDB's.
  if (key.key_type == KeyType::kHash && KeyBytes(value) > kPartitionKeyBytesMax) {
    return ValidationError(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
        "limit of2048 "
        "bytes");
  }
  if (key.key_type == KeyType::kRange && KeyBytes(value) > kSortKeyBytesMax) {
    return ValidationError(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
        "the size limit "
        "of 1024 bytes");
  }
  return {};
}

Status CheckKeyValue(const expr::KeyAttribute& key, const AttributeValue& value) {
  PJ_RETURN_IF_ERROR(CheckNotEmpty(key.name, value));
  return CheckKeyLength(key, value);
}

Error EmptyIndexKey(std::string_view kind) {
  return ValidationError(
      "One or more parameter values are not valid. The update expression attempted to update a "
      "secondary index key to a value that is not supported. The AttributeValue for a key "
      "attribute cannot contain an empty " +
      std::string(kind) + " value.");
}

// True if the update copies another attribute to this one.
bool IsCopied(const expr::Update* update, const std::string& name) {
  return update != nullptr && std::ranges::any_of(update->sets, [&](const expr::SetAction& set) {
           return set.path.size() == 1 && expr::TopLevelName(set.path) == name &&
                  std::holds_alternative<expr::Path>(set.value.node);
         });
}

// Checks the index keys that are not keys of the table too: those are checked with the table's keys.
// If several indexes have a fault, DynamoDB names the alphabetically first, local or global.
template <class Check>
Status ForEachIndexKey(const Table& table, const Item& item, Check check) {
  Status first_fault;
  const Index* first_index = nullptr;
  for (const Index& index : table.indexes) {
    if (first_index != nullptr && first_index->name() < index.name()) {
      continue;
    }
    for (const auto& key : index.keys) {
      const AttributeValue* value = table.IsKey(key.name) ? nullptr : item.Find(key.name);
      Status checked = value != nullptr ? check(index, key, *value) : Status();
      if (!checked) {
        first_fault = std::move(checked);
        first_index = &index;
        break;
      }
    }
  }
  return first_fault;
}

}  // namespace

std::string PartitionPrefix(std::uint32_t space, std::string_view encoded_partition_key) {
  std::string prefix;
  prefix.reserve(encoded_partition_key.size() + 64);
  AppendUint32(space, prefix);
  AppendUint32(PartitionHash(encoded_partition_key), prefix);
  prefix.append(encoded_partition_key);
  return prefix;
}

std::string StoredKey(const Table& table, const Item& item) {
  return EncodeKeys(table.space, table.keys, item);
}
std::string StoredKey(const Table& table, ItemView item) {
  return EncodeKeys(table.space, table.keys, item);
}

std::string CollectionKey(const Table& table, const Item& item) {
  std::string partition;
  AppendKeyValue(At(item, table.keys[0].name), partition);
  return PartitionPrefix(table.collection_space, partition);
}

std::optional<std::string> IndexEntryKey(const Table& table, const Index& index, ItemView item) {
  for (const auto& key : index.keys) {
    const ValueView value = item.Find(key.name);
    if (!value || !FitsKey(key, value)) {
      return std::nullopt;
    }
  }
  return EncodeEntryKey(table, index, item);
}

std::string IndexEntryKey(const Table& table, const Index& index, const Item& key) {
  return EncodeEntryKey(table, index, key);
}

Status CheckKey(const Table& table, const Item& key) {
  bool matches = key.size() == table.keys.size();
  for (std::size_t i = 0; matches && i < table.keys.size(); ++i) {
    const AttributeValue* value = key.Find(table.keys[i].name);
    matches = value != nullptr && HasType(*value, table.keys[i].type);
  }
  if (!matches) {
    return ValidationError("The provided key element does not match the schema");
  }
  for (const auto& part : table.keys) {
    PJ_RETURN_IF_ERROR(CheckKeyValue(part, *key.Find(part.name)));
  }
  return {};
}

Status CheckKeyPath(const Table& table, const expr::Path& path) {
  if (path.size() == 1) {
    return {};
  }
  const std::string& name = expr::TopLevelName(path);
  const auto refused = [&](const char* what) {
    return ValidationError(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
        "allowed: " +
        std::string(what) + ": " + name);
  };
  if (table.IsKey(name)) {
    return refused("Key");
  }
  for (const Index& index : table.indexes) {
    if (std::ranges::find(index.keys, name, &expr::KeyAttribute::name) != index.keys.end()) {
      return refused("IndexKey");
    }
  }
  return {};
}

Status CheckItemKeys(const Table& table, const Item& item) {
  for (const auto& key : table.keys) {
    const AttributeValue* value = item.Find(key.name);
    if (value == nullptr) {
      return ValidationError("One or more parameter values were invalid: Missing the key " +
                             key.name + " in the item");
    }
    if (!HasType(*value, key.type)) {
      return ValidationError("One or more parameter values were invalid: Type mismatch for key " +
                             key.name + " expected: " + std::string(ScalarTypeName(key.type)) +
                             " actual: " + std::string(TypeName(value->type())));
    }
    PJ_RETURN_IF_ERROR(CheckKeyValue(key, *value));
  }
  return {};
}

bool FitsKey(const expr::KeyAttribute& key, ValueView value) {
  if (!HasType(value, key.type)) {
    return false;
  }
  if (key.type == ScalarType::kNumber) {
    return true;
  }
  const std::size_t bytes = value.string().size();
  return bytes > 0 &&
         bytes <= (key.key_type == KeyType::kHash ? kPartitionKeyBytesMax : kSortKeyBytesMax);
}

Status CheckIndexKey(const std::string& index_name, const expr::KeyAttribute& key,
                     const AttributeValue& value, IndexKeySource source) {
  const auto kind = EmptyKind(value);
  if (source == IndexKeySource::kCopy && !HasType(value, key.type)) {
    return ValidationError(
        "The update expression attempted to update the secondary index key to unsupported type");
  }
  if (!HasType(value, key.type)) {
    return ValidationError(
        "One or more parameter values were invalid: Type mismatch for Index Key " + key.name +
        " Expected: " + std::string(ScalarTypeName(key.type)) +
        " Actual: " + std::string(TypeName(value.type())) + " IndexName: " + index_name);
  }
  if (!kind.empty() && source != IndexKeySource::kPut) {
    return EmptyIndexKey(kind);
  }
  if (!kind.empty()) {
    return ValidationError(
        "One or more parameter values are not valid. A value specified for a secondary index key "
        "is not supported. The "
        "AttributeValue for a key attribute cannot contain an empty " +
        std::string(kind) + " value. IndexName: " + index_name + ", IndexKey: " + key.name);
  }
  return CheckKeyLength(key, value);
}

IndexKeySource UpdateSource(const expr::Update* update, const std::string& attribute_name) {
  return IsCopied(update, attribute_name) ? IndexKeySource::kCopy : IndexKeySource::kUpdate;
}

Status CheckIndexKeys(const Table& table, const Item& item) {
  return ForEachIndexKey(table, item, [](const Index& index, const auto& key, const auto& value) {
    return CheckIndexKey(index.name(), key, value, IndexKeySource::kPut);
  });
}

Status CheckNotEmpty(const std::string& key_name, const AttributeValue& value) {
  const auto kind = EmptyKind(value);
  return kind.empty() ? Status()
                      : Status(ValidationError(
                            "One or more parameter values are not valid. The AttributeValue for a "
                            "key attribute cannot contain an empty " +
                            std::string(kind) + " value. Key: " + key_name));
}

Status CheckNoEmptyKeys(const Table& table, const Item& item, const expr::Update* update) {
  for (const auto& key : table.keys) {
    if (const AttributeValue* value = item.Find(key.name)) {
      PJ_RETURN_IF_ERROR(CheckNotEmpty(key.name, *value));
    }
  }
  PJ_RETURN_IF_ERROR(ForEachIndexKey(
      table, item, [](const Index& index, const auto& key, const auto& value) -> Status {
        return EmptyKind(value).empty()
                   ? Status()
                   : CheckIndexKey(index.name(), key, value, IndexKeySource::kPut);
      }));
  if (update == nullptr) {
    return {};
  }
  for (const expr::SetAction& set : update->sets) {
    const auto* literal = std::get_if<expr::Literal>(&set.value.node);
    if (literal == nullptr || set.path.size() > 1 || EmptyKind(literal->value()).empty()) {
      continue;
    }
    for (const Index& index : table.indexes) {
      if (std::ranges::find(index.keys, expr::TopLevelName(set.path), &expr::KeyAttribute::name) !=
          index.keys.end()) {
        return EmptyIndexKey(EmptyKind(literal->value()));
      }
    }
  }
  return {};
}

Status CheckUpdatedIndexKeys(const Table& table, const Item& item, const Item& old_item,
                             const expr::Update* update) {
  return ForEachIndexKey(
      table, item, [&](const Index& index, const auto& key, const auto& value) -> Status {
        const AttributeValue* old_value = old_item.Find(key.name);
        return old_value != nullptr && *old_value == value
                   ? Status()
                   : CheckIndexKey(index.name(), key, value, UpdateSource(update, key.name));
      });
}

bool HasType(const AttributeValue& value, ScalarType type) {
  return value.type() == expr::ValueTypeOf(type);
}

bool HasType(ValueView value, ScalarType type) { return value.type() == expr::ValueTypeOf(type); }

std::string_view ScalarTypeName(ScalarType type) {
  switch (type) {
    case ScalarType::kString:
      return "S";
    case ScalarType::kNumber:
      return "N";
    case ScalarType::kBinary:
      return "B";
  }
  return "";
}

bool HasKeys(const Table& table, const Index* index, ItemView item) {
  const auto has = [&](const expr::KeyAttribute& key) {
    const ValueView value = item.Find(key.name);
    return value && HasType(value, key.type);
  };
  return std::ranges::all_of(table.keys, has) &&
         (index == nullptr || std::ranges::all_of(index->keys, has));
}

Result<Record> DecodeWithKeys(const Table& table, const Index* index, std::string_view stored) {
  PJ_ASSIGN_OR_RETURN(const Record record, DecodeRecord(stored));
  if (!HasKeys(table, index, record.item())) {
    return DamagedRecord();
  }
  return record;
}

Item KeyOf(const Table& table, ItemView item) { return KeyOf(table, nullptr, item); }

Item KeyOf(const Table& table, const Index* index, ItemView item) {
  Item key;
  key.Reserve(table.keys.size() + (index != nullptr ? index->keys.size() : 0));
  for (const auto& part : table.keys) {
    key.Set(part.name, At(item, part.name).Decode());
  }
  if (index != nullptr) {
    for (const auto& part : index->keys) {
      key.Set(part.name, At(item, part.name).Decode());
    }
  }
  return key;
}

}  // namespace prejoin::engine
