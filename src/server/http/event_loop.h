// One thread that serves its share of the connections.
#ifndef PREJOIN_SERVER_HTTP_EVENT_LOOP_H_
#define PREJOIN_SERVER_HTTP_EVENT_LOOP_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "prejoin/result.h"
#include "server/http/connection.h"
#include "server/http/loop_resources.h"

namespace prejoin::server {

// Level-triggered epoll, and a mailbox through which other threads reach it. A loop that is at work looks into its mailbox by itself before it
// sleeps; only one that sleeps is woken. Run, and everything marked so, belong to one thread; the rest is thread-safe.
class EventLoop final : public ConnectionHost {
 public:
  struct Config {
    const ServerOptions& options;
    Handler& handler;
    Metrics& metrics;
    MemoryBudget& budget;
    WorkerPool& workers;
    WaitingLanes& lanes;
    Log& log;
    std::uint64_t seed;
  };
  static Result<std::unique_ptr<EventLoop>> Create(const Config& config);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Serves until Drain or Abort, and then until no connection is left.
  void Run();

  // Takes over a connected socket that does not block, which `peer` has counted.
  void Adopt(int fd, std::shared_ptr<Peer> peer);
  // Answers what has arrived, closes what is idle, and comes to an end.
  void Drain();
  // Closes everything except what waits for a completion; that too as soon as the completion comes.
  void Abort();

  // Including those that are still in the mailbox.
  std::size_t connection_count() const { return connection_count_.load(std::memory_order_relaxed); }

  void Complete(Connection& connection, Status status) override;
  void QueueTurn(Connection& connection) override;

 private:
  struct Finished {
    Connection* connection;
    Status status;
  };
  // In a batch, of which thread-local memory has the completions.
  struct Collected {
    EventLoop* loop;
    Finished finished;
  };
  static std::vector<Collected>& CollectedHere();
  struct Newcomer {
    int fd;
    std::shared_ptr<Peer> peer;
  };
  struct Mail {
    std::vector<Newcomer> newcomers;
    std::vector<Finished> finished;
    bool drain = false;
    bool abort = false;
  };

  EventLoop(const Config& config, int epoll_fd, int wake_fd);

  template <class Change>
  void Post(Change&& change) PJ_EXCLUDES(mutex_);
  // Posts the completions that this thread has collected in its batch (base/call_batch.h).
  static void PostBatch();
  void Wait();
  // How long to wait for the sockets. Longer than 0: whoever posts from now on wakes the loop.
  int FallAsleep();
  void ReadMail();
  void RunFinished();
  void RunTurns();
  void Tick();
  void AddConnection(const Newcomer& newcomer);
  // Ends a connection whose handshake has gone on for longest, if there are too many: of the newcomer's peer, or of all.
  void LimitHandshakes(const Peer* newcomer);
  // Calls the connection, and ends it if it ran out of memory.
  template <class Call>
  void Attend(Connection& connection, Call&& call);
  // Ends the connection if `life` says so.
  void Settle(Connection& connection, Life life);
  // The connection at each place, from the last to the first, may end meanwhile.
  template <class Visitor>
  void ForEachConnection(Visitor&& visitor);

  const int wake_fd_;
  const std::chrono::milliseconds tick_;
  LoopResources resources_;

  // Loop thread only.
  std::vector<std::unique_ptr<Connection>> connections_;
  std::deque<Connection*> turns_;
  std::deque<Finished> finished_;         // Completions that were read and not yet answered.
  std::size_t round_ = 0;                 // Counts the rounds of connections that can wait.
  bool left_over_ = false;                // Some of them had no time in the last round.
  std::vector<Connection*> handshaking_;  // Oldest first; some may be done since.
  std::chrono::steady_clock::time_point next_tick_;
  bool aborting_ = false;
  Mail reading_;  // Swapped with `mail_`, so that both keep their memory.

  std::atomic<std::size_t> connection_count_ = 0;

  // The loop sets sleeping_ and then looks at has_mail_; a poster sets has_mail_ and then looks at sleeping_. So one of them sees the other.
  std::atomic<bool> sleeping_ = false;
  std::atomic<bool> has_mail_ = false;
  std::atomic<int> waker_count_ = 0;  // Threads that are about to write to wake_fd_.
  Mutex mutex_;
  Mail mail_ PJ_GUARDED_BY(mutex_);
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_EVENT_LOOP_H_
