// Changing and deleting tables while others use them.
#include <future>
#include <thread>

#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

UpdateTableInput AddIndex(IndexSpecification index) {
  UpdateTableInput input{.table_name = "T"};
  input.attribute_definitions = DefinitionsFor({index.key_schema});
  input.global_index_updates = std::vector<GlobalIndexUpdate>{{.create = std::move(index)}};
  return input;
}

UpdateTableInput DropIndex(const std::string& name) {
  return {.table_name = "T",
          .global_index_updates = std::vector<GlobalIndexUpdate>{{.remove = name}}};
}

std::vector<std::string> ScanLines(Database& db, std::optional<std::string> index) {
  std::vector<std::string> lines;
  ScanInput input{.table_name = "T", .index_name = std::move(index)};
  do {
    const auto page = Must(db.Scan(input));
    for (const StoredItem& item : page.items) {
      lines.push_back(Text(item));
    }
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  std::ranges::sort(lines);
  return lines;
}

// Items of the table that have the string attribute `a`.
std::vector<std::string> LinesWithA(Database& db) {
  std::vector<std::string> lines = ScanLines(db, std::nullopt);
  std::erase_if(lines,
                [](const std::string& line) { return line.find("a: \"") == std::string::npos; });
  return lines;
}

TEST(UpdateTable, NewIndexIsFilledFromOldItems) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 500; ++i) {
    Item item = {{"pk", std::to_string(i)}};
    if (i % 2 == 0) {
      item.Set("a", "v" + std::to_string(i % 7));
    }
    if (i % 5 == 0) {
      item.Set("a", i);  // Of the wrong type for the index to come.
    }
    Put(*db, "T", item);
  }
  const auto updating = Must(db->UpdateTable(AddIndex(MakeIndex("g", Keys({"a"})))));
  EXPECT_EQ(updating.status, TableStatus::kUpdating);
  ASSERT_EQ(updating.global_indexes.size(), 1u);
  EXPECT_EQ(updating.global_indexes[0].status, IndexStatus::kCreating);
  engine::EngineOf(*db).background().DrainForTesting();
  const auto described = Must(db->DescribeTable("T"));
  EXPECT_EQ(described.status, TableStatus::kActive);
  EXPECT_EQ(described.global_indexes[0].status, IndexStatus::kActive);
  EXPECT_FALSE(described.global_indexes[0].backfilling);
  EXPECT_EQ(ScanLines(*db, "g"), LinesWithA(*db));
  EXPECT_EQ(described.global_indexes[0].item_count,
            static_cast<std::int64_t>(LinesWithA(*db).size()));
}

// Writers that never stop for UpdateTable.
class BusyTable {
 public:
  BusyTable(Database& db, int threads) : db_(db) {
    for (int t = 0; t < threads; ++t) {
      threads_.emplace_back([this, t] { Write(t); });
    }
  }
  ~BusyTable() { Stop(); }

  void Stop() {
    stop_ = true;
    for (std::thread& thread : threads_) {
      thread.join();
    }
    threads_.clear();
  }
  int writes() const { return writes_; }

 private:
  void Write(int thread) {
    for (int i = thread; !stop_; i += 13) {
      const std::string pk = std::to_string(i % 300);
      const Item key = {{"pk", pk}};
      switch (i % 4) {
        case 0:
          (void)db_.DeleteItem({.table_name = "T", .key = key});
          break;
        case 1:
          (void)db_.UpdateItem({.table_name = "T", .key = key, .update_expression = "REMOVE a"});
          break;
        default:
          (void)db_.PutItem(
              {.table_name = "T", .item = {{"pk", pk}, {"a", std::to_string(i % 11)}, {"x", i}}});
      }
      ++writes_;
    }
  }

  Database& db_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> writes_ = 0;
  std::vector<std::thread> threads_;
};

