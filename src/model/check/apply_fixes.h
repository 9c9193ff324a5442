// Applies fixes to a whole file, one after the other, each only if it improves the file.
#ifndef PREJOIN_MODEL_CHECK_APPLY_FIXES_H_
#define PREJOIN_MODEL_CHECK_APPLY_FIXES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/diagnostic.h"

namespace prejoin::model {

enum class FixScope { kSafe, kUnsafeToo };

// The fix of a finding that may be made without asking; null if there is none.
const Fix* FixWithin(const Diagnostic& finding, FixScope scope);
// The text with that fix made; nullopt if there is none.
std::optional<std::string> ApplyFix(std::string_view source, const Diagnostic& finding,
                                    FixScope scope);

struct RejectedFix {
  Diagnostic finding;  // The finding in the text for which the fix was tried.
  std::string why;
};

struct FixedText {
  std::string text;
  std::size_t fixed = 0;
  std::vector<RejectedFix> rejected;  // Made, and rolled back.
  std::vector<Diagnostic> findings;   // Of `text`.
};

// More fixes than these are not made in one run.
inline constexpr std::size_t kFixesMax = 500;

// Makes every fix of the scope, and those that become possible by them. A fix stays only if its finding is gone and
// there are not more errors than before; a file that cannot be read is worse than any file that can.
FixedText ApplyFixes(std::string source, FixScope scope);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_APPLY_FIXES_H_
