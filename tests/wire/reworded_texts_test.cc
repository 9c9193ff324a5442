// Every text that AWS has changed in some regions, in both wordings, as the service gives it.
#include "engine/reworded_texts.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "prejoin/options.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using engine::Rewording;

constexpr std::string_view kTable =
    R"({"TableName":"Items","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}]})";

struct Trigger {
  Rewording what;
  std::string_view operation;
  std::string request;
  std::vector<std::string> parts = {};
};

std::string TooManyDeletes() {
  std::string list;
  for (int i = 0; i <= 25; ++i) {
    list += std::string(i == 0 ? "" : ",") + R"({"DeleteRequest":{"Key":{}}})";
  }
  return list;
}

std::string EchoOfTooMany() {
  std::string list;
  for (int i = 0; i <= 25; ++i) {
    list += std::string(i == 0 ? "" : ", ") +
            "WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={}, "
            "workloadProfileName=null))";
  }
  return "{Items=[" + list + "]}";
}

std::vector<Trigger> Triggers() {
  return {
      {Rewording::kScanLimit, "Scan", R"({"TableName":"Items","Limit":0})", {"0"}},
      {Rewording::kScanSegment,
       "Scan",
       R"({"TableName":"Items","Segment":-1,"TotalSegments":4})",
       {"-1"}},
      {Rewording::kScanSegmentRange,
       "Scan",
       R"({"TableName":"Items","Segment":5,"TotalSegments":5})",
       {"5", "5"}},
      {Rewording::kScanStartKey, "Scan",
       R"({"TableName":"Items","ExclusiveStartKey":{"bad":{"S":"p"}}})"},
      {Rewording::kScanSpecificAttributes, "Scan",
       R"({"TableName":"Items","Select":"SPECIFIC_ATTRIBUTES"})"},
      {Rewording::kBatchWriteEmpty, "BatchWriteItem", R"({"RequestItems":{}})"},
      {Rewording::kBatchWriteTooMany,
       "BatchWriteItem",
       R"({"RequestItems":{"Items":[)" + TooManyDeletes() + "]}}",
       {EchoOfTooMany(), "Items"}},
      {Rewording::kTransactWriteEmpty, "TransactWriteItems", R"({"TransactItems":[]})"},
      {Rewording::kTransactGetEmpty, "TransactGetItems", R"({"TransactItems":[]})"},
  };
}

std::string With(std::string_view text, const std::vector<std::string>& parts) {
  std::string filled(text);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string mark = "$" + std::to_string(i);
    if (const auto at = filled.find(mark); at != std::string::npos) {
      filled.replace(at, mark.size(), parts[i]);
    }
  }
  return filled;
}

class RewordedTexts : public testing::TestWithParam<Texts> {};

TEST_P(RewordedTexts, AreWhatTheServiceAnswers) {
  Options options;
  options.texts = GetParam();
  const std::unique_ptr<engine::Engine> database = *engine::Engine::Open(options);
  Service service(*database);
  ASSERT_EQ(service.Handle("DynamoDB_20120810.CreateTable", kTable).status, 200);
  const std::vector<Trigger> triggers = Triggers();
  ASSERT_EQ(triggers.size(), engine::RewordedTexts().size());
  for (const engine::RewordedText& row : engine::RewordedTexts()) {
    const auto trigger = std::ranges::find(triggers, row.what, &Trigger::what);
    ASSERT_NE(trigger, triggers.end());
    EXPECT_EQ(trigger->operation, row.operation);
    const Answer answer = service.Handle("DynamoDB_20120810." + std::string(trigger->operation),
                                         trigger->request);
    EXPECT_EQ(answer.status, 400);
    const std::string text =
        With(GetParam() == Texts::kNewest ? row.newer : row.older, trigger->parts);
    EXPECT_NE(answer.body.find(R"("message":")" + text + R"(")"), std::string::npos)
        << answer.body << "\nexpected " << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RewordedTexts, testing::Values(Texts::k2026October, Texts::kNewest));

}  // namespace
}  // namespace prejoin::wire
