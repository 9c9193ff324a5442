// Name resolution: every entity, attribute, relationship and parameter a model mentions must exist
// and fit.
#ifndef PREJOIN_MODEL_SCHEMA_RESOLVE_H_
#define PREJOIN_MODEL_SCHEMA_RESOLVE_H_

#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Fills in what follows from other declarations (types of references, `by` of relationships) and
// reports every name that means nothing.
void ResolveModel(Model& model, std::vector<Diagnostic>& diagnostics);

// How rows of `from` find the row of `to` they point at: attribute of `from` → key attribute of
// `to`.
struct JoinColumn {
  std::string from;
  std::string to;
};
// Empty when `from` does not reference the whole key of `to`.
std::vector<JoinColumn> JoinColumns(const Entity& from, const Entity& to);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_RESOLVE_H_
