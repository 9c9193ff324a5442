// How broken a model file is, for tests of fixes.
#ifndef PREJOIN_TESTS_MODEL_ERRORS_OF_H_
#define PREJOIN_TESTS_MODEL_ERRORS_OF_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "model/check/check.h"

namespace prejoin::model {

// Errors of `check`; a file that cannot be read has more than any that can.
inline std::ptrdiff_t ErrorsOf(const std::string& text) {
  constexpr std::ptrdiff_t kUnread = 1'000'000;
  const ReadModelResult read = ReadModel(text);
  return std::ranges::count(CheckModel(read), Severity::kError, &Diagnostic::severity) +
         (read.ok ? 0 : kUnread);
}

}  // namespace prejoin::model

#endif  // PREJOIN_TESTS_MODEL_ERRORS_OF_H_
