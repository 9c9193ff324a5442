#include "storage/memory_tree.h"

#include <cstring>
#include <utility>

#include "base/check.h"
#include "storage/store.h"

namespace prejoin::storage {
namespace {

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
  const Sizes sizes = {static_cast<std::uint32_t>(key.size()),
                       static_cast<std::uint32_t>(value.size())};
  data_ = std::make_unique_for_overwrite<char[]>(sizeof(sizes) + key.size() + value.size());
  std::memcpy(data_.get(), &sizes, sizeof(sizes));
  key.copy(data_.get() + sizeof(sizes), key.size());
  value.copy(data_.get() + sizeof(sizes) + key.size(), value.size());
}

Record::Sizes Record::sizes() const {
  Sizes sizes;
  std::memcpy(&sizes, data_.get(), sizeof(sizes));
  return sizes;
}

std::string_view Record::key() const { return {data_.get() + sizeof(Sizes), sizes().key}; }

std::string_view Record::value() const {
  const Sizes counts = sizes();
  return {data_.get() + sizeof(Sizes) + counts.key, counts.value};
}

std::size_t Record::bytes() const {
  constexpr std::size_t kEntryAndAllocatorBytes = 40;
  const Sizes counts = sizes();
  return sizeof(Sizes) + counts.key + counts.value + kEntryAndAllocatorBytes;
}

MemoryTree::Probe MemoryTree::ProbeOf(std::string_view key) { return {HeadOf(key), key}; }

std::optional<std::string_view> MemoryTree::Find(std::string_view key) const {
  const auto at = entries_.find(ProbeOf(key));
  if (at == entries_.end()) {
    return std::nullopt;
  }
  return at->record.value();
}

void MemoryTree::Put(Record& record) {
  bytes_ += record.bytes();
  const Probe probe = ProbeOf(record.key());
  const auto at = entries_.lower_bound(probe);
  if (at != entries_.end() && at->head == probe.head && at->record.key() == probe.key) {
    bytes_ -= at->record.bytes();
    std::swap(at->record, record);
  } else {
    entries_.insert(at, Entry{probe.head, std::move(record)});
  }
}

void MemoryTree::Erase(Record& record) {
  const auto at = entries_.find(ProbeOf(record.key()));
  if (at != entries_.end()) {
    bytes_ -= at->record.bytes();
    std::swap(at->record, record);
    entries_.erase(at);
  }
}

MemoryTree::Iterator MemoryTree::LowerBound(std::string_view key) const {
  return entries_.lower_bound(ProbeOf(key));
}

}  // namespace prejoin::storage
