#include "studio/model_work.h"

#include <algorithm>
#include <array>
#include <utility>

#include "json/reader.h"
#include "studio/describe_model.h"
#include "studio/draft_model.h"
#include "studio/make_items.h"
#include "studio/refusal.h"
#include "studio/run_pattern.h"
#include "studio/write_code.h"

namespace prejoin::studio {
namespace {

using process::Lane;
using std::chrono::milliseconds;

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr process::TaskLimits kQuickLimits{milliseconds(5'000), 128 * kMegabyte};
// The pages that it reads are in memory until the answer is made.
constexpr process::TaskLimits kRunLimits{milliseconds(10'000), 256 * kMegabyte};
// Half a second more than the work grants itself, to write the answer down.
constexpr process::TaskLimits kDesignLimits{milliseconds(10'000), 256 * kMegabyte};
constexpr process::TaskLimits kProveLimits{milliseconds(15'500), 512 * kMegabyte};

// Without what it needs of the context.
template <Result<std::string> (*answer)(const ApiRequest&)>
Result<std::string> Plain(const ApiRequest& request, const WorkContext&) {
  return answer(request);
}

template <Result<std::string> (*answer)(const ApiRequest&, const model::Prices&)>
Result<std::string> Priced(const ApiRequest& request, const WorkContext& context) {
  return answer(request, context.prices);
}

Result<std::string> Generate(const ApiRequest& request, const WorkContext& context) {
  return GenerateCode(request, context.version);
}

Result<std::string> RunOnTables(const ApiRequest& request, const WorkContext& context) {
  return RunPattern(request, context.call, context.prices);
}

constexpr auto kRoutes = std::to_array<ModelRoute>({
    {"/model/check", Lane::kQuick, kQuickLimits, Plain<CheckSource>},
    {"/model/format", Lane::kQuick, kQuickLimits, Plain<FormatSource>},
    {"/model/plan", Lane::kQuick, kQuickLimits, Plain<PlanSource>},
    {"/model/cost", Lane::kQuick, kQuickLimits, Priced<CostSource>},
    {"/model/advise", Lane::kQuick, kQuickLimits, Priced<AdviseSource>},
    {"/model/switch", Lane::kQuick, kQuickLimits, Plain<SwitchSource>},
    {"/model/tables", Lane::kQuick, kQuickLimits, Plain<MakeTables>},
    {"/model/item", Lane::kQuick, kQuickLimits, Plain<MakeOneItem>},
    {"/model/run", Lane::kQuick, kRunLimits, RunOnTables},
    {"/model/gen", Lane::kQuick, kQuickLimits, Generate},
    {"/model/infer", Lane::kQuick, kQuickLimits, Plain<InferModel>},
    {"/model/import", Lane::kQuick, kQuickLimits, Plain<ImportModel>},
    {"/model/interview", Lane::kQuick, kDesignLimits, Plain<InterviewModel>},
    {"/model/design", Lane::kSlow, kDesignLimits, Priced<DesignSource>},
    {"/model/prove", Lane::kSlow, kProveLimits, Plain<ProveSource>},
});

Result<std::string> AnswerBody(const ModelRoute& route, const std::string& body,
                               const WorkContext& context) {
  // Aside, because a run reads the answers to its calls while the request is still there.
  const auto document = json::Document::ParseAside(body);
  if (!document) {
    return Refuse(400, "the body of the request is not valid JSON");
  }
  PJ_ASSIGN_OR_RETURN(const ApiRequest request, ApiRequest::Of(document->root()));
  return route.answer(request, context);
}

}  // namespace

std::span<const ModelRoute> ModelRoutes() { return kRoutes; }

process::Answer DoModelWork(std::string_view route, const std::string& body,
                            const WorkContext& context) {
  const auto found = std::ranges::find(kRoutes, route, &ModelRoute::path);
  if (found == kRoutes.end()) {
    return ErrorAnswer(Refuse(404, "there is no such route"));
  }
  auto answer = AnswerBody(*found, body, context);
  if (answer) {
    return {200, *std::move(answer)};
  }
  return ErrorAnswer(answer.error());
}

}  // namespace prejoin::studio
