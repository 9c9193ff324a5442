// The ordered container of the memory store, made so that finding a key in millions touches few
// cold cache lines.
//
// A record is one allocation. Beside the pointer to it, an entry keeps the first bytes after the
// space as a number, the head. Heads begin with the partition hash, so they are spread evenly and
// nearly always tell keys apart: a search guesses the place from the head and compares numbers, and
// visits only the record it finds. Entries stand sorted in leaves of limited size, leaves sorted in
// one array. Inserting moves part of a leaf, and when it splits, part of the array of leaves, which
// is 128 times shorter than the tree.
#ifndef PREJOIN_STORAGE_MEMORY_TREE_H_
#define PREJOIN_STORAGE_MEMORY_TREE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace prejoin::storage {

// A key and its value, immutable. Copies share the bytes, also over threads.
class Record {
 public:
  Record(std::string_view key, std::string_view value);
  Record(const Record& other) : data_(other.data_) {
    header().owners.fetch_add(1, std::memory_order_relaxed);
  }
  Record(Record&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Record& operator=(Record other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Record() { Release(); }

  std::string_view key() const;
  std::string_view value() const;
  // Its memory, roughly.
  std::size_t bytes() const;

 private:
  struct Header {
    std::atomic<std::uint32_t> owners;
    std::uint32_t key_bytes;
    std::uint32_t value_bytes;
  };
  Header& header() const { return *reinterpret_cast<Header*>(data_); }
  void Release();

  char* data_;  // Header, key, value; null after a move.
};

// Records of one space, by key. Thread-compatible. A copy shares the records.
class MemoryTree {
 public:
  // A place in the order; the end has no record. Invalid after any change of the tree.
  class Iterator {
   public:
    bool operator==(const Iterator&) const = default;
    const Record& operator*() const;
    Iterator& operator++();
    Iterator& operator--();

   private:
    friend class MemoryTree;
    Iterator(const MemoryTree& tree, std::size_t leaf, std::size_t entry)
        : tree_(&tree), leaf_(leaf), entry_(entry) {}

    const MemoryTree* tree_;
    std::size_t leaf_;
    std::size_t entry_;
  };

  // The value of this key. The bytes stay where they are until this key is changed or the tree
  // dies.
  std::optional<std::string_view> Find(std::string_view key) const;
  // Inserts the record, or puts it in the place of the one with the same key and leaves the old one
  // in `record`, for the caller to drop when it holds no lock.
  void Put(Record& record);
  // Takes out the record with the key of `record` and leaves it in `record`, likewise. Does nothing
  // if there is none.
  void Erase(Record& record);

  // The first record whose key is not less.
  Iterator LowerBound(std::string_view key) const;
  Iterator begin() const { return {*this, 0, 0}; }
  Iterator end() const { return {*this, leaves_.size(), 0}; }

  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Probe {
    std::uint64_t head;
    std::string_view key;
  };
  struct Entry {
    std::uint64_t head;
    Record record;
  };
  // Never empty.
  struct Leaf {
    std::uint64_t first_head;  // The head of the first entry: kept here so that the search for a leaf stays
                               // in one array.
    std::vector<Entry> entries;
  };

  static Probe ProbeOf(std::string_view key);
  static bool IsLess(const Entry& entry, const Probe& probe);
  static bool IsMatch(const Entry& entry, const Probe& probe);
  // The leaf that has the key or would get it. There is at least one leaf.
  std::size_t LeafFor(const Probe& probe) const;
  static std::size_t LowerBoundIn(const std::vector<Entry>& entries, const Probe& probe);
  void Split(std::size_t leaf);

  std::vector<Leaf> leaves_;
  std::uint64_t bytes_ = 0;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_MEMORY_TREE_H_
