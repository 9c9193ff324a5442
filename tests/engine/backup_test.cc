// Backups, point-in-time recovery and restored tables.
#include <map>
#include <random>
#include <thread>

#include "engine/engine_of.h"
#include "engine/history/history.h"
#include "engine/history/table_at.h"
#include "engine/table/catalog.h"
#include "prejoin/backups.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;

using Texts = std::map<std::string, std::string>;

// Keys to items, of the table or an index.
Texts Contents(Database& db, const std::string& table,
               const std::optional<std::string>& index = std::nullopt) {
  Texts texts;
  ScanInput input{.table_name = table, .index_name = index};
  do {
    const auto page = Must(db.Scan(input));
    for (const StoredItem& stored : page.items) {
      const Item item = stored.Decode();
      texts[Text(*item.Find("pk")) + "/" + Text(*item.Find("sk"))] = Text(item);
    }
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  return texts;
}

CreateTableInput Indexed(const std::string& name) {
  return MakeTable(name, Keys({"pk"}, {"sk"}), {MakeIndex("by_g", Keys({"g"}))},
                   {MakeIndex("by_l", Keys({"pk"}, {"l"}))});
}

Item Row(int partition, int row, int value) {
  return {{"pk", "p" + std::to_string(partition)},
          {"sk", "s" + std::to_string(row)},
          {"g", "g" + std::to_string(value % 3)},
          {"l", "l" + std::to_string(value % 5)},
          {"v", value}};
}

template <class T>
ErrorCode CodeOf(const Result<T>& result) {
  return result ? ErrorCode::kInternal : result.error().code;
}

class BackupTest : public testing::TestWithParam<bool> {
 protected:
  BackupTest() { Open(); }

  void Open() {
    db_.reset();
    if (!GetParam()) {
      store_ = store_ ? std::move(store_) : storage::NewMemoryStore();
    } else {
      store_.reset();
      store_ = Must(storage::OpenRocksStore({.path = directory_.path(),
                                             .sync = storage::SyncMode::kNone,
                                             .block_cache_bytes = 1 << 20}));
    }
    auto proxy = std::make_unique<StoreProxy>(*store_);
    proxy_ = proxy.get();
    db_ = OpenOn(std::move(proxy), clock_);
    Drain();
  }
  // The process ends without closing the database.
  void Crash() {
    proxy_->broken = true;
    Open();
  }

  void Drain() { DrainBackground(*db_); }

  void Fill(const std::string& table, int rows, int value) {
    for (int i = 0; i < rows; ++i) {
      Put(*db_, table, Row(i % 4, i, value + i));
    }
  }

  std::string Backup(const std::string& table, const std::string& name = "backup") {
    return Must(db_->CreateBackup({.table_name = table, .backup_name = name})).arn;
  }

  void Enable(const std::string& table, std::optional<int> days = std::nullopt) {
    Must(db_->UpdateContinuousBackups({.table_name = table,
                                       .point_in_time_recovery_enabled = true,
                                       .recovery_period_days = days}));
  }

  // Restores and waits until the table is there.
  TableDescription Restore(const std::string& arn, const std::string& target,
                           const RestoreOverrides& overrides = {}) {
    const auto answer = Must(db_->RestoreTableFromBackup(
        {.target_table_name = target, .backup_arn = arn, .overrides = overrides}));
    EXPECT_EQ(answer.status, TableStatus::kCreating);
    Drain();
    return Must(db_->DescribeTable(target));
  }
  void RestoreTo(const std::string& source, std::int64_t time_ms, const std::string& target) {
    Must(db_->RestoreTableToPointInTime(
        {.source_table_name = source, .target_table_name = target, .restore_ms = time_ms}));
    Drain();
  }

  std::size_t CountSpace(std::uint32_t space) {
    std::size_t count = 0;
    storage::Range range;
    for (int shift = 24; shift >= 0; shift -= 8) {
      range.begin.push_back(static_cast<char>(space >> shift));
      range.end.push_back(static_cast<char>((space + 1) >> shift));
    }
    Must(engine::EngineOf(*db_).store().Visit(range, [&](std::string_view, std::string_view) {
      ++count;
      return storage::Visit::kContinue;
    }));
    return count;
  }

  FakeClock clock_;
  TestDirectory directory_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Database> db_;
  StoreProxy* proxy_ = nullptr;  // Owned by db_.
};

TEST_P(BackupTest, RestoresItemsAndIndexes) {
  Must(db_->CreateTable(Indexed("T")));
  Fill("T", 60, 1);
  const Texts expected = Contents(*db_, "T");
  const Texts by_g = Contents(*db_, "T", "by_g");
  const Texts by_l = Contents(*db_, "T", "by_l");
  const auto details = Must(db_->CreateBackup({.table_name = "T", .backup_name = "first"}));
  EXPECT_EQ(details.status, BackupStatus::kCreating);
  EXPECT_EQ(details.type, BackupType::kUser);
  const std::string prefix =
      "arn:aws:dynamodb:us-east-1:123456789012:table/T/backup/01700000000000-";
  EXPECT_TRUE(details.arn.starts_with(prefix)) << details.arn;
  EXPECT_EQ(details.arn.size(), prefix.size() + 8);
  // The same items again, others gone, others new.
  Fill("T", 30, 1000);
  for (int i = 30; i < 45; ++i) {
    Must(db_->DeleteItem(
        {.table_name = "T",
         .key = {{"pk", "p" + std::to_string(i % 4)}, {"sk", "s" + std::to_string(i)}}}));
  }
  Put(*db_, "T", Row(1, 777, 777));
  const Texts now = Contents(*db_, "T");

  const TableDescription restored = Restore(details.arn, "R");
  EXPECT_EQ(restored.status, TableStatus::kActive);
  EXPECT_EQ(Contents(*db_, "R"), expected);
  EXPECT_EQ(Contents(*db_, "R", "by_g"), by_g);
  EXPECT_EQ(Contents(*db_, "R", "by_l"), by_l);
  EXPECT_EQ(Contents(*db_, "T"), now);
  EXPECT_EQ(restored.item_count, 60);
  EXPECT_EQ(restored.size_bytes, details.size_bytes);
  ASSERT_TRUE(restored.restore);
  EXPECT_EQ(restored.restore->source_backup_arn, details.arn);
  EXPECT_EQ(restored.restore->source_table_arn, Must(db_->DescribeTable("T")).arn);
  EXPECT_FALSE(restored.restore->in_progress);
  EXPECT_EQ(restored.global_indexes.at(0).status, IndexStatus::kActive);
  EXPECT_EQ(restored.local_indexes.size(), 1u);
  // It is a table like any other.
  Put(*db_, "R", Row(9, 9, 9));
  EXPECT_EQ(Contents(*db_, "R").size(), 61u);
}

TEST_P(BackupTest, DescribesAndLists) {
  CreateTableInput input = Indexed("Tab");
  input.stream = StreamSpecification{.enabled = true, .view_type = StreamViewType::kNewImage};
  Must(db_->CreateTable(input));
  Must(db_->CreateTable(Indexed("Other")));
  Must(db_->UpdateTimeToLive(
      {.table_name = "Tab", .specification = {.enabled = true, .attribute_name = "ttl"}}));
  Fill("Tab", 10, 1);
  const std::string first = Backup("Tab", "first");
  clock_.Advance(1000);
  const std::string second = Backup("Tab", "second");
  const std::string other = Backup("Other", "other");
  for (int round = 0; round < 2; ++round) {
    const auto description = Must(db_->DescribeBackup(first));
    EXPECT_EQ(description.details.name, "first");
    EXPECT_EQ(description.details.status, BackupStatus::kAvailable);
    EXPECT_EQ(description.details.created_ms, 1'700'000'000'000);
    EXPECT_FALSE(description.details.expires_ms);
    EXPECT_EQ(description.table.table_name, "Tab");
    EXPECT_EQ(description.table.item_count, 10);
    EXPECT_GT(description.table.size_bytes, 0);
    EXPECT_EQ(description.table.global_indexes.size(), 1u);
    EXPECT_EQ(description.time_to_live.attribute_name, "ttl");
    EXPECT_TRUE(description.table.stream->enabled);

    const auto arns = [&](const ListBackupsInput& list) {
      std::vector<std::string> found;
      for (const BackupSummary& summary : Must(db_->ListBackups(list)).backups) {
        found.push_back(summary.details.arn);
      }
      return found;
    };
    using Arns = std::vector<std::string>;
    EXPECT_EQ(arns({}), (Arns{other, first, second}));
    EXPECT_EQ(arns({.table_name = "Tab"}), (Arns{first, second}));
    EXPECT_EQ(arns({.table_name = "None"}), Arns());
    EXPECT_EQ(arns({.table_name = "Tab", .from_ms = 1'700'000'001'000}), Arns{second});
    EXPECT_EQ(arns({.table_name = "Tab", .to_ms = 1'700'000'001'000}), Arns{first});
    EXPECT_EQ(arns({.type = BackupType::kSystem}), Arns());
    EXPECT_EQ(arns({.exclusive_start_backup_arn = first}), Arns{second});
    const auto page = Must(db_->ListBackups({.limit = 2}));
    EXPECT_EQ(page.backups.size(), 2u);
    EXPECT_EQ(page.last_evaluated_backup_arn, first);
    EXPECT_FALSE(Must(db_->ListBackups({.limit = 3})).last_evaluated_backup_arn);
    Open();
  }
}

TEST_P(BackupTest, BackupsOutliveTheirTable) {
  Must(db_->CreateTable(Indexed("T")));
  Fill("T", 20, 1);
  const Texts expected = Contents(*db_, "T");
  const std::string arn = Backup("T");
  const auto space = engine::EngineOf(*db_).catalog().FindOrNull("T")->space;
  const auto history = engine::EngineOf(*db_).catalog().FindOrNull("T")->history->space;
  Fill("T", 10, 50);
  Must(db_->DeleteTable("T"));
  Drain();
  // One of the same name is another table.
  Must(db_->CreateTable(Indexed("T")));
  Fill("T", 3, 500);
  Crash();
  Open();
  Restore(arn, "R");
  EXPECT_EQ(Contents(*db_, "R"), expected);
  EXPECT_EQ(Contents(*db_, "T").size(), 3u);
  EXPECT_EQ(CountSpace(space), 20u);
  const auto deleted = Must(db_->DeleteBackup(arn));
  EXPECT_EQ(deleted.details.status, BackupStatus::kDeleted);
  EXPECT_EQ(CodeOf(db_->DescribeBackup(arn)), ErrorCode::kBackupNotFound);
  Drain();
  EXPECT_EQ(CountSpace(space), 0u);
  EXPECT_EQ(CountSpace(history), 0u);
  EXPECT_EQ(Contents(*db_, "R"), expected);
}

TEST_P(BackupTest, HistoryGoesWithTheLastBackup) {
  Must(db_->CreateTable(Indexed("T")));
  Fill("T", 20, 1);
  const auto table = [&] { return engine::EngineOf(*db_).catalog().FindOrNull("T"); };
  const std::string first = Backup("T");
  const auto history = table()->history->space;
  Fill("T", 20, 100);
  EXPECT_EQ(CountSpace(history), 20u);
  clock_.Advance(10);
  const std::string second = Backup("T");
  Fill("T", 20, 200);
  EXPECT_EQ(CountSpace(history), 40u);
  // What only the first needed goes with it.
  Must(db_->DeleteBackup(first));
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(CountSpace(history), 20u);
  ASSERT_TRUE(table()->history);
  Must(db_->DeleteBackup(second));
  Drain();
  EXPECT_FALSE(table()->history);
  EXPECT_EQ(CountSpace(history), 0u);
}

TEST_P(BackupTest, RestoresToAnyMoment) {
  Must(db_->CreateTable(Indexed("T")));
  Fill("T", 20, 1);
  clock_.Advance(500);
  Enable("T");
  std::map<std::int64_t, Texts> moments;
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    const int row = static_cast<int>(random() % 30);
    if (random() % 4 == 0) {
      Must(db_->DeleteItem(
          {.table_name = "T",
           .key = {{"pk", "p" + std::to_string(row % 4)}, {"sk", "s" + std::to_string(row)}}}));
    } else {
      Put(*db_, "T", Row(row % 4, row, static_cast<int>(random() % 1000)));
    }
    if (i % 20 == 0) {
      moments[clock_.NowMs()] = Contents(*db_, "T");
      clock_.Advance(1);
    }
    clock_.Advance(static_cast<std::int64_t>(random() % 400));
    if (i == 100) {
      Open();
    }
  }
  const auto backups = Must(db_->DescribeContinuousBackups("T"));
  ASSERT_TRUE(backups.point_in_time_recovery);
  EXPECT_EQ(backups.point_in_time_recovery->period_days, 35);
  EXPECT_EQ(backups.point_in_time_recovery->earliest_ms, 1'700'000'000'500);
  EXPECT_EQ(backups.point_in_time_recovery->latest_ms, clock_.NowMs());
  int count = 0;
  for (const auto& [time_ms, expected] : moments) {
    const std::string name = "R" + std::to_string(count++);
    RestoreTo("T", time_ms, name);
    EXPECT_EQ(Contents(*db_, name), expected) << time_ms;
    EXPECT_EQ(Must(db_->DescribeTable(name)).restore->restore_ms, time_ms);
    EXPECT_FALSE(Must(db_->DescribeContinuousBackups(name)).point_in_time_recovery);
  }
  Must(db_->RestoreTableToPointInTime({.source_table_name = "T",
                                       .target_table_name = "Latest",
                                       .use_latest_restorable_time = true}));
  Drain();
  EXPECT_EQ(Contents(*db_, "Latest"), Contents(*db_, "T"));
}

