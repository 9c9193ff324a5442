#include "cluster/cluster_clock.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace prejoin::cluster {

std::int64_t ClusterClock::NowInMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(now_()).count();
}

// The answer was given at some moment between the question and now, so half of that is what it may be wrong
// by. One that took so long says nothing.
ObjectStatus ClusterClock::Measure() {
  const std::int64_t asked_ms = NowInMs();
  std::int64_t theirs_ms = 0;
  if (ObjectStatus read = store_.Time(theirs_ms); !read.ok()) {
    return read;
  }
  const std::int64_t answered_ms = NowInMs();
  if (answered_ms - asked_ms > kClockDifferenceMaxMs) {
    return {ObjectCode::kFailed, "the shared objects took too long to tell the time"};
  }
  const std::int64_t ahead_ms = machine_.NowMs() - (theirs_ms + (answered_ms - asked_ms) / 2);
  const std::int64_t offset_ms = theirs_ms - (asked_ms + answered_ms) / 2;
  const MutexLock lock(mutex_);
  machine_ahead_ms_ = ahead_ms;
  const bool agrees_with_machine = std::abs(ahead_ms) <= kClockDifferenceMaxMs;
  const bool agrees_with_earlier =
      offset_ms_ && std::abs(offset_ms - *offset_ms_) <= kClockDifferenceMaxMs;
  if (agrees_with_machine || agrees_with_earlier) {
    offset_ms_ = offset_ms;
  }
  return {};
}

std::int64_t ClusterClock::NowMs() const {
  std::optional<std::int64_t> offset_ms;
  {
    const MutexLock lock(mutex_);
    offset_ms = offset_ms_;
  }
  return offset_ms ? *offset_ms + NowInMs() : machine_.NowMs();
}

std::optional<std::int64_t> ClusterClock::MachineAheadMs() const {
  const MutexLock lock(mutex_);
  return machine_ahead_ms_;
}

Status ClusterClock::MayLead() const {
  const auto ahead_ms = MachineAheadMs();
  if (!ahead_ms || std::abs(*ahead_ms) <= kClockDifferenceMaxMs) {
    return {};
  }
  return Error{ErrorCode::kUnavailable,
               "the clock of this machine is " + PrintClockDifference(*ahead_ms) +
                   " the cluster's. With more than " +
                   std::to_string(kClockDifferenceMaxMs / 1000) +
                   " s a gateway does not take the lead: set the clock, for example with NTP"};
}

std::string PrintClockDifference(std::int64_t ahead_ms) {
  constexpr double kMsPerSecond = 1000;
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.1f s %s",
                static_cast<double>(std::abs(ahead_ms)) / kMsPerSecond,
                ahead_ms < 0 ? "behind" : "ahead of");
  return text.data();
}

}  // namespace prejoin::cluster
