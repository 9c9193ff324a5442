// Whether the running thread may wait for others.
//
// An event loop serves hundreds of connections, so it must wait for nobody: not for a latch that another request holds, not for a lock that is
// held over work, not for a disk that is behind. Its thread says so once (ForbidWaiting). A call that would have to wait then notes the obstacle
// and fails with kOverBudget before it has changed anything, and the request runs again where waiting is allowed. The mark belongs to the
// thread and not to the call, so that nobody who calls the store from a loop can forget it. It is looked at only where somebody would wait.
#ifndef PREJOIN_BASE_PATIENCE_H_
#define PREJOIN_BASE_PATIENCE_H_

#include <cstdint>
#include <optional>

namespace prejoin {

// Names what a thread would have had to wait for. Requests that met the same obstacle gain nothing from waiting on different threads.
using Obstacle = std::uint32_t;

namespace patience_internal {
inline constexpr std::uint64_t kNoObstacle = UINT64_MAX;
inline constinit thread_local bool may_wait = true;
inline constinit thread_local std::uint64_t met = kNoObstacle;
}  // namespace patience_internal

inline bool MayWait() { return patience_internal::may_wait; }

// For the rest of the thread's life.
inline void ForbidWaiting() { patience_internal::may_wait = false; }

// Allows or forbids waiting while it lives.
class WaitingScope {
 public:
  explicit WaitingScope(bool may_wait) : before_(patience_internal::may_wait) {
    patience_internal::may_wait = may_wait;
  }
  ~WaitingScope() { patience_internal::may_wait = before_; }
  WaitingScope(const WaitingScope&) = delete;
  WaitingScope& operator=(const WaitingScope&) = delete;

 private:
  const bool before_;
};

// Called before the failure.
inline void NoteObstacle(Obstacle obstacle) { patience_internal::met = obstacle; }

// The obstacle of the last failure on this thread; nothing if somebody took it before.
inline std::optional<Obstacle> TakeObstacle() {
  const std::uint64_t met = patience_internal::met;
  patience_internal::met = patience_internal::kNoObstacle;
  if (met == patience_internal::kNoObstacle) {
    return std::nullopt;
  }
  return static_cast<Obstacle>(met);
}

}  // namespace prejoin

#endif  // PREJOIN_BASE_PATIENCE_H_
