// An update of the attributes it names, beside the plain way: decode the whole item, update it, encode it again.
#include "engine/item/updated_item.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "expr/evaluate.h"
#include "expr/parse.h"
#include "value/encoding.h"
#include "value/size.h"

namespace prejoin::engine {
namespace {

using Value = AttributeValue;

constexpr std::string_view kNames = "abcdefgh";

template <class Random>
Value RandomValue(Random& random) {
  switch (random() % 4) {
    case 0:
      return Value(static_cast<int>(random() % 1000));
    case 1:
      return Value(Item{{"x", static_cast<int>(random() % 9)}, {"y", "text"}});
    case 2:
      return Value(Value::List{1, "two", 3});
    default:
      return Value(std::string(random() % 200, 't'));
  }
}

// Each name at most once on the left: paths of one update must not overlap.
template <class Random>
std::string RandomUpdate(Random& random) {
  std::string sets;
  std::string removes;
  for (const char name : kNames) {
    const char other = kNames[random() % kNames.size()];
    switch (random() % 12) {
      case 0:
        sets += std::string(sets.empty() ? "SET " : ", ") + name + " = :v";
        break;
      case 1:
        sets += std::string(sets.empty() ? "SET " : ", ") + name + " = if_not_exists(" + other +
                ", :v)";
        break;
      case 2:
        sets += std::string(sets.empty() ? "SET " : ", ") + name + ".x = :v";
        break;
      case 3:
        removes += std::string(removes.empty() ? " REMOVE " : ", ") + name;
        break;
      case 4:
        removes += std::string(removes.empty() ? " REMOVE " : ", ") + name + "[1]";
        break;
      default:
        break;
    }
  }
  return sets + removes;
}

TEST(UpdatedItem, IsWhatAnUpdateOfTheWholeItemMakes) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const expr::Update nothing;
  int made = 0;
  int refused = 0;
  for (int i = 0; i < 5'000; ++i) {
    Item item{{"pk", "key"}};
    for (const char name : kNames) {
      if (random() % 2 == 0) {
        item.Set(std::string(1, name), RandomValue(random));
      }
    }
    const std::map<std::string, Value> values = {{":v", RandomValue(random)}};
    const std::string text = RandomUpdate(random);
    ItemWrite write;
    write.kind = WriteKind::kUpdate;
    write.table = std::make_shared<const Table>();
    write.key = Item{{"pk", "key"}};
    if (!text.empty()) {
      expr::Placeholders placeholders(nullptr, &values);
      auto update = expr::ParseUpdate(text, placeholders);
      ASSERT_TRUE(update) << text;
      write.update = *std::move(update);
    }
    const bool exists = random() % 8 != 0;
    const std::string body = EncodeItem(item);
    const auto current = exists ? std::optional(Record{ItemSizeBytes(item), body}) : std::nullopt;
    const auto expected =
        ApplyUpdate(write.update ? *write.update : nothing, exists ? item : write.key);
    const auto updated = MakeUpdatedItem(write, current);
    ASSERT_EQ(updated.has_value(), expected.has_value()) << text;
    if (!updated) {
      ++refused;
      EXPECT_EQ(updated.error().message, expected.error().message) << text;
      continue;
    }
    ++made;
    EXPECT_EQ(updated->body, EncodeItem(expected->item)) << text;
    EXPECT_EQ(updated->size_bytes, ItemSizeBytes(expected->item)) << text;
    EXPECT_EQ(updated->updated_old, expected->updated_old) << text;
    EXPECT_EQ(updated->updated_new, expected->updated_new) << text;
  }
  EXPECT_GT(made, 500);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace prejoin::engine
