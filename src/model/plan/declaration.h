// An attribute's line as it stands in the file, for estimates that ask for one more figure in it.
#ifndef PREJOIN_MODEL_PLAN_DECLARATION_H_
#define PREJOIN_MODEL_PLAN_DECLARATION_H_

#include <set>
#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Days over which dates spread where the file does not say.
inline constexpr double kAssumedDays = 365;

// With all its flags, so that another figure can be added to it and nothing is lost.
std::string DeclarationOf(const Attribute& attribute);

// "in `entity Order`"
std::string PlaceOf(const Entity& entity);

// Whether all names are bound; false for none.
bool Covers(const std::set<std::string>& bound, const std::vector<std::string>& names);

// Whether a derived value tells nothing new: the value that it comes from is bound itself, or more of it.
bool IsImplied(const Entity& entity, const Attribute& derived, const std::set<std::string>& bound);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_DECLARATION_H_
