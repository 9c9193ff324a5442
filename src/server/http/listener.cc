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

namespace prejoin::server {
namespace {

constexpr int kBacklog = 4096;

struct AddressDeleter {
  void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};

Error SystemError(const std::string& what) {
  return Error{ErrorCode::kIo, what + ": " + strerror(errno)};
}

std::uint16_t BoundPort(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
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
  if (fd < 0) return SystemError("socket");
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, addresses->ai_addr, addresses->ai_addrlen) != 0 || listen(fd, kBacklog) != 0) {
    Error error = SystemError("cannot listen on " + host + ":" + service);
    if (errno == EADDRINUSE) error.message += " (is another server running? choose a --port)";
    if (errno == EACCES) error.message += " (ports below 1024 need root: choose a higher --port)";
    close(fd);
    return error;
  }
  return fd;
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::Open(const std::string& host, std::uint16_t port) {
  PJ_ASSIGN_OR_RETURN(const int fd, Bind(host, port));
  const int wake_fd = eventfd(0, EFD_CLOEXEC);
  if (wake_fd < 0) {
    Error error = SystemError("eventfd");
    close(fd);
    return error;
  }
  const int spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return std::unique_ptr<Listener>(new Listener(fd, wake_fd, spare_fd, BoundPort(fd)));
}

Listener::Listener(int listen_fd, int wake_fd, int spare_fd, std::uint16_t port)
    : listen_fd_(listen_fd), wake_fd_(wake_fd), spare_fd_(spare_fd), port_(port) {}

Listener::~Listener() {
  close(listen_fd_);
  close(wake_fd_);
  if (spare_fd_ >= 0) close(spare_fd_);
}

void Listener::Run(FunctionRef<void(int fd)> take) {
  std::array<pollfd, 2> polled = {{{listen_fd_, POLLIN, 0}, {wake_fd_, POLLIN, 0}}};
  while (true) {
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    AcceptAll(take);
    if (polled[1].revents != 0) return;
  }
}

void Listener::Stop() {
  const std::uint64_t one = 1;
  (void)!write(wake_fd_, &one, sizeof one);
}

void Listener::AcceptAll(FunctionRef<void(int fd)> take) {
  while (true) {
    const int fd = accept4(listen_fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      take(fd);
    } else if (errno == EMFILE || errno == ENFILE) {
      TurnAwayOne();
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return;
    }
  }
}

// Without this the connection would stay in the queue and poll would report it for ever.
void Listener::TurnAwayOne() {
  if (spare_fd_ >= 0) close(spare_fd_);
  const int fd = accept4(listen_fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd >= 0) TurnAway(fd);
  spare_fd_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
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
