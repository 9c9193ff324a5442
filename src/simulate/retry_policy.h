// Retries failed DynamoDB requests as AWS's SDKs do.
#ifndef PREJOIN_SIMULATE_RETRY_POLICY_H_
#define PREJOIN_SIMULATE_RETRY_POLICY_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/random_source.h"

namespace prejoin::simulate {

enum class RetryMode {
  kNone,
  kLegacy,       // botocore's default before November 2026: ten attempts, 50 ms doubled, no jitter.
  kStandardOld,  // botocore's standard mode before November 2026: three attempts.
  kStandardOldJs,  // The default of the SDK for JavaScript before November 2026: shorter waits.
  kStandard,     // The default since 10 November 2026: four attempts, a second doubled, jitter.
  kAdaptive,     // The same, and the client limits its own rate.
};

std::optional<RetryMode> RetryModeOf(std::string_view name);
std::string_view NameOf(RetryMode mode);
std::string_view Describe(RetryMode mode);

enum class Failure {
  kThrottled,
  kTransient,  // A status of 500 or above, or a lost connection.
  kTimeout,
};

struct RetryWait {
  double ms = 0;
  double cost = 0;  // Tokens of the client's quota.
};

// The retries of one client. Single thread.
class RetryPolicy {
 public:
  explicit RetryPolicy(RetryMode mode) : mode_(mode) {}

  // Milliseconds to wait before an attempt may be sent at `now_ms`.
  double SendDelayMs(double now_ms);
  // The attempt with this number, from 1 on, has failed. The wait until the next one; nullopt: the request
  // fails.
  std::optional<RetryWait> WaitAfter(Failure failure, int attempt, double now_ms,
                                     RandomSource& random);
  // A request succeeded. `last_cost`: of its last retry; 0: there was none. Quota of earlier retries is
  // not given back.
  void Succeeded(double last_cost, double now_ms);

 private:
  // The client's own limit, as botocore computes it.
  void CountSent(double now_s);
  void SetRate(double rate, double now_s);
  void RefillOwn(double now_s);

  RetryMode mode_;
  double quota_ = 500;

  bool limited_ = false;  // Since the first throttle.
  double fill_rate_ = 0;
  double capacity_ = 0;
  double tokens_ = 0;
  double refilled_s_ = 0;
  double last_max_rate_ = 0;
  double window_s_ = 0;
  double throttled_s_ = 0;
  double measured_rate_ = 0;
  double bucket_s_ = 0;  // The half second that is being counted.
  double sent_ = 0;
};

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_RETRY_POLICY_H_
