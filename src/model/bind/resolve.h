// Name resolution: every entity, attribute, relationship and parameter a model mentions must exist
// and fit.
#ifndef PREJOIN_MODEL_BIND_RESOLVE_H_
#define PREJOIN_MODEL_BIND_RESOLVE_H_

#include <vector>

#include "model/bind/name_reporter.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Fills in what follows from other declarations (types of references, `by` of relationships) and
// reports every name that means nothing.
void ResolveModel(ParsedModel& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_RESOLVE_H_
