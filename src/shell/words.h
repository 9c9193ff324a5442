// Splits typed text into words.
#ifndef PREJOIN_SHELL_WORDS_H_
#define PREJOIN_SHELL_WORDS_H_

#include <cctype>
#include <string>
#include <string_view>

namespace prejoin::shell {

inline std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

inline std::string LowerCase(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_WORDS_H_
