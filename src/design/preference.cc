#include "design/preference.h"

#include <algorithm>

namespace prejoin::design {
namespace {

constexpr Preference kAll[] = {Preference::kCheapest, Preference::kFewestIndexes,
                               Preference::kFewestTrips, Preference::kSimplest};

}  // namespace

std::span<const Preference> AllPreferences() { return kAll; }

std::string_view PreferenceName(Preference preference) {
  switch (preference) {
    case Preference::kCheapest:
      return "cheapest";
    case Preference::kFewestIndexes:
      return "fewest-indexes";
    case Preference::kFewestTrips:
      return "fewest-trips";
    case Preference::kSimplest:
      return "simplest";
  }
  return "";
}

std::optional<Preference> FindPreference(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, PreferenceName);
  if (found == std::end(kAll)) {
    return std::nullopt;
  }
  return *found;
}

}  // namespace prejoin::design
