// The answer that Query and Scan share.
#ifndef PREJOIN_WIRE_ANSWERS_PAGE_JSON_H_
#define PREJOIN_WIRE_ANSWERS_PAGE_JSON_H_

#include <string>

#include "prejoin/operations.h"

namespace prejoin::wire {

void AppendPage(const PageOutput& page, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_PAGE_JSON_H_
