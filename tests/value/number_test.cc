#include "prejoin/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "prejoin/item.h"
#include "tests/value/random_values.h"
#include "value/number_text.h"

namespace prejoin {
namespace {

const std::string kNines38(38, '9');
const std::string kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const std::string kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const std::string kTooLong = "Attempting to store more than 38 significant digits in a Number";

std::string Zeros(std::size_t count) { return std::string(count, '0'); }

Number N(std::string_view text) { return Number::Parse(text).value(); }

TEST(Number, ParsesToCanonicalText) {
  const struct {
    std::string text;
    std::string canonical;
  } cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+0.000", "0"},
      {"0e125", "0"},
      {"0E-130", "0"},
      {"1", "1"},
      {"+7", "7"},
      {"-12", "-12"},
      {"00042", "42"},
      {"1.", "1"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {"-0.50", "-0.5"},
      {"1.0", "1"},
      {"3.1400", "3.14"},
      {"100", "100"},
      {"1E2", "100"},
      {"1.5E2", "150"},
      {"1e+5", "100000"},
      {"-17.4E37", "-174" + Zeros(36)},
      {"12.5e-3", "0.0125"},
      {"1e0000000000000000000000000000000000001", "10"},
      {"0." + Zeros(300) + "1e300", "0.1"},
      {"1" + Zeros(300) + "e-300", "1"},
      {"0.00000000000000000000000000000000000001", "0." + Zeros(37) + "1"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "18446744073709551616"},
      {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
      {kNines38, kNines38},
      {"1E-130", "0." + Zeros(129) + "1"},
      {"1.0000000000000000000000000000000000001E-130", "0." + Zeros(129) + "1" + Zeros(36) + "1"},
      {"9.9999999999999999999999999999999999999E+125", kNines38 + Zeros(88)},
      {"-9.9999999999999999999999999999999999999E+125", "-" + kNines38 + Zeros(88)},
  };
  for (const auto& [text, canonical] : cases) {
    const auto number = Number::Parse(text);
    ASSERT_TRUE(number.has_value()) << text << ": " << number.error().message;
    EXPECT_EQ(number->ToString(), canonical) << text;
  }
}

TEST(Number, RefusesWithDynamoDbsWords) {
  const std::string not_numeric = "The parameter cannot be converted to a numeric value";
  const struct {
    std::string text;
    std::string message;
  } cases[] = {
      {"", not_numeric},
      {"1" + kNines38, kTooLong},
      {"0.1" + kNines38, kTooLong},
      {"1" + Zeros(37) + "1", kTooLong},
      {"123456789012345678901234567890123456789e30", kTooLong},
      {"1E126", kOverflow},
      {"-1E+126", kOverflow},
      {"11e125", kOverflow},
      {"1" + Zeros(126), kOverflow},
      {"0e126", kOverflow},
      {"1e9223372036854775807", kOverflow},
      {"1E-131", kUnderflow},
      {"0.9e-130", kUnderflow},
      {"-9.99E-131", kUnderflow},
      {"0e-131", kUnderflow},
      {"1e-9223372036854775807", kUnderflow},
  };
  for (const auto& [text, message] : cases) {
    const auto number = Number::Parse(text);
    ASSERT_FALSE(number.has_value()) << text;
    EXPECT_EQ(number.error().message, message) << text;
    EXPECT_EQ(number.error().code, ErrorCode::kValidation);
  }
  for (const std::string text : {"dog",
                                 "-dog",
                                 "NaN",
                                 "Infinity",
                                 "-Infinity",
                                 " 1",
                                 "1 ",
                                 "1 2",
                                 "1_000",
                                 "1,5",
                                 ".",
                                 "-",
                                 "+",
                                 "+-1",
                                 "--1",
                                 "1-",
                                 "1.2.3",
                                 "..5",
                                 "e5",
                                 ".e5",
                                 "1e",
                                 "1e+",
                                 "1e-",
                                 "1e1.5",
                                 "1ee5",
                                 "1e5e",
                                 "0x10",
                                 "1f",
                                 "1e9223372036854775808"}) {
    const auto number = Number::Parse(text);
    ASSERT_FALSE(number.has_value()) << text;
    EXPECT_EQ(number.error().message, not_numeric + ": " + text);
  }
}

TEST(Number, ParsesItsOwnCanonicalText) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Number number = random.Number();
    ASSERT_EQ(N(number.ToString()), number) << number.ToString();
  }
}

TEST(Number, HoldsInt64) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{10}, std::int64_t{-12300},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(Number(value).ToString(), std::to_string(value));
    EXPECT_EQ(Number(value), N(std::to_string(value)));
    EXPECT_EQ(Number(value).ToInt64(), value);
  }
}

