// What clients of a store did and saw, and whether one order explains it all.
#ifndef PREJOIN_TESTS_CELLS_HISTORY_H_
#define PREJOIN_TESTS_CELLS_HISTORY_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace prejoin::cells {

// A version of an item: the number of the transaction that wrote it. 0: the item was never written.
using Version = std::uint64_t;

struct Operation {
  std::uint64_t begin = 0;
  std::uint64_t end = UINT64_MAX;           // Never, if nobody heard of its end.
  std::map<unsigned, Version> reads;        // By item.
  std::set<unsigned> writes;                // Items; each is among `reads`, too.
  std::uint64_t token = 0;                  // 0: none.
};

class History {
 public:
  // The number of the operation, which is the version of what it writes.
  Version Add(Operation operation);
  Operation& At(Version number) { return operations_[number - 1]; }
  std::size_t size() const { return operations_.size(); }

  // `final_versions`: of all items, after the last operation. The first thing that is wrong; empty: nothing.
  std::string Check(const std::map<unsigned, Version>& final_versions) const;


 private:
  std::vector<Operation> operations_;
};

}  // namespace prejoin::cells

#endif  // PREJOIN_TESTS_CELLS_HISTORY_H_
