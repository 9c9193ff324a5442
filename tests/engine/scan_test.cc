// Scan: everything once, in any number of segments, page by page.
#include <set>

#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

class Scans : public testing::Test {
 protected:
  Scans() {
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}, {"nk"}),
                                    {MakeIndex("g", Keys({"g"}), {ProjectionType::kKeysOnly})})));
    Must(db_->CreateTable(MakeTable("Other", Keys({"pk"}, {"nk"}))));
    for (int i = 0; i < 200; ++i) {
      Item item = {{"pk", "p" + std::to_string(i % 37)}, {"nk", i}};
      Put(*db_, "Other", item);
      if (i % 3 == 0) {
        item.Set("g", "g" + std::to_string(i % 2));
      }
      Put(*db_, "T", item);
      all_.insert(i);
    }
  }

  // All pages; fails if an item comes twice.
  std::set<int> Read(ScanInput input) {
    std::set<int> seen;
    for (int page = 0; page < 1000; ++page) {
      const ScanOutput output = Must(db_->Scan(input));
      EXPECT_EQ(output.count, static_cast<std::int64_t>(output.items.size()));
      for (const StoredItem& item : output.items) {
        const std::int64_t nk = item.Find("nk")->number()->ToInt64().value();
        EXPECT_TRUE(seen.insert(static_cast<int>(nk)).second) << nk << " twice";
      }
      if (!output.last_evaluated_key) {
        return seen;
      }
      input.exclusive_start_key = output.last_evaluated_key;
    }
    ADD_FAILURE() << "no end";
    return seen;
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
  std::set<int> all_;
};

TEST_F(Scans, OnePageHasEverything) { EXPECT_EQ(Read({.table_name = "T"}), all_); }

TEST_F(Scans, PagesOfAnySizeHaveEverythingOnce) {
  for (const int limit : {1, 7, 199, 200, 201}) {
    EXPECT_EQ(Read({.table_name = "T", .limit = limit}), all_) << limit;
  }
}

TEST_F(Scans, SegmentsCoverEachItemOnce) {
  for (const int total : {1, 2, 3, 7, 64, 1'000'000}) {
    std::set<int> together;
    std::size_t sum = 0;
    const int step = total > 1000 ? total - 1 : 1;
    for (int segment = 0; segment < total; segment += step) {
      const auto part =
          Read({.table_name = "T", .limit = 5, .segment = segment, .total_segments = total});
      sum += part.size();
      together.insert(part.begin(), part.end());
    }
    if (step == 1) {
      EXPECT_EQ(together, all_) << total;
    }
    EXPECT_EQ(sum, together.size()) << total;
  }
}

TEST_F(Scans, IndexHasOnlyItemsWithItsKey) {
  std::set<int> expected;
  for (int i = 0; i < 200; i += 3) {
    expected.insert(i);
  }
  EXPECT_EQ(Read({.table_name = "T", .index_name = "g", .limit = 4}), expected);
}

TEST_F(Scans, FilterMayUseKeys) {
  EXPECT_EQ(Read({.table_name = "T",
                  .filter_expression = "nk < :v",
                  .expression_attribute_values = AttributeValues{{":v", 3}}}),
            (std::set<int>{0, 1, 2}));
}

TEST_F(Scans, SegmentPastTheLastIsRefused) {
  EXPECT_TRUE(db_->Scan({.table_name = "T", .segment = 3, .total_segments = 4}).has_value());
  EXPECT_FALSE(db_->Scan({.table_name = "T", .segment = 4, .total_segments = 4}).has_value());
  EXPECT_FALSE(db_->Scan({.table_name = "T", .segment = 0}).has_value());
  EXPECT_FALSE(db_->Scan({.table_name = "T", .total_segments = 4}).has_value());
}

TEST_F(Scans, StartKeyOfAnotherSegmentIsRefused) {
  ScanInput input{.table_name = "T", .limit = 1, .segment = 0, .total_segments = 2};
  input.exclusive_start_key = Must(db_->Scan(input)).last_evaluated_key;
  ASSERT_TRUE(input.exclusive_start_key.has_value());
  input.segment = 1;
  EXPECT_FALSE(db_->Scan(input).has_value());
}

}  // namespace
}  // namespace prejoin
