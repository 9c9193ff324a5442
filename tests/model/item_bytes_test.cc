// The predictor's own reading of the size rules against the engine's.
#include <random>

#include "model/data/item_render.h"

namespace prejoin::model {
namespace {

std::size_t PredictedBytes(const Number& number) {
  return PredictItemBytes(Item{{"n", number}}) - 1;
}

TEST(PredictItemBytes, CountsPairsOfDigits) {
  for (const auto& [text, bytes] : std::vector<std::pair<std::string, std::size_t>>{
           {"0", 1},
           {"15", 2},
           {"1.5", 3},
           {"-42", 3},
           {"100", 2},
           {"123", 3},
           {"0.01", 2},
           {"0.001", 2},
           {"10.01", 3},
           {"-99999999999999999999999999999999999999", 21}}) {
    EXPECT_EQ(PredictedBytes(*Number::Parse(text)), bytes) << text;
  }
}

TEST(PredictItemBytes, AgreesWithTheEngineOnRandomNumbers) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random() % 2 ? "-" : "";
    for (std::size_t digits = 1 + random() % 38; digits > 0; --digits) {
      text += static_cast<char>('0' + (random() % 3 ? random() % 10 : 0));
    }
    text += "e" + std::to_string(static_cast<int>(random() % 120) - 60);
    const auto number = Number::Parse(text);
    ASSERT_TRUE(number.has_value()) << text;
    ASSERT_EQ(PredictedBytes(*number), number->SizeBytes()) << text;
  }
}

}  // namespace
}  // namespace prejoin::model
