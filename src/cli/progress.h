// A line on the terminal that says how far long work has come. Where stderr is no terminal, nothing, or a line every few seconds.
#ifndef PREJOIN_CLI_PROGRESS_H_
#define PREJOIN_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace prejoin::cli {

// 1234567 → "1,234,567"
std::string WithCommas(std::int64_t number);
// "37.5 MB"
std::string PrintBytes(std::uint64_t bytes);

// Single thread.
class ProgressLine {
 public:
  enum class Piped { kNothing, kLines };
  explicit ProgressLine(Piped piped = Piped::kNothing);
  ~ProgressLine() { Clear(); }

  // At most a few times a second, however often it is called.
  void Show(const std::string& text);
  void Clear();

 private:
  const bool on_terminal_;
  const Piped piped_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_PROGRESS_H_