TEST(UpdateTable, IndexesComeAndGoUnderWriters) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  BusyTable writers(*db, 3);
  for (int round = 0; round < 10; ++round) {
    const int before = writers.writes();
    Must(db->UpdateTable(AddIndex(MakeIndex("g", Keys({"a"})))));
    engine::EngineOf(*db).background().DrainForTesting();
    ASSERT_EQ(Must(db->DescribeTable("T")).status, TableStatus::kActive);
    while (writers.writes() < before + 200) {
      std::this_thread::yield();
    }
    if (round < 9) {
      Must(db->UpdateTable(DropIndex("g")));
    }
  }
  writers.Stop();
  EXPECT_EQ(ScanLines(*db, "g"), LinesWithA(*db));
}

// A writer that does not know the new index changes an item that one who knows it has written: no
// entry of the value in between may stay.
TEST(UpdateTable, SlowWriterOfAnOlderVersionLeavesNoStaleEntry) {
  const auto inner = storage::NewMemoryStore();
  auto proxy = std::make_unique<StoreProxy>(*inner);
  StoreProxy& store = *proxy;
  const auto db = OpenOn(std::move(proxy), Clock::System());
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  std::promise<void> arrived;
  std::promise<void> go_on;
  const std::shared_future<void> gate = go_on.get_future();
  static thread_local bool is_slow_writer = false;
  store.before_transact = [&](auto) {
    if (is_slow_writer) {
      arrived.set_value();
      gate.wait();
    }
  };
  std::thread writer([&] {
    is_slow_writer = true;
    Put(*db, "T", {{"pk", "1"}, {"a", "late"}});
  });
  arrived.get_future().wait();
  Must(db->UpdateTable(AddIndex(MakeIndex("g", Keys({"a"})))));
  Put(*db, "T", {{"pk", "1"}, {"a", "between"}});
  go_on.set_value();
  writer.join();
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(ScanLines(*db, "g"), LinesWithA(*db));
}

TEST(UpdateTable, RefusesASecondChangeMeanwhileAndUnknownNames) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  EXPECT_EQ(db->UpdateTable(DropIndex("g")).error().code, ErrorCode::kResourceNotFound);
  auto both = AddIndex(MakeIndex("g", Keys({"a"})));
  both.global_index_updates->push_back({.remove = "h"});
  EXPECT_EQ(db->UpdateTable(both).error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(db->UpdateTable({.table_name = "T"}).error().code, ErrorCode::kValidation);
}

TEST(UpdateTable, ReadingAnIndexThatIsBeingBuiltIsRefused) {
  const auto inner = storage::NewMemoryStore();
  auto proxy = std::make_unique<StoreProxy>(*inner);
  StoreProxy& store = *proxy;
  const auto db = OpenOn(std::move(proxy), Clock::System());
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  Put(*db, "T", {{"pk", "1"}, {"a", "x"}});
  std::promise<void> go_on;
  const std::shared_future<void> gate = go_on.get_future();
  const std::thread::id own = std::this_thread::get_id();
  store.before_transact = [&, own](auto) {
    if (std::this_thread::get_id() != own) {
      gate.wait();
    }
  };
  Must(db->UpdateTable(AddIndex(MakeIndex("g", Keys({"a"})))));
  const auto output = db->Scan({.table_name = "T", .index_name = "g"});
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message, "Cannot read from backfilling global secondary index: g");
  EXPECT_EQ(db->UpdateTable(AddIndex(MakeIndex("h", Keys({"a"})))).error().code,
            ErrorCode::kResourceInUse);
  Put(*db, "T", {{"pk", "2"}, {"a", "y"}});
  go_on.set_value();
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(ScanLines(*db, "g").size(), 2u);
}