TEST(Number, DoesNotBecomeInt64WhenItDoesNotFit) {
  for (const char* text : {"0.5", "-1.5", "9223372036854775808", "-9223372036854775809", "1E19",
                           "1E125", "1E-130", "99999999999999999999999999999999999999"}) {
    EXPECT_EQ(N(text).ToInt64(), std::nullopt) << text;
  }
  EXPECT_EQ(N("9E18").ToInt64(), 9'000'000'000'000'000'000);
}

TEST(Number, IsMadeFromAnyIntegralType) {
  EXPECT_EQ(Number(std::uint8_t{200}), N("200"));
  EXPECT_EQ(Number(short{-3}), N("-3"));
  EXPECT_EQ(Number(7u), N("7"));
  EXPECT_EQ(Number(8l), N("8"));
  EXPECT_EQ(Number(-9ll), N("-9"));
  EXPECT_EQ(Number(std::string("abc").size()), N("3"));
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()), N("18446744073709551615"));
  EXPECT_EQ(AttributeValue(10ull), AttributeValue(N("10")));
  EXPECT_EQ(AttributeValue(true).type(), ValueType::kBool);
  static_assert(!std::is_constructible_v<AttributeValue, double>);
  static_assert(!std::is_constructible_v<AttributeValue, char>);
  static_assert(!std::is_constructible_v<AttributeValue, const void*>);
  const Item item = {{"a", 1}, {"b", 2u}, {"c", std::size_t{3}}, {"d", "text"}};
  EXPECT_EQ(*item.Find("c"), AttributeValue(3));
}

TEST(Number, IsOrderedNumerically) {
  const std::vector<std::string> ascending = {
      "-9.9999999999999999999999999999999999999E+125",
      "-1E125",
      "-100.5",
      "-100",
      "-99.99",
      "-10",
      "-9",
      "-1.5",
      "-1",
      "-0.5",
      "-0.05",
      "-1E-130",
      "0",
      "1E-130",
      "1.1E-130",
      "0.009",
      "0.01",
      "0.1",
      "0.10000000000000000000000000000000000001",
      "0.5",
      "1",
      "1.5",
      "2",
      "9",
      "9.999",
      "10",
      "99999999999999999999999999999999999998",
      "99999999999999999999999999999999999999",
      "1E38",
      "1E125",
      "9.9999999999999999999999999999999999999E+125",
  };
  for (std::size_t a = 0; a < ascending.size(); ++a) {
    for (std::size_t b = 0; b < ascending.size(); ++b) {
      const Number x = N(ascending[a]);
      const Number y = N(ascending[b]);
      EXPECT_EQ(x <=> y, a <=> b) << ascending[a] << " and " << ascending[b];
      EXPECT_EQ(x == y, a == b);
      EXPECT_EQ(CompareNumberTexts(x.ToString(), y.ToString()) <=> 0, a <=> b)
          << ascending[a] << " and " << ascending[b];
    }
  }
}

