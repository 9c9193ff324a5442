#include "server/server.h"

#include <algorithm>
#include <random>

#include "server/http/open_files.h"

namespace prejoin::server {
namespace {

ServerOptions WithDefaults(ServerOptions options) {
  if (options.threads <= 0) {
    options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  if (options.connections_max == 0) {
    options.connections_max = ConnectionsAllowed();
  }
  return options;
}

std::uint64_t RandomSeed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler& handler,
                                              Metrics& metrics, Log& log) {
  PJ_ASSIGN_OR_RETURN(auto listener, Listener::Open(options.host, options.port));
  std::unique_ptr<Server> server(new Server(options, std::move(listener), metrics, log));
  for (int i = 0; i < server->options_.threads; ++i) {
    PJ_ASSIGN_OR_RETURN(auto loop,
                        EventLoop::Create({server->options_, handler, metrics, server->budget_,
                                           server->workers_, server->lanes_, log, RandomSeed()}));
    server->loops_.push_back(std::move(loop));
  }
  server->Launch();
  return server;
}

Server::Server(const ServerOptions& options, std::unique_ptr<Listener> listener, Metrics& metrics,
               Log& log)
    : options_(WithDefaults(options)),
      listener_(std::move(listener)),
      metrics_(metrics),
      log_(log),
      budget_(options_.memory_bytes_max),
      received_(options_.received_bytes_max, &budget_),
      peers_(options_.received_bytes_of_peer_max, received_),
      workers_(options_.worker_threads > 0 ? options_.worker_threads : options_.threads) {}

Server::~Server() {
  StopListening();
  for (const auto& loop : loops_) {
    loop->Abort();
  }
  for (std::thread& thread : loop_threads_) {
    thread.join();
  }
}

void Server::Launch() {
  {
    MutexLock lock(mutex_);
    loops_running_ = loops_.size();
  }
  for (const auto& loop : loops_) {
    loop_threads_.emplace_back([this, &loop = *loop] {
      loop.Run();
      MutexLock lock(mutex_);
      --loops_running_;
      loop_ended_.notify_all();
    });
  }
  accept_thread_ = std::thread([this] {
    listener_->Run(log_, [this](int fd, const sockaddr_storage& address) { Take(fd, address); });
  });
}

// The loop with the fewest connections gets the next one. One listening socket for each loop would
// leave the balance to chance: of 32 connections, one of two loops would often have 20.
void Server::Take(int fd, const sockaddr_storage& address) {
  std::size_t total = 0;
  EventLoop* least = loops_.front().get();
  for (const auto& loop : loops_) {
    total += loop->connection_count();
    if (loop->connection_count() < least->connection_count()) {
      least = loop.get();
    }
  }
  std::shared_ptr<Peer> peer = peers_.Of(address);
  // One address leaves some for the others.
  const std::size_t of_peer_max = options_.connections_max - options_.connections_max / 8;
  if (total >= options_.connections_max || peer->connections >= of_peer_max) {
    metrics_.connections_refused.fetch_add(1, std::memory_order_relaxed);
    TurnAway(fd);
    return;
  }
  ++peer->connections;
  least->Adopt(fd, std::move(peer));
}

void Server::StopListening() {
  if (!accept_thread_.joinable()) {
    return;
  }
  listener_->Stop();
  accept_thread_.join();
}

bool Server::Shutdown(std::chrono::milliseconds timeout) {
  StopListening();
  for (const auto& loop : loops_) {
    loop->Drain();
  }
  if (WaitForLoops(timeout)) {
    return true;
  }
  for (const auto& loop : loops_) {
    loop->Abort();
  }
  return WaitForLoops(std::chrono::seconds(1));
}

bool Server::WaitForLoops(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  MutexLock lock(mutex_);
  while (loops_running_ > 0) {
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= left.zero()) {
      return false;
    }
    lock.WaitFor(loop_ended_, left);
  }
  return true;
}

std::vector<std::size_t> Server::ConnectionCountsForTesting() const {
  std::vector<std::size_t> counts;
  for (const auto& loop : loops_) {
    counts.push_back(loop->connection_count());
  }
  return counts;
}

}  // namespace prejoin::server
