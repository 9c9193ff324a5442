// Sorts any number of small records in bounded memory: what does not fit is sorted in runs, written to a temporary file,
// and merged when it is read.
#ifndef PREJOIN_AUDIT_FACT_SORTER_H_
#define PREJOIN_AUDIT_FACT_SORTER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "prejoin/result.h"

namespace prejoin::audit {

// Single thread.
class FactSorter {
 public:
  explicit FactSorter(std::size_t memory_bytes) : memory_bytes_(memory_bytes) {}
  FactSorter(const FactSorter&) = delete;
  FactSorter& operator=(const FactSorter&) = delete;
  ~FactSorter();

  Status Add(std::string_view group, std::string_view payload);

  // All records by group, then by payload, bytewise. Call once, at the end.
  using Visit = FunctionRef<Status(std::string_view group, std::string_view payload)>;
  Status Each(Visit visit);

  std::uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  struct Entry {
    std::uint64_t offset;
    std::uint32_t group_size;
    std::uint32_t payload_size;
  };
  struct Run {
    std::uint64_t begin;
    std::uint64_t end;
  };
  class RunReader;

  std::string_view GroupOf(const Entry& entry) const {
    return std::string_view(bytes_).substr(entry.offset, entry.group_size);
  }
  std::string_view PayloadOf(const Entry& entry) const {
    return std::string_view(bytes_).substr(entry.offset + entry.group_size, entry.payload_size);
  }
  void Sort();
  Status Spill();
  Status Merge(Visit visit);

  const std::size_t memory_bytes_;
  std::string bytes_;
  std::vector<Entry> entries_;
  int file_ = -1;  // Has no name: it is gone when this process is.
  std::vector<Run> runs_;
  std::uint64_t spilled_bytes_ = 0;
};

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_FACT_SORTER_H_
