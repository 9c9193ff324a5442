// Fixes the bytes that docs/formats/catalog.md describes: a change here makes old data unreadable.
#include "engine/item/record.h"
#include "engine/vector/vector_entry.h"
#include "tests/engine/test_database.h"
#include "value/encoding.h"

namespace prejoin {
namespace {

std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

class Formats : public testing::Test {
 protected:
  // Everything in one space, in order: what stands behind space and hash, and the value.
  std::vector<std::pair<std::string, std::string>> Stored(std::uint32_t space) {
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto bound = [](std::uint32_t number) {
      std::string bytes;
      for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<char>(number >> shift & 0xFF));
      }
      return bytes;
    };
    Must(store_->Visit({.begin = bound(space), .end = bound(space + 1)},
                       [&](std::string_view key, std::string_view value) {
                         pairs.emplace_back(key.substr(8), value);
                         return storage::Visit::kContinue;
                       }));
    return pairs;
  }

  std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
  FakeClock clock_;
  std::unique_ptr<Database> db_ = OpenOn(std::make_unique<StoreProxy>(*store_), clock_);
};

// The first table gets space 16; with local indexes, 17 has its collection sizes.
TEST_F(Formats, ItemsEntriesAndCollectionSizes) {
  Must(db_->CreateTable(MakeTable(
      "T", Keys({"pk"}, {"nk"}), {MakeIndex("g", Keys({"c"}, {"bd"}), {ProjectionType::kKeysOnly})},
      {MakeIndex("l", Keys({"pk"}, {"c"}), {ProjectionType::kKeysOnly})})));
  Put(*db_, "T", {{"pk", "a"}, {"nk", 1}, {"c", "x"}, {"bd", Binary("y")}, {"z", true}});
  const auto items = Stored(16);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(Hex(items[0].first),
            "610000"
            "03800200");
  // Version 1; 2 + 1, 2 + 2, 1 + 1, 2 + 1, 1 + 1 bytes.
  EXPECT_EQ(Hex(items[0].second.substr(0, 4)),
            "01"
            "0e0000");
  const auto sizes = Stored(17);
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_EQ(Hex(sizes[0].first), "610000");
  // The item's 14 and the entry's 9.
  EXPECT_EQ(Hex(sizes[0].second), "1700000000000000");
  const auto local = Stored(18);
  ASSERT_EQ(local.size(), 1u);
  EXPECT_EQ(Hex(local[0].first),
            "610000"
            "780000"
            "610000"
            "03800200");
  const auto global = Stored(19);
  ASSERT_EQ(global.size(), 1u);
  EXPECT_EQ(Hex(global[0].first),
            "780000"
            "790000"
            "610000"
            "03800200");
  EXPECT_EQ(Hex(global[0].second.substr(0, 4)),
            "01"
            "0c0000");
}

TEST_F(Formats, VectorEntries) {
  CreateTableInput input = MakeTable("T", Keys({"pk"}, {"nk"}));
  input.attribute_definitions.push_back({"tenant", ScalarType::kString});
  input.vector_indexes = {{.index_name = "all",
                           .vector_attribute = "e",
                           .dimensions = 2,
                           .distance = VectorDistance::kEuclidean,
                           .projection = Projection{.type = ProjectionType::kKeysOnly},
                           .search_schema = {}}};
  input.vector_indexes->push_back(input.vector_indexes->front());
  input.vector_indexes->back().index_name = "by-tenant";
  input.vector_indexes->back().search_schema = {{"tenant", SearchSchemaType::kHash}};
  Must(db_->CreateTable(input));
  Put(*db_, "T",
      {{"pk", "a"}, {"nk", 1}, {"tenant", "x"}, {"e", AttributeValue::List{1, -2}}, {"z", true}});
  const auto all = Stored(17);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(Hex(all[0].first),
            "610000"
            "03800200");
  const auto by_tenant = Stored(18);
  ASSERT_EQ(by_tenant.size(), 1u);
  EXPECT_EQ(Hex(by_tenant[0].first),
            "780000"
            "610000"
            "03800200");
  const std::string& value = by_tenant[0].second;
  // Version 1; 2 + 1, 2 + 2, 6 + 1, 1 + 2 * 4 bytes.
  EXPECT_EQ(Hex(value.substr(0, 4)),
            "01"
            "170000");
  EXPECT_EQ(Hex(value.substr(value.size() - 8)),
            "0000803f"
            "000000c0");
  const Item entry = StoredItem(value.substr(4, value.size() - 12)).Decode();
  EXPECT_EQ(entry, (Item{{"pk", "a"}, {"nk", 1}, {"tenant", "x"}}));
}

// Damage ends in an error of the search, not in the end of the process.
TEST(VectorEntryFormat, OtherBytesAreNoEntry) {
  const std::string entry = engine::EncodeRecord(5, EncodeItem({{"p", "a"}})) + std::string(8, 'f');
  EXPECT_TRUE(engine::DecodeVectorEntry(entry, 2).has_value());
  EXPECT_FALSE(engine::DecodeVectorEntry(entry.substr(entry.size() - 11), 2).has_value());
  EXPECT_FALSE(engine::DecodeVectorEntry(entry.substr(0, 7), 2).has_value());
  EXPECT_FALSE(engine::DecodeVectorEntry("\x09" + entry.substr(1), 2).has_value());
}

TEST_F(Formats, Tokens) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}))));
  Must(db_->TransactWriteItems({.items = {{.action = TransactAction::kDelete,
                                           .table_name = "T",
                                           .item_or_key = {{"pk", "a"}}}},
                                .client_request_token = "token"}));
  const auto tokens = Stored(1);
  ASSERT_EQ(tokens.size(), 1u);
  EXPECT_EQ(tokens[0].first, "token");
  EXPECT_EQ(Hex(tokens[0].second.substr(0, 8)), "0068e5cf8b010000") << "1,700,000,000,000 ms";
  ASSERT_EQ(tokens[0].second.size(), 28u);
  EXPECT_EQ(Hex(tokens[0].second.substr(24)), "00000000") << "no item was deleted";
}

TEST_F(Formats, CatalogNames) {
  Must(db_->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  auto catalog = Stored(0);
  ASSERT_EQ(catalog.size(), 2u);
  EXPECT_EQ(catalog[0].first, "next-space");
  EXPECT_EQ(catalog[0].second, "18");
  EXPECT_EQ(catalog[1].first, "table/T");
  const Item table = StoredItem(catalog[1].second).Decode();
  EXPECT_EQ(*table.Find("name")->string(), "T");
  EXPECT_EQ(*table.Find("space"), AttributeValue(16));
  EXPECT_EQ(table.Find("indexes")->list()->size(), 1u);
  db_.reset();
  catalog = Stored(0);
  ASSERT_EQ(catalog.size(), 4u);
  EXPECT_EQ(catalog[1].first, "stats");
  EXPECT_EQ(catalog[2].first, "stats-checkpoint");
  EXPECT_EQ(catalog[2].second, catalog[1].second);
}

}  // namespace
}  // namespace prejoin
