// The words of one line of settings, such as `load x20 at 10 minutes`.
#ifndef PREJOIN_ENGINE_PHYSICS_SETTING_WORDS_H_
#define PREJOIN_ENGINE_PHYSICS_SETTING_WORDS_H_

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace prejoin::engine {

inline constexpr double kSettingSecondsMax = 7 * 24 * 3'600;

// Borrows the line. Single thread.
class SettingWords {
 public:
  explicit SettingWords(std::string_view line) {
    while (!line.empty()) {
      const std::size_t begin = line.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos) {
        break;
      }
      line.remove_prefix(begin);
      const bool quoted = line.front() == '"';
      std::size_t end = quoted ? line.find('"', 1) : line.find_first_of(" \t\r");
      end = end == std::string_view::npos ? line.size() : end + (quoted ? 1 : 0);
      words_.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }

  bool done() const { return next_ >= words_.size(); }
  std::string_view Peek() const { return done() ? std::string_view() : words_[next_]; }
  std::string_view Take() { return done() ? std::string_view() : words_[next_++]; }
  bool TakeIf(std::string_view word) {
    const bool is = Peek() == word;
    next_ += is ? 1 : 0;
    return is;
  }
  // Without quotes around it.
  std::string TakeName() {
    std::string_view word = Take();
    if (word.size() >= 2 && word.front() == '"' && word.back() == '"') {
      word = word.substr(1, word.size() - 2);
    }
    return std::string(word);
  }

  // "20", "x20" or "30%", from 0 to `max`.
  std::optional<double> TakeNumber(double max, std::string_view before = "",
                                   std::string_view behind = "") {
    std::string_view word = Take();
    if (!word.starts_with(before) || !word.ends_with(behind)) {
      return std::nullopt;
    }
    word.remove_prefix(before.size());
    word.remove_suffix(behind.size());
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc() && end == word.data() + word.size();
    return whole && value >= 0 && value <= max ? std::optional(value) : std::nullopt;
  }
  // "5 minutes", in seconds.
  std::optional<double> TakeTime() {
    const auto number = TakeNumber(kSettingSecondsMax);
    const std::string_view unit = Take();
    const double factor = unit.starts_with("second")   ? 1
                          : unit.starts_with("minute") ? 60
                          : unit.starts_with("hour")   ? 3'600
                                                       : 0;
    return number && factor > 0 && *number * factor <= kSettingSecondsMax
               ? std::optional(*number * factor)
               : std::nullopt;
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_SETTING_WORDS_H_
