#include "engine/verify/verify.h"

#include <optional>
#include <set>
#include <utility>

#include "base/function_ref.h"
#include "engine/history/history_record.h"
#include "engine/index/index_outbox.h"
#include "engine/index/index_writes.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/item/write_stamp.h"
#include "engine/stream/stream.h"
#include "engine/stream/stream_record.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"
#include "engine/table/table_stats.h"
#include "engine/ttl/expiry.h"
#include "engine/vector/vector_entry.h"
#include "engine/vector/vector_writes.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kRecordsPerBatch = 256;
constexpr std::size_t kBytesPerBatch = 4u << 20;

std::string HexOf(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text.push_back(kDigits[static_cast<unsigned char>(byte) >> 4]);
    text.push_back(kDigits[static_cast<unsigned char>(byte) & 15]);
  }
  return text;
}

Error NoItem() { return Error{ErrorCode::kCorruption, "no item"}; }

struct Stored {
  std::string key;
  std::string value;
};

// One run through a store. Single thread.
class Verifier {
 public:
  Verifier(storage::Store& store, const std::function<void(std::uint64_t)>& progress,
           VerifyReport& report)
      : store_(store), progress_(progress), report_(report) {}

  void Run() {
    Catalog catalog(store_);
    if (const Status loaded = catalog.Load(); !loaded) {
      report_.Find("catalog", loaded.error().message);
      return;
    }
    // Entries of global indexes may come later than their items; then only a part can be compared.
    has_notes_ = CountOf(kOutboxSpace, "outbox", "index notes", [&](const Stored& note) {
                   if (const Status read = CheckIndexNote(note.value); !read) {
                     report_.Find("outbox", read.error().message, note.key);
                   }
                 }) > 0;
    CountOf(kTokenSpace, "idempotency tokens", "idempotency tokens", [&](const Stored& token) {
      if (token.value.size() < sizeof(std::int64_t)) {
        report_.Find("idempotency tokens", "a token is too short", token.key);
      }
    });
    for (const TablePtr& table : catalog.All()) {
      VerifyTable(*table);
    }
    VerifySavedStats(catalog);
  }

 private:
  using Look = FunctionRef<void(const Stored&)>;

  // Calls `look` for each record of the space, outside the store's visit. How many there were.
  std::uint64_t CountOf(std::uint32_t space, const std::string& where, const std::string& kind,
                        Look look) {
    storage::Range range = SpaceRange(space);
    std::uint64_t count = 0;
    while (true) {
      std::vector<Stored> batch;
      std::size_t bytes = 0;
      const Status visited = store_.Visit(range, [&](std::string_view key, std::string_view value) {
        batch.push_back({std::string(key), std::string(value)});
        bytes += key.size() + value.size();
        return batch.size() < kRecordsPerBatch && bytes < kBytesPerBatch ? storage::Visit::kContinue
                                                                         : storage::Visit::kStop;
      });
      for (const Stored& record : batch) {
        look(record);
      }
      count += batch.size();
      total_ += batch.size();
      progress_(total_);
      if (!visited) {
        report_.Find(where, visited.error().message,
                     batch.empty() ? range.begin : batch.back().key);
        break;
      }
      if (batch.empty()) {
        break;
      }
      range.begin = batch.back().key + '\0';
    }
    report_.counts[kind] += count;
    counts_[space] = count;
    return count;
  }

  void VerifyTable(const Table& table) {
    const std::string name = "table " + table.name();
    std::vector<std::uint64_t> expected(table.indexes.size());
    std::uint64_t expiring = 0;
    CountOf(table.space, name, "items", [&](const Stored& stored) {
      const auto record = DecodeWithKeys(table, nullptr, stored.value);
      if (!record) {
        report_.Find(name, record.error().message, stored.key);
        return;
      }
      if (StoredKey(table, record->item()) != stored.key) {
        report_.Find(name, "an item stands under the key of another one", stored.key);
        return;
      }
      if (ItemSizeBytes(record->item()) != record->size_bytes) {
        report_.Find(name, "an item has another size than its record says", stored.key);
      }
      expiring += table.expiry && ExpiresAt(*table.expiry, record->item()) ? 1 : 0;
      for (std::size_t i = 0; i < table.indexes.size(); ++i) {
        expected[i] += VerifyEntry(table, table.indexes[i], *record, stored.key) ? 1 : 0;
      }
      for (const VectorIndex& index : table.vector_indexes) {
        VerifyVectorEntry(table, index, *record, stored.key);
      }
    });
    for (std::size_t i = 0; i < table.indexes.size(); ++i) {
      VerifyIndex(table, table.indexes[i], expected[i]);
    }
    for (const VectorIndex& index : table.vector_indexes) {
      VerifyVectorIndex(table, index);
    }
    if (table.expiry) {
      VerifyExpiry(table, expiring);
    }
    VerifyFollowers(table, name);
  }

