// A JSON value as text again, for answers that repeat what was asked.
#ifndef PREJOIN_WIRE_JSON_COPY_H_
#define PREJOIN_WIRE_JSON_COPY_H_

#include <string>

#include "wire/json_reader.h"

namespace prejoin::wire {

// Without blanks; otherwise as it came. The reader limits the depth.
void AppendJson(JsonValue value, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_JSON_COPY_H_
