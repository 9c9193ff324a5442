#include "simulate/retry_policy.h"

#include <algorithm>
#include <cmath>

namespace prejoin::simulate {
namespace {

constexpr double kQuotaMax = 500;
constexpr double kRetryCost = 5;
constexpr double kDelayMaxMs = 20'000;

// Of the cubic growth behind a throttle.
constexpr double kBeta = 0.7;
constexpr double kScale = 0.4;
constexpr double kSmoothing = 0.8;
constexpr double kRateMin = 0.5;

struct Mode {
  RetryMode mode;
  std::string_view name;
  std::string_view description;
  int attempts;
};

constexpr Mode kModes[] = {
    {RetryMode::kNone, "none", "no retries", 1},
    {RetryMode::kLegacy, "legacy", "legacy: 10 attempts, 50 ms doubled", 10},
    {RetryMode::kStandardOld, "standard-2025", "standard before November 2026: 3 attempts", 3},
    {RetryMode::kStandard, "standard",
     "standard since November 2026: 4 attempts, up to 1 s doubled", 4},
    {RetryMode::kAdaptive, "adaptive", "adaptive: standard, and the client limits its rate", 4},
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

std::optional<double> RetryPolicy::DelayAfterThrottleMs(int attempt, double now_ms,
                                                        RandomSource& random) {
  if (mode_ == RetryMode::kAdaptive) {
    const double now_s = now_ms / 1'000;
    const double rate = limited_ ? std::min(measured_rate_, fill_rate_) : measured_rate_;
    last_max_rate_ = rate;
    window_s_ = std::cbrt(last_max_rate_ * (1 - kBeta) / kScale);
    throttled_s_ = now_s;
    limited_ = true;
    SetRate(rate * kBeta, now_s);
  }
  if (attempt >= Of(mode_).attempts) {
    return std::nullopt;
  }
  if (mode_ == RetryMode::kLegacy) {
    return 50 * std::pow(2.0, attempt - 1);
  }
  if (quota_ < kRetryCost) {
    return std::nullopt;
  }
  quota_ -= kRetryCost;
  return random.Fraction() * std::min(1'000 * std::pow(2.0, attempt - 1), kDelayMaxMs);
}

void RetryPolicy::Succeeded(int retries, double now_ms) {
  quota_ = std::min(kQuotaMax, quota_ + (retries > 0 ? retries * kRetryCost : 1));
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