// A writer that got hold of the table two versions ago still has to be waited for.
TEST(UpdateTable, SlowWriterOfAnOlderVersionIsNotMissedByANewIndex) {
  const auto inner = storage::NewMemoryStore();
  auto proxy = std::make_unique<StoreProxy>(*inner);
  StoreProxy& store = *proxy;
  const auto db = OpenOn(std::move(proxy), Clock::System());
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  std::promise<void> arrived;
  std::promise<void> go_on;
  const std::shared_future<void> gate = go_on.get_future();
  thread_local bool is_slow_writer = false;
  store.before_transact = [&](auto) {
    if (is_slow_writer) {
      arrived.set_value();
      gate.wait();
    }
  };
  std::thread writer([&] {
    is_slow_writer = true;
    Put(*db, "T", {{"pk", "1"}, {"a", "x"}});
  });
  arrived.get_future().wait();
  Must(db->UpdateTable({.table_name = "T", .deletion_protection = true}));
  Must(db->UpdateTable(AddIndex(MakeIndex("g", Keys({"a"})))));
  // Time for a build that does not wait.
  for (int i = 0; i < 1000 && Must(db->DescribeTable("T")).status != TableStatus::kActive; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  EXPECT_EQ(Must(db->DescribeTable("T")).status, TableStatus::kUpdating);
  go_on.set_value();
  writer.join();
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(ScanLines(*db, "g").size(), 1u);
}

// The build of an index must not go on in another table of the same name.
// A table cannot be deleted while it is updated; the index that is being filled can.
TEST(UpdateTable, BuildEndsWithItsIndexAndTable) {
  const auto inner = storage::NewMemoryStore();
  auto proxy = std::make_unique<StoreProxy>(*inner);
  StoreProxy& store = *proxy;
  const auto db = OpenOn(std::move(proxy), Clock::System());
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  for (int i = 0; i < 300; ++i) {
    Put(*db, "T", {{"pk", std::to_string(i)}, {"a", "old"}});
  }
  std::promise<void> arrived;
  std::promise<void> go_on;
  const std::shared_future<void> gate = go_on.get_future();
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<int> steps = 0;
  store.before_transact = [&, own](auto) {
    if (std::this_thread::get_id() != own && ++steps == 1) {
      arrived.set_value();
      gate.wait();
    }
  };
  Must(db->UpdateTable(AddIndex(MakeIndex("g", Keys({"a"})))));
  arrived.get_future().wait();
  EXPECT_EQ(db->DeleteTable("T").error().code, ErrorCode::kResourceInUse);
  Must(db->UpdateTable({.table_name = "T", .global_index_updates = {{{.remove = "g"}}}}));
  EXPECT_EQ(Must(db->DescribeTable("T")).status, TableStatus::kActive);
  Must(db->DeleteTable("T"));
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  Put(*db, "T", {{"pk", "new"}, {"a", "new"}});
  go_on.set_value();
  engine::EngineOf(*db).background().DrainForTesting();
  EXPECT_EQ(ScanLines(*db, "g"), LinesWithA(*db));
}

TEST(DeleteTable, UnderWritersLeavesNothingBehind) {
  const auto inner = storage::NewMemoryStore();
  const auto db = OpenOn(std::make_unique<StoreProxy>(*inner), Clock::System());
  const CreateTableInput table = MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))});
  Must(db->CreateTable(table));
  BusyTable writers(*db, 3);
  for (int round = 0; round < 20; ++round) {
    const int before = writers.writes();
    while (writers.writes() < before + 50) {
      std::this_thread::yield();
    }
    Must(db->DeleteTable("T"));
    EXPECT_EQ(db->DeleteTable("T").error().code, ErrorCode::kResourceNotFound);
    Must(db->CreateTable(table));
  }
  writers.Stop();
  EXPECT_EQ(ScanLines(*db, "g"), LinesWithA(*db));
  Must(db->DeleteTable("T"));
  engine::EngineOf(*db).background().DrainForTesting();
  // Spaces from 16 on are those of tables and indexes.
  storage::Range range{.begin = std::string("\0\0\0\x10", 4), .end = std::string("\xff", 1)};
  int left = 0;
  Must(inner->Visit(range, [&](std::string_view, std::string_view) {
    ++left;
    return storage::Visit::kContinue;
  }));
  EXPECT_EQ(left, 0);
}

TEST(DeleteTable, ProtectionHolds) {
  const auto db = OpenInMemory();
  auto table = MakeTable("T", Keys({"pk"}));
  table.deletion_protection = true;
  Must(db->CreateTable(table));
  EXPECT_EQ(db->DeleteTable("T").error().code, ErrorCode::kValidation);
  Must(db->UpdateTable({.table_name = "T", .deletion_protection = false}));
  Must(db->DeleteTable("T"));
}

}  // namespace
}  // namespace prejoin
