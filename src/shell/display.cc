// Shows answers, and statements that run again and again.
#include <algorithm>
#include <string>

#include "base/parse_number.h"
#include "shell/shell.h"
#include "shell/words.h"

namespace prejoin::shell {

bool Shell::SetDisplay(const std::string& command, const std::string& argument) {
  if (command == "x") {
    format_ = format_ == OutputFormat::kExpanded ? OutputFormat::kTable : OutputFormat::kExpanded;
    settings_.print(format_ == OutputFormat::kExpanded ? "One attribute on each line.\n"
                                                       : "One row on each line.\n");
  } else if (command == "format") {
    const auto format = OutputFormatNamed(LowerCase(argument));
    if (!format) {
      Refuse("\\format is " + std::string(kOutputFormats));
      return true;
    }
    format_ = *format;
  } else if (command == "timing") {
    timing_ = !timing_;
    settings_.print(timing_ ? "Timing is on.\n" : "Timing is off.\n");
  } else if (command == "watch") {
    Watch(argument);
  } else {
    return false;
  }
  return true;
}

void Shell::Watch(const std::string& argument) {
  constexpr double kSecondsMax = 86'400;
  const std::size_t blank = argument.find(' ');
  const std::string first = argument.substr(0, blank);
  const std::string second(blank == std::string::npos ? ""
                                                      : Trim(std::string_view(argument).substr(blank)));
  const auto seconds = first.empty() ? std::optional(2.0) : ParseDecimal(first);
  const auto times = second.empty() ? std::optional(0) : ParseInteger<int>(second);
  if (!seconds || *seconds < 0.1 || *seconds > kSecondsMax || !times || *times < 0) {
    return Refuse("\\watch SECONDS [TIMES], with 0.1 seconds or more");
  }
  if (last_.empty() || !settings_.wait) {
    return Refuse("there is no statement to watch yet");
  }
  // The statement itself is not a command that watches, so this ends.
  const std::string statement = last_;
  for (int run = 1; *times == 0 || run <= *times; ++run) {
    Run(statement);
    if (failed_ || run == *times || !settings_.wait(*seconds)) {
      return;
    }
  }
}

}  // namespace prejoin::shell
