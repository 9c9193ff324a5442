// Any request to the model API, without sockets and processes: the answer is JSON, with a status. The first line is the route
// with the members of the request besides "source"; the rest is the source. `infer`, and a route with `!` behind its name, take
// the rest as the whole body.
//
// Slow routes are left out, because they may take seconds within the limits of their process; verbs_fuzz has the same work with a limit.
//
// Built with libFuzzer by the preset `fuzz`.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "json/writer.h"
#include "prejoin/options.h"
#include "studio/model_work.h"
#include "tests/fuzz/check_output.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/model_language.h"
#include "wire/service.h"

namespace prejoin::studio {
namespace {

constexpr std::string_view kModelPath = "/model/";

struct Server {
  std::unique_ptr<engine::Engine> engine = *engine::Engine::Open(Options{});
  wire::Service service{*engine};
  const process::Call call = [this](const std::string& operation, const std::string& body) {
    const wire::Answer answer = service.Handle("DynamoDB_20120810." + operation, body);
    return process::Answer{answer.status, answer.body};
  };
};

struct QuickRoute {
  std::string_view name;
};

const std::vector<QuickRoute>& QuickRoutes() {
  static const std::vector<QuickRoute> routes = [] {
    std::vector<QuickRoute> all;
    for (const ModelRoute& route : ModelRoutes()) {
      if (route.lane == process::Lane::kQuick) {
        all.push_back({route.path.substr(kModelPath.size())});
      }
    }
    return all;
  }();
  return routes;
}

// Any name means some route, so that no change of it loses the input.
std::string PathOf(std::string_view name) {
  for (const QuickRoute& route : QuickRoutes()) {
    if (route.name == name) {
      return std::string(kModelPath) + std::string(name);
    }
  }
  const std::size_t some = std::hash<std::string_view>()(name) % QuickRoutes().size();
  return std::string(kModelPath) + std::string(QuickRoutes()[some].name);
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
      R"({"to":"rust"})",
      R"({"to":"boto3"})",
      R"({"to":"go-structs"})",
      R"({"to":"cloudformation"})",
  };
  return std::string(fuzz::PickWork(QuickRoutes(), seed)) + " " +
         std::string(kMembers[seed / QuickRoutes().size() % std::size(kMembers)]) + "\n";
}

std::string BodyOf(const std::string& input, std::string_view& route) {
  const std::size_t head_end = std::min(input.find('\n'), input.size());
  const std::string_view head = std::string_view(input).substr(0, head_end);
  const std::string_view rest =
      std::string_view(input).substr(std::min(head_end + 1, input.size()));
  route = head.substr(0, head.find(' '));
  if (route == "infer" || route.ends_with('!')) {
    if (route.ends_with('!')) {
      route.remove_suffix(1);
    }
    return std::string(rest);
  }
  std::string body = "{\"source\":";
  json::AppendString(rest, body);
  const std::size_t members = head.find('{');
  const std::string_view more =
      members == std::string_view::npos ? std::string_view("}") : head.substr(members + 1);
  return body + (more.find(':') == std::string_view::npos ? "" : ",") + std::string(more);
}

void Answer(const std::string& input) {
  static Server server;
  static const model::Prices prices;
  static const std::string version = "0";
  std::string_view route;
  const std::string body = BodyOf(input, route);
  const process::Answer answer = DoModelWork(PathOf(route), body, {prices, version, server.call});
  PJ_CHECK(answer.status == 200 || (answer.status >= 400 && answer.status < 500));
  if (answer.status == 200) {
    fuzz::InputCount::Get().Accept();
  }
  fuzz::CheckJson(answer.body);
}

fuzz::InputLanguage Language() {
  fuzz::InputLanguage language = fuzz::ModelLanguage();
  for (std::size_t i = 0; i < language.samples.size(); ++i) {
    language.samples[i].insert(0, HeadFor(i * 7));
  }
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
  if (!fuzz::InputCount::Get().IsNew(input)) {
    return 0;
  }
  const fuzz::InputLimits limits(fuzz::InputLimits::kSearchSecondsMax);
  studio::Answer(input);
  return 0;
}
