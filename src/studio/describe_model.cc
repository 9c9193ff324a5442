#include "studio/describe_model.h"

#include <chrono>

#include "design/design.h"
#include "json/writer.h"
#include "model/advise/advise.h"
#include "model/advise/scaled_model.h"
#include "model/advise/switch_strategy.h"
#include "model/check/check.h"
#include "model/cost/cost.h"
#include "model/generate/generate.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/model_json.h"
#include "model/syntax/formatter.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

// The work that is proved in a few seconds on one core. The command line has no such limit.
constexpr double kProveRowsMax = 20'000;
constexpr double kProveBytesMax = 64e6;
constexpr std::chrono::seconds kProveTimeMax{15};
// The rest of the ten seconds that the route has is for finishing and proving what was found.
constexpr double kDesignSecondsMax = 7;
constexpr double kDesignProofRows = 200;
constexpr double kSeedMax = 9e15;  // The whole numbers that a JSON number can hold.
constexpr double kScaleMax = 1e9;

Result<double> AdviceScale(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const std::optional<double> scale, request.Number("scale"));
  if (scale && !(*scale > 0 && *scale <= kScaleMax)) {
    return Refuse(400, "`scale` must be above 0 and at most 1000000000");
  }
  return scale.value_or(1);
}

}  // namespace

Result<std::string> CheckSource(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const std::string source, request.Source());
  const model::ReadModelResult read = model::ReadModel(source);
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.Name("findings").append(model::FindingsJson(model::CheckModel(read)));
    object.Name("model").append(read.ok ? model::ModelJson(read.model) : "null");
  }
  return answer;
}

Result<std::string> FormatSource(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("source", model::FormatTree(read.tree));
  }
  return answer;
}

Result<std::string> PlanSource(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  return model::ExplainJson(read);
}

Result<std::string> CostSource(const ApiRequest& request, const model::Prices& prices) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(const std::optional<double> scale, request.Number("scale"));
  if (scale && (*scale <= 0 || *scale > kScaleMax)) {
    return Refuse(400, "`scale` must be above 0 and at most 1000000000");
  }
  model::Expectations figures(read.model, {}, scale.value_or(1));
  model::CostReport report = model::EstimateCost(figures, model::PlanAll(figures), prices);
  report.assumptions = model::AssumptionEffects(read.model, prices);
  return model::CostJson(report);
}

Result<std::string> AdviseSource(const ApiRequest& request, const model::Prices& prices) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  model::AdviseOptions options;
  PJ_ASSIGN_OR_RETURN(options.scale, AdviceScale(request));
  if (request.Find("relationship")) {
    PJ_ASSIGN_OR_RETURN(options.only, request.Text("relationship"));
  }
  return model::AdviceJson(model::Advise(read.model, prices, options));
}

Result<std::string> SwitchSource(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(const std::string name, request.Text("relationship"));
  PJ_ASSIGN_OR_RETURN(const std::string wanted, request.Text("strategy"));
  PJ_ASSIGN_OR_RETURN(const double scale, AdviceScale(request));
  const model::Model scaled = model::Scaled(read.model, scale);
  const model::Relationship* relationship = scaled.FindRelationship(name);
  const model::Strategy* strategy = model::FindStrategy(wanted);
  if (relationship == nullptr) {
    return Refuse(400, "there is no relationship `" + name + "`");
  }
  if (strategy == nullptr) {
    return Refuse(400, "there is no strategy `" + wanted + "`");
  }
  std::string why_not;
  const auto design = model::StrategySwitches(scaled).Make(*relationship, *strategy, why_not);
  if (!design) {
    return Refuse(400, why_not);
  }
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("source", model::WithTablesOf(read, design->model));
  }
  return answer;
}

Result<std::string> DesignSource(const ApiRequest& request, const model::Prices& prices) {
  PJ_ASSIGN_OR_RETURN(const std::string source, request.Source());
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  design::DesignOptions options;
  options.prices = prices;
  options.seconds_max = kDesignSecondsMax;
  options.proof_rows = kDesignProofRows;
  const auto report = design::MakeDesign(source, read, options);
  if (!report) {
    return Refuse(400, report.error().message);
  }
  return design::DesignJson(*report);
}

Result<std::string> ProveSource(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(std::optional<double> rows, request.Number("rows"));
  PJ_ASSIGN_OR_RETURN(const std::optional<double> old_name, request.Number("scale"));
  if (!rows) {
    rows = old_name;
  }
  PJ_ASSIGN_OR_RETURN(const std::optional<double> seed, request.Number("seed"));
  if (rows && (*rows < 1 || *rows > kProveRowsMax)) {
    return Refuse(400,
                  "`rows` must be from 1 to 20000 here; `prejoin prove` on the command line "
                  "has no limit");
  }
  if (seed && (*seed < 0 || *seed > kSeedMax)) {
    return Refuse(400, "`seed` must not be negative");
  }
  if (rows && !(model::ExpectedGeneratedBytes(read.model, *rows) <= kProveBytesMax)) {
    return Refuse(400,
                  "this many rows of the declared sizes would take more than 64 MB; request "
                  "fewer, or use `prejoin prove` on the command line");
  }
  PJ_ASSIGN_OR_RETURN(const auto backend, model::EmbeddedBackend::OpenInMemory());
  const model::ProofScale at{rows.value_or(0), static_cast<std::uint64_t>(seed.value_or(1))};
  model::ProveOptions options;
  const auto end = std::chrono::steady_clock::now() + kProveTimeMax;
  options.give_up = [end] { return std::chrono::steady_clock::now() > end; };
  const auto report = model::ProveAtScale(read.model, at, *backend, options);
  if (!report && report.error().code == ErrorCode::kUnavailable) {
    return Refuse(400,
                  "this proof takes longer than 15 seconds; `prejoin prove` on the command line "
                  "has no limit");
  }
  PJ_RETURN_IF_ERROR(report);
  return model::ProofJson(*report);
}

}  // namespace prejoin::studio
