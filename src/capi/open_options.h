// The options of prejoin_open.
#ifndef PREJOIN_CAPI_OPEN_OPTIONS_H_
#define PREJOIN_CAPI_OPEN_OPTIONS_H_

#include <string_view>

#include "prejoin/options.h"
#include "prejoin/result.h"

namespace prejoin::capi {

// `text` is a JSON object as include/prejoin/prejoin.h describes it, or empty. An unknown member is an error: a misspelt "path" must not
// open a database in memory.
Result<Options> ParseOpenOptions(std::string_view text);

}  // namespace prejoin::capi

#endif  // PREJOIN_CAPI_OPEN_OPTIONS_H_
