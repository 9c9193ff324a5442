// Items that expire: UpdateTimeToLive and DescribeTimeToLive.
#ifndef PREJOIN_TIME_TO_LIVE_H_
#define PREJOIN_TIME_TO_LIVE_H_

#include <string>

namespace prejoin {

struct TimeToLiveSpecification {
  bool enabled = false;
  std::string attribute_name;
};

struct UpdateTimeToLiveInput {
  std::string table_name;
  TimeToLiveSpecification specification;
};

enum class TimeToLiveStatus { kEnabling, kEnabled, kDisabled };

struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::string attribute_name;  // Empty when disabled.
};

}  // namespace prejoin

#endif  // PREJOIN_TIME_TO_LIVE_H_
