// Stored bytes that are wrong below every checksum: each request gets an answer, nothing ends the process, and `verify` finds it.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "base/worker.h"
#include "engine/engine.h"
#include "engine/fault_relay.h"
#include "engine/table/space.h"
#include "engine/verify/verify.h"
#include "prejoin/options.h"
#include "storage/store.h"
#include "tests/fuzz/request_corpus.h"
#include "tests/rig/seed.h"
#include "tests/value/malformed_entries.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using Records = std::map<std::string, std::string>;

Records AllOf(storage::Store& store) {
  Records records;
  EXPECT_TRUE(store
                  .Visit({"", "", storage::Direction::kForward},
                         [&](std::string_view key, std::string_view value) {
                           records.emplace(key, value);
                           return storage::Visit::kContinue;
                         })
                  .has_value());
  return records;
}

std::unique_ptr<storage::Store> StoreOf(const Records& records) {
  auto store = storage::NewMemoryStore();
  EXPECT_TRUE(store
                  ->Transact({},
                             [&](storage::Transaction& transaction) -> Status {
                               for (const auto& [key, value] : records) {
                                 transaction.Put(key, value);
                               }
                               return {};
                             })
                  .has_value());
  return store;
}

Options WithLag() {
  Options options;
  options.index_lag = {.min_ms = 3'600'000, .max_ms = 3'600'000};  // Notes stay in the outbox.
  return options;
}

void RunCorpus(engine::Engine& engine) {
  Service service(engine);
  for (const CorpusRequest& request : kRequestCorpus) {
    const Answer answer = service.Handle(request.target, Filled(service, request.body));
    EXPECT_TRUE(answer.status == 200 || answer.status == 400 || answer.status == 413 ||
                answer.status == 500)
        << answer.status;
  }
  service.Stop();
}

// The store of a database that has seen every operation.
Records Corpus(const Options& options) {
  auto engine = *engine::Engine::OpenOn(storage::NewMemoryStore(), options, Clock::System());
  RunCorpus(*engine);
  Service service(*engine);
  for (
      const std::string_view body :
      {R"({"TableName":"Kept","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"g","AttributeType":"N"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"ByG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})"}) {
    EXPECT_EQ(service.Handle("DynamoDB_20120810.CreateTable", body).status, 200);
  }
  for (const std::string_view name : {"a", "b", "c"}) {
    EXPECT_EQ(service
                  .Handle("DynamoDB_20120810.PutItem",
                          R"({"TableName":"Kept","Item":{"p":{"S":")" + std::string(name) +
                              R"("},"g":{"N":"7"},"x":{"L":[{"N":"1.5"},{"SS":["q"]}]}}})")
                  .status,
              200);
  }
  engine->background().DrainForTesting();
  return AllOf(engine->store());
}

std::string Damaged(std::string bytes, std::mt19937& random) {
  const auto at = [&] { return bytes.empty() ? 0 : random() % bytes.size(); };
  switch (random() % 5) {
    case 0:
      bytes.resize(at());
      break;
    case 1:
      bytes.append(1 + random() % 9, static_cast<char>(random()));
      break;
    case 2:
      bytes.insert(at(), 1, static_cast<char>(random()));
      break;
    default:
      for (auto count = 1 + random() % 3; count > 0 && !bytes.empty(); --count) {
        bytes[at()] = random() % 2 == 0 ? static_cast<char>(random()) : '\xFF';
      }
  }
  return bytes;
}

TEST(Damage, OfAnyStoredRecordEndsNoProcess) {
  const char* given = std::getenv("PREJOIN_TEST_ROUNDS");
  const int rounds = given != nullptr ? std::atoi(given) : 400;
  std::mt19937 random(TestSeed());
  for (const Options& options : {Options{}, WithLag()}) {
    const Records sound = Corpus(options);
    std::map<std::uint32_t, std::vector<std::string>> by_space;
    for (const auto& [key, value] : sound) {
      by_space[engine::SpaceOf(key)].push_back(key);
    }
    ASSERT_GT(by_space.size(), 5u);
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
      auto space = by_space.begin();
      std::advance(space, random() % by_space.size());
      const std::string& key = space->second[random() % space->second.size()];
      Records records = sound;
      if (random() % 6 == 0) {
        // Under a key that is wrong, in the same space.
        auto node = records.extract(key);
        node.key() = key.substr(0, 4) + Damaged(key.substr(4), random);
        records.insert(std::move(node));
      } else {
        records[key] = Damaged(records[key], random);
      }
      SCOPED_TRACE("round " + std::to_string(round));
      auto engine = engine::Engine::OpenOn(StoreOf(records), options, Clock::System());
      if (!engine) {
        ++refused;
        EXPECT_EQ(engine.error().code, ErrorCode::kCorruption) << engine.error().message;
        continue;
      }
      engine::VerifyReport report;
      engine::VerifyStore((*engine)->store(), [](std::uint64_t) {}, report);
      RunCorpus(**engine);
      (*engine)->background().SweepNow();
    }
    EXPECT_LT(refused, rounds);
  }
}

