// Any text as a model that the verbs of the program work on: the first line names the verb, the rest is the model. A model that reads gives a report,
// and what `design` and `switch` write reads again.
//
// Built with libFuzzer by the preset `fuzz`.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "design/design.h"
#include "design/diff.h"
#include "design/existing/advice_note.h"
#include "model/advise/advise.h"
#include "model/advise/switch_strategy.h"
#include "model/chart/chart.h"
#include "model/check/check.h"
#include "model/cost/copies.h"
#include "model/cost/cost.h"
#include "model/plan/combinations.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/model_json.h"
#include "model/schema/strategy.h"
#include "tests/fuzz/check_output.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/model_language.h"

namespace prejoin {
namespace {

constexpr double kWorkSeconds =
    0.2;  // As long as design and prove may take before they are told to end.

struct Given {
  const std::string& source;
  const model::ReadModelResult& read;
  const fuzz::InputLimits& limits;

  const model::Model& model() const { return read.model; }
  bool enough() const { return limits.seconds() > kWorkSeconds; }
};

using fuzz::CheckJson;
using fuzz::CheckReads;

void Check(const Given& given) {
  CheckJson(model::FindingsJson(model::CheckModel(given.read)));
  CheckJson(model::ModelJson(given.model()));
}

void Cost(const Given& given) {
  model::CostReport report =
      model::EstimateCost(given.model(), model::PlanAll(given.model()), model::Prices());
  report.assumptions = model::AssumptionEffects(given.model(), model::Prices());
  CheckJson(model::CostJson(report));
}

void Explain(const Given& given) {
  for (const model::Pattern& pattern : given.model().patterns) {
    PJ_CHECK(!model::ExplainPattern(given.model(), pattern).empty());
  }
  (void)model::ExplainKeys(given.model());
  (void)model::RenderCopies(model::PlanCopies(given.model()));
  CheckJson(model::ExplainJson(given.read));
}

void Chart(const Given& given) {
  for (const auto format :
       {model::ChartFormat::kText, model::ChartFormat::kMarkdown, model::ChartFormat::kSvg}) {
    (void)model::DrawChart(given.model(), format);
  }
}

void Advise(const Given& given) {
  const auto advice = model::Advise(given.model(), model::Prices());
  (void)model::RenderAdvice(advice, model::Prices());
  (void)model::RenderCombinations(model::AdviseCombinations(given.model()));
  CheckJson(model::AdviceJson(advice));
}

void Switch(const Given& given) {
  model::StrategySwitches switches(given.model());
  for (const model::Relationship& relationship : given.model().relationships) {
    for (const model::Strategy& strategy : model::AllStrategies()) {
      if (given.enough()) {
        return;
      }
      std::string why_not;
      const auto design = switches.Make(relationship, strategy, why_not);
      if (design) {
        CheckReads(model::WithTablesOf(given.read, design->model), "switched");
      } else {
        PJ_CHECK(!why_not.empty());
      }
    }
  }
}

void Design(const Given& given) {
  design::DesignOptions options;
  options.seconds_max = kWorkSeconds;
  options.proof_rows = 10;
  options.stop = [&] { return given.enough(); };
  const auto report = design::MakeDesign(given.source, given.read, options);
  if (!report) {
    PJ_CHECK(!report.error().message.empty());
    return;
  }
  CheckJson(design::DesignJson(*report));
  (void)design::RenderDesign(*report, model::Prices());
  for (const design::FoundDesign& found : report->designs) {
    CheckReads(found.source, "designed");
  }
  if (!report->designs.empty()) {
    CheckJson(design::DiffJson(
        design::DiffDesigns(given.model(), report->designs[0].read.model, model::Prices())));
  }
}

void Prove(const Given& given) {
  const auto backend = model::EmbeddedBackend::OpenInMemory();
  PJ_CHECK(backend.has_value());
  model::ProveOptions options;
  options.give_up = [&] { return given.enough(); };
  const auto report = model::ProveAtScale(given.model(), {10, 1}, **backend, options);
  if (!report) {
    return;
  }
  (void)model::RenderProof(*report, true);
  CheckJson(model::ProofJson(*report));
}

struct Verb {
  std::string_view name;
  void (*run)(const Given& given);
};

constexpr Verb kVerbs[] = {{"check", Check},   {"cost", Cost},     {"explain", Explain},
                           {"chart", Chart},   {"advise", Advise}, {"switch", Switch},
                           {"design", Design}, {"prove", Prove}};

std::string MakeInput(std::uint64_t seed) {
  return std::string(fuzz::PickWork(kVerbs, seed)) + "\n" +
         fuzz::MakeModel(seed / std::size(kVerbs));
}

fuzz::InputLanguage Language() {
  fuzz::InputLanguage language = fuzz::ModelLanguage();
  for (std::size_t i = 0; i < language.samples.size(); ++i) {
    language.samples[i].insert(0, std::string(fuzz::PickWork(kVerbs, i)) + "\n");
  }
  language.make = MakeInput;
  return language;
}

// Any first line names some verb, so that no change of it loses the input.
const Verb& VerbOf(std::string_view head) {
  for (const Verb& verb : kVerbs) {
    if (verb.name == head) {
      return verb;
    }
  }
  return kVerbs[std::hash<std::string_view>()(head) % std::size(kVerbs)];
}

}  // namespace
}  // namespace prejoin

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const prejoin::fuzz::InputLanguage language = prejoin::Language();
  return prejoin::fuzz::MutateInLanguage(language, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (!fuzz::InputCount::Get().IsNew(input)) {
    return 0;
  }
  const fuzz::InputLimits limits(fuzz::InputLimits::kSearchSecondsMax);
  const fuzz::HeadAndBody parts = fuzz::SplitHead(input);
  const model::ReadModelResult read = model::ReadModel(parts.body);
  if (!read.ok) {
    return 0;
  }
  fuzz::InputCount::Get().Accept();
  VerbOf(parts.head).run({parts.body, read, limits});
  return 0;
}
