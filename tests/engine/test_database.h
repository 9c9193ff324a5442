// A database for tests: on a store of the test's choice, with a clock that the test sets. Header
// only, because tests/reference uses it too.
#ifndef PREJOIN_TESTS_ENGINE_TEST_DATABASE_H_
#define PREJOIN_TESTS_ENGINE_TEST_DATABASE_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/worker.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "prejoin/clock.h"
#include "prejoin/database.h"
#include "storage/store.h"

namespace prejoin {

class FakeClock final : public Clock {
 public:
  std::int64_t NowMs() const override { return now_ms_; }
  void Advance(std::int64_t by_ms) { now_ms_ += by_ms; }

 private:
  std::atomic<std::int64_t> now_ms_ = 1'700'000'000'000;
};

// A directory of its own, removed with the object.
class TestDirectory {
 public:
  TestDirectory() {
    path_ = (std::filesystem::temp_directory_path() / "prejoin-engine-XXXXXX").string();
    PJ_CHECK(mkdtemp(path_.data()) != nullptr);
  }
  ~TestDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Waits for all work beside the requests, counts after a crash included.
inline void DrainBackground(Database& db) {
  engine::EngineOf(db).background().DrainForTesting();
  engine::EngineOf(db).counting().DrainForTesting();
}

// Passes everything on to a store that outlives it: a memory store can be "closed" and opened
// again, and a test can step in at a chosen call.
class StoreProxy final : public storage::Store {
 public:
  explicit StoreProxy(storage::Store& inner) : inner_(inner) {}

  // Runs before each transaction, in its thread, with its keys.
  // Before every transaction but those of the catalog: holding one of these up holds up every other
  // change of a table.
  std::function<void(std::span<const std::string>)> before_transact;
  // Before those of the catalog.
  std::function<void()> before_catalog_change;
  // When the body of a transaction is done and its changes are not visible yet.
  std::function<void()> before_commit;
  static bool IsCatalogChange(std::span<const std::string> keys) {
    return !keys.empty() && keys[0].starts_with(std::string(storage::kSpaceBytes, '\0'));
  }

  // Transactions with these keys fail.
  std::function<bool(std::span<const std::string>)> refuses;
  // Before several values are read together.
  std::function<void()> before_get_together;

  // Before a range is read.
  std::function<void()> before_visit;
  // After each entry of a range that is read once only, as counts do.
  std::function<void()> after_counted;

  // Before a wait for a disk; an error is what the wait gives.
  std::function<Status()> before_wait_durable;

  // Every further transaction fails.
  std::atomic<bool> broken = false;
  // So many more succeed before all fail; negative: without end.
  std::atomic<int> transactions_left = -1;

  // DeleteSpace does nothing.
  std::atomic<bool> keeps_spaces = false;

  Result<storage::Ticket> Transact(std::span<const std::string> keys,
                                   FunctionRef<Status(storage::Transaction&)> body) override {
    if (broken || transactions_left == 0 || (refuses && refuses(keys))) {
      return Error{ErrorCode::kIo, "broken by the test"};
    }
    if (transactions_left > 0) {
      --transactions_left;
    }
    if (before_transact && !IsCatalogChange(keys)) {
      before_transact(keys);
    }
    if (before_catalog_change && IsCatalogChange(keys)) {
      before_catalog_change();
    }
    if (broken) {
      return Error{ErrorCode::kIo, "broken by the test"};
    }
    return inner_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
      Status status = body(transaction);
      if (before_commit && !IsCatalogChange(keys)) {
        before_commit();
      }
      return status;
    });
  }
  Result<std::optional<std::string>> Get(std::string_view key) override { return inner_.Get(key); }
  Result<std::vector<std::optional<std::string>>> GetTogether(
      std::span<const std::string> keys) override {
    if (const auto interrupt = before_get_together) {
      interrupt();
    }
    return inner_.GetTogether(keys);
  }
  Status Visit(const storage::Range& range,
               FunctionRef<storage::Visit(std::string_view, std::string_view)> visitor) override {
    if (before_visit) {
      before_visit();
    }
    return inner_.Visit(range, [&](std::string_view key, std::string_view value) {
      const storage::Visit next = visitor(key, value);
      if (after_counted && range.reads_once) {
        after_counted();
      }
      return next;
    });
  }
  bool VisitSeesOneState() const override { return inner_.VisitSeesOneState(); }
  Status DeleteSpace(std::uint32_t space) override {
    return keeps_spaces ? Status() : inner_.DeleteSpace(space);
  }
  storage::Ticket NewestTicket(std::string_view route) const override {
    return inner_.NewestTicket(route);
  }
  storage::Ticket NewestTicket() const override { return inner_.NewestTicket(); }
  bool IsDurable(storage::Ticket ticket) const override { return inner_.IsDurable(ticket); }
  Status WaitDurable(storage::Ticket ticket) override {
    if (before_wait_durable) {
      PJ_RETURN_IF_ERROR(before_wait_durable());
    }
    return inner_.WaitDurable(ticket);
  }
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) override {
    inner_.WhenDurable(ticket, std::move(done));
  }
  std::uint64_t ApproximateBytes(std::uint32_t space) const override {
    return inner_.ApproximateBytes(space);
  }

 private:
  storage::Store& inner_;
};

