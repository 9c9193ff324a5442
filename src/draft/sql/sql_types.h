// The types of SQL in the words of a model.
#ifndef PREJOIN_DRAFT_SQL_SQL_TYPES_H_
#define PREJOIN_DRAFT_SQL_SQL_TYPES_H_

#include <string>

#include "draft/draft.h"

namespace prejoin::draft {

// `modifier` is the number in parentheses after the type; 0: none. A type that a model does not have is a text, with a note.
void SetSqlType(const std::string& sql_type, double modifier, DraftAttribute& attribute);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_SQL_TYPES_H_
