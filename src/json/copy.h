// A JSON value as text again, for answers that repeat what was asked.
#ifndef PREJOIN_JSON_COPY_H_
#define PREJOIN_JSON_COPY_H_

#include <string>

#include "json/reader.h"

namespace prejoin::json {

// Without blanks; otherwise as it came. The reader limits the depth.
void AppendCopy(Value value, std::string& out);

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_COPY_H_
