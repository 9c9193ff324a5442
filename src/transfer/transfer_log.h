// Which imports or exports there are and were. Kept in memory, written to the store with each
// change of a status.
#ifndef PREJOIN_TRANSFER_TRANSFER_LOG_H_
#define PREJOIN_TRANSFER_TRANSFER_LOG_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/mutex.h"
#include "engine/engine.h"
#include "prejoin/result.h"
#include "transfer/transfer_codec.h"

namespace prejoin::transfer {

// Thread-safe. Description is ImportDescription or ExportDescription.
template <class Description>
class TransferLog {
 public:
  // `kind`: "import" or "export", the name in the catalog.
  TransferLog(engine::Engine& engine, std::string kind) : engine_(engine), kind_(std::move(kind)) {}

  // Reads what is stored, once; any other call before it finds nothing. A job that ran when the process ended is
  // FAILED now; what is too old to be listed is forgotten.
  Status Load() PJ_EXCLUDES(mutex_);

  // The description, with a fresh id and arn, after `check` has seen all there are and found
  // nothing against it. Or the earlier one that `check` returns.
  using Check = FunctionRef<Result<std::optional<Description>>(
      const std::map<std::string, Description>& all)>;
  struct Added {
    Description description;
    bool is_new = false;
  };
  Result<Added> Add(engine::RequestContext& context, Description description, Check check)
      PJ_EXCLUDES(mutex_);

  std::optional<Description> Find(const std::string& id) const PJ_EXCLUDES(mutex_);

  // Figures of a running transfer; not written to the store.
  void Note(const Description& description) PJ_EXCLUDES(mutex_);
  // The end of a transfer. Blocks until it is durable; FAILED if it cannot be.
  void Finish(const Description& description) PJ_EXCLUDES(mutex_);

  // Newest first, those that `wanted` wants, after the id `after`.
  struct Page {
    std::vector<Description> transfers;
    std::optional<std::string> next;
  };
  Page List(FunctionRef<bool(const Description&)> wanted, const std::optional<std::string>& after,
            std::size_t page_max) const PJ_EXCLUDES(mutex_);

 private:
  std::string KeyOf(const std::string& id) const;
  Result<storage::Ticket> Store(const Description& description);
  Status Remove(const std::string& id);

  engine::Engine& engine_;
  const std::string kind_;

  mutable Mutex mutex_;
  bool loaded_ PJ_GUARDED_BY(mutex_) = false;
  std::map<std::string, Description> all_ PJ_GUARDED_BY(mutex_);  // Keyed by id, which begins with time.
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_TRANSFER_LOG_H_
