#include "simulate/retry_policy.h"

#include <algorithm>
#include <cmath>

namespace prejoin::simulate {
namespace {

constexpr double kQuotaMax = 500;
constexpr double kDelayMaxMs = 20'000;

// The parameters of the cubic growth after a throttle.
constexpr double kBeta = 0.7;
constexpr double kScale = 0.4;
constexpr double kSmoothing = 0.8;
constexpr double kRateMin = 0.5;

struct Mode {
  RetryMode mode;
  std::string_view name;
  std::string_view description;
  int attempts;
  // The base of the waits, and what a retry takes of the quota.
  double throttled_ms;
  double transient_ms;
  double throttled_cost;
  double transient_cost;
  double timeout_cost;
  bool has_jitter;
};

constexpr Mode kModes[] = {
    {RetryMode::kNone, "none", "no retries", 1, 0, 0, 0, 0, 0, false},
    {RetryMode::kLegacy, "legacy", "legacy: 10 attempts, 50 ms doubled", 10, 50, 50, 0, 0, 0, false},
    {RetryMode::kStandardOld, "standard-2025",
     "standard of boto3 before November 2026: 3 attempts, up to 1 s doubled", 3, 1'000, 1'000, 5, 5,
     10, true},
    {RetryMode::kStandardOldJs, "standard-2025-js",
     "standard of the SDK for JavaScript before November 2026: 3 attempts, up to 500 ms doubled", 3,
     500, 100, 5, 5, 5, true},
    {RetryMode::kStandard, "standard",
     "standard since November 2026: 4 attempts, up to 1 s doubled", 4, 1'000, 25, 5, 14, 14, true},
    {RetryMode::kAdaptive, "adaptive", "adaptive: standard, and the client limits its rate", 4,
     1'000, 25, 5, 14, 14, true},
};

const Mode& Of(RetryMode mode) { return *std::ranges::find(kModes, mode, &Mode::mode); }

}  // namespace

std::optional<RetryMode> RetryModeOf(std::string_view name) {
  const auto* found = std::ranges::find(kModes, name, &Mode::name);
  return found == std::end(kModes) ? std::nullopt : std::optional(found->mode);
}

std::string_view NameOf(RetryMode mode) { return Of(mode).name; }
std::string_view Describe(RetryMode mode) { return Of(mode).description; }

double RetryPolicy::SendDelayMs(double now_ms) {
  if (mode_ != RetryMode::kAdaptive) {
    return 0;
  }
  const double now_s = now_ms / 1'000;
  CountSent(now_s);
  if (!limited_) {
    return 0;
  }
  RefillOwn(now_s);
  tokens_ -= 1;
  return tokens_ >= 0 ? 0 : -tokens_ / fill_rate_ * 1'000;
}

std::optional<RetryWait> RetryPolicy::WaitAfter(Failure failure, int attempt, double now_ms,
                                                RandomSource& random) {
  const Mode& mode = Of(mode_);
  if (mode_ == RetryMode::kAdaptive && failure == Failure::kThrottled) {
    const double now_s = now_ms / 1'000;
    const double rate = limited_ ? std::min(measured_rate_, fill_rate_) : measured_rate_;
    last_max_rate_ = rate;
    window_s_ = std::cbrt(last_max_rate_ * (1 - kBeta) / kScale);
    throttled_s_ = now_s;
    limited_ = true;
    SetRate(rate * kBeta, now_s);
  }
  if (attempt >= mode.attempts) {
    return std::nullopt;
  }
  const double cost = failure == Failure::kThrottled ? mode.throttled_cost
                      : failure == Failure::kTimeout ? mode.timeout_cost
                                                     : mode.transient_cost;
  if (quota_ < cost) {
    return std::nullopt;
  }
  quota_ -= cost;
  const double base = failure == Failure::kThrottled ? mode.throttled_ms : mode.transient_ms;
  const double most = std::min(base * std::pow(2.0, attempt - 1), kDelayMaxMs);
  return RetryWait{.ms = mode.has_jitter ? random.Fraction() * most : most, .cost = cost};
}

void RetryPolicy::Succeeded(double last_cost, double now_ms) {
  quota_ = std::min(kQuotaMax, quota_ + (last_cost > 0 ? last_cost : 1));
  if (mode_ == RetryMode::kAdaptive && limited_) {
    const double now_s = now_ms / 1'000;
    const double since = now_s - throttled_s_ - window_s_;
    SetRate(kScale * since * since * since + last_max_rate_, now_s);
  }
}

void RetryPolicy::CountSent(double now_s) {
  const double bucket_s = std::floor(now_s * 2) / 2;
  ++sent_;
  if (bucket_s > bucket_s_) {
    const double rate = sent_ / (bucket_s - bucket_s_);
    measured_rate_ = rate * kSmoothing + measured_rate_ * (1 - kSmoothing);
    sent_ = 0;
    bucket_s_ = bucket_s;
  }
}

void RetryPolicy::SetRate(double rate, double now_s) {
  RefillOwn(now_s);
  const double allowed = std::min(rate, 2 * measured_rate_);
  fill_rate_ = std::max(allowed, kRateMin);
  capacity_ = std::max(allowed, 1.0);
  tokens_ = std::min(tokens_, capacity_);
}

void RetryPolicy::RefillOwn(double now_s) {
  tokens_ = std::min(capacity_, tokens_ + (now_s - refilled_s_) * fill_rate_);
  refilled_s_ = now_s;
}

}  // namespace prejoin::simulate
