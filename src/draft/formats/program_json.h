// Schemas of OneTable and ElectroDB, and CreateTable requests, as they are in TypeScript and JavaScript.
#ifndef PREJOIN_DRAFT_FORMATS_PROGRAM_JSON_H_
#define PREJOIN_DRAFT_FORMATS_PROGRAM_JSON_H_

#include <string>
#include <string_view>

namespace prejoin::draft {

// The schemas of a program as JSON: a list of what every `new Entity({…})` takes, or the object that has `indexes` and `models`, or
// `TableName` and `KeySchema`. Empty if it has none of them. Only literals are read: constructors become the names of types (`String` →
// "string"), a name stands for the `const` of that name in the same text, and whatever must run to have a value is left out. Linear in
// the text.
std::string ProgramToJson(std::string_view text);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_PROGRAM_JSON_H_