  bool IsWhole(const Index& index) const {
    return index.description.status == IndexStatus::kActive && !(index.global && has_notes_);
  }

  // Returns true if the item has an entry in the index, which must be there.
  bool VerifyEntry(const Table& table, const Index& index, const Record& record,
                   const std::string& item_key) {
    const auto entry = IndexEntryOf(table, index, record);
    if (!entry || !IsWhole(index)) {
      return entry.has_value();
    }
    const std::string where = "index " + index.name() + " of table " + table.name();
    const auto found = store_.Get(entry->key);
    if (!found) {
      report_.Find(where, found.error().message, entry->key);
    } else if (!*found) {
      report_.Find(where, "an item has no entry", item_key);
    } else if (**found != entry->value) {
      report_.Find(where, "an entry differs from its item", entry->key);
    }
    return true;
  }

  // The item that an entry belongs to; nullopt, and a finding, if there is none.
  std::optional<std::string> ItemOfEntry(const Table& table, const std::string& where,
                                         ItemView entry, const std::string& entry_key) {
    const auto item = store_.Get(StoredKey(table, entry));
    if (!item) {
      report_.Find(where, item.error().message, entry_key);
      return std::nullopt;
    }
    if (!*item) {
      report_.Find(where, "an entry belongs to no item", entry_key);
    }
    return *item;
  }

  void VerifyIndex(const Table& table, const Index& index, std::uint64_t expected) {
    const std::string where = "index " + index.name() + " of table " + table.name();
    const std::uint64_t found =
        CountOf(index.space, where, "index entries", [&](const Stored& stored) {
          const auto record = DecodeWithKeys(table, &index, stored.value);
          if (!record) {
            report_.Find(where, record.error().message, stored.key);
          } else if (IndexEntryKey(table, index, record->item()) != stored.key) {
            report_.Find(where, "an entry stands under the key of another one", stored.key);
          } else if (IsWhole(index)) {
            (void)ItemOfEntry(table, where, record->item(), stored.key);
          }
        });
    if (IsWhole(index) && found != expected) {
      report_.Find(where, "there are " + std::to_string(found) + " entries, and there should be " +
                              std::to_string(expected));
    }
  }

  static std::string PlaceOf(const Table& table, const VectorIndex& index) {
    return "vector index " + index.name() + " of table " + table.name();
  }

  // The entry that the item has in a vector index must be there. Those that are there are compared by VerifyVectorIndex.
  void VerifyVectorEntry(const Table& table, const VectorIndex& index, const Record& record,
                         const std::string& item_key) {
    const auto entry = VectorRecordOf(table, index, record);
    if (!entry || index.description.status != IndexStatus::kActive) {
      return;
    }
    const auto found = store_.Get(entry->key);
    if (!found) {
      report_.Find(PlaceOf(table, index), found.error().message, entry->key);
    } else if (!*found) {
      report_.Find(PlaceOf(table, index), "an item has no entry", item_key);
    }
  }

  void VerifyVectorIndex(const Table& table, const VectorIndex& index) {
    const std::string where = PlaceOf(table, index);
    CountOf(index.space, where, "vector index entries", [&](const Stored& stored) {
      const auto entry = DecodeVectorEntry(stored.value, index.dimensions());
      if (!entry || !HasKeys(table, nullptr, entry->record.item())) {
        report_.Find(where, "an entry cannot be read", stored.key);
        return;
      }
      const auto item = ItemOfEntry(table, where, entry->record.item(), stored.key);
      const auto record = item ? DecodeWithKeys(table, nullptr, *item) : Result<Record>(NoItem());
      if (!record) {
        return;  // Found already.
      }
      const auto made = VectorRecordOf(table, index, *record);
      if (!made || made->key != stored.key) {
        report_.Find(where, "an entry stands under the key of another one", stored.key);
      } else if (made->value != stored.value) {
        report_.Find(where, "an entry differs from its item", stored.key);
      }
    });
  }

  void VerifyExpiry(const Table& table, std::uint64_t expected) {
    const std::string where = "time to live of table " + table.name();
    const std::uint64_t found =
        CountOf(table.expiry->space, where, "expiry entries", [&](const Stored& stored) {
          const auto expiring = DecodeExpiring(stored.key, table.space);
          const auto item =
              expiring ? store_.Get(expiring->stored_key) : Result<std::optional<std::string>>();
          if (!expiring || !item) {
            report_.Find(where, expiring ? item.error().message : expiring.error().message,
                         stored.key);
          } else if (!*item || !IsRecord(**item) ||
                     ExpiresAt(*table.expiry, KnownRecord(**item).item()) != expiring->second) {
            report_.Find(where, "an entry belongs to no item that expires then", stored.key);
          }
        });
    if (!table.expiry->building && found != expected) {
      report_.Find(where, "there are " + std::to_string(found) + " entries, and there should be " +
                              std::to_string(expected));
    }
  }

