// The framing of messages on a pair of files.
#ifndef PREJOIN_RPC_FRAMING_H_
#define PREJOIN_RPC_FRAMING_H_

#include <optional>
#include <string>
#include <string_view>

namespace prejoin::rpc {

// A peer that sends more in one message is disconnected.
inline constexpr std::size_t kMessageBytesMax = 64u << 20;

enum class Framing {
  kHeaders,  // Content-Length: 12\r\n\r\n and the message: editors.
  kLines,    // One message a line: assistants.
};

// Reads from `input` and writes to `output`, which stay the caller's. Single thread.
class Channel {
 public:
  Channel(Framing framing, int input, int output)
      : framing_(framing), input_(input), output_(output) {}

  // Waits for the next message; nullopt at the end, or when what comes is no message.
  std::optional<std::string> Read();
  // Returns true if Read would find at least the beginning of another message without waiting.
  bool HasMore() const;
  // False when nobody reads any more.
  bool Write(std::string_view message);

 private:
  bool Fill();
  std::optional<std::string> TakeLine();
  std::optional<std::string> ReadWithHeaders();

  const Framing framing_;
  const int input_;
  const int output_;
  std::string buffer_;
  std::size_t begin_ = 0;  // Everything before it was given out.
};

}  // namespace prejoin::rpc

#endif  // PREJOIN_RPC_FRAMING_H_
