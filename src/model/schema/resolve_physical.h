// Names in tables, items and sample rows.
#ifndef PREJOIN_MODEL_SCHEMA_RESOLVE_PHYSICAL_H_
#define PREJOIN_MODEL_SCHEMA_RESOLVE_PHYSICAL_H_

#include <vector>

#include "model/schema/model.h"
#include "model/schema/name_reporter.h"

namespace prejoin::model {

// Also adds the natural keys that follow from names: a table or index key that is called like an
// attribute of the entity holds that attribute.
void ResolvePhysical(Model& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_RESOLVE_PHYSICAL_H_
