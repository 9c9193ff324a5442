// The model as JSON, for other programs.
#ifndef PREJOIN_MODEL_SCHEMA_MODEL_JSON_H_
#define PREJOIN_MODEL_SCHEMA_MODEL_JSON_H_

#include <string>

#include "model/schema/model.h"

namespace prejoin::model {

std::string ModelJson(const Model& model);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_MODEL_JSON_H_
