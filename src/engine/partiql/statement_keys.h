// Key attributes in a WHERE clause: the values and ranges it asks for.
#ifndef PREJOIN_ENGINE_PARTIQL_STATEMENT_KEYS_H_
#define PREJOIN_ENGINE_PARTIQL_STATEMENT_KEYS_H_

#include <string_view>
#include <vector>

#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

using Conjuncts = std::vector<const expr::Condition*>;

// The conditions that must all hold: the parts of the top-level ANDs. Null: none.
Conjuncts ConjunctsOf(const expr::Condition* where);

// The value in `attribute = value` among the conjuncts; null if there is none.
const expr::Literal* EqualTo(const Conjuncts& conjuncts, std::string_view attribute);

// The values of the first conjunct that leaves the attribute a choice of values: an equality, an IN
// list, or equalities joined by OR. Empty if there is none. Point into the conjuncts.
std::vector<const expr::Literal*> ChoicesOf(const Conjuncts& conjuncts, std::string_view attribute);

// Refuses alternatives (OR) on one partition of which one asks for a part of it, by the sort key, and
// another for items anywhere in it.
Status CheckAlternatives(const KeyAttributes& keys, const expr::Condition* where);

// The ranges of stored keys that can hold what WHERE wants, one for each choice of partition, in
// ascending order of partition key values; empty when a HASH attribute is left open. The conditions
// may narrow the answer further. Errors are those of a Query: types that do not match the schema.
Result<std::vector<storage::Range>> KeyRangesOf(std::uint32_t space, const KeyAttributes& keys,
                                                const expr::Condition* where);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PARTIQL_STATEMENT_KEYS_H_
