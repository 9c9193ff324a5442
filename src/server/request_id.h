// The x-amzn-RequestId of an answer.
#ifndef PREJOIN_SERVER_REQUEST_ID_H_
#define PREJOIN_SERVER_REQUEST_ID_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace prejoin::server {

inline constexpr std::size_t kRequestIdBytes = 52;

// Ids as AWS makes them: 52 characters of 0-9 and A-V. Unique, not secret. Single thread.
class RequestIds {
 public:
  explicit RequestIds(std::uint64_t seed) : state_(seed) {}
  void Next(std::span<char, kRequestIdBytes> out);

 private:
  std::uint64_t Draw();
  std::uint64_t state_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_REQUEST_ID_H_
