#include "engine/history/history_writes.h"

#include <algorithm>

#include "engine/history/history_record.h"

namespace prejoin::engine {

HistoryWrites::~HistoryWrites() {
  if (begun_) {
    numbers_.End(*begun_);
  }
}

Status HistoryWrites::Begin(std::span<const ItemWrite> writes) {
  const auto keeps = [](const ItemWrite& write) { return write.table->history.has_value(); };
  if (std::ranges::any_of(writes, keeps)) {
    PJ_ASSIGN_OR_RETURN(begun_, numbers_.Begin());
  }
  return {};
}

void HistoryWrites::Stage(const History& history, std::string_view stored_key,
                          std::optional<std::string_view> stored,
                          storage::Transaction& transaction) {
  if (!number_) {
    number_ = numbers_.Take();
  }
  transaction.Put(HistoryKey(history.space, stored_key.substr(storage::kSpaceBytes), *number_),
                  stored.value_or(kNoItem));
}

}  // namespace prejoin::engine
