// The ordered container of the memory store: records in a B-tree that rarely has to leave its own
// nodes.
//
// A record is one allocation. Beside the pointer to it, a tree entry keeps the first bytes behind
// the space as a number. They begin with the partition hash, so nearly every comparison on the way
// down is of two numbers in the same node, without a visit to the record.
#ifndef PREJOIN_STORAGE_MEMORY_TREE_H_
#define PREJOIN_STORAGE_MEMORY_TREE_H_

#include <absl/container/btree_set.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace prejoin::storage {

// A key and its value, immutable.
class Record {
 public:
  Record(std::string_view key, std::string_view value);

  std::string_view key() const;
  std::string_view value() const;
  // What it costs in memory, roughly.
  std::size_t bytes() const;

 private:
  struct Sizes {
    std::uint32_t key;
    std::uint32_t value;
  };
  Sizes sizes() const;

  std::unique_ptr<char[]> data_;  // Sizes, key, value.
};

// Records of one space, by key. Thread-compatible.
class MemoryTree {
 private:
  struct Probe {
    std::uint64_t head;
    std::string_view key;
  };
  struct Entry {
    std::uint64_t head;
    mutable Record record;  // Replaced only by one with the same key, so the order stays.
  };
  struct Less {
    using is_transparent = void;
    bool operator()(const Entry& a, const Entry& b) const {
      return a.head != b.head ? a.head < b.head : a.record.key() < b.record.key();
    }
    bool operator()(const Entry& a, const Probe& b) const {
      return a.head != b.head ? a.head < b.head : a.record.key() < b.key;
    }
    bool operator()(const Probe& a, const Entry& b) const {
      return a.head != b.head ? a.head < b.head : a.key < b.record.key();
    }
  };
  using Entries = absl::btree_set<Entry, Less>;

 public:
  using Iterator = Entries::const_iterator;

  // The value of this key. The bytes stay where they are until this key is changed or the tree
  // dies.
  std::optional<std::string_view> Find(std::string_view key) const;
  // Inserts the record, or puts it in the place of the one with the same key and leaves the old one
  // in `record`, for the caller to drop when it holds no lock.
  void Put(Record& record);
  // Takes out the record with the key of `record` and leaves it in `record`, likewise. Does nothing
  // if there is none.
  void Erase(Record& record);

  // Iterators become invalid with any change.
  Iterator LowerBound(std::string_view key) const;
  Iterator begin() const { return entries_.begin(); }
  Iterator end() const { return entries_.end(); }
  static const Record& RecordAt(Iterator at) { return at->record; }

  bool empty() const { return entries_.empty(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static Probe ProbeOf(std::string_view key);

  Entries entries_;
  std::uint64_t bytes_ = 0;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_MEMORY_TREE_H_
