#include "cli/progress.h"

#include <unistd.h>

#include <array>
#include <cstdio>

namespace prejoin::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(200);
constexpr auto kPipedInterval = std::chrono::seconds(5);

}  // namespace

std::string WithCommas(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string PrintBytes(std::uint64_t bytes) {
  constexpr double kMegabyte = 1e6;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f MB", static_cast<double>(bytes) / kMegabyte);
  return text.data();
}

ProgressLine::ProgressLine(Piped piped) : on_terminal_(isatty(STDERR_FILENO) == 1), piped_(piped) {}

void ProgressLine::Show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_) {
    if (piped_ == Piped::kLines && now >= next_) {
      next_ = now + kPipedInterval;
      std::fprintf(stderr, "%s\n", text.c_str());
      std::fflush(stderr);
    }
    return;
  }
  if (now < next_) {
    return;
  }
  next_ = now + kInterval;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (!shown_) {
    return;
  }
  shown_ = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace prejoin::cli
