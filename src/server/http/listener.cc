#include "server/http/listener.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace prejoin::server {
namespace {

constexpr int kBacklog = 4096;
// The time for which the queue is left alone while there are no descriptors.
constexpr int kDescriptorPauseMs = 100;

struct AddressDeleter {
  void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};

Error SystemError(const std::string& what) {
  return Error{ErrorCode::kIo, what + ": " + strerror(errno)};
}

std::uint16_t BoundPort(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    return 0;
  }
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

Result<int> Bind(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  if (const int error = getaddrinfo(host.c_str(), service.c_str(), &hints, &found); error != 0) {
    return Error{ErrorCode::kIo, "cannot listen on " + host + ": " + gai_strerror(error)};
  }
  const std::unique_ptr<addrinfo, AddressDeleter> addresses(found);
  const int fd = socket(addresses->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return SystemError("socket");
  }
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, addresses->ai_addr, addresses->ai_addrlen) != 0 || listen(fd, kBacklog) != 0) {
    Error error = SystemError("cannot listen on " + host + ":" + service);
    if (errno == EADDRINUSE) {
      error.message += " (is another server running? choose a --port)";
    }
    if (errno == EACCES) {
      error.message += " (ports below 1024 need root: choose a higher --port)";
    }
    close(fd);
    return error;
  }
  return fd;
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::Open(const std::string& host, std::uint16_t port) {
  const bool both = host == "localhost";
  PJ_ASSIGN_OR_RETURN(const int fd, Bind(both ? "127.0.0.1" : host, port));
  const std::uint16_t bound_port = BoundPort(fd);
  std::vector<int> fds = {fd};
  if (both) {
    // Clients that resolve "localhost" to ::1 first would wait or give up. A machine without IPv6,
    // or another program on that port, is no reason not to serve.
    if (const auto second = Bind("::1", bound_port)) {
      fds.push_back(*second);
    }
  }
  const int wake_fd = eventfd(0, EFD_CLOEXEC);
  if (wake_fd < 0) {
    Error error = SystemError("eventfd");
    for (const int one : fds) {
      close(one);
    }
    return error;
  }
  const int spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return std::unique_ptr<Listener>(new Listener(std::move(fds), wake_fd, spare_fd, bound_port));
}

Listener::Listener(std::vector<int> listen_fds, int wake_fd, int spare_fd, std::uint16_t port)
    : listen_fds_(std::move(listen_fds)), wake_fd_(wake_fd), spare_fd_(spare_fd), port_(port) {}

Listener::~Listener() {
  for (const int fd : listen_fds_) {
    close(fd);
  }
  close(wake_fd_);
  if (spare_fd_ >= 0) {
    close(spare_fd_);
  }
}

void Listener::Run(Log& log, Take take) {
  std::vector<pollfd> polled = {{wake_fd_, POLLIN, 0}};
  for (const int fd : listen_fds_) {
    polled.push_back({fd, POLLIN, 0});
  }
  bool stuck = false;
  while (true) {
    // A client that can neither be taken nor turned away stays in the queue, and poll would report it at once, for ever.
    const nfds_t count = stuck ? 1 : polled.size();
    if (poll(polled.data(), count, stuck ? kDescriptorPauseMs : -1) < 0 && errno != EINTR) {
      return;
    }
    stuck = false;
    for (const int fd : listen_fds_) {
      stuck |= !AcceptAll(fd, log, take);
    }
    if (polled[0].revents != 0) {
      return;
    }
  }
}

void Listener::Stop() {
  const std::uint64_t one = 1;
  (void)!write(wake_fd_, &one, sizeof one);
}

bool Listener::AcceptAll(int listen_fd, Log& log, Take take) {
  while (true) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    const int fd = accept4(listen_fd, reinterpret_cast<sockaddr*>(&address), &length,
                           SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      if (std::exchange(short_of_files_, false)) {
        log.Info("connections are accepted again");
      }
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      take(fd, address);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
      if (!std::exchange(short_of_files_, true)) {
        log.Warning("no connections are accepted until others end", {{"reason", strerror(errno)}});
      }
      if (!TurnAwayOne(listen_fd)) {
        return false;
      }
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return true;
    }
  }
}

// The spare descriptor may be gone for good: others open files too.
bool Listener::TurnAwayOne(int listen_fd) {
  if (spare_fd_ >= 0) {
    close(spare_fd_);
  }
  const int fd = accept4(listen_fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  const bool queue_empty = fd < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  if (fd >= 0) {
    TurnAway(fd);
  }
  spare_fd_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return fd >= 0 || queue_empty;
}

void TurnAway(int fd) {
  static constexpr std::string_view kBody =
      R"({"__type":"com.amazon.coral.service#ServiceUnavailableException","message":"Too many connections."})";
  const std::string answer =
      "HTTP/1.1 503 Service Unavailable\r\nServer: Server\r\nContent-Type: "
      "application/x-amz-json-1.0\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: " +
      std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
  (void)!send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
  shutdown(fd, SHUT_WR);
  // Bytes that the client has already sent, and nobody read, would turn our close into a reset.
  std::array<char, 4096> dropped;
  while (recv(fd, dropped.data(), dropped.size(), 0) > 0) {
  }
  close(fd);
}

}  // namespace prejoin::server
