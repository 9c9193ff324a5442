// Reads everything that a store holds and says what does not fit together (`prejoin verify`).
//
// The store's own checksums are looked at before (storage::CheckTableFiles). Here, each record is decoded; each item, index entry and old image
// is under the key that its attributes make; each index entry and expiry entry belongs to an item and each item has its entries; the images of
// a stream record are of the item that it names; and saved counts are the real ones.
#ifndef PREJOIN_ENGINE_VERIFY_VERIFY_H_
#define PREJOIN_ENGINE_VERIFY_VERIFY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

struct VerifyFinding {
  std::string where;  // "table Orders", "index ByDate of table Orders", "catalog".
  std::string what;
  std::string key;  // The stored key, in hexadecimal digits; empty if it is about no single one.
};

struct VerifyReport {
  std::map<std::string, std::uint64_t> counts;  // Keyed by kind: "items", "index entries" …
  std::vector<VerifyFinding> findings;          // The first kVerifyFindingsMax.
  std::uint64_t finding_count = 0;

  void Find(std::string where, std::string what, std::string_view key = {});
};

inline constexpr std::size_t kVerifyFindingsMax = 100;

// Only reads. `progress` hears of each batch: how many records there were so far. Nobody writes meanwhile.
void VerifyStore(storage::Store& store, const std::function<void(std::uint64_t)>& progress,
                 VerifyReport& report);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VERIFY_VERIFY_H_
