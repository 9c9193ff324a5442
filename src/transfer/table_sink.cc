#include "transfer/table_sink.h"

#include <utility>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/table/catalog.h"

namespace prejoin::transfer {

Result<engine::TablePtr> TableSink::FindTable() const {
  engine::TablePtr table = engine_.catalog().FindOrNull(table_name_);
  if (table == nullptr || table->description.table_id != table_id_) {
    return engine::TableNotFound(table_name_);
  }
  return table;
}

// Looked up for each group, so that changes of the table need not wait for the whole import.
Result<engine::TablePtr> TableSink::TableOfGroup() const {
  return writes_.empty() ? FindTable() : Result<engine::TablePtr>(writes_.front().table);
}

Status TableSink::Add(Item item) {
  engine::ItemWrite write;
  PJ_ASSIGN_OR_RETURN(engine::TablePtr table, TableOfGroup());
  PJ_RETURN_IF_ERROR(engine::PlanPut(std::move(table), item, write));
  return Take(std::move(write));
}

Status TableSink::Remove(Item key) {
  engine::ItemWrite write;
  PJ_ASSIGN_OR_RETURN(engine::TablePtr table, TableOfGroup());
  PJ_RETURN_IF_ERROR(engine::PlanDelete(std::move(table), key, write));
  return Take(std::move(write));
}

Status TableSink::Take(engine::ItemWrite write) {
  if (keys_.contains(write.stored_key)) {
    PJ_RETURN_IF_ERROR(Flush());  // The later item replaces the earlier, as in any import.
  }
  bytes_ += write.new_size_bytes;
  keys_.insert(write.stored_key);
  writes_.push_back(std::move(write));
  return writes_.size() == kTransactionItemsMax || bytes_ >= kTransactionBytesMax ? Flush()
                                                                                  : Status();
}

Status TableSink::Flush() {
  Status written;
  if (!writes_.empty()) {
    if (const auto done =
            engine::RunWrites(engine_, context_, {.writes = writes_, .unmetered = true});
        !done) {
      written = done.error();
    }
  }
  writes_.clear();
  keys_.clear();
  bytes_ = 0;
  if (!written && written.error().code == ErrorCode::kValidation) {
    // Each item was fine by itself, so this is nobody's in particular.
    return Error{ErrorCode::kInternal, written.error().message};
  }
  return written;
}

Status TableSink::Finish() {
  PJ_RETURN_IF_ERROR(Flush());
  return engine_.store().WaitDurable(context_.ticket);
}

}  // namespace prejoin::transfer
