// Snapshots through the C interface: what a database holds after each restore.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "prejoin/prejoin.h"

namespace {

struct Answer {
  int status;
  std::string body;
};

Answer Call(prejoin_database* database, const char* operation, const std::string& body) {
  char* answer = nullptr;
  size_t bytes = 0;
  const int status = prejoin_call(database, operation, body.data(), body.size(), &answer, &bytes);
  Answer copy{status, answer == nullptr ? "" : std::string(answer, bytes)};
  prejoin_free(answer);
  return copy;
}

class Snapshots : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(prejoin_open("{}", &database_, nullptr), 0);
    ASSERT_EQ(Call(database_, "CreateTable", kTable).status, 200);
    Put("before", 1);
  }
  void TearDown() override {
    prejoin_snapshot_free(snapshot_);
    prejoin_close(database_);
  }

  void Put(const std::string& key, int value) {
    const Answer put =
        Call(database_, "PutItem",
             R"({"TableName":"Songs","Item":{"k":{"S":")" + key + R"("},"g":{"S":"x"},"v":{"N":")" +
                 std::to_string(value) + R"("}}})");
    ASSERT_EQ(put.status, 200) << put.body;
  }
  void Take() { ASSERT_EQ(prejoin_snapshot_take(database_, &snapshot_, nullptr), 0); }
  void Restore() { ASSERT_EQ(prejoin_snapshot_restore(database_, snapshot_, nullptr), 0); }
  static std::string Count(prejoin_database* database, const std::string& more = "") {
    const Answer scan = Call(database, "Scan", R"({"TableName":"Songs","Select":"COUNT")" + more + "}");
    return scan.status == 200 ? scan.body : scan.body.substr(0, 80);
  }
  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  static constexpr const char* kTable =
      R"({"TableName":"Songs","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"ByG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
  prejoin_database* database_ = nullptr;
  prejoin_snapshot* snapshot_ = nullptr;
};

TEST_F(Snapshots, RestoreBringsItemsIndexesTablesAndCountsBack) {
  Take();
  for (int round = 0; round < 3; ++round) {
    Put("after", 2);
    Put("before", 3);
    EXPECT_EQ(Call(database_, "CreateTable", std::string(kTable).replace(14, 5, "Other")).status, 200);
    EXPECT_TRUE(Has(Count(database_), "\"Count\":2"));
    Restore();
    EXPECT_TRUE(Has(Count(database_), "\"Count\":1"));
    EXPECT_TRUE(Has(Count(database_, R"(,"IndexName":"ByG")"), "\"Count\":1"));
    EXPECT_TRUE(Has(Call(database_, "ListTables", "{}").body, R"(["Songs"])"));
    const std::string item =
        Call(database_, "GetItem", R"({"TableName":"Songs","Key":{"k":{"S":"before"}}})").body;
    EXPECT_TRUE(Has(item, R"("v":{"N":"1"})")) << item;
    // Exact at once, although the engine that counts is a new one.
    const std::string described = Call(database_, "DescribeTable", R"({"TableName":"Songs"})").body;
    EXPECT_TRUE(Has(described, R"("ItemCount":1)")) << described;
  }
}

TEST_F(Snapshots, RestoreBringsADeletedTableBackWithItsStream) {
  Take();
  ASSERT_EQ(Call(database_, "DeleteTable", R"({"TableName":"Songs"})").status, 200);
  EXPECT_TRUE(Has(Count(database_), "ResourceNotFoundException"));
  Restore();
  EXPECT_TRUE(Has(Count(database_), "\"Count\":1"));
  EXPECT_TRUE(Has(Call(database_, "ListStreams", "{}").body, R"("TableName":"Songs")"));
  Put("after", 2);
  EXPECT_TRUE(Has(Count(database_), "\"Count\":2"));
}

