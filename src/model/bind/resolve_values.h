// Values in a model: literals of conditions and writes, closed lists, and the parts of attributes that keys and conditions use.
#ifndef PREJOIN_MODEL_BIND_RESOLVE_VALUES_H_
#define PREJOIN_MODEL_BIND_RESOLVE_VALUES_H_

#include "model/bind/name_reporter.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Gives each derived value that a flag, a condition or a key names its place in Entity::derived, names conditions after it, and fills in
// the digits of `descending`. The types of references are known. Comes before names are looked up.
void DeriveAttributes(ParsedModel& model, const NameReporter& report);

// Reports values that an attribute cannot have: of another type, or outside of its closed list.
void ResolveValues(ParsedModel& model, const NameReporter& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_RESOLVE_VALUES_H_
