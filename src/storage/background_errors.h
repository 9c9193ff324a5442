// Turns errors of RocksDB's own threads into errors that the store can recover from.
#ifndef PREJOIN_STORAGE_BACKGROUND_ERRORS_H_
#define PREJOIN_STORAGE_BACKGROUND_ERRORS_H_

#include <rocksdb/listener.h>

#include <atomic>

namespace prejoin::storage {

// Thread-safe.
class BackgroundErrors final : public rocksdb::EventListener {
 public:
  // Called before RocksDB refuses further writes. An error of the severity kHardError can be resumed
  // from; RocksDB gives some that we know a way out of a higher one.
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    using Severity = rocksdb::Status::Severity;
    const bool damage =
        error->IsCorruption() && reason == rocksdb::BackgroundErrorReason::kCompaction;
    if (damage) {
      found_damage_.store(true);
    }
    if ((damage || error->IsNoSpace()) && error->severity() > Severity::kHardError) {
      *error = rocksdb::Status(*error, Severity::kHardError);
    }
  }

  // The store resumes when nobody writes; RocksDB would do it at any moment.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }

  // Returns true if a compaction found damaged bytes. It would find them again and again.
  bool found_damage() const { return found_damage_.load(); }

 private:
  std::atomic<bool> found_damage_ = false;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_BACKGROUND_ERRORS_H_
