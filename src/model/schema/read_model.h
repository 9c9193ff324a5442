// From the text of a model file to a Model.
#ifndef PREJOIN_MODEL_SCHEMA_READ_MODEL_H_
#define PREJOIN_MODEL_SCHEMA_READ_MODEL_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"
#include "model/syntax/diagnostic.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

struct ReadModelResult {
  std::string source;
  Model model;
  SyntaxTree tree;
  std::vector<Diagnostic> diagnostics;  // Sorted by place.
  // No errors: the model is complete and every name in it is known.
  bool ok = false;
};

// Never fails as a whole: what could be read is in the model, everything else in the diagnostics.
ReadModelResult ReadModel(std::string_view source);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_READ_MODEL_H_
