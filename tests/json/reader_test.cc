#include "json/reader.h"

#include <limits>

namespace prejoin::wire {
namespace {

TEST(JsonReader, ReadsEveryType) {
  const auto document = json::Document::Parse(
      R"({"n":null,"t":true,"f":false,"i":-3,"d":2.7,"big":18446744073709551615,"s":"a\u00e9\n","l":[1,[]],"o":{"x":1,"x":2}})");
  ASSERT_TRUE(document.has_value());
  std::map<std::string, json::Value, std::less<>> fields;
  for (const auto& [name, value] : document->root().fields()) {
    fields.emplace(name, value);
  }
  ASSERT_EQ(fields.size(), 9u);
  EXPECT_TRUE(fields.at("n").is_null());
  EXPECT_TRUE(fields.at("t").boolean());
  EXPECT_FALSE(fields.at("f").boolean());
  EXPECT_EQ(fields.at("i").type(), json::Type::kInteger);
  EXPECT_EQ(fields.at("i").integer(), -3);
  EXPECT_EQ(fields.at("d").type(), json::Type::kDecimal);
  EXPECT_EQ(fields.at("d").integer(), 2);
  EXPECT_EQ(fields.at("big").integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(fields.at("s").string(), "a\u00e9\n");
  EXPECT_EQ(fields.at("l").size(), 2u);
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : fields.at("o").fields()) {
    EXPECT_EQ(name, "x");
    values.push_back(value.integer());
  }
  EXPECT_EQ(values, (std::vector<std::int64_t>{1, 2}));
}

TEST(JsonReader, RoundsDownAndStaysInRange) {
  const std::pair<std::string_view, std::int64_t> kCases[] = {
      {"-2.5", -3},
      {"1e300", std::numeric_limits<std::int64_t>::max()},
      {"-1e300", std::numeric_limits<std::int64_t>::min()},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
      {"9223372036854775808.0", std::numeric_limits<std::int64_t>::max()},
  };
  for (const auto& [text, number] : kCases) {
    const auto document = json::Document::Parse(text);
    ASSERT_TRUE(document.has_value()) << text;
    EXPECT_EQ(document->root().integer(), number) << text;
  }
}

TEST(JsonReader, RefusesWhatIsNotJson) {
  const std::string kCases[] = {
      "",
      " ",
      "{",
      "{\"a\":}",
      "{\"a\":1",
      "{\"a\" 1}",
      "{a:1}",
      "[1,]",
      "{\"a\":1}x",
      "nul",
      "\"\\x\"",
      "\"\\ud800\"",
      "\"a\nb\"",
      "\"\xff\"",
      "\"\xc0\x80\"",
      "\"\xed\xa0\x80\"",
      "{\"a\":\"\xe6\xbc\"}",
      "01",
      "1e999",
      std::string(400, '9'),
      std::string("{\"a\0\":1}", 8),
  };
  for (const std::string& text : kCases) {
    const auto document = json::Document::Parse(text);
    ASSERT_FALSE(document.has_value()) << text;
    EXPECT_EQ(document.error().code, ErrorCode::kSerialization) << text;
    EXPECT_EQ(document.error().message, "") << text;
  }
}

TEST(JsonReader, LimitsNesting) {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
    for (const int depth : {200, 10'000, 1'000'000}) {
      std::string text;
      for (int i = 0; i < depth; ++i) {
        text.append(open);
      }
      text.append("1");
      for (int i = 0; i < depth; ++i) {
        text.append(close);
      }
      EXPECT_EQ(json::Document::Parse(text).has_value(), depth == 200) << open << depth;
      EXPECT_FALSE(json::Document::Parse(text.substr(0, text.size() / 2)).has_value());
    }
  }
}

// Large texts have a parser of their own; small ones must not suffer from it, nor the other way
// round.
TEST(JsonReader, TakesLargeAndSmallTextsInTurn) {
  const std::string large = "\"" + std::string(3 << 20, 'x') + "\"";
  for (int i = 0; i < 3; ++i) {
    {
      const auto document = json::Document::Parse(large);
      ASSERT_TRUE(document.has_value());
      EXPECT_EQ(document->root().string().size(), large.size() - 2);
    }
    const auto document = json::Document::Parse("[7]");
    ASSERT_TRUE(document.has_value());
    for (const json::Value element : document->root().elements()) {
      EXPECT_EQ(element.integer(), 7);
    }
  }
}

std::string Repeated(std::string_view part, std::size_t bytes) {
  std::string text = "[";
  while (text.size() < bytes) {
    text += part;
  }
  text.back() = ']';
  return text;
}

TEST(JsonReader, RefusesLargeTextsOfTinyValues) {
  constexpr std::size_t kLarge = 15u << 20;
  for (const char* part : {"0,", "[],", "{},", "\"\",", "{\"S\":\"\"},", "{\"N\":\"1\"},"}) {
    EXPECT_FALSE(json::Document::Parse(Repeated(part, kLarge)).has_value()) << part;
    EXPECT_TRUE(json::Document::Parse(Repeated(part, 1u << 20)).has_value()) << part;
    EXPECT_TRUE(json::Document::Parse(Repeated(part, 4u << 20)).has_value()) << part;
  }
  // As small as values and attributes are that come in large requests.
  for (const char* part : {R"({"NULL":true},)", R"({"S":"abcdef"},)",
                           R"({"name":{"N":"1234"},"size":{"N":"5678"},"year":{"N":"2026"}},)"}) {
    EXPECT_TRUE(json::Document::Parse(Repeated(part, kLarge)).has_value()) << part;
  }
  // Commas inside a string are text, after an escaped quote too.
  std::string csv = Repeated(",", kLarge);
  csv.front() = csv.back() = '"';
  csv.replace(100, 2, "\\\"");
  EXPECT_TRUE(json::Document::Parse(csv).has_value());
}

}  // namespace
}  // namespace prejoin::wire
