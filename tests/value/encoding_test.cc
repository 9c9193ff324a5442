#include "value/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/limits.h"
#include "tests/value/malformed_entries.h"
#include "tests/value/random_values.h"
#include "value/validate.h"

namespace prejoin {
namespace {

using StringSet = AttributeValue::StringSet;
using NumberSet = AttributeValue::NumberSet;
using BinarySet = AttributeValue::BinarySet;
using Binary = AttributeValue::Binary;
using List = AttributeValue::List;

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

std::string Encoded(const AttributeValue& value) {
  std::string bytes;
  EncodeValue(value, bytes);
  return bytes;
}

// These bytes are on disk: a change here needs a new format, not a new expectation.
TEST(Encoding, WritesTheDocumentedBytes) {
  const struct {
    AttributeValue value;
    const char* hex;
  } cases[] = {
      {"ab", "00026162"},
      {"", "0000"},
      {Number::Parse("-1.50").value(), "01042d312e35"},
      {Binary{std::string("\0\xFF", 2)}, "020200ff"},
      {false, "0300"},
      {true, "0301"},
      {AttributeValue::Null{}, "04"},
      {List{}, "050100000000"},
      {List{"a", true}, "0506000000020001610301"},
      {Item{}, "060100000000"},
      {Item{{"k", 7}},
       "06060000000101"
       "6b"
       "0101"
       "37"},
      {StringSet{{"b", "a"}},
       "0705000000"
       "02"
       "0161"
       "0162"},
      {NumberSet{{Number(10)}},
       "0804000000"
       "01"
       "023130"},
      {BinarySet{{"x"}},
       "0903000000"
       "01"
       "0178"},
  };
  for (const auto& [value, hex] : cases) {
    EXPECT_EQ(Hex(Encoded(value)), hex) << TypeName(value.type());
  }
  EXPECT_EQ(Hex(EncodeItem(Item{{"b", true}, {"a", "x"}})),
            "02"
            "0161"
            "000178"
            "0162"
            "0301");
  EXPECT_EQ(Hex(EncodeItem(Item{{"a", "x"}, {"b", List{Number::Parse("1.5").value(), true}}})),
            "02016100017801620508000000020103312e350301");
  EXPECT_EQ(Hex(Encoded(std::string(200, 'x'))).substr(0, 6), "00c801");
}

TEST(Encoding, RoundTripsRandomItems) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  for (int i = 0; i < 1'000; ++i) {
    const Item item = random.NextItem(5);
    const std::string body = EncodeItem(item);
    ASSERT_TRUE(ValidateItemBody(body).has_value());
    const Item decoded = ItemView(body).Decode();
    ASSERT_EQ(decoded, item);
    // Equality ignores the order in sets, the bytes do not.
    ASSERT_EQ(EncodeItem(decoded), body);
    for (const auto& [name, value] : item) {
      const ValueView found = ItemView(body).Find(name);
      ASSERT_TRUE(found);
      ASSERT_EQ(found.type(), value.type());
      ASSERT_EQ(found.Decode(), value);
      ASSERT_EQ(found.bytes(), Encoded(value));
    }
  }
}

TEST(ItemView, FindsOnlyWhatIsThere) {
  const std::string body = EncodeItem(Item{{"b", 1}, {"bb", 2}, {"d", 3}});
  const ItemView item(body);
  EXPECT_EQ(item.size(), 3U);
  EXPECT_EQ(item.Find("b").number_text(), "1");
  EXPECT_EQ(item.Find("bb").number_text(), "2");
  EXPECT_EQ(item.Find("d").number_text(), "3");
  for (const char* name : {"", "a", "ba", "bbb", "c", "da", "e"}) {
    EXPECT_FALSE(item.Find(name)) << name;
  }
}

TEST(ItemView, OfNothingIsEmpty) {
  EXPECT_EQ(ItemView().size(), 0U);
  EXPECT_TRUE(ItemView().empty());
  EXPECT_FALSE(ItemView().Find("a"));
  EXPECT_TRUE(ItemView().begin() == ItemView().end());
  EXPECT_EQ(ItemView().Decode(), Item());
}

TEST(ItemView, WalksEntriesInOrder) {
  const std::string body =
      EncodeItem(Item{{"n", AttributeValue::Null{}}, {"l", List{1, 2}}, {"a", "x"}});
  std::vector<std::string> seen;
  for (const auto& [name, value] : ItemView(body)) {
    seen.push_back(std::string(name) + ":" + std::string(TypeName(value.type())));
  }
  EXPECT_THAT(seen, testing::ElementsAre("a:S", "l:L", "n:NULL"));
}

TEST(ListView, GivesElementsByIndex) {
  const std::string bytes = Encoded(List{"a", Item{{"k", 1}}, StringSet{{"m"}}, 4});
  const ListView list = ValueView(bytes.data()).list();
  EXPECT_EQ(list.size(), 4U);
  EXPECT_EQ(list.At(0).string(), "a");
  EXPECT_EQ(list.At(1).map().Find("k").number(), Number(1));
  EXPECT_EQ(list.At(3).number_text(), "4");
  EXPECT_FALSE(list.At(4));
  std::vector<ValueType> types;
  for (const ValueView element : list) {
    types.push_back(element.type());
  }
  EXPECT_THAT(types, testing::ElementsAre(ValueType::kString, ValueType::kMap,
                                          ValueType::kStringSet, ValueType::kNumber));
}

TEST(SetView, GivesMembersInTheirOrder) {
  const std::string bytes = Encoded(NumberSet{{Number(20), Number(3), Number(-3)}});
  const SetView set = ValueView(bytes.data()).set();
  EXPECT_EQ(set.size(), 3U);
  std::vector<std::string_view> members;
  for (const std::string_view member : set) {
    members.push_back(member);
  }
  EXPECT_THAT(members, testing::ElementsAre("-3", "3", "20"));
  EXPECT_TRUE(set.Contains("-3"));
  EXPECT_FALSE(set.Contains("2"));
  EXPECT_FALSE(set.Contains(""));
}

TEST(ValueView, ComparesWithinOneTypeOnly) {
  const auto compare = [](const AttributeValue& a, const AttributeValue& b) {
    const std::string a_bytes = Encoded(a);
    const std::string b_bytes = Encoded(b);
    return Compare(ValueView(a_bytes.data()), ValueView(b_bytes.data()));
  };
  EXPECT_LT(*compare("a", "b"), 0);
  EXPECT_LT(*compare("a", "aa"), 0);
  EXPECT_GT(*compare("\xC3\xA9", "z"), 0);  // Bytes are unsigned.
  EXPECT_EQ(*compare("a", "a"), 0);
  EXPECT_LT(*compare(9, 10), 0);
  EXPECT_LT(*compare(-10, -9), 0);
  EXPECT_GT(*compare(0, Number::Parse("-1E-130").value()), 0);
  EXPECT_EQ(*compare(1, Number::Parse("1.0").value()), 0);
  EXPECT_LT(*compare(Binary{"\x7F"}, Binary{"\x80"}), 0);
  EXPECT_EQ(compare("1", 1), std::nullopt);
  EXPECT_EQ(compare("a", Binary{"a"}), std::nullopt);
  EXPECT_EQ(compare(true, false), std::nullopt);
  EXPECT_EQ(compare(AttributeValue::Null{}, AttributeValue::Null{}), std::nullopt);
  EXPECT_EQ(compare(List{1}, List{1}), std::nullopt);
}

// Both sides of the size from which sets are sorted.
TEST(ValueView, EqualSetsMayHaveAnyOrder) {
  for (const int count : {1, 15, 16, 17, 500}) {
    StringSet set;
    for (int i = 0; i < count; ++i) {
      set.members.push_back("member " + std::to_string(i));
    }
    StringSet reversed = set;
    std::reverse(reversed.members.begin(), reversed.members.end());
    StringSet other = reversed;
    other.members.front() += "x";
    const std::string a = Encoded(set);
    const std::string b = Encoded(reversed);
    const std::string c = Encoded(other);
    EXPECT_TRUE(Equal(ValueView(a.data()), ValueView(b.data()))) << count;
    EXPECT_FALSE(Equal(ValueView(a.data()), ValueView(c.data()))) << count;
  }
}

TEST(ItemBuilder, CopiesEncodedValues) {
  const Item source{{"a", List{1, "x"}}, {"b", 2}, {"c", Item{{"k", StringSet{{"m"}}}}}};
  const std::string body = EncodeItem(source);
  ItemBuilder builder;
  builder.Add("a", ItemView(body).Find("a"));
  builder.Add("b2", AttributeValue(true));
  builder.Add("c", ItemView(body).Find("c"));
  const std::string built = std::move(builder).Finish();
  EXPECT_TRUE(ValidateItemBody(built).has_value());
  EXPECT_EQ(built,
            EncodeItem(Item{{"a", *source.Find("a")}, {"b2", true}, {"c", *source.Find("c")}}));
  EXPECT_EQ(ItemBuilder().Finish(), EncodeItem(Item()));
}

TEST(ItemBuilderDeathTest, StopsAtNamesOutOfOrder) {
  ItemBuilder builder;
  builder.Add("b", AttributeValue(1));
  EXPECT_DEATH(builder.Add("a", AttributeValue(1)), "last_name");
  EXPECT_DEATH(builder.Add("b", AttributeValue(1)), "last_name");
}

// Names out of order lead no reader astray, so IsItemBody, which every record passes, lets them be.
TEST(ValidateItemBody, RefusesMalformedBytes) {
  const auto refuses = [](const std::string& body, const char* what) {
    const Status status = ValidateItemBody(body);
    ASSERT_FALSE(status.has_value()) << what;
    EXPECT_EQ(status.error().code, ErrorCode::kCorruption) << what;
  };
  const MalformedEntry bodies[] = {
      {"nothing at all", ""},
      {"bytes behind the end", "0000"},
      {"fewer entries than counted", "01"},
      {"count in too many bytes", "8000"},
      {"count that never ends", "ffffffffffff"},
      {"count past 32 bits", "ffffffff1f"},
  };
  for (const auto& [what, hex] : bodies) {
    refuses(FromHex(hex), what);
    EXPECT_FALSE(IsItemBody(FromHex(hex))) << what;
  }
  for (const auto& [what, hex] : kMalformedEntries) {
    refuses("\1" + FromHex(hex), what);
    EXPECT_FALSE(IsItemBody("\1" + FromHex(hex))) << what;
  }
  refuses(FromHex("02016204016104"), "names out of order");
  refuses(FromHex("02016104016104"), "name twice");
  for (const char* sound : {"00", "0101610301"}) {
    EXPECT_TRUE(ValidateItemBody(FromHex(sound)).has_value());
    EXPECT_TRUE(IsItemBody(FromHex(sound)));
  }
}

TEST(ValidateItemBody, LimitsNesting) {
  for (const int depth : {kNestingDepthMax - 1, kNestingDepthMax, kNestingDepthMax + 1}) {
    AttributeValue value(1);
    for (int i = 0; i < depth; ++i) {
      value = i % 2 == 0 ? AttributeValue(List{value}) : AttributeValue(Item{{"k", value}});
    }
    EXPECT_EQ(ValidateItemBody(EncodeItem(Item{{"a", value}})).has_value(),
              depth <= kNestingDepthMax)
        << depth;
  }
}

// Every byte is read through an allocation of exactly the body's size, so that the address
// sanitizer sees a step beyond it.
TEST(ValidateItemBody, SurvivesRandomDamage) {
  const std::uint64_t seed = TestSeed();
  SCOPED_TRACE(SeedMessage(seed));
  RandomValues random(seed);
  int refused_count = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string body = EncodeItem(random.NextItem(3));
    for (int damage = random.Between(1, 4); damage > 0; --damage) {
      const auto at =
          static_cast<std::size_t>(random.Between(0, static_cast<int>(body.size()) - 1));
      switch (random.Between(0, 3)) {
        case 0:
          body[at] = static_cast<char>(random.Between(0, 255));
          break;
        case 1:
          body[at] = static_cast<char>(body[at] ^ (1 << random.Between(0, 7)));
          break;
        case 2:
          body.resize(std::max<std::size_t>(at, 1));
          break;
        default:
          body.insert(at, 1, static_cast<char>(random.Between(0, 255)));
      }
    }
    const std::unique_ptr<char[]> exact(new char[body.size()]);
    std::copy(body.begin(), body.end(), exact.get());
    const std::string_view bytes(exact.get(), body.size());
    if (IsItemBody(bytes)) {
      (void)ItemView(bytes).Decode();
    }
    if (ValidateItemBody(bytes).has_value()) {
      ASSERT_TRUE(IsItemBody(bytes));
      // A body that passed must be readable, and be the only way to write this item but for the
      // order of sets, which older versions did not sort.
      const Item item = ItemView(bytes).Decode();
      const std::string again = EncodeItem(item);
      ASSERT_EQ(again.size(), bytes.size());
      ASSERT_EQ(ItemView(again).Decode(), item);
      ASSERT_EQ(EncodeItem(ItemView(again).Decode()), again);
    } else {
      ++refused_count;
    }
  }
  EXPECT_GT(refused_count, 1'000);
}

}  // namespace
}  // namespace prejoin