// Measured on AWS by users, by filling items up to the size limit (dynoxide pull request 195).
TEST(Number, HasTheSizeThatAwsCounts) {
  const struct {
    const char* text;
    std::size_t size;
  } cases[] = {
      {"0", 1},
      {"-0", 1},
      {"1", 2},
      {"12", 2},
      {"123", 3},
      {"1234", 3},
      {"12345", 4},
      {"123456", 4},
      {"1234567", 5},
      {"12345678", 5},
      {"123456789", 6},
      {"1234567891", 6},
      {"0042", 2},
      {"100", 2},
      {"1010", 3},
      {"0.0000001", 2},
      {"1E125", 2},
      {"1E-100", 2},
      {"1.5", 3},
      {"1.200", 3},
      {"1.234", 4},
      {"3.14159", 5},
      {"100.5", 4},
      {"0.15", 2},
      {"15", 2},
      {"-42", 3},
      {"-12345", 5},
      {"-1E125", 3},
      {"-0.15", 3},
      {"12345678912", 7},
      {"27", 2},
      {"-27", 3},
      {"461", 3},
      {"1786461547", 6},
      {"1234567890123456789", 11},
      {"12345678901234567890123456789012345678", 20},
  };
  for (const auto& [text, size] : cases) {
    EXPECT_EQ(N(text).SizeBytes(), size) << text;
    EXPECT_EQ(NumberTextSizeBytes(N(text).ToString()), size) << text;
  }
}

// 38 digits that begin in the middle of a pair fill 20 pairs, the most there are: then a minus
// takes no room.
TEST(Number, HasAtMost21Bytes) {
  EXPECT_EQ(N("1.2345678901234567890123456789012345678").SizeBytes(), 21U);
  EXPECT_EQ(N("-1.2345678901234567890123456789012345678").SizeBytes(), 21U);
  EXPECT_EQ(N("-12345678901234567890123456789012345678").SizeBytes(), 21U);
}

TEST(Number, HasTheSameSizeAndOrderAsItsText) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  Number last;
  for (int i = 0; i < 50'000; ++i) {
    const Number number = random.Number();
    const std::string text = number.ToString();
    ASSERT_EQ(NumberTextSizeBytes(text), number.SizeBytes()) << text;
    ASSERT_EQ(CompareNumberTexts(text, last.ToString()) <=> 0, number <=> last)
        << text << " and " << last.ToString();
    last = number;
  }
}

TEST(Number, AddsAndSubtracts) {
  const struct {
    std::string a;
    std::string b;
    std::string sum;  // Or the error.
    std::string difference;
  } cases[] = {
      {"0", "0", "0", "0"},
      {"0", "5", "5", "-5"},
      {"5", "0", "5", "5"},
      {"1", "2", "3", "-1"},
      {"-1", "-2", "-3", "1"},
      {"0.1", "0.2", "0.3", "-0.1"},
      {"1.5", "1.5", "3", "0"},
      {"999", "1", "1000", "998"},
      {"1E22", "1", "10000000000000000000001", "9999999999999999999999"},
      {"9E125", "9E125", kOverflow, "0"},
      {"9E125", "-9E125", "0", kOverflow},
      {"1E50", "1", kOverflow, kOverflow},
      {"1", "1E50", kOverflow, kOverflow},
      {"1E125", "1E-130", kOverflow, kOverflow},
      // The 39th digit: kept by a sum, borrowed away by a difference.
      {"1E38", "1", kOverflow, kNines38},
      {"1E37", "1", "1" + Zeros(36) + "1", std::string(37, '9')},
      {"2E38", "1", kOverflow, kOverflow},
      {"5E38", "1", kOverflow, kOverflow},
      {"1.1E38", "1", kOverflow, kOverflow},
      {kNines38, "1", "1" + Zeros(38), std::string(37, '9') + "8"},
      {kNines38, kNines38, kOverflow, "0"},
      {kNines38, "0.1", kOverflow, kOverflow},
      {"1.5E-130", "1E-130", "0." + Zeros(129) + "25", kUnderflow},
      {"9.9999999999999999999999999999999999999E125", "1E88", kOverflow,
       std::string(37, '9') + "8" + Zeros(88)},
  };
  for (const auto& [a, b, sum, difference] : cases) {
    const auto text = [](const Result<Number>& result) {
      return result.has_value() ? result->ToString() : result.error().message;
    };
    EXPECT_EQ(text(Number::Add(N(a), N(b))), sum) << a << " + " << b;
    EXPECT_EQ(text(Number::Subtract(N(a), N(b))), difference) << a << " - " << b;
  }
}

