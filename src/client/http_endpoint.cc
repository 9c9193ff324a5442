#include "client/http_endpoint.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/parse_number.h"
#include "client/tls_session.h"

namespace prejoin::client {
namespace {

constexpr std::size_t kAnswerBytesMax = 64u << 20;
constexpr int kTimeoutSeconds = 60;
constexpr int kWaitStepMs = 50;

Error Io(const std::string& what) { return Error{ErrorCode::kIo, what}; }

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// The value of a header in a lower-cased head, or empty.
std::string HeaderValue(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\r\n" + name + ":");
  if (at == std::string::npos) {
    return {};
  }
  std::size_t begin = at + name.size() + 3;
  const std::size_t end = head.find("\r\n", begin);
  while (begin < end && head[begin] == ' ') {
    ++begin;
  }
  return head.substr(begin, end - begin);
}

}  // namespace

Result<HttpEndpoint> HttpEndpoint::Parse(const std::string& url) {
  Scheme scheme = Scheme::kHttp;
  std::string rest;
  if (url.starts_with("http://")) {
    rest = url.substr(7);
  } else if (url.starts_with("https://")) {
    scheme = Scheme::kHttps;
    rest = url.substr(8);
  } else {
    return ValidationError("an endpoint starts with http:// or https://; did you mean http://" +
                           url + "?");
  }
  rest = rest.substr(0, rest.find('/'));
  // The colons inside [::1] are no port.
  const std::size_t bracket = rest.find(']');
  const std::size_t colon = rest.find(':', bracket == std::string::npos ? 0 : bracket);
  std::string host = rest.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  const std::string port = colon == std::string::npos ? (scheme == Scheme::kHttps ? "443" : "80")
                                                      : rest.substr(colon + 1);
  if (host.empty() || port.empty()) {
    return ValidationError(
        "an endpoint looks like http://127.0.0.1:8000 or "
        "https://dynamodb.eu-central-1.amazonaws.com");
  }
  return HttpEndpoint(scheme, host, port);
}

HttpEndpoint::HttpEndpoint(Scheme scheme, std::string host, std::string port)
    : scheme_(scheme), host_(std::move(host)), port_(std::move(port)) {}

HttpEndpoint::HttpEndpoint(HttpEndpoint&& other) noexcept
    : scheme_(other.scheme_),
      host_(std::move(other.host_)),
      port_(std::move(other.port_)),
      socket_(std::exchange(other.socket_, -1)),
      tls_(std::move(other.tls_)),
      buffer_(std::move(other.buffer_)),
      gave_up_(std::move(other.gave_up_)) {}

HttpEndpoint::~HttpEndpoint() { Close(); }

std::string HttpEndpoint::HostHeader() const {
  const std::string host = host_.find(':') != std::string::npos ? "[" + host_ + "]" : host_;
  const bool usual = port_ == (scheme_ == Scheme::kHttps ? "443" : "80");
  return usual ? host : host + ":" + port_;
}

void HttpEndpoint::Close() {
  tls_.reset();
  if (socket_ >= 0) {
    close(socket_);
  }
  socket_ = -1;
  buffer_.clear();
}

Status HttpEndpoint::Connect() {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host_.c_str(), port_.c_str(), &hints, &found) != 0) {
    return Io("cannot find host " + host_);
  }
  for (addrinfo* address = found; address != nullptr && socket_ < 0; address = address->ai_next) {
    const int candidate = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (candidate < 0) {
      continue;
    }
    if (connect(candidate, address->ai_addr, address->ai_addrlen) == 0) {
      socket_ = candidate;
    } else {
      close(candidate);
    }
  }
  freeaddrinfo(found);
  if (socket_ < 0) {
    return Io("cannot connect to " + host_ + ":" + port_);
  }
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const timeval timeout{kTimeoutSeconds, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
  if (scheme_ == Scheme::kHttp) {
    return {};
  }
  auto session = TlsSession::Open(socket_, host_);
  if (!session.has_value()) {
    Close();
    return session.error();
  }
  tls_ = *std::move(session);
  return {};
}

Status HttpEndpoint::SendAll(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const std::string_view rest = std::string_view(bytes).substr(sent);
    const ssize_t count =
        tls_ != nullptr ? tls_->Write(rest) : send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return Io("the connection broke while sending");
    }
    sent += static_cast<std::size_t>(count);
  }
  return {};
}

