// The quality of a design that counts first.
#ifndef PREJOIN_DESIGN_PREFERENCE_H_
#define PREJOIN_DESIGN_PREFERENCE_H_

#include <optional>
#include <span>
#include <string_view>

namespace prejoin::design {

enum class Preference { kCheapest, kFewestIndexes, kFewestTrips, kSimplest };

std::span<const Preference> AllPreferences();
std::string_view PreferenceName(Preference preference);
std::optional<Preference> FindPreference(std::string_view name);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_PREFERENCE_H_