TEST_P(BackupTest, RefusesMomentsOutsideTheWindow) {
  Must(db_->CreateTable(Indexed("T")));
  const auto restore = [&](std::int64_t time_ms) {
    return CodeOf(db_->RestoreTableToPointInTime(
        {.source_table_name = "T", .target_table_name = "R", .restore_ms = time_ms}));
  };
  EXPECT_EQ(restore(clock_.NowMs()), ErrorCode::kPointInTimeRecoveryUnavailable);
  Enable("T", 2);
  const std::int64_t enabled_ms = clock_.NowMs();
  EXPECT_EQ(restore(enabled_ms - 1), ErrorCode::kInvalidRestoreTime);
  EXPECT_EQ(restore(enabled_ms + 1), ErrorCode::kInvalidRestoreTime);
  clock_.Advance(2 * kDay + 1);
  EXPECT_EQ(restore(enabled_ms), ErrorCode::kInvalidRestoreTime);
  // A longer period does not bring back what the shorter one gave up.
  Enable("T", 35);
  EXPECT_EQ(Must(db_->DescribeContinuousBackups("T")).point_in_time_recovery->earliest_ms,
            enabled_ms + 1);
  EXPECT_EQ(restore(enabled_ms), ErrorCode::kInvalidRestoreTime);
  EXPECT_EQ(
      CodeOf(db_->RestoreTableToPointInTime({.source_table_name = "T", .target_table_name = "R"})),
      ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(db_->RestoreTableToPointInTime({.source_table_name = "T",
                                                   .target_table_name = "R",
                                                   .use_latest_restorable_time = true,
                                                   .restore_ms = enabled_ms + 1})),
            ErrorCode::kValidation);
  RestoreTo("T", enabled_ms + 1, "R");
  EXPECT_EQ(restore(enabled_ms + 1), ErrorCode::kTableAlreadyExists);
  for (const int days : {0, 36}) {
    EXPECT_EQ(CodeOf(db_->UpdateContinuousBackups({.table_name = "T",
                                                   .point_in_time_recovery_enabled = true,
                                                   .recovery_period_days = days})),
              ErrorCode::kValidation);
  }
}

