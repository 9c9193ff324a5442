// Any bytes as a request on a database in memory: the answer must be JSON with a sensible status,
// whatever comes in. The first byte picks the operation, the rest is the body.
// tests/wire/request_mutation_test.cc runs the same check without a fuzzer.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "engine/engine.h"
#include "json/reader.h"
#include "prejoin/options.h"
#include "tests/fuzz/request_corpus.h"
#include "wire/service.h"

namespace prejoin {
namespace {

struct Database {
  std::unique_ptr<engine::Engine> engine = *engine::Engine::Open(Options{});
  wire::Service service{*engine};
};

void Check(const wire::Answer& answer) {
  PJ_CHECK(answer.status == 200 || answer.status == 400);
  PJ_CHECK(answer.body.empty() || json::Document::Parse(answer.body).has_value());
}

}  // namespace
}  // namespace prejoin

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static prejoin::Database database;
  if (size == 0) {
    return 0;
  }
  const auto& request = prejoin::kRequestCorpus[data[0] % std::size(prejoin::kRequestCorpus)];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  // The table must be there again after a DeleteTable; when it is there, this is refused.
  database.service.Handle(prejoin::kRequestCorpus[0].target, prejoin::kRequestCorpus[0].body);
  prejoin::Check(database.service.Handle(request.target, prejoin::Filled(database.service, text)));
  return 0;
}
