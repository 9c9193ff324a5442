// From a key condition to the range of stored keys that it names.
#ifndef PREJOIN_ENGINE_ITEM_KEY_RANGE_H_
#define PREJOIN_ENGINE_ITEM_KEY_RANGE_H_

#include <cstdint>

#include "engine/table/table.h"
#include "expr/key_condition.h"
#include "storage/store.h"

namespace prejoin::engine {

// `space` is the table's or the index's; `keys` its key attributes.
storage::Range KeyRange(std::uint32_t space, const KeyAttributes& keys,
                        const expr::KeyCondition& condition);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_KEY_RANGE_H_
