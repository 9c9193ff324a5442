// Requests that fix stored items.
#ifndef PREJOIN_AUDIT_FIX_REQUEST_H_
#define PREJOIN_AUDIT_FIX_REQUEST_H_

#include <string>

#include "audit/finding.h"
#include "prejoin/item.h"

namespace prejoin::audit {

// From one state of an item to another: an UpdateItem of what differs or, where the key does, a transaction that puts the
// new item and deletes the old. Both only if what changes is still as it was.
Fix ChangeItem(const std::string& table, const Item& old_key, const Item& new_key,
               const Item& old_item, const Item& new_item);

// Only if there is none.
Fix PutNewItem(const std::string& table, const Item& key, const Item& item);
Fix DeleteStored(const std::string& table, const Item& key);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_FIX_REQUEST_H_