class DamagedItem : public testing::Test {
 protected:
  static constexpr std::string_view kPlain =
      R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]})";

  DamagedItem() {
    engine_->faults().ReportTo([this](const engine::Fault& fault) { faults_.push_back(fault); });
    EXPECT_EQ(Send("CreateTable", kPlain), 200);
    EXPECT_EQ(Send("PutItem", R"({"TableName":"Tab","Item":{"p":{"S":"bad"},"q":{"N":"1"}}})"),
              200);
    EXPECT_EQ(Send("PutItem", R"({"TableName":"Tab","Item":{"p":{"S":"good"},"q":{"N":"1"}}})"),
              200);
  }
  int Send(std::string_view operation, std::string_view body) {
    const Service service(*engine_);
    return service.Handle("DynamoDB_20120810." + std::string(operation), body).status;
  }
  // Each damage is one of the sound record.
  void Damage(const std::function<void(std::string&)>& change) {
    for (const auto& [key, value] : AllOf(engine_->store())) {
      if (key.find("bad") == std::string::npos) {
        continue;
      }
      std::string changed = sound_.try_emplace(key, value).first->second;
      change(changed);
      const std::string keys[] = {key};
      ASSERT_TRUE(engine_->store()
                      .Transact(keys,
                                [&](storage::Transaction& transaction) -> Status {
                                  transaction.Put(key, changed);
                                  return {};
                                })
                      .has_value());
    }
  }

  std::vector<engine::Fault> faults_;
  std::map<std::string, std::string> sound_;
  std::unique_ptr<engine::Engine> engine_ =
      *engine::Engine::OpenOn(storage::NewMemoryStore(), Options{}, Clock::System());
};

constexpr std::string_view kGetBad = R"({"TableName":"Tab","Key":{"p":{"S":"bad"}}})";

TEST_F(DamagedItem, IsAnErrorForThoseWhoNeedItOnly) {
  const std::vector<std::function<void(std::string&)>> damages = {
      [](std::string& record) { record[0] = 9; },        // An unknown version.
      [](std::string& record) { record.resize(2); },     // Too short for a record.
      [](std::string& record) { record.clear(); },       //
      [](std::string& record) { record[4] = '\x7F'; },   // More attributes than there are.
      [](std::string& record) { record.back() = 'z'; },  // A text that is no number.
      [](std::string& record) { record += "more"; },     //
  };
  for (const auto& damage : damages) {
    Damage(damage);
    EXPECT_EQ(Send("GetItem", kGetBad), 500);
    EXPECT_EQ(Send("PutItem", R"({"TableName":"Tab","Item":{"p":{"S":"bad"}}})"), 500);
    EXPECT_EQ(Send("Scan", R"({"TableName":"Tab"})"), 500);
    EXPECT_EQ(Send("GetItem", R"({"TableName":"Tab","Key":{"p":{"S":"good"}}})"), 200);
    EXPECT_EQ(Send("PutItem", R"({"TableName":"Tab","Item":{"p":{"S":"good"}}})"), 200);
    engine::VerifyReport report;
    engine::VerifyStore(
        engine_->store(), [](std::uint64_t) {}, report);
    ASSERT_EQ(report.finding_count, 1u);
    EXPECT_EQ(report.findings[0].where, "table Tab");
  }
}

// The keys are sound, and stand before what is not: only a walk over the whole record finds it.
TEST_F(DamagedItem, IsAnErrorWhateverIsWrongBehindItsKeys) {
  for (const auto& [what, hex] : kMalformedEntries) {
    SCOPED_TRACE(what);
    Damage([&](std::string& record) {
      record.resize(4);
      record += std::string("\2\1p\0\3bad", 8) + FromHex(hex);
    });
    EXPECT_EQ(Send("GetItem", kGetBad), 500);
    EXPECT_EQ(Send("Scan", R"({"TableName":"Tab"})"), 500);
    EXPECT_EQ(Send("GetItem", R"({"TableName":"Tab","Key":{"p":{"S":"good"}}})"), 200);
  }
}

TEST_F(DamagedItem, IsReportedOnceForEachOperation) {
  Damage([](std::string& record) { record[0] = 9; });
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Send("GetItem", kGetBad), 500);
  }
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].kind, engine::Fault::Kind::kDamaged);
  EXPECT_NE(faults_[0].message.find("GetItem failed"), std::string::npos) << faults_[0].message;
  EXPECT_EQ(engine_->faults().damaged_records(), 3u);
}