// The value, or a failed test and a default one.
template <class T>
T Must(Result<T> result) {
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return result ? *std::move(result) : T();
}
inline void Must(const Status& status) {
  EXPECT_TRUE(status.has_value()) << status.error().message;
}

inline std::unique_ptr<Database> OpenOn(std::unique_ptr<storage::Store> store, const Clock& clock) {
  auto engine = engine::Engine::OpenOn(std::move(store), Options(), clock);
  PJ_CHECK(engine.has_value());
  return engine::DatabaseOn(*std::move(engine));
}

inline std::unique_ptr<Database> OpenInMemory() {
  return OpenOn(storage::NewMemoryStore(), Clock::System());
}

// ---- Short ways to say what tests say often

// Names with their types; the type of an attribute is its first letter's: "s…" String, "n…" Number,
// "b…" Binary, anything else String.
inline ScalarType TypeByName(const std::string& name) {
  return name[0] == 'n'   ? ScalarType::kNumber
         : name[0] == 'b' ? ScalarType::kBinary
                          : ScalarType::kString;
}

inline KeySchema Keys(const std::vector<std::string>& hash,
                      const std::vector<std::string>& range = {}) {
  KeySchema schema;
  for (const std::string& name : hash) {
    schema.push_back({name, KeyType::kHash});
  }
  for (const std::string& name : range) {
    schema.push_back({name, KeyType::kRange});
  }
  return schema;
}

inline IndexSpecification MakeIndex(std::string name, KeySchema keys,
                                    Projection projection = {.type = ProjectionType::kAll}) {
  return {.index_name = std::move(name),
          .key_schema = std::move(keys),
          .projection = std::move(projection)};
}

inline std::vector<AttributeDefinition> DefinitionsFor(const std::vector<KeySchema>& schemas) {
  std::map<std::string, ScalarType> types;
  for (const KeySchema& schema : schemas) {
    for (const KeySchemaElement& element : schema) {
      types[element.attribute_name] = TypeByName(element.attribute_name);
    }
  }
  std::vector<AttributeDefinition> definitions;
  for (const auto& [name, type] : types) {
    definitions.push_back({name, type});
  }
  return definitions;
}

// An on-demand table.
inline CreateTableInput MakeTable(std::string name, KeySchema keys,
                                  std::vector<IndexSpecification> global_indexes = {},
                                  std::vector<IndexSpecification> local_indexes = {}) {
  std::vector<KeySchema> schemas = {keys};
  for (const auto& index : global_indexes) {
    schemas.push_back(index.key_schema);
  }
  for (const auto& index : local_indexes) {
    schemas.push_back(index.key_schema);
  }
  CreateTableInput input{.table_name = std::move(name),
                         .key_schema = std::move(keys),
                         .attribute_definitions = DefinitionsFor(schemas),
                         .billing_mode = BillingMode::kPayPerRequest};
  if (!global_indexes.empty()) {
    input.global_indexes = std::move(global_indexes);
  }
  if (!local_indexes.empty()) {
    input.local_indexes = std::move(local_indexes);
  }
  return input;
}

inline void Put(Database& database, const std::string& table, Item item) {
  Must(database.PutItem({.table_name = table, .item = std::move(item)}));
}

inline std::optional<Item> Get(Database& database, const std::string& table, Item key) {
  const auto output =
      Must(database.GetItem({.table_name = table, .key = std::move(key), .consistent_read = true}));
  return output.item ? std::optional(output.item->Decode()) : std::nullopt;
}

// Returns when another thread has counted `more` further.
inline void AwaitMore(const std::atomic<int>& count, int more) {
  for (const int before = count; count < before + more;) {
    std::this_thread::yield();
  }
}

inline AttributeValue Binary(std::string bytes) { return AttributeValue::Binary{std::move(bytes)}; }

}  // namespace prejoin

#endif  // PREJOIN_TESTS_ENGINE_TEST_DATABASE_H_
