// Checks of what a target under test has written.
#ifndef PREJOIN_TESTS_FUZZ_CHECK_OUTPUT_H_
#define PREJOIN_TESTS_FUZZ_CHECK_OUTPUT_H_

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/check.h"
#include "json/reader.h"
#include "model/bind/read_model.h"

namespace prejoin::fuzz {

// The text must be JSON. Numbers may have any number of digits there, which our own reader refuses; so long ones are cut.
inline void CheckJson(std::string_view text) {
  constexpr std::size_t kDigitsMax = 15;
  std::string cut;
  std::size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits <= kDigitsMax) {
      cut += c;
    }
  }
  const bool is_json = json::Document::Parse(cut).has_value();
  if (!is_json) {
    std::fprintf(stderr, "not JSON: %.*s\n", static_cast<int>(text.size()), text.data());
  }
  PJ_CHECK(is_json);
}

// True if the text is a model file.
inline bool Reads(const std::string& source) { return model::ReadModel(source).ok; }

// The text must be a model file; `who` wrote it.
inline void CheckReads(const std::string& source, const char* who) {
  const model::ReadModelResult read = model::ReadModel(source);
  if (read.ok) {
    return;
  }
  for (const model::Diagnostic& one : read.diagnostics) {
    std::fprintf(stderr, "%s\n", model::RenderDiagnostic(who, source, one).c_str());
  }
  std::fprintf(stderr, "%s\n", source.c_str());
  PJ_CHECK(read.ok);
}

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_CHECK_OUTPUT_H_
