// Any request to the model API, without sockets: the answer is JSON, or a refusal with a status and words. The first line is the route
// with the members of the request besides "source"; the rest is the source. `infer`, and a route with `!` behind its name, take
// the rest as the whole body.
//
// The client goes away after a fraction of a second, because long work must end then.
//
// Built with libFuzzer by the preset `fuzz`, with tests/fuzz/corpus/model_api_fuzz as a corpus.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "json/reader.h"
#include "json/writer.h"
#include "prejoin/database.h"
#include "server/http/http.h"
#include "studio/api_request.h"
#include "studio/describe_model.h"
#include "studio/draft_model.h"
#include "studio/make_items.h"
#include "studio/refusal.h"
#include "studio/run_pattern.h"
#include "studio/write_code.h"
#include "tests/fuzz/check_output.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/model_language.h"

namespace prejoin::studio {
namespace {

constexpr double kPatienceSeconds = 0.05;

Database& ServersDatabase() {
  static const std::unique_ptr<Database> database = *Database::Open({.path = ""});
  return *database;
}

struct Route {
  std::string_view name;
  Result<std::string> (*answer)(const ApiRequest& request);
};

constexpr Route kRoutes[] = {
    {"check", CheckSource},
    {"format", FormatSource},
    {"plan", PlanSource},
    {"cost", [](const ApiRequest& request) { return CostSource(request, {}); }},
    {"advise", [](const ApiRequest& request) { return AdviseSource(request, {}); }},
    {"switch", SwitchSource},
    {"tables", MakeTables},
    {"item", MakeOneItem},
    {"run", [](const ApiRequest& request) { return RunPattern(request, ServersDatabase(), {}); }},
    {"gen", [](const ApiRequest& request) { return GenerateCode(request, "0"); }},
    {"infer", InferModel},
    {"design", [](const ApiRequest& request) { return DesignSource(request, {}); }},
    {"prove", ProveSource},
};

const Route& RouteOf(std::string_view name) {
  for (const Route& route : kRoutes) {
    if (route.name == name) return route;
  }
  return kRoutes[std::hash<std::string_view>()(name) % std::size(kRoutes)];
}

// Heads for the models that the mutator starts from; members that a route does not know are harmless.
std::string HeadFor(std::uint64_t seed) {
  static constexpr std::string_view kMembers[] = {
      R"({})",
      R"({"scale":10})",
      R"({"rows":20,"seed":3})",
      R"({"relationship":"R0","strategy":"item-collection"})",
      R"({"relationship":"R0","strategy":"P7","scale":0.5})",
      R"({"entity":"P0","attributes":{"id":"a","note":"b","tags":[],"extra":{},"amount":1},"once":true})",
      R"({"entity":"C0","attributes":{"parent":"a","at":"2024-01-01","no":"1","s0":"OPEN","tally":1,"ticket":"t"}})",
      R"({"pattern":"ReadP0","parameters":{"id":"a"},"sample":true})",
      R"({"pattern":"All0","parameters":{"p":"a"}})",
      R"({"to":"typescript"})",
      R"({"to":"python"})",
      R"({"to":"java"})",
      R"({"to":"go"})",
      R"({"to":"cpp"})",
      R"({"to":"cloudformation"})",
  };
  return std::string(fuzz::PickWork(kRoutes, seed)) + " " +
         std::string(kMembers[seed / std::size(kRoutes) % std::size(kMembers)]) + "\n";
}

std::string BodyOf(const std::string& input, std::string_view& route) {
  const std::size_t head_end = std::min(input.find('\n'), input.size());
  const std::string_view head = std::string_view(input).substr(0, head_end);
  const std::string_view rest =
      std::string_view(input).substr(std::min(head_end + 1, input.size()));
  route = head.substr(0, head.find(' '));
  if (route == "infer" || route.ends_with('!')) {
    if (route.ends_with('!')) route.remove_suffix(1);
    return std::string(rest);
  }
  std::string body = "{\"source\":";
  json::AppendString(rest, body);
  const std::size_t members = head.find('{');
  const std::string_view more =
      members == std::string_view::npos ? std::string_view("}") : head.substr(members + 1);
  return body + (more.find(':') == std::string_view::npos ? "" : ",") + std::string(more);
}

// The answer, as the server would send it.
void Answer(const Route& route, const std::string& body, const fuzz::InputLimits& limits) {
  server::HttpResponse response;
  {
    const auto document = json::Document::Parse(body);
    if (!document) return;
    const auto request =
        ApiRequest::Of(document->root(), [&] { return limits.seconds() > kPatienceSeconds; });
    if (!request) return;
    auto answer = route.answer(*request);
    if (answer) {
      fuzz::InputCount::Get().Accept();
      AnswerJson(200, *std::move(answer), response);
    } else {
      PJ_CHECK(!answer.error().message.empty());
      AnswerError(answer.error(), response);
    }
  }
  PJ_CHECK(response.status == 200 || (response.status >= 400 && response.status < 500));
  fuzz::CheckJson(response.body);
}

fuzz::InputLanguage Language() {
  fuzz::InputLanguage language = fuzz::ModelLanguage();
  for (std::size_t i = 0; i < language.samples.size(); ++i)
    language.samples[i].insert(0, HeadFor(i * 7));
  language.make = [](std::uint64_t seed) { return HeadFor(seed) + fuzz::MakeModel(seed / 8); };
  return language;
}

}  // namespace
}  // namespace prejoin::studio

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const prejoin::fuzz::InputLanguage language = prejoin::studio::Language();
  return prejoin::fuzz::MutateInLanguage(language, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (!fuzz::InputCount::Get().IsNew(input)) return 0;
  (void)studio::ServersDatabase();
  const fuzz::InputLimits limits(fuzz::InputLimits::kSearchSecondsMax);
  std::string_view route;
  const std::string body = studio::BodyOf(input, route);
  studio::Answer(studio::RouteOf(route), body, limits);
  return 0;
}
