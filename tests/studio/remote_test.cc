#include "studio/remote.h"

#include <gtest/gtest.h>

#include "studio/table_reads.h"

namespace prejoin::studio {
namespace {

TEST(Remote, KnowsWhatOnlyReads) {
  const std::string select = R"({"Statement": "  SeLect * FROM \"T\""})";
  for (const char* operation : {"GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems",
                                "ListTables", "DescribeTable"}) {
    EXPECT_TRUE(OnlyReads(operation, "{}")) << operation;
  }
  EXPECT_TRUE(OnlyReads("ExecuteStatement", select));
}

TEST(Remote, TakesEverythingElseForAWrite) {
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

TEST(Remote, RefusesAnAddressThatIsNone) {
  EXPECT_FALSE(Remote::Open({.url = "dynamodb", .region = "", .writes = false}, {}));
}

}  // namespace
}  // namespace prejoin::studio
