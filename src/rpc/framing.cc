#include "rpc/framing.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/parse_number.h"

namespace prejoin::rpc {
namespace {

constexpr std::size_t kHeaderBytesMax = 8192;

}  // namespace

bool Channel::Fill() {
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  char bytes[65536];
  ssize_t count = 0;
  do {
    count = read(input_, bytes, sizeof(bytes));
  } while (count < 0 && errno == EINTR);
  if (count <= 0) {
    return false;
  }
  buffer_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> Channel::TakeLine() {
  while (true) {
    const std::size_t end = buffer_.find('\n', begin_);
    if (end != std::string::npos) {
      std::string line = buffer_.substr(begin_, end - begin_);
      begin_ = end + 1;
      if (!line.empty() && line.back() == '\r') {
        line.pop_back();
      }
      return line;
    }
    if (buffer_.size() - begin_ > kMessageBytesMax || !Fill()) {
      return std::nullopt;
    }
  }
}

std::optional<std::string> Channel::ReadWithHeaders() {
  std::size_t length = 0;
  std::size_t header_bytes = 0;
  while (true) {
    const auto line = TakeLine();
    if (!line) {
      return std::nullopt;
    }
    if (line->empty()) {
      break;
    }
    header_bytes += line->size();
    if (header_bytes > kHeaderBytesMax) {
      return std::nullopt;
    }
    constexpr std::string_view kLength = "Content-Length:";
    if (!line->starts_with(kLength)) {
      continue;
    }
    std::string_view digits = std::string_view(*line).substr(kLength.size());
    while (digits.starts_with(' ')) {
      digits.remove_prefix(1);
    }
    while (digits.ends_with(' ') || digits.ends_with('\r')) {
      digits.remove_suffix(1);
    }
    length = ParseInteger<std::size_t>(digits).value_or(0);
  }
  if (length == 0 || length > kMessageBytesMax) {
    return std::nullopt;
  }
  while (buffer_.size() - begin_ < length) {
    if (!Fill()) {
      return std::nullopt;
    }
  }
  std::string message = buffer_.substr(begin_, length);
  begin_ += length;
  return message;
}

std::optional<std::string> Channel::Read() {
  if (framing_ == Framing::kHeaders) {
    return ReadWithHeaders();
  }
  while (true) {
    auto line = TakeLine();
    if (!line || line->find_first_not_of(" \t") != std::string::npos) {
      return line;
    }
  }
}

bool Channel::HasMore() const {
  if (begin_ < buffer_.size()) {
    return true;
  }
  pollfd ready{input_, POLLIN, 0};
  return poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) != 0;
}

bool Channel::Write(std::string_view message) {
  std::string out;
  if (framing_ == Framing::kHeaders) {
    out = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  }
  out += message;
  if (framing_ == Framing::kLines) {
    out += '\n';
  }
  std::size_t written = 0;
  while (written < out.size()) {
    const ssize_t count = write(output_, out.data() + written, out.size() - written);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    written += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace prejoin::rpc
