// All items of a Query or Scan, page after page.
//
//   prejoin::ItemRange songs(database, prejoin::QueryInput{.table_name = "Music", …});
//   for (const prejoin::StoredItem& song : songs) { … }
//   if (!songs.status()) { … songs.status().error().message … }
#ifndef PREJOIN_PAGES_H_
#define PREJOIN_PAGES_H_

#include <cstddef>
#include <iterator>
#include <variant>
#include <vector>

#include "prejoin/database.h"
#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin {

// A range to go through once. The next page is read when the items of the one before are used up, so
// a loop that ends early costs no more than what it has seen; `limit` in the input is the size of a
// page, not of the range. At an error the range ends, and status() has it: ask after the loop.
// Borrows the database. Single thread.
class ItemRange {
 public:
  class Iterator {
   public:
    using value_type = StoredItem;
    using difference_type = std::ptrdiff_t;

    const StoredItem& operator*() const { return range_->items_[range_->at_]; }
    const StoredItem* operator->() const { return &**this; }
    Iterator& operator++() {
      range_->Next();
      return *this;
    }
    void operator++(int) { range_->Next(); }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.AtEnd(); }

   private:
    friend class ItemRange;
    explicit Iterator(ItemRange* range) : range_(range) {}
    bool AtEnd() const { return range_->at_ == range_->items_.size(); }
    ItemRange* range_;
  };

  // Begin after the input's exclusive_start_key, if it has one.
  ItemRange(Database& database, QueryInput input) : database_(database), input_(std::move(input)) {}
  ItemRange(Database& database, ScanInput input) : database_(database), input_(std::move(input)) {}
  ItemRange(const ItemRange&) = delete;
  ItemRange& operator=(const ItemRange&) = delete;

  // Reads the first page. Once.
  Iterator begin();
  std::default_sentinel_t end() const { return {}; }

  // Success while pages could be read.
  const Status& status() const { return status_; }

 private:
  void Next();
  // Reads pages until one has items, or the last one is read.
  void ReadItems();
  Status ReadPage();

  Database& database_;
  std::variant<QueryInput, ScanInput> input_;
  std::vector<StoredItem> items_;
  std::size_t at_ = 0;
  bool more_ = true;
  Status status_;
};

}  // namespace prejoin

#endif  // PREJOIN_PAGES_H_
