// Holds answers back until their time has come, for simulated latency and injected timeouts.
#ifndef PREJOIN_SERVER_DELAYS_H_
#define PREJOIN_SERVER_DELAYS_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <optional>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "server/handler.h"

namespace prejoin::server {

// Thread-safe.
class Delays {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Delays() = default;
  Delays(const Delays&) = delete;
  Delays& operator=(const Delays&) = delete;
  ~Delays() { Stop(); }

  // Finishes the exchange at `due`, or at once if that is past.
  void FinishAt(Time due, Completion completion, Status status) PJ_EXCLUDES(mutex_);
  // Finishes all that wait, and later ones at once. Before the server shuts down.
  void Stop() PJ_EXCLUDES(mutex_);

 private:
  struct Waiting {
    Time due;
    Completion completion;
    Status status;
    friend bool operator>(const Waiting& a, const Waiting& b) { return a.due > b.due; }
  };
  void Run() PJ_EXCLUDES(mutex_);
  // Waits until one is due; nullopt at the end.
  std::optional<Waiting> TakeDue() PJ_EXCLUDES(mutex_);

  Mutex mutex_;
  std::condition_variable changed_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_
      PJ_GUARDED_BY(mutex_);
  bool stopped_ PJ_GUARDED_BY(mutex_) = false;
  std::thread thread_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_DELAYS_H_
