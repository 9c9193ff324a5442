// Application Auto Scaling's API, as far as tables and global indexes of DynamoDB need it, and the scaling itself.
#ifndef PREJOIN_WIRE_SCALING_SCALING_API_H_
#define PREJOIN_WIRE_SCALING_SCALING_API_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "engine/tracking/auto_scaler.h"
#include "json/reader.h"
#include "prejoin/clock.h"
#include "prejoin/database.h"
#include "prejoin/result.h"
#include "wire/scaling/scalable_target.h"

namespace prejoin::wire {

// X-Amz-Target: AnyScaleFrontendService.RegisterScalableTarget
inline constexpr std::string_view kScalingTarget = "AnyScaleFrontendService.";
inline constexpr std::size_t kScalingBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kScalableTargetsMax = 5'000;  // AWS's quota for DynamoDB.

struct ScalingAnswer {
  int status = 200;
  std::string body;
};

// Thread-safe. Needs physics. What is registered is stored with the tables; which minutes were above or below a target is not.
class ScalingApi {
 public:
  // Both outlive this object.
  ScalingApi(Database& database, const Clock& clock);

  // Reads what is stored. Before the first request.
  Status Load() PJ_EXCLUDES(mutex_);

  // `allow`: says whether the caller may take an action, "application-autoscaling:RegisterScalableTarget". Empty: every caller may.
  using AllowAction = std::function<Status(const std::string& action)>;
  ScalingAnswer Answer(std::string_view operation, std::string_view body, const AllowAction& allow)
      PJ_EXCLUDES(mutex_);

  // Ends the minutes that have passed on the clock.
  void CatchUp() PJ_EXCLUDES(mutex_);

 private:
  using Id = ScalableId;
  using Target = ScalableTarget;
  using Handler = Result<std::string> (ScalingApi::*)(const json::Value& request);
  struct Operation {
    std::string_view name;
    Handler run;
  };
  static const Operation kOperations[];

  Result<std::string> Register(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> Deregister(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> DescribeTargets(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> PutPolicy(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> DeletePolicy(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> DescribePolicies(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> DescribeActivities(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> Tag(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> Untag(const json::Value& request) PJ_REQUIRES(mutex_);
  Result<std::string> ListTags(const json::Value& request) PJ_REQUIRES(mutex_);

  Result<const Target*> FindTarget(const Id& id) const PJ_REQUIRES(mutex_);
  Result<const std::pair<const Id, Target>*> FindByArn(const json::Value& request) const PJ_REQUIRES(mutex_);
  // Stores the target, waits until it is durable, and uses it.
  Status Keep(const Id& id, Target target) PJ_REQUIRES(mutex_);
  // Tells the scaler what holds for a target now; null: nothing.
  void Use(const Id& id, const Target* target) PJ_REQUIRES(mutex_);

  Database& database_;
  const Clock& clock_;

  Mutex mutex_;
  engine::AutoScaler scaler_ PJ_GUARDED_BY(mutex_);
  std::map<Id, Target> targets_ PJ_GUARDED_BY(mutex_);
  std::int64_t last_minute_ms_ PJ_GUARDED_BY(mutex_);  // Its end was seen.
};

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_SCALING_SCALING_API_H_
