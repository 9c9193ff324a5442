#include "value/base64.h"

#include <random>

namespace prejoin::wire {
namespace {

std::string Encode(std::string_view bytes) {
  std::string out = "x";  // Appends, and leaves alone what was there.
  AppendBase64(bytes, out);
  EXPECT_EQ(out[0], 'x');
  return out.substr(1);
}

TEST(Base64, FollowsTheVectorsOfRfc4648) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xff\xfe\xfd", "//79"},
      {"\xfb", "+w=="},
  };
  for (const auto& [bytes, text] : kCases) {
    EXPECT_EQ(Encode(bytes), text);
    EXPECT_EQ(DecodeBase64(text).value_or("?"), bytes);
  }
}

TEST(Base64, ReturnsRandomBytesUnchanged) {
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(random());
    }
    const auto decoded = DecodeBase64(Encode(bytes));
    ASSERT_TRUE(decoded.has_value()) << size;
    EXPECT_EQ(*decoded, bytes);
  }
}

TEST(Base64, RefusesWhatIsNotCanonical) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"23456", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
      {"=+/=", "Invalid last non-pad Base64 character dectected"},
      {"+/+=", "Invalid last non-pad Base64 character dectected"},
      {"Zh==", "Invalid last non-pad Base64 character dectected"},
      {"Zg=a", "Invalid last non-pad Base64 character dectected"},
      {"====", "Invalid last non-pad Base64 character dectected"},
      {"Zm9 ", "Invalid last non-pad Base64 character dectected"},
      {"Zg==Zg==", "Invalid Base64 character: '='"},
      {"Z\xc3\xa9=Zg==", "Invalid Base64 character: '\xc3\xa9'"},
  };
  for (const auto& [text, message] : kCases) {
    const auto decoded = DecodeBase64(text);
    ASSERT_FALSE(decoded.has_value()) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::kSerialization);
    EXPECT_EQ(decoded.error().message, message) << text;
  }
}

}  // namespace
}  // namespace prejoin::wire