TEST_F(Snapshots, OutlivesItsDatabaseAndOpensManyOthers) {
  Take();
  prejoin_close(database_);
  database_ = nullptr;
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([this, number] {
      for (int round = 0; round < 20; ++round) {
        prejoin_database* fork = nullptr;
        ASSERT_EQ(prejoin_snapshot_open(snapshot_, &fork, nullptr), 0);
        for (int i = 0; i <= number; ++i) {
          const std::string item = R"({"TableName":"Songs","Item":{"k":{"S":")" + std::to_string(i) +
                                   R"("},"g":{"S":"x"}}})";
          EXPECT_EQ(Call(fork, "PutItem", item).status, 200);
        }
        EXPECT_TRUE(Has(Count(fork), "\"Count\":" + std::to_string(number + 2)));
        prejoin_close(fork);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST_F(Snapshots, RestoreWaitsForCallsAndLosesNone) {
  Take();
  std::vector<std::thread> writers;
  for (int number = 0; number < 3; ++number) {
    writers.emplace_back([this, number] {
      for (int i = 0; i < 200; ++i) {
        Put("w" + std::to_string(number), i);
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    Restore();
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  Restore();
  EXPECT_TRUE(Has(Count(database_), "\"Count\":1"));
}

TEST_F(Snapshots, TheClockMovesForwardAndBackWithTheSnapshot) {
  const auto created = [&] {
    const std::string table = Call(database_, "DescribeTable", R"({"TableName":"Songs"})").body;
    return table.substr(table.find("CreationDateTime"), 30);
  };
  const std::string before = created();
  Take();
  prejoin_advance_clock(database_, 86'400'000);
  const std::string later =
      R"({"TableName":"Later","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]})";
  const std::string tomorrow = Call(database_, "CreateTable", later).body;
  Restore();
  const std::string today = Call(database_, "CreateTable", later).body;
  const auto date = [](const std::string& text) {
    return std::stod(text.substr(text.find("CreationDateTime") + 18));
  };
  EXPECT_GT(date(tomorrow), date(today) + 80'000);
  EXPECT_EQ(created(), before);
}

TEST(CApi, RefusesWhatItCannotDo) {
  struct Case {
    const char* options;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "not a JSON object"},
      {"{", "not a JSON object"},
      {R"({"pth":"x"})", "no option is called \"pth\""},
      {R"({"path":7})", "is a string"},
      {R"({"sync":"maybe"})", "\"always\" or \"none\""},
      {R"({"cache_mb":0})", "from 1 to"},
      {R"({"cache_mb":1.5})", "from 1 to"},
      {R"({"path":"/proc/no/such"})", "/proc/no/such"},
      {R"({"path":"a\u0000b"})", "zero byte"},
  };
  for (const Case& each : cases) {
    prejoin_database* database = nullptr;
    char* error = nullptr;
    EXPECT_NE(prejoin_open(each.options, &database, &error), 0) << each.options;
    EXPECT_EQ(database, nullptr);
    ASSERT_NE(error, nullptr);
    EXPECT_NE(std::string(error).find(each.message), std::string::npos) << error;
    prejoin_free(error);
  }
}

TEST(CApi, SurvivesNullsAndNonsense) {
  char* answer = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(prejoin_call(nullptr, "PutItem", "{}", 2, &answer, &bytes), 500);
  prejoin_free(answer);
  prejoin_close(nullptr);
  prejoin_snapshot_free(nullptr);
  prejoin_free(nullptr);
  prejoin_advance_clock(nullptr, 1);
  EXPECT_NE(prejoin_open("{}", nullptr, nullptr), 0);
  EXPECT_NE(prejoin_snapshot_take(nullptr, nullptr, nullptr), 0);
  EXPECT_NE(prejoin_snapshot_restore(nullptr, nullptr, nullptr), 0);
  EXPECT_NE(prejoin_snapshot_open(nullptr, nullptr, nullptr), 0);

  prejoin_database* database = nullptr;
  ASSERT_EQ(prejoin_open(nullptr, &database, nullptr), 0);
  EXPECT_EQ(Call(database, "NoSuchOperation", "{}").status, 400);
  EXPECT_EQ(Call(database, "", "").status, 400);
  EXPECT_EQ(Call(database, "GetItem", "not JSON").status, 400);
  EXPECT_EQ(Call(database, "GetItem", std::string("\0\xff", 2)).status, 400);
  EXPECT_EQ(Call(database, "DynamoDB_20120810.ListTables", "{}").status, 200);
  EXPECT_EQ(Call(database, "ListStreams", "{}").status, 200);
  EXPECT_EQ(Call(database, "PutItem", std::string(17 << 20, ' ')).status, 413);
  EXPECT_EQ(prejoin_call(database, "ListTables", nullptr, 0, nullptr, nullptr), 500);
  prejoin_close(database);
}

TEST(CApi, ADatabaseOnDiskKeepsItsDataAndHasNoSnapshots) {
  const std::string folder = testing::TempDir() + "capi_on_disk";
  const std::string options = R"({"path":")" + folder + R"(","sync":"none"})";
  for (int round = 0; round < 2; ++round) {
    prejoin_database* database = nullptr;
    char* error = nullptr;
    ASSERT_EQ(prejoin_open(options.c_str(), &database, &error), 0) << error;
    const bool there = Call(database, "ListTables", "{}").body.find("Kept") != std::string::npos;
    EXPECT_EQ(there, round == 1);
    Call(
        database, "CreateTable",
        R"({"TableName":"Kept","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}]})");
    prejoin_snapshot* snapshot = nullptr;
    EXPECT_NE(prejoin_snapshot_take(database, &snapshot, &error), 0);
    EXPECT_EQ(std::string(error), "only a database in memory can be copied this way");
    prejoin_free(error);
    prejoin_close(database);
  }
  std::string command = "rm -rf '" + folder + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