  // Stream, history, sizes of item collections, and what replicas need.
  void VerifyFollowers(const Table& table, const std::string& name) {
    if (table.stream != nullptr) {
      CountOf(table.stream->info().space, "stream of " + name, "stream records",
              [&](const Stored& stored) { VerifyStreamRecord(table, name, stored); });
    }
    if (table.history) {
      CountOf(table.history->space, "history of " + name, "history records",
              [&](const Stored& stored) { VerifyOldImage(table, "history of " + name, stored); });
    }
    if (table.HasLocalIndexes()) {
      CountOf(table.collection_space, name, "item collections", [&](const Stored& stored) {
        if (stored.value.size() != sizeof(std::int64_t)) {
          report_.Find(name, "the size of an item collection cannot be read", stored.key);
        }
      });
    }
    if (table.replication) {
      VerifyReplication(table, "replicas of " + name);
    }
  }

  void VerifyReplication(const Table& table, const std::string& where) {
    CountOf(table.replication->stamp_space, where, "stamps of items", [&](const Stored& stored) {
      const auto stamp = DecodeStamp(stored.value);
      if (!stamp) {
        report_.Find(where, stamp.error().message, stored.key);
        return;
      }
      const auto item = store_.Get(
          SpaceKey(table.space, std::string_view(stored.key).substr(storage::kSpaceBytes)));
      if (!item) {
        report_.Find(where, item.error().message, stored.key);
      } else if (*item && stamp->deleted()) {
        report_.Find(where, "the stamp of an item says that it was deleted", stored.key);
      }
    });
    CountOf(table.replication->log_space, where, "notes for replicas", [&](const Stored& stored) {
      if (const auto note = DecodeNoteKey(stored.key); !note) {
        report_.Find(where, note.error().message, stored.key);
      }
    });
  }

  void VerifyOldImage(const Table& table, const std::string& where, const Stored& stored) {
    const auto place = SplitHistoryKey(stored.key);
    if (place && stored.value == kNoItem) {
      return;
    }
    const auto record = DecodeWithKeys(table, nullptr, stored.value);
    if (!place || !record) {
      report_.Find(where, "a record cannot be read", stored.key);
    } else if (std::string_view(StoredKey(table, record->item())).substr(storage::kSpaceBytes) !=
               place->item_key) {
      report_.Find(where, "an old image stands under the key of another item", stored.key);
    }
  }

  void VerifyStreamRecord(const Table& table, const std::string& name, const Stored& stored) {
    const std::string where = "stream of " + name;
    if (stored.key.substr(storage::kSpaceBytes, 5) == std::string_view("\0\0\0\0\0", 5)) {
      if (const auto shard = DecodeShard(stored.key, stored.value); !shard) {
        report_.Find(where, shard.error().message, stored.key);
      }
      return;
    }
    const auto change = DecodeChange(stored.value);
    if (!change) {
      report_.Find(where, change.error().message, stored.key);
      return;
    }
    for (const auto& image : {change->old_image, change->new_image}) {
      if (image && !IsOfItem(table, ItemView(change->keys), ItemView(*image))) {
        report_.Find(where, "an image is of another item than its record names", stored.key);
      }
    }
  }

  static bool IsOfItem(const Table& table, ItemView keys, ItemView image) {
    return HasKeys(table, nullptr, keys) && HasKeys(table, nullptr, image) &&
           StoredKey(table, keys) == StoredKey(table, image);
  }

  // A clean stop saves counts, which the next start believes.
  void VerifySavedStats(const Catalog& catalog) {
    const auto saved = ReadSavedCounts(store_);
    if (!saved) {
      report_.Find("catalog", saved.error().message);
      return;
    }
    const std::set<std::uint32_t> used = catalog.SpacesInUse();
    for (const auto& [space, count] : *saved) {
      const auto real = counts_.find(space);
      if (used.contains(space) && real != counts_.end() &&
          real->second != static_cast<std::uint64_t>(count)) {
        report_.Find("catalog", "space " + std::to_string(space) + " is said to hold " +
                                    std::to_string(count) + " records and holds " +
                                    std::to_string(real->second));
      }
    }
  }

  storage::Store& store_;
  const std::function<void(std::uint64_t)>& progress_;
  VerifyReport& report_;
  std::uint64_t total_ = 0;
  std::map<std::uint32_t, std::uint64_t> counts_;
  bool has_notes_ = false;
};

}  // namespace

void VerifyReport::Find(std::string where, std::string what, std::string_view key) {
  if (++finding_count <= kVerifyFindingsMax) {
    findings.push_back({std::move(where), std::move(what), HexOf(key)});
  }
}

void VerifyStore(storage::Store& store, const std::function<void(std::uint64_t)>& progress,
                 VerifyReport& report) {
  Verifier(store, progress, report).Run();
}

}  // namespace prejoin::engine
