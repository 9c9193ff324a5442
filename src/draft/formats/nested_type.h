// The members of maps in schemas of other tools, as a type of the model language.
#ifndef PREJOIN_DRAFT_FORMATS_NESTED_TYPE_H_
#define PREJOIN_DRAFT_FORMATS_NESTED_TYPE_H_

#include <string>
#include <string_view>

#include "json/reader.h"

namespace prejoin::draft {

// "map of (street text optional, zip number)" or "list of (…)" for an attribute that names its members under `members`, or those of
// its `items`; `plain` for all others, also where a member has a name that the language has not.
std::string NestedType(json::Value attribute, std::string_view members, const std::string& plain);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_NESTED_TYPE_H_
