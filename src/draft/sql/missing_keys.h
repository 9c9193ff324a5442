// Keys for tables that have no primary key.
#ifndef PREJOIN_DRAFT_SQL_MISSING_KEYS_H_
#define PREJOIN_DRAFT_SQL_MISSING_KEYS_H_

#include "draft/draft.h"
#include "draft/sql/foreign_keys.h"

namespace prejoin::draft {

// Marks the smallest set of unique columns that can be a key, all columns of a small table, or an attribute that is made up.
void AddMissingPrimaryKeys(const UniqueSets& unique, Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_MISSING_KEYS_H_
