// Application Auto Scaling with target tracking, as AWS documents it for DynamoDB.
#ifndef PREJOIN_SIMULATE_AUTO_SCALER_H_
#define PREJOIN_SIMULATE_AUTO_SCALER_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "prejoin/database.h"
#include "simulate/scenario.h"

namespace prejoin::simulate {

// Single thread.
class AutoScaler {
 public:
  // `least`: of every table and index. `target_percent` of the provisioned capacity should be used.
  AutoScaler(Database& database, Units least, int target_percent);

  // A minute has ended.
  void EndMinute(std::int64_t now_ms);

  // "minute 12: table/Orders write 50 → 320"
  std::vector<std::string> TakeLog() { return std::move(log_); }
  // Units that are provisioned now, over all tables and indexes.
  Units Total() const;

 private:
  struct Target {
    std::array<std::int64_t, 2> provisioned = {};
    std::array<int, 2> above = {};
    std::array<int, 2> below = {};
    std::array<std::int64_t, 2> wanted = {};  // 0: no change is under way.
    std::int64_t due_ms = 0;
  };
  void Look(Target& target, std::array<double, 2> used, std::int64_t now_ms);
  void Apply(const std::string& arn, Target& target);

  Database& database_;
  const Units least_;
  const double target_;
  std::map<std::string, Target> targets_;  // By ARN.
  std::vector<std::string> log_;
  std::int64_t minutes_ = 0;
};

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_AUTO_SCALER_H_
