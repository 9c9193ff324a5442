// Tables and items of a model as DynamoDB JSON, for a caller that sends them itself.
#ifndef PREJOIN_STUDIO_MAKE_ITEMS_H_
#define PREJOIN_STUDIO_MAKE_ITEMS_H_

#include <string>

#include "prejoin/result.h"
#include "studio/api_request.h"

namespace prejoin::studio {

// The requests that `prejoin apply` would send.
Result<std::string> MakeTables(const ApiRequest& request);
// One item, keys rendered, from the attributes of an entity.
Result<std::string> MakeOneItem(const ApiRequest& request);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_MAKE_ITEMS_H_
