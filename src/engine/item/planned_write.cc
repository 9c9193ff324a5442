#include "engine/item/planned_write.h"

#include <string>
#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/keys.h"
#include "engine/vector/vector_checks.h"
#include "expr/paths.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {

Status CheckItemSize(const Item& item, ItemWrite& write) {
  write.new_size_bytes = ItemSizeBytes(item);
  return write.new_size_bytes > kItemBytesMax
             ? Status(ValidationError("Item size has exceeded the maximum allowed size"))
             : Status();
}

Status PlanPut(TablePtr table, const Item& item, ItemWrite& write) {
  write.kind = WriteKind::kPut;
  if (write.new_size_bytes == 0) {
    PJ_RETURN_IF_ERROR(CheckItemSize(item, write));
  }
  PJ_RETURN_IF_ERROR(CheckItemKeys(*table, item));
  PJ_RETURN_IF_ERROR(CheckIndexKeys(*table, item));
  if (!table->vector_indexes.empty()) {
    PJ_RETURN_IF_ERROR(CheckVectorAttributes(*table, item));
  }
  // A name and a value take a few bytes more where they are stored than where they are counted.
  write.new_body.reserve(write.new_size_bytes + 8 * (item.size() + 1));
  EncodeItem(item, write.new_body);
  write.key = KeyOf(*table, ItemView(write.new_body));
  write.stored_key = StoredKey(*table, write.key);
  write.table = std::move(table);
  return {};
}

Status PlanUpdate(TablePtr table, const Item& key, ItemWrite& write) {
  PJ_RETURN_IF_ERROR(PlanCheck(table, key, write));
  write.kind = WriteKind::kUpdate;
  if (!write.update) {
    return {};
  }
  const auto check = [&](const expr::Path& path) -> Status {
    const std::string& name = std::get<std::string>(path.front().step);
    if (write.table->IsKey(name)) {
      return InvalidParameter("Cannot update attribute " + name +
                              ". This attribute is part of the key");
    }
    return CheckKeyPath(*write.table, path);
  };
  Status readable;
  for (const auto& action : write.update->sets) {
    PJ_RETURN_IF_ERROR(check(action.path));
    expr::ForEachPath(action.value, [&](const expr::Path& path) {
      if (readable) {
        readable = CheckKeyPath(*write.table, path);
      }
    });
  }
  PJ_RETURN_IF_ERROR(std::move(readable));
  for (const auto& action : write.update->removes) {
    PJ_RETURN_IF_ERROR(check(action.path));
  }
  for (const auto& action : write.update->adds) {
    PJ_RETURN_IF_ERROR(check(action.path));
  }
  for (const auto& action : write.update->deletes) {
    PJ_RETURN_IF_ERROR(check(action.path));
  }
  // There is nothing to remove from an item that does not exist, and none is made for it.
  if (!write.update->removes.empty() && write.update->sets.empty() && write.update->adds.empty() &&
      write.update->deletes.empty()) {
    write.creates_item = false;
  }
  return {};
}

Status PlanDelete(TablePtr table, const Item& key, ItemWrite& write) {
  PJ_RETURN_IF_ERROR(PlanCheck(std::move(table), key, write));
  write.kind = WriteKind::kDelete;
  return {};
}

Status PlanCheck(TablePtr table, const Item& key, ItemWrite& write) {
  write.kind = WriteKind::kCheck;
  PJ_RETURN_IF_ERROR(CheckKey(*table, key));
  write.key = key;
  write.stored_key = StoredKey(*table, key);
  write.table = std::move(table);
  return {};
}

Status CheckConditionPaths(const ItemWrite& write) {
  Status status;
  if (write.condition) {
    expr::ForEachPath(*write.condition, [&](const expr::Path& path) {
      if (status) {
        status = CheckKeyPath(*write.table, path);
      }
    });
  }
  return status;
}

}  // namespace prejoin::engine
