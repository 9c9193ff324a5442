#include "tests/server/raw_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace prejoin::server {

RawClient::RawClient(std::uint16_t port, const char* from)
    : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{10, 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  EXPECT_EQ(inet_pton(AF_INET, from, &address.sin_addr), 1);
  EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
}

RawClient::~RawClient() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

RawClient::RawClient(RawClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), received_(std::move(other.received_)) {}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void RawClient::FinishSending() { shutdown(fd_, SHUT_WR); }

bool RawClient::Taste(std::size_t bytes_max) {
  std::string dropped(bytes_max, '\0');
  return recv(fd_, dropped.data(), dropped.size(), 0) > 0;
}

bool RawClient::Fill() {
  std::array<char, 65536> block;
  const ssize_t bytes = recv(fd_, block.data(), block.size(), 0);
  if (bytes <= 0) {
    return false;
  }
  received_.append(block.data(), static_cast<std::size_t>(bytes));
  return true;
}

std::string RawClient::ReadInterim() {
  while (received_.find("\r\n\r\n") == std::string::npos) {
    if (!Fill()) {
      return "";
    }
  }
  const std::string line = received_.substr(0, received_.find("\r\n"));
  received_.erase(0, received_.find("\r\n\r\n") + 4);
  return line;
}

std::optional<RawAnswer> RawClient::Read(bool head) {
  std::size_t head_end;
  while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) {
      return std::nullopt;
    }
  }
  RawAnswer answer;
  EXPECT_TRUE(received_.starts_with("HTTP/1.1 ")) << received_;
  answer.status = std::atoi(received_.c_str() + 9);
  std::size_t at = received_.find("\r\n") + 2;
  while (at < head_end + 2) {
    const std::size_t end = received_.find("\r\n", at);
    const std::size_t colon = received_.find(": ", at);
    std::string name = received_.substr(at, colon - at);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_EQ(answer.headers.count(name), 0u) << name << " twice";
    answer.headers[name] = received_.substr(colon + 2, end - colon - 2);
    at = end + 2;
  }
  received_.erase(0, head_end + 4);
  EXPECT_TRUE(answer.headers.contains("content-length"));
  const std::size_t length = head ? 0 : std::stoul(answer.headers["content-length"]);
  while (received_.size() < length) {
    if (!Fill()) {
      return std::nullopt;
    }
  }
  answer.body = received_.substr(0, length);
  received_.erase(0, length);
  return answer;
}

bool RawClient::ReadsEnd() {
  if (!received_.empty()) {
    return false;
  }
  char byte;
  const ssize_t bytes = recv(fd_, &byte, 1, 0);
  return bytes == 0 || (bytes < 0 && errno == ECONNRESET);
}

std::string Post(std::string_view body, std::string_view headers) {
  std::string request = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  request.append(headers).append("Content-Length: ").append(std::to_string(body.size()));
  return request.append("\r\n\r\n").append(body);
}

std::string SdkHeaders(std::string_view operation) {
  return "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810." +
         std::string(operation) +
         "\r\nX-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
         "Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
         "SignedHeaders=host;x-amz-date, Signature=abc\r\n";
}

}  // namespace prejoin::server
