// A model from a table that has none yet, from a file of another tool, or from answers.
#ifndef PREJOIN_STUDIO_DRAFT_MODEL_H_
#define PREJOIN_STUDIO_DRAFT_MODEL_H_

#include <string>

#include "prejoin/result.h"
#include "studio/api_request.h"

namespace prejoin::studio {

// Works like `prejoin infer`, on items that the request brings: "table" is a table description or a CreateTable
// request, "items" are in DynamoDB JSON.
Result<std::string> InferModel(const ApiRequest& request);

// As `prejoin import-model`: "text" is SQL or a file of another tool, "from" its format (detected
// without it), "queries" statements that become access patterns, "seconds" the time that they were
// counted in.
Result<std::string> ImportModel(const ApiRequest& request);

// As `prejoin new`, without the design: "answers" are texts by the keys of their questions. Returns the questions that
// these answers lead to, and the model, or why there is none yet.
Result<std::string> InterviewModel(const ApiRequest& request);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_DRAFT_MODEL_H_
