#include "engine/item/transaction_keys.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/item/keys.h"
#include "engine/item/write_stamp.h"

namespace prejoin::engine {
namespace {

// A table with replicas keeps a stamp for each item.
void AddStampKeys(std::span<const ItemWrite> writes, TransactionKeys& gathered) {
  gathered.stamp_of.resize(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].table->replication && writes[i].kind != WriteKind::kCheck) {
      gathered.stamp_of[i] = gathered.keys.size();
      gathered.keys.push_back(
          StampKey(*writes[i].table->replication,
                   std::string_view(writes[i].stored_key).substr(storage::kSpaceBytes)));
    }
  }
}

}  // namespace

TransactionKeys GatherKeys(std::span<const ItemWrite> writes, const TransactionGuard* guard) {
  TransactionKeys gathered;
  bool has_replicas = false;
  for (const ItemWrite& write : writes) {
    gathered.keys.push_back(write.stored_key);
    has_replicas |= write.table->replication.has_value();
  }
  for (const ItemWrite& write : writes) {
    gathered.collection_of.emplace_back();
    if (!write.table->HasLocalIndexes() || write.kind == WriteKind::kCheck) {
      continue;
    }
    std::string key = CollectionKey(*write.table, write.key);
    const auto begin = gathered.keys.begin() + static_cast<std::ptrdiff_t>(writes.size());
    const auto found = std::find(begin, gathered.keys.end(), key);
    gathered.collection_of.back() = static_cast<std::size_t>(found - gathered.keys.begin());
    if (found == gathered.keys.end()) {
      gathered.keys.push_back(std::move(key));
    }
  }
  if (guard != nullptr) {
    gathered.guard = gathered.keys.size();
    gathered.keys.push_back(guard->key());
  }
  if (has_replicas) [[unlikely]] {
    AddStampKeys(writes, gathered);
  }
  return gathered;
}

storage::Ticket NewestTicket(storage::Store& store, const TransactionKeys& keys) {
  storage::Ticket newest = 0;
  for (const std::string& key : keys.keys) {
    newest = std::max(newest,
                      store.NewestTicket(std::string_view(key).substr(0, storage::kRouteBytes)));
  }
  return newest;
}

}  // namespace prejoin::engine