TEST_P(BackupTest, RefusesWhatIsNotThere) {
  const std::string arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T/backup/01-abcdefab";
  EXPECT_EQ(CodeOf(db_->CreateBackup({.table_name = "T", .backup_name = "b"})),
            ErrorCode::kTableNotFound);
  EXPECT_EQ(CodeOf(db_->DescribeContinuousBackups("T")), ErrorCode::kTableNotFound);
  for (const bool enabled : {false, true}) {
    EXPECT_EQ(CodeOf(db_->UpdateContinuousBackups(
                  {.table_name = "T", .point_in_time_recovery_enabled = enabled})),
              ErrorCode::kTableNotFound);
  }
  EXPECT_EQ(CodeOf(db_->RestoreTableToPointInTime({.source_table_name = "T",
                                                   .target_table_name = "R",
                                                   .use_latest_restorable_time = true})),
            ErrorCode::kTableNotFound);
  EXPECT_EQ(CodeOf(db_->DescribeBackup(arn)), ErrorCode::kBackupNotFound);
  EXPECT_EQ(CodeOf(db_->DeleteBackup(arn)), ErrorCode::kBackupNotFound);
  EXPECT_EQ(CodeOf(db_->RestoreTableFromBackup({.target_table_name = "R", .backup_arn = arn})),
            ErrorCode::kBackupNotFound);
}

