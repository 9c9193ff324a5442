// Names as a file spells them. PostgreSQL's grammar makes unquoted names small, so `firstName` would come out as `firstname`.
#ifndef PREJOIN_DRAFT_SQL_SPELLINGS_H_
#define PREJOIN_DRAFT_SQL_SPELLINGS_H_

#include <map>
#include <string>
#include <string_view>

namespace prejoin::draft {

// The name in small letters → as the file spells it. Only names with large and small letters.
using Spellings = std::map<std::string, std::string, std::less<>>;

// Adds the names of the table and the columns that a statement makes.
void LearnSpellings(std::string_view statement, Spellings& spellings);

enum class Spelt { kExactly, kInAnyCase };

// The statement with these names in quotes: where they are spelt exactly so, or in any case, as databases without cases allow.
std::string WithSpellings(std::string_view statement, const Spellings& spellings, Spelt spelt);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_SPELLINGS_H_
