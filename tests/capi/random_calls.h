// Any bytes as calls of the C interface, on a few databases and snapshots: each call is well-formed as C goes, and whatever it says, the library
// must answer as its header promises. The fuzz target and a test with random bytes share it.
#ifndef PREJOIN_TESTS_CAPI_RANDOM_CALLS_H_
#define PREJOIN_TESTS_CAPI_RANDOM_CALLS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "json/reader.h"
#include "prejoin/prejoin.h"
#include "tests/fuzz/request_corpus.h"

namespace prejoin::capi {

class RandomCalls {
 public:
  explicit RandomCalls(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  ~RandomCalls() {
    for (prejoin_database* database : databases_) {
      prejoin_close(database);
    }
    for (prejoin_snapshot* snapshot : snapshots_) {
      prejoin_snapshot_free(snapshot);
    }
  }
  RandomCalls(const RandomCalls&) = delete;
  RandomCalls& operator=(const RandomCalls&) = delete;

  // Calls until the bytes end. How many requests were answered with 200.
  int Run() {
    while (!bytes_.empty()) {
      Step();
    }
    return successes_;
  }

 private:
  static constexpr std::size_t kHandles = 3;
  static constexpr std::string_view kOptions[] = {
      "", "{}", R"({"region":"eu-west-1","account":"210987654321"})",
      R"({"sync":"none","cache_mb":1,"ttl_sweep_seconds":1})", R"({"sync":0})", R"({"cache_mb":-1})",
      R"({"region":"\ud800"})", "[", R"({"region":"a","region":"b"})"};

  std::uint8_t Next() {
    if (bytes_.empty()) {
      return 0;
    }
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  prejoin_database*& Database() { return databases_[Next() % kHandles]; }
  prejoin_snapshot*& Snapshot() { return snapshots_[Next() % kHandles]; }

  // A status of 0 comes with a handle, another one with a message.
  static void CheckMade(int status, const void* made, char* error) {
    PJ_CHECK((status == 0) == (made != nullptr));
    PJ_CHECK((status == 0) == (error == nullptr));
    PJ_CHECK(error == nullptr || std::strlen(error) > 0);
    prejoin_free(error);
  }

  // `text` with up to three of its bytes changed, or cut.
  std::string Changed(std::string_view text) {
    std::string changed(text);
    for (int left = Next() % 4; left > 0 && !changed.empty(); --left) {
      const std::size_t at = (Next() * std::size_t{256} + Next()) % changed.size();
      const std::uint8_t byte = Next();
      if (byte == 0) {
        changed.resize(at);
      } else {
        changed[at] = static_cast<char>(byte);
      }
    }
    return changed;
  }

  void Open() {
    prejoin_database*& place = Database();
    prejoin_close(std::exchange(place, nullptr));
    std::string options = Changed(kOptions[Next() % std::size(kOptions)]);
    if (options.find("path") != std::string::npos) {
      return;  // Everything stays in memory.
    }
    char* error = nullptr;
    const int status = prejoin_open(options.c_str(), &place, &error);
    CheckMade(status, place, error);
  }

  void Request() {
    const CorpusRequest& sample = Sample();
    const std::string body = Changed(sample.body);
    std::string operation(sample.target);
    if (Next() % 2 == 0) {
      operation = operation.substr(operation.find('.') + 1);
    }
    if (Next() % 16 == 0) {
      operation = Changed(operation);
    }
    char* answer = nullptr;
    std::size_t answer_bytes = 0;
    const int status = prejoin_call(Database(), operation.c_str(), body.data(), body.size(), &answer, &answer_bytes);
    PJ_CHECK(answer != nullptr && answer[answer_bytes] == '\0');
    PJ_CHECK(status == 200 || status == 400 || status == 500);
    if (status != 500) {  // The answer to a null database is a sentence.
      PJ_CHECK(answer_bytes == 0 || json::Document::ParseAside({answer, answer_bytes}).has_value());
    }
    successes_ += status == 200 ? 1 : 0;
    prejoin_free(answer);
  }

  static const CorpusRequest& SampleAt(std::size_t at) {
    return kRequestCorpus[at % std::size(kRequestCorpus)];
  }
  const CorpusRequest& Sample() { return SampleAt(Next()); }

  void Take() {
    prejoin_database* database = Database();
    prejoin_snapshot*& place = Snapshot();
    prejoin_snapshot_free(std::exchange(place, nullptr));
    char* error = nullptr;
    const int status = prejoin_snapshot_take(database, &place, &error);
    CheckMade(status, place, error);
    PJ_CHECK((status == 0) == (database != nullptr));
  }

  void Restore() {
    prejoin_database* database = Database();
    const prejoin_snapshot* snapshot = Snapshot();
    char* error = nullptr;
    const int status = prejoin_snapshot_restore(database, snapshot, &error);
    PJ_CHECK((status == 0) == (database != nullptr && snapshot != nullptr));
    PJ_CHECK((status == 0) == (error == nullptr));
    prejoin_free(error);
  }

  void OpenSnapshot() {
    prejoin_database*& place = Database();
    const prejoin_snapshot* snapshot = Snapshot();
    prejoin_close(std::exchange(place, nullptr));
    char* error = nullptr;
    const int status = prejoin_snapshot_open(snapshot, &place, &error);
    CheckMade(status, place, error);
    PJ_CHECK((status == 0) == (snapshot != nullptr));
  }

  void Step() {
    switch (Next() % 16) {
      case 0:
        return Open();
      case 1:
        return Take();
      case 2:
        return Restore();
      case 3:
        return OpenSnapshot();
      case 4:
        return prejoin_snapshot_free(std::exchange(Snapshot(), nullptr));
      case 5: {
        // From days back to days ahead, and no further than a clock goes.
        const auto days = static_cast<std::int64_t>(static_cast<std::int8_t>(Next()));
        return prejoin_advance_clock(Database(), days * 86'400'000);
      }
      default:
        return Request();
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::array<prejoin_database*, kHandles> databases_{};
  std::array<prejoin_snapshot*, kHandles> snapshots_{};
  int successes_ = 0;
};

}  // namespace prejoin::capi

#endif  // PREJOIN_TESTS_CAPI_RANDOM_CALLS_H_
