// A client that sends exactly the bytes it is told to, and reads answers strictly.
#ifndef PREJOIN_TESTS_SERVER_RAW_CLIENT_H_
#define PREJOIN_TESTS_SERVER_RAW_CLIENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace prejoin::server {

struct RawAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // Names in lower case.
  std::string body;
};

class RawClient {
 public:
  // Connects to 127.0.0.1, from `address` of the same network. Every wait ends after ten seconds.
  explicit RawClient(std::uint16_t port, const char* address = "127.0.0.1");
  ~RawClient();
  RawClient(RawClient&& other) noexcept;
  RawClient(const RawClient&) = delete;

  // False if the server no longer takes it.
  bool Send(std::string_view bytes);
  // Half-closes: the server sees the end of the stream.
  void FinishSending();

  // The next answer; nullopt if the connection ends or stays silent instead. `head` for answers to
  // HEAD.
  std::optional<RawAnswer> Read(bool head = false);
  // One line of an interim answer such as "HTTP/1.1 100 Continue", with the empty line behind it
  // taken.
  std::string ReadInterim();
  // True if the server closes (in either way) without sending anything more.
  bool ReadsEnd();

  // Takes at most so many bytes from the socket and drops them. False if the connection has ended.
  bool Taste(std::size_t bytes_max);

  std::optional<RawAnswer> Ask(std::string_view bytes) {
    Send(bytes);
    return Read();
  }

 private:
  bool Fill();
  int fd_;
  std::string received_;
};

// "POST / HTTP/1.1" with a Content-Length, the given header lines (each with its CRLF) and the
// body.
std::string Post(std::string_view body, std::string_view headers = "");

// Headers as an SDK sends them for `operation`.
std::string SdkHeaders(std::string_view operation);

}  // namespace prejoin::server

#endif  // PREJOIN_TESTS_SERVER_RAW_CLIENT_H_
