// The changes that the body of a transaction asks for.
#ifndef PREJOIN_CELLS_STAGED_WRITES_H_
#define PREJOIN_CELLS_STAGED_WRITES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::cells {

struct StagedWrite {
  std::string key;
  std::optional<std::string> value;  // Nullopt: the key is deleted.
};

// The writes in the order in which they were asked for: of two for the same key, the later one counts.
using StagedWrites = std::vector<StagedWrite>;

void Stage(const StagedWrites& writes, storage::Transaction& transaction);

// A transaction over several cells, as its record has it (docs/formats/cells.md).
struct CellWrites {
  std::size_t cell = 0;
  StagedWrites writes;
};
std::string EncodeRecord(const std::vector<CellWrites>& parts);
// kCorruption if the bytes are no record of a database with so many cells.
Result<std::vector<CellWrites>> DecodeRecord(std::string_view bytes, std::size_t cell_count);

// The spaces of the records, and of the notes that a cell has applied its part. The engine's counter of spaces does not get there.
inline constexpr std::uint32_t kRecordSpace = 0xFFFFFFF1;
inline constexpr std::uint32_t kAppliedSpace = 0xFFFFFFF2;

// A record or note, by the number of its transaction. In every cell: they are not spread over slices.
std::string NumberedKey(std::uint32_t space, std::uint64_t number);
std::uint64_t NumberOf(std::string_view key);
storage::Range NumberedRange(std::uint32_t space);

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_STAGED_WRITES_H_
