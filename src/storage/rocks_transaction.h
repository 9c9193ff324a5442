// A transaction of the store on disk: the values it read, and the batch that it writes.
#ifndef PREJOIN_STORAGE_ROCKS_TRANSACTION_H_
#define PREJOIN_STORAGE_ROCKS_TRANSACTION_H_

#include <absl/container/inlined_vector.h>
#include <rocksdb/slice.h>
#include <rocksdb/write_batch.h>

#include <optional>
#include <string_view>

#include "base/check.h"
#include "storage/store.h"
#include "storage/tickets.h"
#include "storage/unwatched.h"

namespace prejoin::storage {

// A batch kept for the next transaction of its thread gives its memory back beyond this.
inline constexpr std::size_t kKeptBatchBytesMax = 64u << 10;

inline rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// Single thread.
class RocksTransaction final : public Transaction {
 public:
  explicit RocksTransaction(std::size_t key_count) : values(key_count) {}
  ~RocksTransaction() override {
    if (batch.GetDataSize() > kKeptBatchBytesMax) {
      batch = rocksdb::WriteBatch();
    } else {
      batch.Clear();
    }
  }

  std::optional<std::string_view> Value(std::size_t index) const override {
    PJ_CHECK(index < values.size());
    const Read& read = values[index];
    return read.found ? std::optional(ToView(read.value)) : std::nullopt;
  }
  // Adding to a batch fails only beyond 4 GB.
  void Put(std::string_view key, std::string_view value) override {
    PJ_CHECK(Unwatched([&] { return batch.Put(ToSlice(key), ToSlice(value)); }).ok());
    slots.push_back(Tickets::SlotOf(key));
  }
  void Delete(std::string_view key) override {
    PJ_CHECK(Unwatched([&] { return batch.Delete(ToSlice(key)); }).ok());
    slots.push_back(Tickets::SlotOf(key));
  }

  struct Read {
    rocksdb::PinnableSlice value;
    bool found = false;
  };
  absl::InlinedVector<Read, 1> values;
  // The thread's own, so that its memory serves one transaction after the other. Bodies do not
  // nest.
  rocksdb::WriteBatch& batch = ThreadBatch();
  absl::InlinedVector<Tickets::Slot, 8> slots;

 private:
  static rocksdb::WriteBatch& ThreadBatch() {
    thread_local rocksdb::WriteBatch batch;
    return batch;
  }
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_ROCKS_TRANSACTION_H_