// A signal can arrive just before the read, which then would not notice it, so waiting goes in steps.
bool HttpEndpoint::AwaitBytes() const {
  if (!gave_up_) {
    return true;
  }
  for (int waited = 0; waited < kTimeoutSeconds * 1000; waited += kWaitStepMs) {
    if (gave_up_()) {
      return false;
    }
    pollfd readable{socket_, POLLIN, 0};
    if ((tls_ != nullptr && tls_->HasBytes()) || poll(&readable, 1, kWaitStepMs) > 0) {
      return true;
    }
  }
  return true;  // Reading says what is wrong.
}

Result<std::size_t> HttpEndpoint::ReadMore() {
  char bytes[65536];
  if (!AwaitBytes()) {
    interrupted_ = true;
    return Io("interrupted");
  }
  const ssize_t count =
      tls_ != nullptr ? tls_->Read(bytes, sizeof(bytes)) : recv(socket_, bytes, sizeof(bytes), 0);
  if (count < 0) {
    interrupted_ = errno == EINTR;
    return Io(interrupted_ ? "interrupted" : "the connection broke while reading");
  }
  buffer_.append(bytes, static_cast<std::size_t>(count));
  if (buffer_.size() > kAnswerBytesMax) {
    return Io("the answer is too large");
  }
  return static_cast<std::size_t>(count);
}

Result<HttpAnswer> HttpEndpoint::ReadAnswer() {
  std::size_t head_end = std::string::npos;
  while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    PJ_ASSIGN_OR_RETURN(const std::size_t count, ReadMore());
    if (count == 0) {
      return Io("the endpoint closed the connection");
    }
  }
  const std::string head = Lower(buffer_.substr(0, head_end + 2));
  buffer_.erase(0, head_end + 4);
  HttpAnswer answer;
  // "http/1.1 200 ok"
  answer.status =
      head.size() > 12 ? ParseInteger<int>(std::string_view(head).substr(9, 3)).value_or(0) : 0;
  if (HeaderValue(head, "transfer-encoding") == "chunked") {
    while (true) {
      std::size_t line_end = std::string::npos;
      while ((line_end = buffer_.find("\r\n")) == std::string::npos) {
        PJ_ASSIGN_OR_RETURN(const std::size_t count, ReadMore());
        if (count == 0) {
          return Io("the endpoint closed the connection");
        }
      }
      // A chunk may carry extensions after a semicolon.
      const std::string_view digits = std::string_view(buffer_).substr(0, line_end);
      const auto size = ParseInteger<std::size_t>(digits.substr(0, digits.find_first_of("; ")), 16);
      if (!size || *size > kAnswerBytesMax) {
        return Io("the answer cannot be read");
      }
      while (buffer_.size() < line_end + 2 + *size + 2) {
        PJ_ASSIGN_OR_RETURN(const std::size_t count, ReadMore());
        if (count == 0) {
          return Io("the endpoint closed the connection");
        }
      }
      answer.body += buffer_.substr(line_end + 2, *size);
      buffer_.erase(0, line_end + 2 + *size + 2);
      if (*size == 0) {
        break;
      }
    }
  } else {
    const std::size_t length =
        ParseInteger<std::size_t>(HeaderValue(head, "content-length")).value_or(0);
    while (buffer_.size() < length) {
      PJ_ASSIGN_OR_RETURN(const std::size_t count, ReadMore());
      if (count == 0) {
        return Io("the endpoint closed the connection");
      }
    }
    answer.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
  }
  if (HeaderValue(head, "connection") == "close") {
    Close();
  }
  return answer;
}

Result<HttpAnswer> HttpEndpoint::Post(
    const std::vector<std::pair<std::string, std::string>>& headers, const std::string& body) {
  std::string request =
      "POST / HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  for (const auto& [name, value] : headers) {
    request += name + ": " + value + "\r\n";
  }
  request += "\r\n" + body;
  return Exchange(request);
}

Result<HttpAnswer> HttpEndpoint::Get(const std::string& path) {
  return Exchange("GET " + path + " HTTP/1.1\r\nHost: " + HostHeader() + "\r\n\r\n");
}

Result<HttpAnswer> HttpEndpoint::Exchange(const std::string& request) {
  const bool kept = socket_ >= 0;
  interrupted_ = false;
  auto answer = SendAndRead(request);
  if (!answer.has_value() && kept && !interrupted_) {
    answer = SendAndRead(request);
  }
  return answer;
}

Result<HttpAnswer> HttpEndpoint::SendAndRead(const std::string& request) {
  if (socket_ < 0) {
    PJ_RETURN_IF_ERROR(Connect());
  }
  const Status sent = SendAll(request);
  auto answer = sent.has_value() ? ReadAnswer() : Result<HttpAnswer>(sent.error());
  // Bytes that still come on this connection would be taken for the next answer.
  if (!answer.has_value()) {
    Close();
  }
  return answer;
}

}  // namespace prejoin::client
