// How a rate changes over the hours of the day: `rate 5/s, 500/s from 08:00 to 10:00`.
#ifndef PREJOIN_MODEL_SCHEMA_DAILY_RATE_H_
#define PREJOIN_MODEL_SCHEMA_DAILY_RATE_H_

#include <vector>

namespace prejoin::model {

inline constexpr double kDayHours = 24;

// Hours of a day, from 0 to 24, in UTC. They may go over midnight.
struct Hours {
  double from = 0;
  double to = 0;

  double length() const { return to > from ? to - from : kDayHours - from + to; }
  bool Holds(double hour) const {
    return to > from ? hour >= from && hour < to : hour >= from || hour < to;
  }
};

struct RateOfHours {
  Hours hours;
  double factor = 1;  // Of the average of the day.
};

struct DailyRate {
  std::vector<RateOfHours> hours;  // Empty: the same all day.
  double otherwise = 1;            // The factor outside of those hours.

  double FactorAt(double hour) const {
    for (const RateOfHours& one : hours) {
      if (one.hours.Holds(hour)) {
        return one.factor;
      }
    }
    return hours.empty() ? 1 : otherwise;
  }
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_DAILY_RATE_H_
