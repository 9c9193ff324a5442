// Plain JSON by the model's types.
#include "studio/plain_value.h"

#include <gtest/gtest.h>

#include "json/item_json.h"
#include "model/bind/read_model.h"

namespace prejoin::studio {
namespace {

using model::AttributeType;

// The value as DynamoDB JSON, or "refused: …".
std::string Read(const std::string& json, AttributeType type) {
  const auto document = json::Document::Parse(json);
  if (!document) {
    return "not JSON";
  }
  const auto value = ReadPlainValue(document->root(), type, "a");
  if (!value) {
    return "refused: " + value.error().message;
  }
  std::string out;
  json::AppendValue(*value, out);
  return out;
}

struct Case {
  std::string json;
  AttributeType type;
  std::string expected;
};

TEST(PlainValue, FollowsTheTypeOfTheModel) {
  for (const Case& one : std::vector<Case>{
           {R"("x")", AttributeType::kText, R"({"S":"x"})"},
           {R"("2024-01-31")", AttributeType::kDate, R"({"S":"2024-01-31"})"},
           {"5", AttributeType::kNumber, R"({"N":"5"})"},
           {"-0.25", AttributeType::kNumber, R"({"N":"-0.25"})"},
           {"1e21", AttributeType::kNumber, R"({"N":"1000000000000000000000"})"},
           {"18446744073709551615", AttributeType::kNumber, R"({"N":"18446744073709551615"})"},
           {R"("12345678901234567890123456789012345678")", AttributeType::kNumber,
            R"({"N":"12345678901234567890123456789012345678"})"},
           {"true", AttributeType::kBool, R"({"BOOL":true})"},
           {R"("aGk=")", AttributeType::kBinary, R"({"B":"aGk="})"},
           {R"([1,"a",null])", AttributeType::kList,
            R"({"L":[{"N":"1"},{"S":"a"},{"NULL":true}]})"},
           {R"({"b":{"c":[]}})", AttributeType::kMap, R"({"M":{"b":{"M":{"c":{"L":[]}}}}})"},
           {R"(["a","b"])", AttributeType::kTextSet, R"({"SS":["a","b"]})"},
           {R"([1,"2"])", AttributeType::kNumberSet, R"({"NS":["1","2"]})"},
       }) {
    EXPECT_EQ(Read(one.json, one.type), one.expected) << one.json;
  }
}

TEST(PlainValue, RefusesOtherTypesByName) {
  for (const Case& one : std::vector<Case>{
           {"1", AttributeType::kText, "refused: `a` must be text"},
           {"1", AttributeType::kTime, "refused: `a` must be time"},
           {R"("x")", AttributeType::kNumber, "refused: `a` must be number"},
           {R"("")", AttributeType::kNumber, "refused: `a` must be number"},
           {"1e200", AttributeType::kNumber, "refused: `a` must be number"},
           {"true", AttributeType::kNumber, "refused: `a` must be number"},
           {R"("true")", AttributeType::kBool, "refused: `a` must be bool"},
           {R"("%")", AttributeType::kBinary, "refused: `a` must be binary, as base64"},
           {"{}", AttributeType::kList, "refused: `a` must be list"},
           {"[]", AttributeType::kMap, "refused: `a` must be map"},
           {"[[1e200]]", AttributeType::kList, "refused: `a` must be number"},
       }) {
    EXPECT_EQ(Read(one.json, one.type), one.expected) << one.json;
  }
  EXPECT_TRUE(Read("[1]", AttributeType::kTextSet).starts_with("refused"));
  EXPECT_TRUE(Read("[\"x\"]", AttributeType::kNumberSet).starts_with("refused"));
}

TEST(PlainValue, TakesCopiesByTheTypeOfWhatIsCopied) {
  const model::ReadModelResult read = model::ReadModel(R"(model "M"
entity Author {
  name text key
  born number
}
entity Book {
  author references Author.name key
  title text key
}
table Books partition author sort title {
  item Book {
    authorBorn = copy of Author.born kept by nobody
  }
}
)");
  std::string problems;
  for (const auto& diagnostic : read.diagnostics) {
    problems += diagnostic.message + "\n";
  }
  ASSERT_TRUE(read.ok) << problems;
  const auto document =
      json::Document::Parse(R"({"author":"King","title":"It","authorBorn":"1947","x":null})");
  const auto item = ReadPlainItem(document->root(), read.model, *read.model.FindEntity("Book"));
  ASSERT_TRUE(item) << item.error().message;
  std::string out;
  json::AppendItem(*item, out);
  EXPECT_EQ(out, R"({"author":{"S":"King"},"authorBorn":{"N":"1947"},"title":{"S":"It"}})");
}

}  // namespace
}  // namespace prejoin::studio