// Fixed-point numbers as strings of digits, with room for every number's lowest digit: slow, and
// nothing to get wrong.
class Plain {
 public:
  static constexpr std::size_t kFraction = 170;
  static constexpr std::size_t kInteger = 130;

  explicit Plain(const std::string& canonical) {
    std::string text = canonical;
    negative_ = text.front() == '-';
    text.erase(0, negative_ ? 1 : 0);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string integer = text.substr(0, point);
    const std::string fraction = point < text.size() ? text.substr(point + 1) : "";
    digits_ =
        Zeros(kInteger - integer.size()) + integer + fraction + Zeros(kFraction - fraction.size());
  }

  void Negate() { negative_ = !negative_; }

  void Add(const Plain& other) {
    if (negative_ == other.negative_) {
      int carry = 0;
      for (std::size_t i = digits_.size(); i-- > 0;) {
        const int sum = digits_[i] - '0' + other.digits_[i] - '0' + carry;
        digits_[i] = static_cast<char>('0' + sum % 10);
        carry = sum / 10;
      }
      return;
    }
    const bool swap = digits_ < other.digits_;
    const std::string& large = swap ? other.digits_ : digits_;
    const std::string& small = swap ? digits_ : other.digits_;
    std::string result = large;
    int borrow = 0;
    for (std::size_t i = result.size(); i-- > 0;) {
      int digit = large[i] - small[i] - borrow;
      borrow = digit < 0 ? 1 : 0;
      digit += borrow * 10;
      result[i] = static_cast<char>('0' + digit);
    }
    negative_ = swap ? other.negative_ : negative_;
    digits_ = result;
  }

  // The canonical text, or what DynamoDB says about such a number.
  std::string ToString() const {
    const std::size_t first = digits_.find_first_not_of('0');
    if (first == std::string::npos) {
      return "0";
    }
    const std::size_t last = digits_.find_last_not_of('0');
    if (last - first + 1 > 38 || first < kInteger - 126) {
      return kOverflow;
    }
    if (first >= kInteger + 130) {
      return kUnderflow;
    }
    std::string text = negative_ ? "-" : "";
    text += first < kInteger ? digits_.substr(first, kInteger - first) : "0";
    if (last >= kInteger) {
      text += "." + digits_.substr(kInteger, last - kInteger + 1);
    }
    return text;
  }

 private:
  bool negative_ = false;
  std::string digits_;
};

TEST(Number, ArithmeticAgreesWithSchoolArithmetic) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  int exact_count = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Number a = random.Number();
    // A neighbour often: most random pairs are too far apart to have a sum of 38 digits.
    Number b = random.Number();
    if (random.OneIn(2)) {
      const int exponent = std::clamp(a.exponent() + random.Between(-2, 30), -130, 120);
      b = N(std::to_string(random.Between(-99, 99)) + "e" + std::to_string(exponent));
    }
    for (const bool subtract : {false, true}) {
      Plain expected(a.ToString());
      Plain other(b.ToString());
      if (subtract) {
        other.Negate();
      }
      expected.Add(other);
      const auto result = subtract ? Number::Subtract(a, b) : Number::Add(a, b);
      const std::string text = result.has_value() ? result->ToString() : result.error().message;
      exact_count += result.has_value() ? 1 : 0;
      ASSERT_EQ(text, expected.ToString())
          << a.ToString() << (subtract ? " - " : " + ") << b.ToString();
      if (result.has_value()) {
        ASSERT_EQ(*result, N(text)) << "not normalised: " << text;
      }
    }
  }
  EXPECT_GT(exact_count, 5'000);  // Otherwise the test has only seen errors.
}

}  // namespace
}  // namespace prejoin
