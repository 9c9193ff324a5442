// Numbers and nesting in the parameters of statements.
#ifndef PREJOIN_WIRE_MEMBERS_PARAMETER_FAULT_H_
#define PREJOIN_WIRE_MEMBERS_PARAMETER_FAULT_H_

#include <string>

#include "json/reader.h"

namespace prejoin::wire {

// The first number in an attribute value that can be none, or the first value that is nested too
// deep, whichever comes first in the text, in DynamoDB's words; empty if there is none. JSON of
// another shape is left to the reader of attribute values.
std::string FindParameterFault(json::Value value);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_PARAMETER_FAULT_H_
