// The fuzzer's corpus with random damage, from a fixed seed: runs everywhere, with every test run.
#include "engine/engine.h"
#include "json/reader.h"
#include "prejoin/options.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/request_corpus.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

// What breaks parsers: structure, numbers at their ends, broken UTF-8, deep nesting.
const std::vector<std::string> kPieces = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "-0",
    "1e400",
    "\xff",
    "\xc3",
    "\\ud800",
    "\\u0000",
    std::string(300, '['),
    "99999999999999999999",
    "\"N\"",
    "{\"S\":\"\"}",
    "\"SS\"",
    "{\"M\":{}}",
    "\"NULL\"",
    "\"L\"",
    "-1",
    "0.5",
    std::string(1, '\0'),
    "#",
    ":v",
    " OR ",
    "(((((((",
    "attribute_exists",
    "[0]",
    ".",
};

TEST(RequestMutation, EveryAnswerIsJson) {
  constexpr unsigned kSeed = 4711;
  constexpr int kRounds = 20'000;
  const auto engine = engine::Engine::Open(Options{});
  ASSERT_TRUE(engine.has_value());
  const Service service(**engine);
  fuzz::Mutator mutator(kSeed, kPieces);
  int accepted = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (round % 500 == 0) {
      service.Handle(kRequestCorpus[0].target, kRequestCorpus[0].body);
    }
    const CorpusRequest& request =
        mutator.Below(10) == 0 ? kRefusedRequests[mutator.Below(std::size(kRefusedRequests))]
                               : kRequestCorpus[mutator.Below(std::size(kRequestCorpus))];
    std::string body = Filled(service, request.body);
    if (mutator.Below(10) != 0) {
      body = mutator.Mutate(std::move(body));
    }
    const Answer answer = service.Handle(request.target, body);
    ASSERT_TRUE(answer.status == 200 || answer.status == 400)
        << "seed " << kSeed << ", round " << round << ", " << request.target << " " << body << ": "
        << answer.body;
    ASSERT_TRUE(answer.body.empty() || json::Document::Parse(answer.body).has_value())
        << "seed " << kSeed << ", round " << round << ", " << request.target << " " << body << ": "
        << answer.body;
    accepted += answer.status == 200 ? 1 : 0;
  }
  // The damage must leave enough requests alive that the engine behind is reached.
  EXPECT_GT(accepted, kRounds / 20);
  EXPECT_LT(accepted, kRounds);
}

TEST(RequestMutation, TheCorpusItselfIsAccepted) {
  const auto engine = engine::Engine::Open(Options{});
  ASSERT_TRUE(engine.has_value());
  const Service service(**engine);
  for (const CorpusRequest& request : kRequestCorpus) {
    const Answer answer = service.Handle(request.target, Filled(service, request.body));
    // The second UpdateTable and DeleteTable may find the first one's index still being built,
    // DeleteBackup a restore under way.
    if (answer.body.find("InUseException") == std::string::npos) {
      EXPECT_EQ(answer.status, 200) << request.target << " " << request.body << ": " << answer.body;
    }
  }
}

}  // namespace
}  // namespace prejoin::wire
