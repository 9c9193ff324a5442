// CloudWatch's API as far as metrics of DynamoDB are read: ListMetrics, GetMetricData and
// GetMetricStatistics, in the three protocols that SDKs speak.
#ifndef PREJOIN_WIRE_CLOUDWATCH_CLOUDWATCH_H_
#define PREJOIN_WIRE_CLOUDWATCH_CLOUDWATCH_H_

#include <functional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::wire {

enum class CloudWatchProtocol {
  kQuery,  // A form; the answer is XML. SDKs before 2025.
  kJson,   // X-Amz-Target: GraniteServiceVersion20100801.ListMetrics
  kCbor,   // /service/GraniteServiceVersion20100801/operation/ListMetrics
};

inline constexpr std::string_view kCloudWatchTarget = "GraniteServiceVersion20100801";
inline constexpr std::string_view kCloudWatchVersion = "2010-08-01";

// More than any request of these operations needs.
inline constexpr std::size_t kCloudWatchBytesMax = std::size_t{1} << 20;

// True if a form is a request to CloudWatch.
bool IsCloudWatchForm(std::string_view body);

struct CloudWatchAnswer {
  int status = 200;
  std::string body;
  std::string_view error;  // "InvalidParameterValue"; empty: none.
};

// Says whether the caller may take an action, "cloudwatch:ListMetrics". Empty: every caller may.
using AllowAction = std::function<Status(const std::string& action)>;

// `operation`: empty in a form, which names it itself. `allow` decides on the operation that then runs. Needs physics.
CloudWatchAnswer AnswerCloudWatch(engine::Engine& engine, CloudWatchProtocol protocol,
                                  std::string_view operation, std::string_view body,
                                  const AllowAction& allow);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_CLOUDWATCH_CLOUDWATCH_H_
