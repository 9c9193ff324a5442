// An update names few attributes of an item that may have many. Only those that it reads or changes are decoded, updated and checked; the
// others go from the old body to the new one as bytes, in runs. So of
//
//   {city, id, name, visits, zip}   with   SET visits = visits + :one, shown = :yes
//
// `visits` is taken out, {shown, visits} is what the update makes of it, and the new body is the bytes of city to name, `shown`, `visits`, and
// the bytes of zip. Every check that an updated item has to pass compares an attribute with its old value or looks at one value alone, so
// attributes that the update does not name pass it as they did when they were written.
#include "engine/item/updated_item.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/keys.h"
#include "engine/vector/vector_checks.h"
#include "expr/evaluate.h"
#include "expr/paths.h"
#include "value/encoding.h"
#include "value/size.h"
#include "value/varint.h"

namespace prejoin::engine {
namespace {

// `depth` is how many lists and maps are around the value, the item itself included.
bool IsTooDeep(const AttributeValue& value, int depth) {
  if (!value.list() && !value.map()) {
    return false;
  }
  if (depth >= kNestingDepthMax) {
    return true;
  }
  const auto inside = [&](const AttributeValue& inner) { return IsTooDeep(inner, depth + 1); };
  return value.list() ? std::ranges::any_of(*value.list(), inside)
                      : std::ranges::any_of(value.map()->begin(), value.map()->end(), inside,
                                            &Item::Entry::second);
}

// Checks what an update made, before it is stored: parts that were in order alone may be too much
// together.
Status CheckUpdated(const Table& table, const Item& item, const Item& old_item,
                    const expr::Update& update) {
  for (const auto& [name, value] : item) {
    if (IsTooDeep(value, 1)) {
      return ValidationError(
          "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
          "levels beyond supported limit");
    }
  }
  PJ_RETURN_IF_ERROR(CheckUpdatedIndexKeys(table, item, old_item, &update));
  return table.vector_indexes.empty() ? Status()
                                      : CheckUpdatedVectorAttributes(table, item, old_item, update);
}

// The attributes that the update reads or changes, in order.
std::vector<std::string_view> NamedIn(const expr::Update& update) {
  std::vector<std::string_view> names;
  const auto add = [&](const expr::Path& path) { names.push_back(expr::TopLevelName(path)); };
  for (const expr::SetAction& set : update.sets) {
    add(set.path);
    expr::ForEachPath(set.value, add);
  }
  for (const expr::RemoveAction& remove : update.removes) {
    add(remove.path);
  }
  for (const expr::AddAction& addition : update.adds) {
    add(addition.path);
  }
  for (const expr::DeleteAction& deletion : update.deletes) {
    add(deletion.path);
  }
  std::ranges::sort(names);
  return names;
}

// Returns the attributes of the item whose names are in `names`, which may repeat one.
Item DecodeNamed(ItemView item, const std::vector<std::string_view>& names) {
  Item found;
  found.Reserve(names.size());
  auto wanted = names.begin();
  for (const auto& [name, value] : item) {
    while (wanted != names.end() && *wanted < name) {
      ++wanted;
    }
    if (wanted == names.end()) {
      break;
    }
    if (*wanted == name) {
      found.Set(std::string(name), value.Decode());
    }
  }
  return found;
}

void AppendAttribute(const Item::Entry& attribute, std::string& body) {
  AppendVarint(static_cast<std::uint32_t>(attribute.first.size()), body);
  body.append(attribute.first);
  EncodeValue(attribute.second, body);
}

// The body of `item` with `new_part` in place of `old_part`. All attributes of `old_part` are in `item`; one that is in `item` and in
// `new_part` is also in `old_part`.
std::string ReplacePart(ItemView item, const Item& old_part, const Item& new_part,
                        std::size_t size_bytes) {
  std::string body;
  // A name and a value take a few bytes more where they are stored than where they are counted.
  body.reserve(std::max(item.body().size(), size_bytes) + 8 * (new_part.size() + 1));
  AppendVarint(static_cast<std::uint32_t>(item.size() - old_part.size() + new_part.size()), body);
  const Item::Entry* removed = old_part.begin();
  const Item::Entry* added = new_part.begin();
  const char* at = item.body().data();
  ReadVarint(at);
  // Attributes from here up to `at` stay as they are.
  const char* run = at;
  for (const auto& [name, value] : item) {
    for (; added != new_part.end() && added->first < name; ++added) {
      body.append(run, at);
      run = at;
      AppendAttribute(*added, body);
    }
    const bool stays = removed == old_part.end() || removed->first != name;
    if (!stays) {
      body.append(run, at);
      ++removed;
    }
    at = value.End();
    if (!stays) {
      run = at;
    }
  }
  body.append(run, at);
  for (; added != new_part.end(); ++added) {
    AppendAttribute(*added, body);
  }
  return body;
}

}  // namespace

Result<UpdatedItem> MakeUpdatedItem(const ItemWrite& write, const std::optional<Record>& current) {
  static const expr::Update kNothing;
  const expr::Update& update = write.update ? *write.update : kNothing;
  const Item old_part = current ? DecodeNamed(current->item(), NamedIn(update)) : write.key;
  PJ_ASSIGN_OR_RETURN(expr::UpdateResult result, ApplyUpdate(update, old_part));
  PJ_RETURN_IF_ERROR(CheckUpdated(*write.table, result.item, old_part, update));
  UpdatedItem updated;
  updated.size_bytes = ItemSizeBytes(result.item);
  if (current) {
    updated.size_bytes += current->size_bytes - ItemSizeBytes(old_part);
  }
  if (updated.size_bytes > kItemBytesMax) {
    return ValidationError("Item size to update has exceeded the maximum allowed size");
  }
  updated.body = current ? ReplacePart(current->item(), old_part, result.item, updated.size_bytes)
                         : EncodeItem(result.item);
  updated.updated_old = std::move(result.updated_old);
  updated.updated_new = std::move(result.updated_new);
  return updated;
}

}  // namespace prejoin::engine
