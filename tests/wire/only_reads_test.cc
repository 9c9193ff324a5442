#include "wire/only_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "wire/service.h"

namespace prejoin::wire {
namespace {

TEST(OnlyReads, KnowsReads) {
  const std::string select = R"({"Statement": "  SeLect * FROM \"T\""})";
  for (const char* operation : {"GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems",
                                "ListTables", "DescribeTable"}) {
    EXPECT_TRUE(OnlyReads(operation, "{}")) << operation;
  }
  EXPECT_TRUE(OnlyReads("ExecuteStatement", select));
}

TEST(OnlyReads, TakesEverythingElseForAWrite) {
  for (const char* operation :
       {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems",
        "DeleteTable", "CreateTable", "UpdateTimeToLive", "BatchExecuteStatement",
        "ExecuteTransaction", "", "getitem", "GetItem2"}) {
    EXPECT_FALSE(OnlyReads(operation, "{}")) << operation;
  }
  for (const char* body :
       {R"({"Statement": "DELETE FROM T"})", R"({"Statement": "selectx"})",
        R"({"Statement": "select"})", R"({"Statement": 1})", R"([])", R"({})", "not JSON"}) {
    EXPECT_FALSE(OnlyReads("ExecuteStatement", body)) << body;
  }
}

// The names of AWS's operations say what they do, so they can judge the table's column.
TEST(OnlyReads, AgreesWithTheNamesOfAllOperations) {
  for (std::size_t i = 0; i + 1 < Service::OperationCount(); ++i) {
    const std::string name(Service::OperationName(i));
    const std::string_view beginnings[] = {"Describe", "List",     "Get",    "Query",
                                           "Scan",     "BatchGet", "Search", "TransactGet"};
    const bool reads = std::ranges::any_of(
        beginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
    const Effect expected = reads                        ? Effect::kReads
                            : name == "ExecuteStatement" ? Effect::kDependsOnStatement
                                                         : Effect::kWrites;
    EXPECT_EQ(Service::EffectOf(i), expected) << name;
  }
  EXPECT_EQ(Service::EffectOf(Service::OperationIndex("DynamoDB_20120810.Nothing")),
            Effect::kWrites);
}

}  // namespace
}  // namespace prejoin::wire
