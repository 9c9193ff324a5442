#include "value/key_encoding.h"

#include <gtest/gtest.h>

#include "tests/value/random_values.h"

namespace prejoin {
namespace {

using Binary = AttributeValue::Binary;

std::string Key(const AttributeValue& value) {
  std::string key;
  AppendKeyValue(value, key);
  return key;
}

std::string Hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

Number N(std::string_view text) { return Number::Parse(text).value(); }

// These bytes are on disk: a change here needs a new format, not a new expectation.
TEST(KeyEncoding, WritesTheDocumentedBytes) {
  const struct {
    AttributeValue value;
    const char* hex;
  } cases[] = {
      {"", "0000"},
      {"ab", "61620000"},
      {std::string("a\0b", 3), "6100ff620000"},
      {Binary{std::string("\0\0", 2)}, "00ff00ff0000"},
      {Binary{"\xFF"}, "ff0000"},
      {0, "02"},
      {1, "03800200"},
      {12, "03800d00"},
      {99, "03806400"},
      {100, "03810200"},
      {123, "0381021800"},
      {N("0.5"), "037f3300"},
      {N("0.05"), "037f0600"},
      {N("1.5"), "0380023300"},
      {N("1E125"), "03be0b00"},
      {N("1E-130"), "033f0200"},
      {-1, "017ffdff"},
      {-123, "017efde7ff"},
  };
  for (const auto& [value, hex] : cases) {
    EXPECT_EQ(Hex(Key(value)), hex);
  }
}

template <class Value, class Next>
void ExpectSameOrder(const Next& next) {
  std::vector<std::pair<Value, std::string>> keys;
  for (int i = 0; i < 400; ++i) {
    Value value = next();
    std::string key = Key(AttributeValue(value));
    keys.emplace_back(std::move(value), std::move(key));
  }
  for (const auto& [a, a_key] : keys) {
    for (const auto& [b, b_key] : keys) {
      ASSERT_EQ(a < b, a_key < b_key) << Hex(a_key) << " and " << Hex(b_key);
      ASSERT_EQ(a == b, a_key == b_key) << Hex(a_key) << " and " << Hex(b_key);
      // No key begins with another: parts that follow never mix into the order of this one.
      ASSERT_TRUE(a_key == b_key || !b_key.starts_with(a_key))
          << Hex(a_key) << " and " << Hex(b_key);
    }
  }
}

TEST(KeyEncoding, OrdersStringsByTheirBytes) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  ExpectSameOrder<std::string>([&] { return random.Bytes(8); });
}

TEST(KeyEncoding, OrdersNumbersNumerically) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  for (int round = 0; round < 5; ++round) {
    ExpectSameOrder<Number>([&] { return random.Number(); });
  }
}

// A composite key sorts by its first part, then by its second, whatever bytes they hold.
TEST(KeyEncoding, OrdersPartByPart) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  using Parts = std::pair<std::string, Number>;
  Parts last;
  std::string last_key = Key(AttributeValue(last.first)) + Key(AttributeValue(last.second));
  for (int i = 0; i < 50'000; ++i) {
    Parts parts(random.Bytes(3), random.Number());
    std::string key = Key(AttributeValue(parts.first)) + Key(AttributeValue(parts.second));
    ASSERT_EQ(parts < last, key < last_key) << Hex(key) << " and " << Hex(last_key);
    last = std::move(parts);
    last_key = std::move(key);
  }
}

TEST(KeyEncoding, IsTheSameForStoredValues) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  for (int i = 0; i < 2'000; ++i) {
    for (const AttributeValue& value :
         {AttributeValue(random.Bytes(9)), AttributeValue(random.Number()),
          AttributeValue(Binary{random.Bytes(9)})}) {
      std::string encoded;
      EncodeValue(value, encoded);
      std::string key;
      AppendKeyValue(ValueView(encoded.data()), key);
      ASSERT_EQ(key, Key(value));
    }
  }
}

TEST(KeyEncodingDeathTest, TakesOnlyTypesThatKeysCanHave) {
  std::string key;
  EXPECT_DEATH(AppendKeyValue(AttributeValue(true), key), "");
  EXPECT_DEATH(AppendKeyValue(AttributeValue(Item{}), key), "");
}

TEST(KeyPrefix, IsSharedByExactlyTheStringsThatBeginWithIt) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  for (int i = 0; i < 50'000; ++i) {
    const std::string prefix = random.Bytes(2);
    const std::string text = random.Bytes(5);
    std::string key_prefix;
    AppendKeyPrefix(prefix, key_prefix);
    ASSERT_EQ(Key(AttributeValue(text)).starts_with(key_prefix), text.starts_with(prefix))
        << Hex(prefix) << " and " << Hex(text);
  }
}

TEST(PrefixEnd, IsTheFirstStringBehindThePrefix) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xFF"), "b");
  EXPECT_EQ(PrefixEnd("a\xFF\xFF"), "b");
  EXPECT_EQ(PrefixEnd("a\x7F"), "a\x80");
  EXPECT_EQ(PrefixEnd("\xFE"), "\xFF");
  EXPECT_EQ(PrefixEnd("\xFF"), "");
  EXPECT_EQ(PrefixEnd(""), "");
  EXPECT_EQ(PrefixEnd(std::string("a\0", 2)), "a\x01");
}

// The hash decides where an item is stored, so its values may never change. Short, medium and long
// keys take different paths through XXH3.
TEST(PartitionHash, NeverChanges) {
  const std::pair<std::size_t, std::uint32_t> cases[] = {
      {0, 0x2D068005},  {1, 0x4C5CCA45},   {4, 0xDCA012F9},   {10, 0x02AB330B},
      {17, 0x208BDE5E}, {130, 0x303A2C38}, {241, 0x0B3B6309}, {2048, 0x19F6F9C9},
  };
  for (const auto& [size, hash] : cases) {
    std::string key(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
      key[i] = static_cast<char>(i * 31 + 7);
    }
    EXPECT_EQ(PartitionHash(key), hash) << size;
  }
}

}  // namespace
}  // namespace prejoin
