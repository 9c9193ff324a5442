#include "server/http/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <thread>

#include "base/call_batch.h"
#include "base/check.h"
#include "base/patience.h"

namespace prejoin::server {
namespace {

// Deadlines are looked at this often: fine enough for the shortest of them, and never so often that
// it costs anything.
std::chrono::milliseconds TickFor(const ServerOptions& options) {
  const auto shortest =
      std::min({options.header_timeout, options.transfer_timeout, options.progress_timeout,
                options.handshake_timeout, options.idle_timeout});
  return std::clamp(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

// Work that can wait gets so much time in one round of the loop; the rest comes after the next look at the sockets. A hundred clients with a
// millisecond of work each then keep a small request waiting for a few milliseconds, not for a hundred.
constexpr std::chrono::milliseconds kRoundTime{2};

bool IsOver(std::chrono::steady_clock::time_point end) {
  return std::chrono::steady_clock::now() >= end;
}

// OpenSSL has some 40 KB for each handshake under way. A genuine one takes milliseconds; so the oldest are closed first, and a
// client that opens thousands and sends nothing closes its own.
constexpr std::ptrdiff_t kHandshakesOfPeerMax = 64;
constexpr std::size_t kHandshakesMax = 256;

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::Create(const Config& config) {
  const int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) {
    return Error{ErrorCode::kIo, std::string("epoll_create1: ") + strerror(errno)};
  }
  const int wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;  // Each write to it is an event, and nobody has to read it.
  event.data.ptr = nullptr;
  if (wake_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, wake_fd, &event) != 0) {
    Error error{ErrorCode::kIo, std::string("eventfd: ") + strerror(errno)};
    close(epoll_fd);
    if (wake_fd >= 0) {
      close(wake_fd);
    }
    return error;
  }
  return std::unique_ptr<EventLoop>(new EventLoop(config, epoll_fd, wake_fd));
}

EventLoop::EventLoop(const Config& config, int epoll_fd, int wake_fd)
    : wake_fd_(wake_fd),
      tick_(TickFor(config.options)),
      resources_(config.options, config.handler, config.metrics, config.budget, config.workers,
                 config.lanes, config.log, epoll_fd, config.seed) {}

EventLoop::~EventLoop() {
  // The last mail may have been read before whoever sent it wrote to wake_fd_.
  while (waker_count_.load() > 0) {
    std::this_thread::yield();
  }
  connections_.clear();
  close(wake_fd_);
  close(resources_.epoll_fd);
}

void EventLoop::Run() {
  ForbidWaiting();
  resources_.now = std::chrono::steady_clock::now();
  next_tick_ = resources_.now + tick_;
  while (!(resources_.draining && connections_.empty())) {
    Wait();
    if (has_mail_.load(std::memory_order_acquire)) {
      ReadMail();
    }
    if (!finished_.empty()) {
      RunFinished();
    }
    if (!turns_.empty()) {
      RunTurns();
    }
    if (resources_.now >= next_tick_) {
      Tick();
    }
  }
}

int EventLoop::FallAsleep() {
  if (!turns_.empty() || !finished_.empty() || left_over_) {
    return 0;
  }
  sleeping_.store(true);
  if (has_mail_.load()) {
    sleeping_.store(false);
    return 0;
  }
  return connections_.empty() ? -1 : static_cast<int>(tick_.count());
}

void EventLoop::Wait() {
  std::array<epoll_event, 256> events;
  const int timeout_ms = FallAsleep();
  const int count =
      epoll_wait(resources_.epoll_fd, events.data(), static_cast<int>(events.size()), timeout_ms);
  sleeping_.store(false, std::memory_order_relaxed);
  resources_.now = std::chrono::steady_clock::now();
  // Attending one ends at most this one connection, so no later event can point to one that is gone.
  const auto attend = [this](Connection& connection) {
    Attend(connection, [](Connection& ready) { return ready.OnReady(); });
  };
  std::size_t patient = 0;
  for (int i = 0; i < count; ++i) {
    auto* connection = static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr);
    if (connection == nullptr) {
      continue;  // It only woke the loop.
    }
    if (connection->can_wait()) {
      events[patient++].data.ptr = connection;
    } else {
      attend(*connection);
    }
  }
  left_over_ = false;
  if (patient == 0) {
    return;
  }
  // epoll reports in the same order again what is left over, so each round begins with another one.
  const auto end = std::chrono::steady_clock::now() + kRoundTime;
  const std::size_t first = round_++ % patient;
  for (std::size_t i = 0; i < patient && !left_over_; ++i) {
    attend(*static_cast<Connection*>(events[(first + i) % patient].data.ptr));
    left_over_ = i + 1 < patient && IsOver(end);
  }
}

void EventLoop::ReadMail() {
  {
    MutexLock lock(mutex_);
    std::swap(mail_, reading_);
    has_mail_.store(false, std::memory_order_relaxed);
  }
  for (Newcomer& newcomer : reading_.newcomers) {
    AddConnection(newcomer);
  }
  std::ranges::move(reading_.finished, std::back_inserter(finished_));
  if (reading_.drain && !resources_.draining) {
    resources_.draining = true;
    ForEachConnection([](Connection& connection) { return connection.OnDrain(); });
  }
  while (reading_.abort && !finished_.empty()) {
    RunFinished();  // Answers the tasks that are done.
  }
  if (reading_.abort && !aborting_) {
    resources_.draining = true;
    aborting_ = true;
    ForEachConnection([](Connection& connection) { return connection.OnAbort(); });
  }
  reading_.newcomers.clear();
  reading_.finished.clear();
  reading_.drain = false;
  reading_.abort = false;
}

void EventLoop::RunFinished() {
  const auto end = std::chrono::steady_clock::now() + kRoundTime;
  do {
    // Its connection waits for it, so it is there.
    const Finished finished = std::move(finished_.front());
    finished_.pop_front();
    Attend(*finished.connection,
           [&](Connection& connection) { return connection.OnCompletion(finished.status); });
  } while (!finished_.empty() && !IsOver(end));
}

void EventLoop::RunTurns() {
  const auto end = std::chrono::steady_clock::now() + kRoundTime;
  // Connections that queue again come after everybody who is in the queue now.
  std::size_t left = turns_.size();
  do {
    Connection& connection = *turns_.front();
    turns_.pop_front();
    Attend(connection, [](Connection& one) { return one.OnTurn(); });
  } while (--left > 0 && !turns_.empty() && !IsOver(end));
}

void EventLoop::Tick() {
  next_tick_ = resources_.now + tick_;
  ForEachConnection([](Connection& connection) { return connection.OnTick(); });
}

void EventLoop::AddConnection(const Newcomer& newcomer) {
  if (resources_.options.tls != nullptr) {
    LimitHandshakes(newcomer.peer.get());
  }
  std::unique_ptr<Connection> connection(
      new (std::nothrow) Connection(resources_, *this, newcomer.fd, newcomer.peer));
  if (connection == nullptr) {
    close(newcomer.fd);
    --newcomer.peer->connections;
    connection_count_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  connection->place = connections_.size();
  if (connection->handshaking()) {
    handshaking_.push_back(connection.get());
  }
  connections_.push_back(std::move(connection));
  Connection& added = *connections_.back();
  if (aborting_) {
    Settle(added, added.OnAbort());
  } else if (resources_.draining) {
    Settle(added, added.OnDrain());
  }
}

void EventLoop::LimitHandshakes(const Peer* newcomer) {
  std::erase_if(handshaking_, [](const Connection* one) { return !one->handshaking(); });
  const auto of_newcomer = [&](const Connection* one) { return one->peer() == newcomer; };
  auto oldest = handshaking_.end();
  if (std::ranges::count_if(handshaking_, of_newcomer) >= kHandshakesOfPeerMax) {
    oldest = std::ranges::find_if(handshaking_, of_newcomer);
  } else if (handshaking_.size() >= kHandshakesMax) {
    oldest = handshaking_.begin();
  }
  if (oldest != handshaking_.end()) {
    Settle(**oldest, Life::kEnded);
  }
}

template <class Call>
void EventLoop::Attend(Connection& connection, Call&& call) {
  Life life = Life::kEnded;
  try {
    life = call(connection);
  } catch (const std::exception& failure) {
    resources_.log.Error("a connection is closed", {{"reason", failure.what()}});
    life = connection.OnAbort();  // A completion that is to come must find it.
  }
  Settle(connection, life);
}

void EventLoop::Settle(Connection& connection, Life life) {
  if (life == Life::kGoesOn) {
    return;
  }
  std::erase(turns_, &connection);
  if (resources_.options.tls != nullptr) {
    std::erase(handshaking_, &connection);
  }
  const std::size_t place = connection.place;
  PJ_CHECK(connections_[place].get() == &connection);
  std::swap(connections_[place], connections_.back());
  connections_[place]->place = place;
  connections_.pop_back();
  connection_count_.fetch_sub(1, std::memory_order_relaxed);
}

template <class Visitor>
void EventLoop::ForEachConnection(Visitor&& visitor) {
  for (std::size_t i = connections_.size(); i-- > 0;) {
    Attend(*connections_[i], visitor);
  }
}

template <class Change>
void EventLoop::Post(Change&& change) {
  {
    // Once the loop has read this mail it may be gone, unless it knows that it is about to be woken.
    MutexLock lock(mutex_);
    change(mail_);
    has_mail_.store(true);
    if (!sleeping_.load() || !sleeping_.exchange(false)) {
      return;
    }
    waker_count_.fetch_add(1);
  }
  // Not under the mutex, which is the first thing the loop wants.
  const std::uint64_t one = 1;
  (void)!write(wake_fd_, &one, sizeof one);
  waker_count_.fetch_sub(1);
}

void EventLoop::Adopt(int fd, std::shared_ptr<Peer> peer) {
  connection_count_.fetch_add(1, std::memory_order_relaxed);
  Post([&](Mail& mail) { mail.newcomers.push_back({fd, std::move(peer)}); });
}

std::vector<EventLoop::Collected>& EventLoop::CollectedHere() {
  thread_local std::vector<Collected> collected;
  return collected;
}

void EventLoop::Complete(Connection& connection, Status status) {
  if (CallBatch::PutOff(PostBatch)) {
    // The loop waits for it, because the connection does.
    CollectedHere().push_back({this, {&connection, std::move(status)}});
    return;
  }
  Post([&](Mail& mail) { mail.finished.push_back({&connection, std::move(status)}); });
}

// Whoever calls back has those of one loop behind each other.
void EventLoop::PostBatch() {
  std::vector<Collected>& all = CollectedHere();
  for (auto first = all.begin(); first != all.end();) {
    EventLoop& loop = *first->loop;
    const auto last =
        std::find_if(first, all.end(), [&](const Collected& one) { return one.loop != &loop; });
    loop.Post([&](Mail& mail) {
      for (; first != last; ++first) {
        mail.finished.push_back(std::move(first->finished));
      }
    });
  }
  all.clear();
}

void EventLoop::Drain() {
  Post([](Mail& mail) { mail.drain = true; });
}

void EventLoop::Abort() {
  Post([](Mail& mail) { mail.abort = true; });
}

void EventLoop::QueueTurn(Connection& connection) {
  if (std::find(turns_.begin(), turns_.end(), &connection) == turns_.end()) {
    turns_.push_back(&connection);
  }
}

}  // namespace prejoin::server
