// From the text of a model file to a Model.
#ifndef PREJOIN_MODEL_BIND_READ_MODEL_H_
#define PREJOIN_MODEL_BIND_READ_MODEL_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"
#include "model/syntax/diagnostic.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

struct ReadModelResult {
  std::string source;
  Model model;         // Empty unless `ok`.
  ParsedModel parsed;  // The readable part of a file with errors; empty if `ok`.
  SyntaxTree tree;
  std::vector<Diagnostic> diagnostics;  // Sorted by place.
  // No errors: the model is complete and every name in it is known.
  bool ok = false;

  // For an editor, which shows what there is in a file with errors as well.
  const ParsedModel& declared() const { return ok ? model : parsed; }
};

// Never fails as a whole: what could be read is in `declared`, everything else in the diagnostics.
ReadModelResult ReadModel(std::string_view source);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_READ_MODEL_H_
