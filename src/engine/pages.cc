#include "prejoin/pages.h"

#include <utility>

namespace prejoin {

ItemRange::Iterator ItemRange::begin() {
  ReadItems();
  return Iterator(this);
}

void ItemRange::Next() {
  if (++at_ == items_.size()) {
    ReadItems();
  }
}

void ItemRange::ReadItems() {
  items_.clear();
  at_ = 0;
  while (items_.empty() && more_ && status_) {
    status_ = ReadPage();
  }
}

Status ItemRange::ReadPage() {
  const auto take = [this](auto& input, auto page) -> Status {
    PJ_RETURN_IF_ERROR(page);
    items_ = std::move(page->items);
    more_ = page->last_evaluated_key.has_value();
    input.exclusive_start_key = std::move(page->last_evaluated_key);
    return {};
  };
  if (auto* query = std::get_if<QueryInput>(&input_)) {
    return take(*query, database_.Query(*query));
  }
  auto& scan = std::get<ScanInput>(input_);
  return take(scan, database_.Scan(scan));
}

}  // namespace prejoin
