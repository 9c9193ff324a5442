// Any text, as a model file: it must be refused with messages that have a place, or give a model
// that can be checked, planned, priced, advised on and formatted; and what fmt prints must read
// back as the same.
//
// Built with libFuzzer by the preset `fuzz`, with examples/models as a corpus;
// tests/model/syntax_test.cc reads random edits of the examples in every build.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "model/advise/advise.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/plan/planner.h"
#include "model/syntax/formatter.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin::model;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ReadModelResult read = ReadModel(text);
  for (const Diagnostic& diagnostic : read.diagnostics) {
    PJ_CHECK(diagnostic.at.line >= 1);
    PJ_CHECK(!RenderDiagnostic("fuzz", text, diagnostic).empty());
  }
  if (!read.ok) {
    return 0;
  }
  const std::string formatted = FormatTree(read.tree);
  const ReadModelResult again = ReadModel(formatted);
  PJ_CHECK(again.ok);
  PJ_CHECK(FormatTree(again.tree) == formatted);
  (void)CheckModel(read);
  (void)EstimateCost(read.model, PlanAll(read.model), Prices());
  (void)RenderAdvice(Advise(read.model, Prices()), Prices());
  return 0;
}