TEST_P(BackupTest, TrimsWhatTheRecoveryPeriodHasLeft) {
  Must(db_->CreateTable(Indexed("T")));
  Enable("T", 1);
  const auto history = engine::EngineOf(*db_).catalog().FindOrNull("T")->history->space;
  Fill("T", 20, 1);
  clock_.Advance(kDay / 2);
  Fill("T", 10, 100);
  const std::int64_t middle_ms = clock_.NowMs();
  const Texts middle = Contents(*db_, "T");
  clock_.Advance(kDay / 2 + 1);
  Fill("T", 5, 200);
  EXPECT_EQ(CountSpace(history), 35u);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(CountSpace(history), 15u);
  RestoreTo("T", middle_ms, "R");
  EXPECT_EQ(Contents(*db_, "R"), middle);
  Must(db_->UpdateContinuousBackups({.table_name = "T"}));
  Drain();
  EXPECT_EQ(CountSpace(history), 0u);
  EXPECT_FALSE(Must(db_->DescribeContinuousBackups("T")).point_in_time_recovery);
}

TEST_P(BackupTest, ADeletedTableWithRecoveryLeavesASystemBackup) {
  Must(db_->CreateTable(Indexed("T")));
  Enable("T");
  Fill("T", 20, 1);
  const Texts expected = Contents(*db_, "T");
  const auto space = engine::EngineOf(*db_).catalog().FindOrNull("T")->space;
  Must(db_->DeleteTable("T"));
  Drain();
  EXPECT_TRUE(Must(db_->ListBackups({})).backups.empty());
  const auto all = Must(db_->ListBackups({.type = std::nullopt})).backups;
  ASSERT_EQ(all.size(), 1u);
  const BackupDetails& details = all[0].details;
  EXPECT_EQ(details.name, "T$DeletedTableBackup");
  EXPECT_EQ(details.type, BackupType::kSystem);
  EXPECT_EQ(details.expires_ms, clock_.NowMs() + 35 * kDay);
  Open();
  Restore(details.arn, "T");
  EXPECT_EQ(Contents(*db_, "T"), expected);
  clock_.Advance(35 * kDay - 1);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(CountSpace(space), 20u);
  clock_.Advance(1);
  engine::EngineOf(*db_).background().SweepNow();
  EXPECT_EQ(CodeOf(db_->DescribeBackup(details.arn)), ErrorCode::kBackupNotFound);
  EXPECT_EQ(CountSpace(space), 0u);
}

