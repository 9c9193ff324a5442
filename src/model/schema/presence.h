// What a condition says about the presence of an attribute.
#ifndef PREJOIN_MODEL_SCHEMA_PRESENCE_H_
#define PREJOIN_MODEL_SCHEMA_PRESENCE_H_

#include <algorithm>
#include <string>

#include "model/schema/model.h"

namespace prejoin::model {

// True if only rows that have the attribute meet the condition.
inline bool ImpliesPresence(const Condition& condition) {
  return condition.comparison != Comparison::kNotEqual &&
         condition.comparison != Comparison::kNotExists;
}

// True if the section finds rows that lack the attribute.
inline bool FindsRowsWithout(const Section& section, const Attribute& attribute) {
  return attribute.optional &&
         std::ranges::none_of(section.conditions, [&](const Condition& condition) {
           return condition.attribute == attribute.name && ImpliesPresence(condition);
         });
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_PRESENCE_H_
