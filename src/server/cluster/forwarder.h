// Hands requests to the gateway that leads.
//
// Each thread has a kept connection and one request at a time; threads are started as requests wait.
// While nobody leads, requests wait here, up to `patience`. A request that the leader cannot have
// got is sent again. One that it may have got, without an answer, is sent again if it only reads;
// otherwise nobody can tell what became of it, and the client is told so: 500, which SDKs retry as
// they would with AWS.
#ifndef PREJOIN_SERVER_CLUSTER_FORWARDER_H_
#define PREJOIN_SERVER_CLUSTER_FORWARDER_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "server/cluster/peer_connection.h"
#include "server/handler.h"

namespace prejoin::server {

struct ForwarderOptions {
  // host:port of the leader, empty if there is none. With `fresh` it may ask the shared objects.
  std::function<std::string(bool fresh)> leader;
  std::string secret;
  std::chrono::milliseconds patience{25'000};
  std::size_t threads_max = 64;
  // The limit for all requests that wait or are on their way. Beyond it clients are told to retry later.
  std::size_t bytes_max = std::size_t{512} << 20;
  std::size_t requests_max = 10'000;
};

// Thread-safe.
class Forwarder {
 public:
  explicit Forwarder(ForwarderOptions options) : options_(std::move(options)) {}
  ~Forwarder() { Stop(); }
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;

  // As Handler::Handle; copies what it needs of the request. Does not block.
  Outcome Forward(const HttpRequest& request, Exchange& exchange, Completion completion);

  // Requests that the leader has not received within some seconds more are dropped: the process is told to stop.
  void EndSoon();

  // Answers what waits, and what comes from now on, with an error.
  void Stop() PJ_EXCLUDES(mutex_);

  std::uint64_t forwarded_count() const { return forwarded_count_; }
  std::uint64_t unknown_count() const { return unknown_count_; }

 private:
  struct Job {
    std::string head;
    std::string body;
    bool only_reads = false;
    bool has_no_answer_body = false;
    Exchange* exchange = nullptr;
    std::function<void()> finish;
    std::chrono::steady_clock::time_point deadline;
  };

  void StartThread() PJ_REQUIRES(mutex_);
  void Run() PJ_EXCLUDES(mutex_);
  void Do(Job& job, PeerConnection& connection);
  void WaitABit(std::chrono::milliseconds time) PJ_EXCLUDES(mutex_);

  const ForwarderOptions options_;
  std::atomic<std::uint64_t> forwarded_count_ = 0;
  std::atomic<std::uint64_t> unknown_count_ = 0;
  std::atomic<bool> ending_ = false;
  // On the steady clock. Requests wait for a leader no longer than until then.
  std::atomic<std::chrono::steady_clock::duration> end_ =
      std::chrono::steady_clock::duration::max();

  Mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable ended_;
  std::deque<Job> waiting_ PJ_GUARDED_BY(mutex_);
  std::size_t requests_ PJ_GUARDED_BY(mutex_) = 0;
  std::size_t bytes_ PJ_GUARDED_BY(mutex_) = 0;
  std::size_t idle_ PJ_GUARDED_BY(mutex_) = 0;
  std::vector<std::thread> threads_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_CLUSTER_FORWARDER_H_
