// Capacity units at their boundaries.
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

// pk: 2 + 1 bytes, x: 1 + the rest.
Item ItemOfSize(std::size_t size) { return {{"pk", "a"}, {"x", std::string(size - 4, 'x')}}; }

class Capacity : public testing::Test {
 protected:
  Capacity() { Must(db_->CreateTable(MakeTable("T", Keys({"pk"})))); }

  double PutUnits(Item item) {
    return Must(db_->PutItem({.table_name = "T",
                              .item = std::move(item),
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->total.total;
  }
  double GetUnits(bool consistent) {
    return Must(db_->GetItem({.table_name = "T",
                              .key = {{"pk", "a"}},
                              .consistent_read = consistent,
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->total.total;
  }
  double DeleteUnits() {
    return Must(db_->DeleteItem({.table_name = "T",
                                 .key = {{"pk", "a"}},
                                 .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->total.total;
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
};

TEST_F(Capacity, WritesRoundUpToKilobytes) {
  for (const auto& [size, units] : std::vector<std::pair<std::size_t, double>>{
           {5, 1}, {1023, 1}, {1024, 1}, {1025, 2}, {2048, 2}, {2049, 3}}) {
    DeleteUnits();
    EXPECT_EQ(PutUnits(ItemOfSize(size)), units) << size;
  }
}

TEST_F(Capacity, WritesCountTheLargerOfOldAndNew) {
  PutUnits(ItemOfSize(3000));
  EXPECT_EQ(PutUnits(ItemOfSize(10)), 3);
  EXPECT_EQ(PutUnits(ItemOfSize(10)), 1);
  PutUnits(ItemOfSize(3000));
  EXPECT_EQ(DeleteUnits(), 3);
  EXPECT_EQ(DeleteUnits(), 1) << "deleting nothing costs the minimum";
}

TEST_F(Capacity, ReadsRoundUpToFourKilobytesAndEventualOnesCostHalf) {
  EXPECT_EQ(GetUnits(false), 0.5) << "reading nothing costs the minimum";
  EXPECT_EQ(GetUnits(true), 1);
  for (const auto& [size, units] : std::vector<std::pair<std::size_t, double>>{
           {4095, 1}, {4096, 1}, {4097, 2}, {8192, 2}, {8193, 3}}) {
    PutUnits(ItemOfSize(size));
    EXPECT_EQ(GetUnits(true), units) << size;
    EXPECT_EQ(GetUnits(false), units / 2) << size;
  }
}

TEST_F(Capacity, IsOnlyReportedWhenAskedFor) {
  const auto none = Must(db_->PutItem({.table_name = "T", .item = ItemOfSize(10)}));
  EXPECT_FALSE(none.consumed_capacity.has_value());
  const auto total =
      Must(db_->PutItem({.table_name = "T",
                         .item = ItemOfSize(10),
                         .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_FALSE(total.consumed_capacity->table.has_value());
  const auto indexes =
      Must(db_->PutItem({.table_name = "T",
                         .item = ItemOfSize(10),
                         .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_EQ(indexes.consumed_capacity->table->total, 1);
}

TEST(QueryCapacity, RoundsOncePerPage) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}, {"nk"}))));
  // pk 2 + 1, nk 2 + 2, x 1 + 1016: 1 KB each.
  for (int i = 1; i <= 5; ++i) {
    Put(*db, "T", {{"pk", "a"}, {"nk", i}, {"x", std::string(1016, 'x')}});
  }
  const auto units = [&](int limit, const char* partition) {
    return Must(db->Query({.table_name = "T",
                           .key_condition_expression = "pk = :p",
                           .filter_expression = "attribute_not_exists(x)",
                           .expression_attribute_values = AttributeValues{{":p", partition}},
                           .limit = limit,
                           .consistent_read = true,
                           .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->total.total;
  };
  EXPECT_EQ(units(4, "a"), 1);
  EXPECT_EQ(units(5, "a"), 2);
  EXPECT_EQ(units(5, "nothing"), 1);
}

class IndexCapacity : public testing::Test {
 protected:
  IndexCapacity() {
    Must(db_->CreateTable(
        MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}), {ProjectionType::kKeysOnly})})));
  }

  // Units of the index and of the table.
  std::pair<double, double> PutUnits(Item item) {
    const auto output =
        Must(db_->PutItem({.table_name = "T",
                           .item = std::move(item),
                           .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
    const auto& indexes = output.consumed_capacity->global_indexes;
    const double index_units = indexes.contains("g") ? indexes.at("g").total : 0;
    EXPECT_EQ(output.consumed_capacity->total.total,
              index_units + output.consumed_capacity->table->total);
    return {index_units, output.consumed_capacity->table->total};
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
};

TEST_F(IndexCapacity, FollowsWhatHappensToTheEntry) {
  using Units = std::pair<double, double>;
  EXPECT_EQ(PutUnits({{"pk", "1"}, {"x", 1}}), Units(0, 1)) << "not in the index";
  EXPECT_EQ(PutUnits({{"pk", "1"}, {"a", "v"}, {"x", 1}}), Units(1, 1)) << "entered";
  EXPECT_EQ(PutUnits({{"pk", "1"}, {"a", "v"}, {"x", 2}}), Units(0, 1)) << "untouched";
  EXPECT_EQ(PutUnits({{"pk", "1"}, {"a", "w"}, {"x", 2}}), Units(2, 1)) << "key changed";
  EXPECT_EQ(PutUnits({{"pk", "1"}, {"x", 2}}), Units(1, 1)) << "left";
}

TEST_F(IndexCapacity, CountsTheEntryNotTheItem) {
  EXPECT_EQ(PutUnits({{"pk", "1"}, {"a", "v"}, {"x", std::string(5000, 'x')}}),
            (std::pair<double, double>(1, 5)));
  // pk 2 + 1, a 1 + 1021: 1025 bytes.
  EXPECT_EQ(PutUnits({{"pk", "2"}, {"a", std::string(1020, 'v')}}),
            (std::pair<double, double>(1, 1)));
  EXPECT_EQ(PutUnits({{"pk", "3"}, {"a", std::string(1021, 'v')}}),
            (std::pair<double, double>(2, 2)));
}

}  // namespace
}  // namespace prejoin
