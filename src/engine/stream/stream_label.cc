#include "engine/stream/stream_label.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace prejoin::engine {

std::string StreamLabel(std::int64_t enabled_ms) {
  const std::time_t seconds = enabled_ms / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text.data() + length, text.size() - length, ".%03d",
                static_cast<int>(enabled_ms % 1000));
  return std::string(text.data());
}

}  // namespace prejoin::engine
