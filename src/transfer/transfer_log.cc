#include "transfer/transfer_log.h"

#include <utility>

#include "base/transfer_limits.h"
#include "engine/item/keys.h"
#include "engine/table/space.h"
#include "engine/table/table.h"
#include "storage/store.h"
#include "transfer/export_files.h"

namespace prejoin::transfer {
template <class Description>
std::string TransferLog<Description>::KeyOf(const std::string& id) const {
  return engine::CatalogKey(kind_ + "/" + id);
}

template <class Description>
Result<storage::Ticket> TransferLog<Description>::Store(const Description& description) {
  const std::string keys[] = {KeyOf(description.id)};
  return engine_.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
    transaction.Put(keys[0], Encode(description));
    return {};
  });
}

template <class Description>
Status TransferLog<Description>::Remove(const std::string& id) {
  const std::string keys[] = {KeyOf(id)};
  PJ_RETURN_IF_ERROR(
      engine_.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
        transaction.Delete(keys[0]);
        return {};
      }));
  return {};
}

template <class Description>
Status TransferLog<Description>::Load() {
  MutexLock lock(mutex_);
  if (loaded_) {
    return {};
  }
  std::vector<std::string> stored;
  const storage::Range range = engine::CatalogRange(kind_ + "/");
  PJ_RETURN_IF_ERROR(engine_.store().Visit(range, [&](std::string_view, std::string_view value) {
    stored.emplace_back(value);
    return storage::Visit::kContinue;
  }));
  const std::int64_t oldest_ms = engine_.clock().NowMs() - kTransferListedMs;
  for (const std::string& bytes : stored) {
    Description description;
    PJ_RETURN_IF_ERROR(Decode(bytes, description));
    if (description.started_ms < oldest_ms) {
      PJ_RETURN_IF_ERROR(Remove(description.id));
      continue;
    }
    if (description.status == TransferStatus::kInProgress) {
      description.status = TransferStatus::kFailed;
      description.ended_ms = engine_.clock().NowMs();
      description.failure_code = "Interrupted";
      description.failure_message = "The server stopped before the " + kind_ +
                                    " was done. The items written so far remain.";
      PJ_RETURN_IF_ERROR(Store(description));
    }
    all_.emplace(description.id, std::move(description));
  }
  loaded_ = true;
  return {};
}

template <class Description>
Result<typename TransferLog<Description>::Added> TransferLog<Description>::Add(
    engine::RequestContext& context, Description description, Check check) {
  MutexLock lock(mutex_);
  PJ_ASSIGN_OR_RETURN(std::optional<Description> earlier, check(all_));
  if (earlier) {
    return Added{*std::move(earlier), false};
  }
  // A disk wait under the lock: transfers are rare, and two of one token must not both begin.
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket, Store(description));
  context.Saw(ticket);
  all_.insert_or_assign(description.id, description);
  return Added{std::move(description), true};
}

template <class Description>
std::optional<Description> TransferLog<Description>::Find(const std::string& id) const {
  MutexLock lock(mutex_);
  const auto found = all_.find(id);
  return found == all_.end() ? std::nullopt : std::optional(found->second);
}

template <class Description>
void TransferLog<Description>::Note(const Description& description) {
  MutexLock lock(mutex_);
  all_.insert_or_assign(description.id, description);
}

template <class Description>
void TransferLog<Description>::Finish(const Description& description) {
  // An end is not announced while a power failure could take it back.
  const auto ticket = Store(description);
  const Status durable = ticket ? engine_.store().WaitDurable(*ticket) : Status(ticket.error());
  Description told = description;
  if (!durable) {
    told.status = TransferStatus::kFailed;
    told.failure_code = "InternalServerError";
    told.failure_message =
        "The end of the " + kind_ + " could not be stored: " + durable.error().message;
  }
  Note(told);
}

template <class Description>
typename TransferLog<Description>::Page TransferLog<Description>::List(
    FunctionRef<bool(const Description&)> wanted, const std::optional<std::string>& after,
    std::size_t page_max) const {
  const std::int64_t oldest_ms = engine_.clock().NowMs() - kTransferListedMs;
  Page page;
  MutexLock lock(mutex_);
  for (auto it = all_.rbegin(); it != all_.rend(); ++it) {
    const Description& description = it->second;
    if ((after && description.id >= *after) || description.started_ms < oldest_ms ||
        !wanted(description)) {
      continue;
    }
    if (page.transfers.size() == page_max) {
      page.next = page.transfers.back().id;
      break;
    }
    page.transfers.push_back(description);
  }
  return page;
}

template class TransferLog<ImportDescription>;
template class TransferLog<ExportDescription>;

}  // namespace prejoin::transfer
