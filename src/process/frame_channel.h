// Messages over a socket between a process and its child.
//
// A frame is 17 bytes of head (kind, two numbers, two lengths, little-endian) and two texts. Both ends are the same
// program, so there is no version; the receiver still trusts no length.
#ifndef PREJOIN_PROCESS_FRAME_CHANNEL_H_
#define PREJOIN_PROCESS_FRAME_CHANNEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace prejoin::process {

enum class FrameKind : std::uint8_t {
  kSettings = 1,  // To the child, first of all: `body`.
  kTask,          // To the child: route and body; its memory in MB and processor time in seconds.
  kCall,          // To the parent, while a task runs: operation and body.
  kCallAnswer,    // To the child: status and body.
  kAnswer,        // To the parent: status, 1 if the child ends now, body.
  kOutOfMemory,   // To the parent instead of an answer; the child ends.
  kFailed,  // To the parent instead of an answer: an exception and what it said. The child ends.
};

// The largest answer of a child that the parent passes on.
inline constexpr std::size_t kAnswerBytesMax = std::size_t{64} << 20;

struct Frame {
  FrameKind kind = FrameKind::kAnswer;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::string name;
  std::string body;
};

// Owns the socket, which must not block. Single thread.
class FrameChannel {
 public:
  // Frames with more than `bytes_max` of text are refused.
  FrameChannel(int fd, std::size_t bytes_max) : fd_(fd), bytes_max_(bytes_max) {}
  ~FrameChannel();
  FrameChannel(const FrameChannel&) = delete;
  FrameChannel& operator=(const FrameChannel&) = delete;

  int fd() const { return fd_; }

  void Queue(const Frame& frame);
  bool has_output() const { return sent_ < output_.size(); }

  enum class State { kOpen, kEnded };
  // Sends and receives whatever is possible now. After kEnded frames that came before may still be taken.
  State Pump();
  // Returns true if a frame was larger than allowed: nothing more can be taken.
  bool broken() const { return broken_; }
  // The next whole frame.
  std::optional<Frame> Take();

  // For the child, which has nothing else to do: blocks until the next frame. Nullopt: the other end is gone.
  std::optional<Frame> WaitForFrame();
  // Blocks until all is sent; false if the other end is gone.
  bool Flush();

 private:
  State Send();
  State Receive();

  const int fd_;
  const std::size_t bytes_max_;
  std::string output_;
  std::size_t sent_ = 0;
  std::string input_;
  std::size_t taken_ = 0;
  bool broken_ = false;
};

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_FRAME_CHANNEL_H_
