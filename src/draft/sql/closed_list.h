// CHECK constraints as closed lists of values.
#ifndef PREJOIN_DRAFT_SQL_CLOSED_LIST_H_
#define PREJOIN_DRAFT_SQL_CLOSED_LIST_H_

#include <string>

#include "draft/draft.h"
#include "json/reader.h"

namespace prejoin::draft {

// CHECK (status IN ('OPEN', 'PAID')) gives an attribute its values; other checks become notes, because a model has no form for them.
// `column` has the constraint, if one has; in its check, `value` means that column.
void ReadClosedList(json::Value constraint, DraftEntity& entity, const std::string& column = "");

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_CLOSED_LIST_H_
