// Names in tables, items and sample rows.
#ifndef PREJOIN_MODEL_BIND_RESOLVE_PHYSICAL_H_
#define PREJOIN_MODEL_BIND_RESOLVE_PHYSICAL_H_

#include <vector>

#include "model/bind/name_reporter.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Also adds the natural keys that follow from names: a table or index key that is called like an
// attribute of the entity holds that attribute.
void ResolvePhysical(ParsedModel& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_RESOLVE_PHYSICAL_H_
