// Limits the size of a model that a stranger may send. Its plans, prices and advice grow faster than its text: a
// model of this size takes seconds. Files on the command line have no such limit.
#ifndef PREJOIN_MODEL_SYNTAX_SOURCE_SIZE_H_
#define PREJOIN_MODEL_SYNTAX_SOURCE_SIZE_H_

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace prejoin::model {

inline constexpr std::size_t kSourceBytesMax = 256 * 1024;
inline constexpr std::ptrdiff_t kSourceLinesMax = 5'000;

// Why the text is too large, to be said after its name; empty if it is not.
inline std::string_view SourceSizeFault(std::string_view source) {
  if (source.size() > kSourceBytesMax) {
    return "is larger than 256 KB";
  }
  if (std::count(source.begin(), source.end(), '\n') > kSourceLinesMax) {
    return "has more than 5,000 lines";
  }
  return {};
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_SOURCE_SIZE_H_