// The note of the system backup is there, the table still too.
TEST_P(BackupTest, ADeletionThatFailsLeavesNoBackup) {
  Must(db_->CreateTable(Indexed("T")));
  Enable("T");
  Fill("T", 5, 1);
  proxy_->transactions_left = 1;
  EXPECT_FALSE(db_->DeleteTable("T"));
  proxy_->transactions_left = -1;
  EXPECT_EQ(Contents(*db_, "T").size(), 5u);
  Crash();
  EXPECT_TRUE(Must(db_->ListBackups({.type = std::nullopt})).backups.empty());
  EXPECT_EQ(Contents(*db_, "T").size(), 5u);
}

TEST_P(BackupTest, OverridesChangeTheNewTable) {
  CreateTableInput input = Indexed("T");
  input.tags = {{"a", "b"}};
  input.deletion_protection = true;
  input.stream = StreamSpecification{.enabled = true, .view_type = StreamViewType::kNewImage};
  Must(db_->CreateTable(input));
  Fill("T", 10, 1);
  const std::string arn = Backup("T");
  RestoreOverrides overrides{.billing_mode = BillingMode::kProvisioned,
                             .global_indexes = std::vector<IndexSpecification>(),
                             .local_indexes = std::vector{MakeIndex("by_l", Keys({"pk"}, {"l"}))},
                             .provisioned_throughput = ProvisionedThroughput{3, 4}};
  const TableDescription restored = Restore(arn, "R", overrides);
  EXPECT_EQ(restored.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(restored.provisioned_throughput, (ProvisionedThroughput{3, 4}));
  EXPECT_TRUE(restored.global_indexes.empty());
  EXPECT_EQ(restored.local_indexes.size(), 1u);
  EXPECT_EQ(restored.attribute_definitions.size(), 3u);
  EXPECT_FALSE(restored.stream);
  EXPECT_FALSE(restored.deletion_protection);
  EXPECT_TRUE(Must(db_->ListTagsOfResource(restored.arn)).tags.empty());

  const auto refuse = [&](const RestoreOverrides& wrong) {
    return CodeOf(db_->RestoreTableFromBackup(
        {.target_table_name = "X", .backup_arn = arn, .overrides = wrong}));
  };
  EXPECT_EQ(refuse({.billing_mode = BillingMode::kProvisioned}), ErrorCode::kValidation);
  EXPECT_EQ(refuse({.provisioned_throughput = ProvisionedThroughput{1, 1}}),
            ErrorCode::kValidation);
  EXPECT_EQ(refuse({.global_indexes = std::vector{MakeIndex("new", Keys({"g"}))}}),
            ErrorCode::kValidation);
  EXPECT_EQ(refuse({.global_indexes = std::vector{MakeIndex("by_g", Keys({"pk"}))}}),
            ErrorCode::kValidation);
  EXPECT_EQ(refuse({.global_indexes = std::vector{MakeIndex("by_l", Keys({"pk"}, {"l"}))}}),
            ErrorCode::kValidation);
  const auto twice = MakeIndex("by_g", Keys({"g"}));
  EXPECT_EQ(refuse({.global_indexes = std::vector{twice, twice}}), ErrorCode::kValidation);
  EXPECT_EQ(CodeOf(db_->DescribeTable("X")), ErrorCode::kResourceNotFound);
  EXPECT_EQ(CodeOf(db_->RestoreTableFromBackup({.target_table_name = "T", .backup_arn = arn})),
            ErrorCode::kTableAlreadyExists);
}

// Stops and crashes in the middle of a restore; nobody sees the table before it is whole.
TEST_P(BackupTest, ARestoreGoesOnAfterAStop) {
  Must(db_->CreateTable(Indexed("T")));
  Fill("T", 400, 1);
  const Texts expected = Contents(*db_, "T");
  const Texts by_g = Contents(*db_, "T", "by_g");
  const std::string arn = Backup("T");
  Fill("T", 400, 1000);
  // The table's own entry, and a few of the fill's steps.
  proxy_->transactions_left = 4;
  Must(db_->RestoreTableFromBackup({.target_table_name = "R", .backup_arn = arn}));
  Drain();
  EXPECT_EQ(Must(db_->DescribeTable("R")).status, TableStatus::kCreating);
  EXPECT_TRUE(Must(db_->DescribeTable("R")).restore->in_progress);
  proxy_->transactions_left = -1;
  EXPECT_EQ(CodeOf(db_->Scan({.table_name = "R"})), ErrorCode::kResourceNotFound);
  EXPECT_EQ(CodeOf(db_->PutItem({.table_name = "R", .item = Row(1, 1, 1)})),
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(CodeOf(db_->DeleteTable("R")), ErrorCode::kResourceInUse);
  EXPECT_EQ(CodeOf(db_->UpdateTimeToLive(
                {.table_name = "R", .specification = {.enabled = true, .attribute_name = "t"}})),
            ErrorCode::kResourceInUse);
  EXPECT_EQ(CodeOf(db_->CreateBackup({.table_name = "R", .backup_name = "b"})),
            ErrorCode::kTableInUse);
  EXPECT_EQ(CodeOf(db_->DeleteBackup(arn)), ErrorCode::kBackupInUse);
  Must(db_->DeleteTable("T"));
  Crash();
  EXPECT_EQ(Must(db_->DescribeTable("R")).status, TableStatus::kActive);
  EXPECT_EQ(Contents(*db_, "R"), expected);
  EXPECT_EQ(Contents(*db_, "R", "by_g"), by_g);
  EXPECT_EQ(Must(db_->DescribeTable("R")).item_count, 400);
  Must(db_->DeleteBackup(arn));
}

// Recovery is switched off while a restore from it is at work.
TEST_P(BackupTest, ARestoreKeepsWhatItReads) {
  Must(db_->CreateTable(Indexed("T")));
  Enable("T");
  Fill("T", 100, 1);
  const Texts expected = Contents(*db_, "T");
  std::promise<void> at_work;
  std::promise<void> go_on;
  std::atomic<bool> armed = true;
  const auto thread = std::this_thread::get_id();
  proxy_->before_transact = [&](std::span<const std::string>) {
    if (std::this_thread::get_id() != thread && armed.exchange(false)) {
      at_work.set_value();
      go_on.get_future().wait();
    }
  };
  Must(db_->RestoreTableToPointInTime(
      {.source_table_name = "T", .target_table_name = "R", .use_latest_restorable_time = true}));
  at_work.get_future().wait();
  Must(db_->UpdateContinuousBackups({.table_name = "T"}));
  Fill("T", 100, 5000);
  go_on.set_value();
  Drain();
  EXPECT_EQ(Contents(*db_, "R"), expected);
  EXPECT_FALSE(engine::EngineOf(*db_).catalog().FindOrNull("T")->history);
}

// Money moves between accounts in transactions; every backup and every moment has all of it.
TEST_P(BackupTest, RestoresWholeTransactionsOnly) {
  constexpr int kAccounts = 16;
  constexpr std::int64_t kEach = 100;
  Must(db_->CreateTable(Indexed("T")));
  for (int i = 0; i < kAccounts; ++i) {
    Put(*db_, "T", Row(i % 4, i, static_cast<int>(kEach)));
  }
  Enable("T");
  std::atomic<bool> stop = false;
  std::atomic<int> moves = 0;
  const auto move = [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    while (!stop) {
      const auto change = [&](int account, int by) {
        return TransactWrite{.action = TransactAction::kUpdate,
                             .table_name = "T",
                             .item_or_key = {{"pk", "p" + std::to_string(account % 4)},
                                             {"sk", "s" + std::to_string(account)}},
                             .update_expression = "ADD v :by",
                             .expression_attribute_values = AttributeValues{{":by", by}}};
      };
      const int from = static_cast<int>(random() % kAccounts);
      const int to = (from + 1 + static_cast<int>(random() % (kAccounts - 1))) % kAccounts;
      Must(db_->TransactWriteItems({.items = {change(from, -1), change(to, 1)}}));
      ++moves;
    }
  };
  const auto sum = [&](const std::string& table) {
    std::int64_t total = 0;
    for (const StoredItem& stored : Must(db_->Scan({.table_name = table})).items) {
      const std::int64_t value = stored.Decode().Find("v")->number()->ToInt64().value();
      total += value;
    }
    return total;
  };
  std::thread first(move, 1);
  std::thread second(move, 2);
  for (int i = 0; i < 6; ++i) {
    clock_.Advance(1000);
    AwaitMore(moves, 10);
    const std::string name = "R" + std::to_string(i);
    if (i % 2 == 0) {
      Restore(Backup("T"), name);
    } else {
      RestoreTo("T", clock_.NowMs() - 300, name);
    }
    EXPECT_EQ(sum(name), kAccounts * kEach);
  }
  stop = true;
  first.join();
  second.join();
}

INSTANTIATE_TEST_SUITE_P(Stores, BackupTest, testing::Bool(),
                         [](const auto& instance) { return instance.param ? "Rocks" : "Memory"; });

}  // namespace
}  // namespace prejoin
