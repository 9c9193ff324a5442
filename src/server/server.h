// The HTTP server: a listener, a loop for each thread, and an orderly end.
#ifndef PREJOIN_SERVER_SERVER_H_
#define PREJOIN_SERVER_SERVER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "server/handler.h"
#include "server/http/event_loop.h"
#include "server/http/listener.h"
#include "server/http/memory_budget.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/worker_pool.h"

namespace prejoin::server {

// Thread-compatible.
class Server {
 public:
  // Answers requests when this returns. `handler`, `metrics` and `log` outlive the server.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler& handler,
                                               Metrics& metrics, Log& log);
  // Waits for completions that are still to come: they point into this object.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return listener_->port(); }

  // Stops listening, answers the requests in flight, closes all connections. After `timeout` it
  // closes them unanswered. False if even then something waits for a completion; destroying the
  // server would wait for it too.
  bool Shutdown(std::chrono::milliseconds timeout);

  // Connections on each loop, for tests of the balance.
  std::vector<std::size_t> ConnectionCountsForTesting() const;

 private:
  Server(const ServerOptions& options, std::unique_ptr<Listener> listener, Metrics& metrics,
         Log& log);
  void Launch();
  void StopListening();
  void Take(int fd, const sockaddr_storage& address);
  bool WaitForLoops(std::chrono::milliseconds timeout);

  const ServerOptions options_;
  std::unique_ptr<Listener> listener_;
  Metrics& metrics_;
  Log& log_;
  MemoryBudget budget_;
  MemoryBudget received_;  // A part of it.
  Peers peers_;            // The accepting thread's.
  std::vector<std::unique_ptr<EventLoop>> loops_;
  // After the loops, which their last tasks still post to; the workers' tasks also post to the lanes.
  WaitingLanes lanes_;
  WorkerPool workers_;

  Mutex mutex_;
  std::condition_variable loop_ended_;
  std::size_t loops_running_ PJ_GUARDED_BY(mutex_) = 0;

  std::thread accept_thread_;
  std::vector<std::thread> loop_threads_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_SERVER_H_
