#include "storage/memory_tree.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "base/check.h"
#include "storage/store.h"

namespace prejoin::storage {
namespace {

constexpr std::size_t kLeafEntriesMax = 128;

// Bytes 4 to 11 of the key, the first of them highest; missing ones count as zero. Never decreases
// from a key to a greater one of the same space.
std::uint64_t HeadOf(std::string_view key) {
  unsigned char bytes[sizeof(std::uint64_t)] = {};
  if (key.size() > kSpaceBytes) {
    const std::string_view tail = key.substr(kSpaceBytes, sizeof(bytes));
    std::memcpy(bytes, tail.data(), tail.size());
  }
  std::uint64_t head = 0;
  for (const unsigned char byte : bytes) {
    head = head << 8 | byte;
  }
  return head;
}

}  // namespace

Record::Record(std::string_view key, std::string_view value) {
  PJ_CHECK(key.size() <= UINT32_MAX);
  PJ_CHECK(value.size() <= UINT32_MAX);
  data_ = new char[sizeof(Header) + key.size() + value.size()];
  new (data_)
      Header{1, static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(value.size())};
  key.copy(data_ + sizeof(Header), key.size());
  value.copy(data_ + sizeof(Header) + key.size(), value.size());
}

// A sole owner needs no atomic step: nobody else could make a copy meanwhile. Nearly all records are such.
void Record::Release() {
  if (data_ != nullptr && (header().owners.load(std::memory_order_acquire) == 1 ||
                           header().owners.fetch_sub(1, std::memory_order_acq_rel) == 1)) {
    delete[] data_;
  }
}

std::string_view Record::key() const { return {data_ + sizeof(Header), header().key_bytes}; }

std::string_view Record::value() const {
  return {data_ + sizeof(Header) + header().key_bytes, header().value_bytes};
}

std::size_t Record::bytes() const {
  constexpr std::size_t kEntryAndAllocatorBytes = 40;
  return sizeof(Header) + header().key_bytes + header().value_bytes + kEntryAndAllocatorBytes;
}

const Record& MemoryTree::Iterator::operator*() const {
  return tree_->leaves_[leaf_].entries[entry_].record;
}

MemoryTree::Iterator& MemoryTree::Iterator::operator++() {
  if (++entry_ == tree_->leaves_[leaf_].entries.size()) {
    ++leaf_;
    entry_ = 0;
  }
  return *this;
}

MemoryTree::Iterator& MemoryTree::Iterator::operator--() {
  if (entry_ == 0) {
    --leaf_;
    entry_ = tree_->leaves_[leaf_].entries.size();
  }
  --entry_;
  return *this;
}

MemoryTree::Probe MemoryTree::ProbeOf(std::string_view key) { return {HeadOf(key), key}; }

bool MemoryTree::IsLess(const Entry& entry, const Probe& probe) {
  return entry.head != probe.head ? entry.head < probe.head : entry.record.key() < probe.key;
}

bool MemoryTree::IsMatch(const Entry& entry, const Probe& probe) {
  return entry.head == probe.head && entry.record.key() == probe.key;
}

std::size_t MemoryTree::LeafFor(const Probe& probe) const {
  const auto after =
      std::partition_point(leaves_.begin() + 1, leaves_.end(), [&](const Leaf& leaf) {
        return leaf.first_head != probe.head ? leaf.first_head < probe.head
                                             : leaf.entries.front().record.key() <= probe.key;
      });
  return static_cast<std::size_t>(after - leaves_.begin()) - 1;
}

// Guesses the place from the head, then doubles the step away from the guess until the place is
// enclosed. With evenly spread heads the guess is off by a few entries; otherwise this is a binary
// search.
std::size_t MemoryTree::LowerBoundIn(const std::vector<Entry>& entries, const Probe& probe) {
  const auto less = [&](const Entry& entry) { return IsLess(entry, probe); };
  const std::uint64_t first = entries.front().head;
  const std::uint64_t last = entries.back().head;
  std::size_t guess = 0;
  if (probe.head >= last) {
    guess = entries.size() - 1;
  } else if (probe.head > first) {
    const double part = static_cast<double>(probe.head - first) / static_cast<double>(last - first);
    guess = static_cast<std::size_t>(part * static_cast<double>(entries.size() - 1));
  }
  // Among 128 the guess is rarely off by more than ten. Fetching that neighbourhood at once costs
  // one trip to memory instead of one for each step.
  constexpr std::size_t kNeighbours = 12;
  constexpr std::size_t kEntriesPerLine = 64 / sizeof(Entry);
  for (std::size_t i = guess - std::min(guess, kNeighbours);
       i < std::min(guess + kNeighbours, entries.size()); i += kEntriesPerLine) {
    __builtin_prefetch(&entries[i]);
  }
  std::size_t low = 0;                // Everything before is less.
  std::size_t high = entries.size();  // From here on nothing is less.
  if (less(entries[guess])) {
    low = guess + 1;
    for (std::size_t step = 2; low + step < high; step *= 2) {
      if (!less(entries[low + step])) {
        high = low + step;
        break;
      }
      low += step + 1;
    }
  } else {
    high = guess;
    for (std::size_t step = 2; low + step < high; step *= 2) {
      if (less(entries[high - step])) {
        low = high - step + 1;
        break;
      }
      high -= step;
    }
  }
  const auto begin = entries.begin();
  return static_cast<std::size_t>(std::partition_point(begin + static_cast<std::ptrdiff_t>(low),
                                                       begin + static_cast<std::ptrdiff_t>(high),
                                                       less) -
                                  begin);
}

std::optional<std::string_view> MemoryTree::Find(std::string_view key) const {
  if (leaves_.empty()) {
    return std::nullopt;
  }
  const Probe probe = ProbeOf(key);
  const std::vector<Entry>& entries = leaves_[LeafFor(probe)].entries;
  const std::size_t at = LowerBoundIn(entries, probe);
  if (at == entries.size() || !IsMatch(entries[at], probe)) {
    return std::nullopt;
  }
  return entries[at].record.value();
}

void MemoryTree::Put(Record& record) {
  const Probe probe = ProbeOf(record.key());
  bytes_ += record.bytes();
  if (leaves_.empty()) {
    leaves_.push_back({probe.head, {}});
    leaves_.back().entries.push_back({probe.head, std::move(record)});
    return;
  }
  const std::size_t leaf_index = LeafFor(probe);
  Leaf& leaf = leaves_[leaf_index];
  const std::size_t at = LowerBoundIn(leaf.entries, probe);
  if (at < leaf.entries.size() && IsMatch(leaf.entries[at], probe)) {
    bytes_ -= leaf.entries[at].record.bytes();
    std::swap(leaf.entries[at].record, record);
    return;
  }
  leaf.entries.insert(leaf.entries.begin() + static_cast<std::ptrdiff_t>(at),
                      Entry{probe.head, std::move(record)});
  leaf.first_head = leaf.entries.front().head;
  if (leaf.entries.size() > kLeafEntriesMax) {
    Split(leaf_index);
  }
}

void MemoryTree::Split(std::size_t leaf_index) {
  Leaf& leaf = leaves_[leaf_index];
  const auto middle = leaf.entries.begin() + static_cast<std::ptrdiff_t>(leaf.entries.size() / 2);
  Leaf upper = {middle->head, {}};
  upper.entries.assign(std::make_move_iterator(middle),
                       std::make_move_iterator(leaf.entries.end()));
  leaf.entries.erase(middle, leaf.entries.end());
  leaves_.insert(leaves_.begin() + static_cast<std::ptrdiff_t>(leaf_index) + 1, std::move(upper));
}

void MemoryTree::Erase(Record& record) {
  if (leaves_.empty()) {
    return;
  }
  const Probe probe = ProbeOf(record.key());
  const std::size_t leaf_index = LeafFor(probe);
  Leaf& leaf = leaves_[leaf_index];
  const std::size_t at = LowerBoundIn(leaf.entries, probe);
  if (at == leaf.entries.size() || !IsMatch(leaf.entries[at], probe)) {
    return;
  }
  std::swap(leaf.entries[at].record, record);
  bytes_ -= record.bytes();
  leaf.entries.erase(leaf.entries.begin() + static_cast<std::ptrdiff_t>(at));
  if (leaf.entries.empty()) {
    leaves_.erase(leaves_.begin() + static_cast<std::ptrdiff_t>(leaf_index));
  } else {
    leaf.first_head = leaf.entries.front().head;
  }
}

MemoryTree::Iterator MemoryTree::LowerBound(std::string_view key) const {
  if (leaves_.empty()) {
    return end();
  }
  const Probe probe = ProbeOf(key);
  const std::size_t leaf = LeafFor(probe);
  const std::size_t at = LowerBoundIn(leaves_[leaf].entries, probe);
  return at == leaves_[leaf].entries.size() ? Iterator(*this, leaf + 1, 0)
                                            : Iterator(*this, leaf, at);
}

}  // namespace prejoin::storage
