// Any bytes as a request on a database in memory: the answer must be JSON with a sensible status,
// whatever comes in. The first byte picks the operation, the rest is the body; the fuzzer starts
// from the requests of the corpus.
// tests/wire/request_mutation_test.cc runs the same check without a fuzzer.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/table/catalog.h"
#include "json/reader.h"
#include "prejoin/options.h"
#include "tests/fuzz/request_corpus.h"
#include "tests/fuzz/sample_mutator.h"
#include "wire/service.h"

namespace prejoin {
namespace {

struct Database {
  std::unique_ptr<engine::Engine> engine = *engine::Engine::Open(Options{});
  wire::Service service{*engine};
};

// What many requests have left there would slow down those that follow, and count as theirs.
constexpr int kRequestsOfADatabase = 20'000;

Database& DatabaseAtHand() {
  static std::optional<Database> database;
  static int requests = 0;
  if (requests++ % kRequestsOfADatabase == 0) {
    database.reset();
    database.emplace();
  }
  return *database;
}

void Check(const wire::Answer& answer) {
  PJ_CHECK(answer.status == 200 || answer.status == 400);
  PJ_CHECK(answer.body.empty() || json::Document::Parse(answer.body).has_value());
}

// What a server answers, and then what one without S3 or replicas refuses.
const std::vector<CorpusRequest>& Requests() {
  static const std::vector<CorpusRequest> requests = [] {
    std::vector<CorpusRequest> all(std::begin(kRequestCorpus), std::end(kRequestCorpus));
    all.insert(all.end(), std::begin(kRefusedRequests), std::end(kRefusedRequests));
    return all;
  }();
  return requests;
}

std::vector<std::string> MakeSamples() {
  std::vector<std::string> samples;
  for (const CorpusRequest& request : Requests()) {
    samples.push_back(std::string(1, static_cast<char>(samples.size())) +
                      std::string(request.body));
  }
  return samples;
}

}  // namespace
}  // namespace prejoin

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const std::vector<std::string> samples = prejoin::MakeSamples();
  return prejoin::fuzz::MutateWithSamples(samples, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  prejoin::Database& database = prejoin::DatabaseAtHand();
  const auto& request = prejoin::Requests()[data[0] % prejoin::Requests().size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  // The table must be there again after a DeleteTable.
  if (database.engine->catalog().FindOrNull("Fuzz") == nullptr) {
    database.service.Handle(prejoin::kRequestCorpus[0].target, prejoin::kRequestCorpus[0].body);
  }
  prejoin::Check(database.service.Handle(request.target, prejoin::Filled(database.service, text)));
  return 0;
}
