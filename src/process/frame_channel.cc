#include "process/frame_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace prejoin::process {
namespace {

constexpr std::size_t kHeadBytes = 17;
constexpr std::size_t kReceiveBytes = 64 * 1024;

void AppendNumber(std::uint32_t number, std::string& out) {
  for (int shift = 0; shift < 32; shift += 8) {
    out += static_cast<char>((number >> shift) & 0xff);
  }
}

std::uint32_t NumberAt(std::string_view text, std::size_t at) {
  std::uint32_t number = 0;
  for (int i = 3; i >= 0; --i) {
    number = number << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
  }
  return number;
}

bool IsTransient(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

FrameChannel::~FrameChannel() { close(fd_); }

void FrameChannel::Queue(const Frame& frame) {
  if (!has_output()) {
    output_.clear();
    sent_ = 0;
  }
  output_ += static_cast<char>(frame.kind);
  AppendNumber(frame.first, output_);
  AppendNumber(frame.second, output_);
  AppendNumber(static_cast<std::uint32_t>(frame.name.size()), output_);
  AppendNumber(static_cast<std::uint32_t>(frame.body.size()), output_);
  output_ += frame.name;
  output_ += frame.body;
}

FrameChannel::State FrameChannel::Send() {
  while (has_output()) {
    const ssize_t count =
        send(fd_, output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) {
      return IsTransient(errno) ? State::kOpen : State::kEnded;
    }
    sent_ += static_cast<std::size_t>(count);
  }
  if (!output_.empty()) {
    output_ = {};
    sent_ = 0;
  }
  return State::kOpen;
}

FrameChannel::State FrameChannel::Receive() {
  char buffer[kReceiveBytes];
  // A frame is taken before more than one further buffer is read, so a child that only sends cannot fill this process.
  const ssize_t count = recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count == 0) {
    return State::kEnded;
  }
  if (count < 0) {
    return IsTransient(errno) ? State::kOpen : State::kEnded;
  }
  input_.append(buffer, static_cast<std::size_t>(count));
  return State::kOpen;
}

FrameChannel::State FrameChannel::Pump() {
  const State sent = Send();
  const State received = Receive();
  return received != State::kOpen ? received : sent;
}

std::optional<Frame> FrameChannel::Take() {
  const std::string_view rest = std::string_view(input_).substr(taken_);
  if (broken_ || rest.size() < kHeadBytes) {
    return std::nullopt;
  }
  const std::size_t name_bytes = NumberAt(rest, 9);
  const std::size_t body_bytes = NumberAt(rest, 13);
  if (name_bytes > bytes_max_ || body_bytes > bytes_max_ || name_bytes + body_bytes > bytes_max_) {
    broken_ = true;
    return std::nullopt;
  }
  if (rest.size() < kHeadBytes + name_bytes + body_bytes) {
    return std::nullopt;
  }
  Frame frame;
  frame.kind = static_cast<FrameKind>(rest[0]);
  frame.first = NumberAt(rest, 1);
  frame.second = NumberAt(rest, 5);
  frame.name = rest.substr(kHeadBytes, name_bytes);
  frame.body = rest.substr(kHeadBytes + name_bytes, body_bytes);
  taken_ += kHeadBytes + name_bytes + body_bytes;
  if (taken_ == input_.size()) {
    input_ = {};
    taken_ = 0;
  }
  return frame;
}

std::optional<Frame> FrameChannel::WaitForFrame() {
  while (true) {
    if (auto frame = Take()) {
      return frame;
    }
    if (broken_) {
      return std::nullopt;
    }
    pollfd watched{.fd = fd_, .events = POLLIN, .revents = 0};
    if (has_output()) {
      watched.events |= POLLOUT;
    }
    poll(&watched, 1, -1);
    if (Pump() != State::kOpen) {
      return Take();
    }
  }
}

bool FrameChannel::Flush() {
  while (has_output()) {
    if (Send() != State::kOpen) {
      return false;
    }
    if (!has_output()) {
      break;
    }
    pollfd watched{.fd = fd_, .events = POLLOUT, .revents = 0};
    poll(&watched, 1, -1);
  }
  return true;
}

}  // namespace prejoin::process
