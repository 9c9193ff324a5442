#include "engine/table/table_stats.h"

#include <string>

#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "value/encoding.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

std::string StatsKey() {
  std::string key;
  AppendSpace(kCatalogSpace, key);
  AppendSpace(0, key);
  return key + "stats";
}

// One item whose attributes are space numbers, each with a list of count and bytes.
void Save(std::uint32_t space, const Stats& stats, Item& saved) {
  saved.Set(std::to_string(space), AttributeValue::List{AttributeValue(stats.item_count.load()),
                                                        AttributeValue(stats.size_bytes.load())});
}

void Restore(const Item& saved, std::uint32_t space, Stats& stats) {
  const AttributeValue* value = saved.Find(std::to_string(space));
  const auto* pair = value ? value->list() : nullptr;
  if (pair == nullptr || pair->size() != 2) {
    return;
  }
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  if ((*pair)[0].number() && (*pair)[0].number()->ToInt64(&count) && (*pair)[1].number() &&
      (*pair)[1].number()->ToInt64(&bytes)) {
    stats.item_count = count;
    stats.size_bytes = bytes;
  }
}

}  // namespace

Status CountSpace(storage::Store& store, std::uint32_t space, Stats& stats) {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  storage::Range range;
  AppendSpace(space, range.begin);
  range.end = PrefixEnd(range.begin);
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view, std::string_view value) {
    ++count;
    bytes += static_cast<std::int64_t>(DecodeRecord(value).size_bytes);
    return storage::Visit::kContinue;
  }));
  stats.item_count = count;
  stats.size_bytes = bytes;
  return {};
}

Status SaveStats(storage::Store& store, const Catalog& catalog) {
  Item saved;
  for (const TablePtr& table : catalog.All()) {
    Save(table->space, *table->stats, saved);
    for (const Index& index : table->indexes) {
      Save(index.space, *index.stats, saved);
    }
  }
  const std::string keys[] = {StatsKey()};
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        transaction.Put(keys[0], EncodeItem(saved));
                        return {};
                      }));
  return store.WaitDurable(ticket);
}

Result<bool> LoadStats(storage::Store& store, const Catalog& catalog) {
  const std::string keys[] = {StatsKey()};
  PJ_ASSIGN_OR_RETURN(const auto stored, store.Get(keys[0]));
  if (!stored) {
    return false;
  }
  PJ_RETURN_IF_ERROR(ValidateItemBody(*stored));
  const Item saved = ItemView(*stored).Decode();
  for (const TablePtr& table : catalog.All()) {
    Restore(saved, table->space, *table->stats);
    for (const Index& index : table->indexes) {
      Restore(saved, index.space, *index.stats);
    }
  }
  PJ_RETURN_IF_ERROR(store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    transaction.Delete(keys[0]);
    return {};
  }));
  return true;
}

}  // namespace prejoin::engine
