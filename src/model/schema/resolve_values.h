// What a model says about values: literals of conditions and writes, closed lists, and what keys and conditions derive from attributes.
#ifndef PREJOIN_MODEL_SCHEMA_RESOLVE_VALUES_H_
#define PREJOIN_MODEL_SCHEMA_RESOLVE_VALUES_H_

#include "model/schema/model.h"
#include "model/schema/name_reporter.h"

namespace prejoin::model {

// Gives each derived value that a flag, a condition or a key names its place in Entity::derived, names conditions after it, and fills in
// the digits of `descending`. The types of references are known. Comes before names are looked up.
void DeriveAttributes(Model& model, const NameReporter& report);

// Reports values that an attribute cannot have: of another type, or outside of its closed list.
void ResolveValues(Model& model, const NameReporter& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_RESOLVE_VALUES_H_
