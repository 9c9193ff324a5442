#include "server/cluster/peer_connection.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "server/cluster/peer_protocol.h"
#include "server/http/http.h"

namespace prejoin::server {
namespace {

constexpr int kSliceMs = 200;
constexpr std::size_t kReceiveBytes = 64 * 1024;
constexpr std::size_t kAnswerHeadBytesMax = 64 * 1024;
constexpr std::size_t kAnswerBytesMax = std::size_t{256} << 20;
// Well before the peer closes an idle connection, so that a request does not meet the end of one.
constexpr std::chrono::seconds kKeptUnused(20);

// Written again by the connection that the answer leaves on.
bool BelongsToConnection(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "server",           "date",        "content-length", "connection", "transfer-encoding",
      "x-amzn-requestid", "x-amz-crc32", "keep-alive"};
  return std::ranges::any_of(kNames,
                             [&](std::string_view one) { return EqualsIgnoreCase(one, name); });
}

struct AnswerHead {
  std::size_t content_bytes = 0;
  bool closes = false;
};

// Reads status line and header lines, up to and without the empty line.
bool ReadHead(std::string_view text, PeerAnswer& answer, AnswerHead& head) {
  constexpr std::size_t kStatusAt = 9;  // "HTTP/1.1 "
  if (text.size() < kStatusAt + 3 || !text.starts_with("HTTP/1.1 ")) {
    return false;
  }
  const char* status = text.data() + kStatusAt;
  if (std::from_chars(status, status + 3, answer.status).ptr != status + 3) {
    return false;
  }
  text.remove_prefix(std::min(text.size(), text.find("\r\n") + 2));
  while (!text.empty()) {
    const std::size_t end = std::min(text.size(), text.find("\r\n"));
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 2));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      return false;
    }
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = Trim(line.substr(colon + 1));
    if (EqualsIgnoreCase(name, "content-length")) {
      const auto [at, error] =
          std::from_chars(value.data(), value.data() + value.size(), head.content_bytes);
      if (error != std::errc() || head.content_bytes > kAnswerBytesMax) {
        return false;
      }
    } else if (EqualsIgnoreCase(name, "transfer-encoding")) {
      return false;  // Gateways never send one.
    } else if (EqualsIgnoreCase(name, "connection")) {
      head.closes = EqualsIgnoreCase(value, "close");
    } else if (EqualsIgnoreCase(name, kNotLeaderHeader)) {
      answer.not_leader = true;
    }
    if (!BelongsToConnection(name)) {
      answer.headers.append(line).append("\r\n");
    }
  }
  return true;
}

}  // namespace

void PeerConnection::Close() {
  if (socket_ >= 0) {
    close(socket_);
  }
  socket_ = -1;
  input_.clear();
}

bool PeerConnection::IsFresh() const {
  if (std::chrono::steady_clock::now() - used_ > kKeptUnused) {
    return false;
  }
  pollfd state{socket_, POLLIN, 0};
  return poll(&state, 1, 0) == 0;
}

bool PeerConnection::WaitFor(short events, const std::function<bool()>& give_up) const {
  while (true) {
    pollfd state{socket_, events, 0};
    const int count = poll(&state, 1, kSliceMs);
    if (count > 0) {
      return true;
    }
    if ((count < 0 && errno != EINTR) || give_up()) {
      return false;
    }
  }
}

bool PeerConnection::Connect(const std::string& address, const std::function<bool()>& give_up) {
  Close();
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) {
    return false;
  }
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &found) != 0) {
    return false;
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, &freeaddrinfo);
  socket_ = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) {
    return false;
  }
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(socket_, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS) {
    Close();
    return false;
  }
  int error = 0;
  socklen_t bytes = sizeof error;
  if (!WaitFor(POLLOUT, give_up) ||
      getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0 || error != 0) {
    Close();
    return false;
  }
  address_ = address;
  return true;
}

bool PeerConnection::Send(std::string_view bytes, const std::function<bool()>& give_up,
                          std::size_t& sent) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!WaitFor(POLLOUT, give_up)) {
        return false;
      }
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool PeerConnection::Receive(const std::function<bool()>& give_up) {
  while (true) {
    std::array<char, kReceiveBytes> buffer;
    const ssize_t count = recv(socket_, buffer.data(), buffer.size(), 0);
    if (count > 0) {
      input_.append(buffer.data(), static_cast<std::size_t>(count));
      return true;
    }
    if (count == 0) {
      return false;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!WaitFor(POLLIN, give_up)) {
        return false;
      }
    } else if (errno != EINTR) {
      return false;
    }
  }
}

bool PeerConnection::ReadAnswer(const Request& request, const std::function<bool()>& give_up,
                                PeerAnswer& answer) {
  std::size_t head_end = 0;
  while ((head_end = input_.find("\r\n\r\n")) == std::string::npos) {
    if (input_.size() > kAnswerHeadBytesMax || !Receive(give_up)) {
      return false;
    }
  }
  AnswerHead head;
  if (!ReadHead(std::string_view(input_).substr(0, head_end), answer, head)) {
    return false;
  }
  const std::size_t bytes = request.has_no_answer_body ? 0 : head.content_bytes;
  input_.erase(0, head_end + 4);
  while (input_.size() < bytes) {
    if (!Receive(give_up)) {
      return false;
    }
  }
  answer.body = input_.substr(0, bytes);
  input_.erase(0, bytes);
  if (head.closes || !input_.empty()) {
    Close();
  }
  return true;
}

PeerAnswer PeerConnection::Ask(const Request& request, const std::function<bool()>& give_up) {
  PeerAnswer answer;
  if ((socket_ < 0 || address_ != request.address || !IsFresh()) &&
      !Connect(request.address, give_up)) {
    return answer;
  }
  std::size_t sent = 0;
  if (!Send(request.head, give_up, sent) || !Send(request.body, give_up, sent)) {
    // A request without its end is never worked on: the peer waits for the rest of it.
    Close();
    return answer;
  }
  if (!ReadAnswer(request, give_up, answer)) {
    Close();
    answer.outcome = PeerOutcome::kUnknown;
    return answer;
  }
  used_ = std::chrono::steady_clock::now();
  answer.outcome = PeerOutcome::kAnswered;
  return answer;
}

}  // namespace prejoin::server
