#include "server/http/transport.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>

namespace prejoin::server {
namespace {

constexpr std::size_t kTlsRecordBytes = 16 * 1024;

int IntOf(std::size_t bytes) {
  return static_cast<int>(std::min<std::size_t>(bytes, std::numeric_limits<int>::max()));
}

}  // namespace

Transport::Transport(int fd, TlsContext* tls) : fd_(fd), encrypted_(tls != nullptr) {
  if (tls != nullptr) {
    session_ = tls->NewSession(fd);
  }
}

Transport::~Transport() {
  session_.reset();
  close(fd_);
}

ssize_t Transport::Receive(std::span<char> space) {
  if (!encrypted_) {
    return recv(fd_, space.data(), space.size(), 0);
  }
  wants_to_send_ = false;
  if (!session_) {
    return Fail(0);
  }
  // One call gives one record; the loop fills the space as a socket would.
  std::size_t received = 0;
  while (received < space.size()) {
    ERR_clear_error();
    const int result =
        SSL_read(session_.get(), space.data() + received, IntOf(space.size() - received));
    if (result <= 0) {
      return received > 0 ? static_cast<ssize_t>(received) : Fail(result);
    }
    received += static_cast<std::size_t>(result);
  }
  return static_cast<ssize_t>(received);
}

ssize_t Transport::Send(std::span<iovec> parts) {
  if (!encrypted_) {
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    return sendmsg(fd_, &message, MSG_NOSIGNAL);
  }
  if (!session_) {
    return Fail(0);
  }
  // The first record takes of every part what fits, so that a small answer is one record.
  std::string first;
  for (const iovec& part : parts) {
    first.append(static_cast<const char*>(part.iov_base),
                 std::min(part.iov_len, kTlsRecordBytes - first.size()));
  }
  ERR_clear_error();
  const int result = SSL_write(session_.get(), first.data(), IntOf(first.size()));
  if (result <= 0) {
    return Fail(result);
  }
  auto sent = static_cast<std::size_t>(result);
  if (sent < first.size()) {
    return static_cast<ssize_t>(sent);
  }
  std::size_t skip = sent;
  for (const iovec& part : parts) {
    const std::size_t skipped = std::min(skip, part.iov_len);
    skip -= skipped;
    std::size_t at = skipped;
    while (at < part.iov_len) {
      ERR_clear_error();
      const int more = SSL_write(session_.get(), static_cast<const char*>(part.iov_base) + at,
                                 IntOf(part.iov_len - at));
      if (more <= 0) {
        return static_cast<ssize_t>(sent);  // The next call says why.
      }
      at += static_cast<std::size_t>(more);
      sent += static_cast<std::size_t>(more);
    }
  }
  return static_cast<ssize_t>(sent);
}

bool Transport::FinishSending() {
  if (session_) {
    SSL_shutdown(session_.get());
  }
  return shutdown(fd_, SHUT_WR) == 0;
}

bool Transport::HasPending() const { return session_ && SSL_pending(session_.get()) > 0; }

bool Transport::handshaking() const {
  return session_ && SSL_is_init_finished(session_.get()) == 0;
}

// Translates TLS's reasons into those of a socket.
ssize_t Transport::Fail(int result) {
  const int reason = session_ ? SSL_get_error(session_.get(), result) : SSL_ERROR_SSL;
  wants_to_send_ = reason == SSL_ERROR_WANT_WRITE;
  switch (reason) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    default:
      errno = EPROTO;
      return -1;
  }
}

}  // namespace prejoin::server