TEST(Verify, FindsEntriesThatDoNotFitTheirItems) {
  auto engine = *engine::Engine::OpenOn(storage::NewMemoryStore(), Options{}, Clock::System());
  RunCorpus(*engine);
  engine->background().DrainForTesting();
  const Records sound = AllOf(engine->store());
  engine::VerifyReport report;
  engine::VerifyStore(
      engine->store(), [](std::uint64_t) {}, report);
  EXPECT_EQ(report.finding_count, 0u)
      << report.findings[0].where << ": " << report.findings[0].what;
  EXPECT_GT(report.counts["items"], 0u);
  EXPECT_GT(report.counts["index entries"], 0u);
  engine.reset();
  // Each item, and each entry, is missed.
  std::size_t tried = 0;
  for (const auto& [key, value] : sound) {
    if (engine::SpaceOf(key) < engine::kFirstFreeSpace || value.empty() || value[0] != 1) {
      continue;
    }
    Records records = sound;
    records.erase(key);
    const auto store = StoreOf(records);
    engine::VerifyReport missed;
    engine::VerifyStore(
        *store, [](std::uint64_t) {}, missed);
    tried += missed.finding_count > 0;
  }
  EXPECT_GT(tried, 0u);
}

// A table with everything that keeps copies of an item: a global index, a vector index, a stream and a history of old images.
Records CopiesOfItems() {
  auto engine = *engine::Engine::OpenOn(storage::NewMemoryStore(), Options{}, Clock::System());
  Service service(*engine);
  const auto send = [&](const std::string& operation, const std::string& body) {
    const Answer answer = service.Handle("DynamoDB_20120810." + operation, body);
    EXPECT_EQ(answer.status, 200) << operation << " " << answer.body;
  };
  send(
      "CreateTable",
      R"({"TableName":"Kept","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"ByG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],"VectorIndexes":[{"IndexName":"ByV","VectorAttribute":{"AttributeName":"v"},"Dimensions":2,"DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})");
  send(
      "UpdateContinuousBackups",
      R"({"TableName":"Kept","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  for (const std::string g : {"g1", "g2"}) {
    for (const std::string name : {"anna", "bert"}) {
      send("PutItem", R"({"TableName":"Kept","Item":{"p":{"S":")" + name + R"("},"g":{"S":")" + g +
                          R"("},"v":{"L":[{"N":"1"},{"N":"2"}]}}})");
    }
  }
  engine->background().DrainForTesting();
  service.Stop();
  return AllOf(engine->store());
}

// "table Kept: an item stands under the key of another one", of each finding.
std::set<std::string> FindingsIn(const Records& records) {
  const auto store = StoreOf(records);
  engine::VerifyReport report;
  engine::VerifyStore(
      *store, [](std::uint64_t) {}, report);
  std::set<std::string> found;
  for (const engine::VerifyFinding& finding : report.findings) {
    found.insert(finding.where + ": " + finding.what);
  }
  return found;
}

TEST(Verify, ComparesRecordsWithTheKeysTheyStandUnder) {
  const Records sound = CopiesOfItems();
  EXPECT_EQ(FindingsIn(sound), std::set<std::string>());
  // Two neighbours, each of which is sound, change places.
  std::set<std::string> found;
  for (auto first = sound.begin(), second = std::next(first); second != sound.end();
       first = second++) {
    if (engine::SpaceOf(first->first) == engine::SpaceOf(second->first) &&
        engine::SpaceOf(first->first) >= engine::kFirstFreeSpace) {
      Records records = sound;
      std::swap(records[first->first], records[second->first]);
      found.merge(FindingsIn(records));
    }
  }
  EXPECT_TRUE(found.contains("table Kept: an item stands under the key of another one"));
  EXPECT_TRUE(
      found.contains("index ByG of table Kept: an entry stands under the key of another one"));
  EXPECT_TRUE(found.contains(
      "vector index ByV of table Kept: an entry stands under the key of another one"));
  EXPECT_TRUE(
      found.contains("history of table Kept: an old image stands under the key of another item"));
}

TEST(Verify, ComparesTheImagesOfAStreamRecordWithItsKeys) {
  const Records sound = CopiesOfItems();
  std::set<std::string> found;
  for (const auto& [key, value] : sound) {
    // Only a stream record names its item more than once.
    const std::size_t last = value.rfind("anna");
    if (last != std::string::npos && value.find("anna") != last) {
      Records records = sound;
      records[key].replace(last, 4, "bert");
      found.merge(FindingsIn(records));
    }
  }
  EXPECT_EQ(found, std::set<std::string>{
                       "stream of table Kept: an image is of another item than its record names"});
}

TEST(Verify, MissesVectorEntries) {
  const Records sound = CopiesOfItems();
  std::set<std::string> found;
  for (const auto& [key, value] : sound) {
    if (engine::SpaceOf(key) >= engine::kFirstFreeSpace) {
      Records records = sound;
      records.erase(key);
      found.merge(FindingsIn(records));
    }
  }
  EXPECT_TRUE(found.contains("vector index ByV of table Kept: an item has no entry"));
}

}  // namespace
}  // namespace prejoin::wire
