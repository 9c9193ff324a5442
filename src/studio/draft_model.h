// A model of a table that has none yet.
#ifndef PREJOIN_STUDIO_DRAFT_MODEL_H_
#define PREJOIN_STUDIO_DRAFT_MODEL_H_

#include <string>

#include "prejoin/result.h"
#include "studio/api_request.h"

namespace prejoin::studio {

// Works like `prejoin infer`, on items that the request brings: "table" is a table description or a CreateTable
// request, "items" are in DynamoDB JSON.
Result<std::string> InferModel(const ApiRequest& request);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_DRAFT_MODEL_H_
