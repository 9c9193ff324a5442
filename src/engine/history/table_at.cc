#include "engine/history/table_at.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "engine/history/history_record.h"
#include "engine/item/keys.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

// So many records in a row that are of no use are read before it is cheaper to jump.
constexpr int kPassedMax = 16;

// An item's first record at or above a number.
struct OldImage {
  std::string key;
  SequenceNumber number = 0;
  std::string record;  // kNoItem: there was none.
};

struct OldImages {
  std::vector<OldImage> images;
  std::optional<std::string> cut;  // The first item that was left out for room.
};

struct HistoryRead {
  std::uint32_t space = 0;
  std::string from;               // Item keys.
  std::optional<std::string> to;  // Not included; nullopt: to the end.
  SequenceNumber number = 0;
  std::size_t limit = 0;
};

storage::Range KeyRangeOf(std::uint32_t space, std::string_view from,
                          const std::optional<std::string>& to) {
  return {.begin = SpaceKey(space, from), .end = to ? SpaceKey(space, *to) : SpaceRange(space).end};
}

// Goes once through the records of a history, from item to item.
class OldImageReader {
 public:
  explicit OldImageReader(const HistoryRead& read) : read_(read) {}

  Result<OldImages> Run(storage::Store& store) && {
    storage::Range range = KeyRangeOf(read_.space, read_.from, read_.to);
    while (true) {
      jump_to_.reset();
      passed_ = 0;
      bool damaged = false;
      PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view value) {
        const auto place = SplitHistoryKey(key);
        damaged = !place;
        return damaged ? storage::Visit::kStop : See(*place, value);
      }));
      if (damaged) {
        return DamagedHistory();
      }
      if (!jump_to_) {
        return std::move(found_);
      }
      range.begin = *std::move(jump_to_);
    }
  }

 private:
  storage::Visit See(const HistoryPlace& place, std::string_view value) {
    if (place.number < read_.number) {
      return Pass(place.item_key, read_.number);
    }
    if (!found_.images.empty() && found_.images.back().key == place.item_key) {
      return Pass(place.item_key, kSequenceNumberMax);
    }
    if (found_.images.size() == read_.limit || bytes_ > kPageBytesMax) {
      found_.cut = std::string(place.item_key);
      return storage::Visit::kStop;
    }
    passed_ = 0;
    bytes_ += value.size();
    found_.images.push_back({std::string(place.item_key), place.number, std::string(value)});
    return storage::Visit::kContinue;
  }

  storage::Visit Pass(std::string_view item_key, SequenceNumber next_useful) {
    if (++passed_ <= kPassedMax) {
      return storage::Visit::kContinue;
    }
    jump_to_ = HistoryKey(read_.space, item_key, next_useful);
    return storage::Visit::kStop;
  }

  const HistoryRead& read_;
  OldImages found_;
  std::size_t bytes_ = 0;
  int passed_ = 0;
  std::optional<std::string> jump_to_;
};

// The page of the table as it is now.
Result<ItemsAt> ReadNow(storage::Store& store, std::uint32_t space, std::string_view from,
                        std::size_t limit) {
  ItemsAt page;
  std::size_t bytes = 0;
  PJ_RETURN_IF_ERROR(store.Visit(
      KeyRangeOf(space, from, std::nullopt), [&](std::string_view key, std::string_view value) {
        if (page.items.size() == limit || bytes > kPageBytesMax) {
          page.next = std::string(key.substr(storage::kSpaceBytes));
          return storage::Visit::kStop;
        }
        bytes += value.size();
        page.items.push_back({std::string(key.substr(storage::kSpaceBytes)), std::string(value)});
        return storage::Visit::kContinue;
      }));
  return page;
}

// Both in order of their keys.
std::vector<KeptItem> Merge(std::vector<KeptItem> now, std::vector<OldImage> images) {
  std::vector<KeptItem> merged;
  auto item = now.begin();
  for (OldImage& image : images) {
    for (; item != now.end() && item->key < image.key; ++item) {
      merged.push_back(std::move(*item));
    }
    if (item != now.end() && item->key == image.key) {
      ++item;
    }
    if (image.record != kNoItem) {
      merged.push_back({std::move(image.key), std::move(image.record)});
    }
  }
  std::move(item, now.end(), std::back_inserter(merged));
  return merged;
}

// The item at that number.
Result<std::optional<std::string>> ReadItemAt(storage::Store& store, const KeptTable& table,
                                              SequenceNumber number, const std::string& item_key) {
  PJ_ASSIGN_OR_RETURN(std::optional<std::string> record,
                      store.Get(SpaceKey(table.space, item_key)));
  const storage::Range range{.begin = HistoryKey(table.history_space, item_key, number),
                             .end = HistoryKey(table.history_space, item_key, kSequenceNumberMax)};
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view, std::string_view value) {
    record = value == kNoItem ? std::nullopt : std::optional(std::string(value));
    return storage::Visit::kStop;
  }));
  return record;
}

// The newest change of an item that has one between the numbers.
Result<SequenceNumber> LastChange(storage::Store& store, const KeptTable& table,
                                  NumberRange numbers, const std::string& item_key) {
  const storage::Range range{.begin = HistoryKey(table.history_space, item_key, numbers.from),
                             .end = HistoryKey(table.history_space, item_key, numbers.to),
                             .direction = storage::Direction::kBackward};
  std::optional<HistoryPlace> last = HistoryPlace{.item_key = {}, .number = numbers.from};
  PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view) {
    last = SplitHistoryKey(key);
    return storage::Visit::kStop;
  }));
  if (!last) {
    return DamagedHistory();
  }
  return last->number;
}

}  // namespace

Result<ItemsAt> ReadTableAt(storage::Store& store, const KeptTable& table, SequenceNumber number,
                            std::string_view from, std::size_t limit) {
  PJ_ASSIGN_OR_RETURN(ItemsAt page, ReadNow(store, table.space, from, limit));
  const HistoryRead read{.space = table.history_space,
                         .from = std::string(from),
                         .to = page.next,
                         .number = number,
                         .limit = limit};
  PJ_ASSIGN_OR_RETURN(OldImages old, OldImageReader(read).Run(store));
  if (old.cut) {
    page.next = old.cut;
    std::erase_if(page.items, [&](const KeptItem& item) { return item.key >= *old.cut; });
  }
  page.items = Merge(std::move(page.items), std::move(old.images));
  return page;
}

Result<ChangesBetween> ReadChangesBetween(storage::Store& store, const KeptTable& table,
                                          NumberRange numbers, std::string_view from,
                                          std::size_t limit) {
  const HistoryRead read{.space = table.history_space,
                         .from = std::string(from),
                         .to = std::nullopt,
                         .number = numbers.from,
                         .limit = limit};
  PJ_ASSIGN_OR_RETURN(OldImages old, OldImageReader(read).Run(store));
  ChangesBetween page;
  page.next = std::move(old.cut);
  for (OldImage& image : old.images) {
    if (image.number >= numbers.to) {
      continue;
    }
    PJ_ASSIGN_OR_RETURN(auto new_record, ReadItemAt(store, table, numbers.to, image.key));
    PJ_ASSIGN_OR_RETURN(const SequenceNumber last, LastChange(store, table, numbers, image.key));
    ItemChange change{
        .key = std::move(image.key), .new_record = std::move(new_record), .last = last};
    if (image.record != kNoItem) {
      change.old_record = std::move(image.record);
    }
    page.changes.push_back(std::move(change));
  }
  return page;
}

}  // namespace prejoin::engine
