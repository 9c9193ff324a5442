// Secondary indexes: what gets in, what an entry holds, how it follows its item.
#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

std::string ScanText(Database& db, const std::string& index) {
  std::vector<std::string> lines;
  for (const StoredItem& item : Must(db.Scan({.table_name = "T", .index_name = index})).items) {
    lines.push_back(Text(item));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) {
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

TEST(GlobalIndex, HoldsOnlyItemsWithAllItsKeys) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}, {"nb"}))})));
  Put(*db, "T", {{"pk", "1"}, {"a", "x"}, {"nb", 1}});
  Put(*db, "T", {{"pk", "2"}, {"a", "x"}});
  Put(*db, "T", {{"pk", "3"}, {"nb", 1}});
  EXPECT_EQ(ScanText(*db, "g"), R"({a: "x", nb: 1, pk: "1"})");
}

TEST(GlobalIndex, ProjectsWhatItSays) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable(
      "T", Keys({"pk"}),
      {MakeIndex("all", Keys({"a"})), MakeIndex("keys", Keys({"a"}), {ProjectionType::kKeysOnly}),
       MakeIndex("some", Keys({"a"}),
                 {ProjectionType::kInclude, std::vector<std::string>{"x", "missing"}})})));
  Put(*db, "T", {{"pk", "1"}, {"a", "v"}, {"x", 1}, {"y", 2}});
  EXPECT_EQ(ScanText(*db, "all"), R"({a: "v", pk: "1", x: 1, y: 2})");
  EXPECT_EQ(ScanText(*db, "keys"), R"({a: "v", pk: "1"})");
  EXPECT_EQ(ScanText(*db, "some"), R"({a: "v", pk: "1", x: 1})");
}

TEST(GlobalIndex, FollowsItsItem) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  const auto set_a = [&](const std::string& value) {
    Must(db->UpdateItem({.table_name = "T",
                         .key = {{"pk", "1"}},
                         .update_expression = "SET a = :a",
                         .expression_attribute_values = AttributeValues{{":a", value}}}));
  };
  set_a("x");
  EXPECT_EQ(ScanText(*db, "g"), R"({a: "x", pk: "1"})");
  set_a("y");
  EXPECT_EQ(ScanText(*db, "g"), R"({a: "y", pk: "1"})");
  Must(db->UpdateItem({.table_name = "T", .key = {{"pk", "1"}}, .update_expression = "REMOVE a"}));
  EXPECT_EQ(ScanText(*db, "g"), "");
  set_a("z");
  Must(db->DeleteItem({.table_name = "T", .key = {{"pk", "1"}}}));
  EXPECT_EQ(ScanText(*db, "g"), "");
}

TEST(GlobalIndex, KeepsItemsWithEqualKeysApartAndPagesThroughThem) {
  const auto db = OpenInMemory();
  Must(
      db->CreateTable(MakeTable("T", Keys({"pk"}, {"nk"}), {MakeIndex("g", Keys({"a"}, {"nb"}))})));
  for (int i = 0; i < 12; ++i) {
    Put(*db, "T", {{"pk", std::to_string(i % 3)}, {"nk", i}, {"a", "same"}, {"nb", 7}});
  }
  for (const bool forward : {true, false}) {
    QueryInput input{.table_name = "T",
                     .index_name = "g",
                     .key_condition_expression = "a = :a AND nb = :b",
                     .expression_attribute_values = AttributeValues{{":a", "same"}, {":b", 7}},
                     .limit = 5,
                     .scan_index_forward = forward};
    std::vector<std::string> seen;
    for (int page = 0; page < 3; ++page) {
      const auto output = Must(db->Query(input));
      for (const StoredItem& item : output.items) {
        seen.push_back(Text(*item.Find("nk")));
      }
      input.exclusive_start_key = output.last_evaluated_key;
      if (output.last_evaluated_key) {
        EXPECT_EQ(output.last_evaluated_key->size(), 4u);
      }
    }
    std::ranges::sort(seen);
    EXPECT_EQ(seen, (std::vector<std::string>{"0", "1", "10", "11", "2", "3", "4", "5", "6", "7",
                                              "8", "9"}));
  }
}

TEST(GlobalIndex, RefusesStrongReadsAndUnknownNames) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(
      MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}), {ProjectionType::kKeysOnly})})));
  QueryInput input{.table_name = "T",
                   .index_name = "g",
                   .key_condition_expression = "a = :a",
                   .expression_attribute_values = AttributeValues{{":a", "x"}}};
  EXPECT_TRUE(db->Query(input).has_value());
  input.consistent_read = true;
  auto output = db->Query(input);
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message,
            "Consistent reads are not supported on global secondary indexes");
  input.consistent_read.reset();
  input.select = Select::kAllAttributes;
  EXPECT_FALSE(db->Query(input).has_value());
  input.select.reset();
  input.index_name = "h";
  output = db->Query(input);
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message, "The table does not have the specified index: h");
}

TEST(GlobalIndex, RefusesKeysOfTheWrongTypeOrEmpty) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}))})));
  auto put = db->PutItem({.table_name = "T", .item = {{"pk", "1"}, {"a", 1}}});
  ASSERT_FALSE(put.has_value());
  EXPECT_EQ(put.error().message,
            "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S "
            "Actual: N IndexName: g");
  put = db->PutItem({.table_name = "T", .item = {{"pk", "1"}, {"a", ""}}});
  EXPECT_FALSE(put.has_value());
}

TEST(GlobalIndex, OnlyAScanFiltersByWhatIsNotProjected) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(
      MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"a"}), {ProjectionType::kKeysOnly})})));
  Put(*db, "T", {{"pk", "1"}, {"a", "v"}, {"x", 1}});
  for (const auto& projection : {std::optional<std::string>(), std::optional<std::string>("pk")}) {
    const auto page = Must(db->Scan({.table_name = "T",
                                     .index_name = "g",
                                     .filter_expression = "attribute_not_exists(x)",
                                     .projection_expression = projection}));
    EXPECT_EQ(page.count, 1);
    const auto refused = db->Query({.table_name = "T",
                                    .index_name = "g",
                                    .key_condition_expression = "a = :a",
                                    .filter_expression = "attribute_not_exists(x)",
                                    .projection_expression = projection,
                                    .expression_attribute_values = AttributeValues{{":a", "v"}}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message,
              "One or more parameter values were invalid: Secondary index g does not project one or "
              "more filter attributes: [x]");
  }
  EXPECT_FALSE(
      db->Scan({.table_name = "T", .index_name = "g", .projection_expression = "x"}).has_value());
}

TEST(GlobalIndex, ItemThatDoesNotFitANewIndexCanStillBeUpdatedElsewhere) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  Put(*db, "T", {{"pk", "1"}, {"a", 5}});
  UpdateTableInput update{.table_name = "T",
                          .attribute_definitions = DefinitionsFor({Keys({"a"})})};
  update.global_index_updates =
      std::vector<GlobalIndexUpdate>{{.create = MakeIndex("g", Keys({"a"}))}};
  Must(db->UpdateTable(update));
  engine::EngineOf(*db).background().DrainForTesting();
  const auto set = [&](const std::string& name, AttributeValue value) {
    return db->UpdateItem(
        {.table_name = "T",
         .key = {{"pk", "1"}},
         .update_expression = "SET " + name + " = :v",
         .expression_attribute_values = AttributeValues{{":v", std::move(value)}}});
  };
  EXPECT_TRUE(set("x", 1).has_value());
  EXPECT_EQ(ScanText(*db, "g"), "");
  const auto refused = set("a", 6);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S "
            "Actual: N IndexName: g");
  EXPECT_TRUE(set("a", "v").has_value());
  EXPECT_EQ(ScanText(*db, "g"), R"({a: "v", pk: "1", x: 1})");
}

TEST(MultiAttributeKeys, AreConditionedFromTheLeft) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(
      MakeTable("T", Keys({"pk"}),
                {MakeIndex("g", Keys({"tenant", "region"}, {"nyear", "nmonth", "kind"}))})));
  int id = 0;
  for (const char* region : {"eu", "us"}) {
    for (int year = 2024; year <= 2025; ++year) {
      for (int month = 1; month <= 3; ++month) {
        for (const char* kind : {"a", "b"}) {
          Put(*db, "T",
              {{"pk", std::to_string(++id)},
               {"tenant", "t"},
               {"region", region},
               {"nyear", year},
               {"nmonth", month},
               {"kind", kind}});
        }
      }
    }
  }
  const auto count = [&](const std::string& condition, AttributeValues values) {
    values.insert({{":t", "t"}, {":r", "eu"}});
    const auto output =
        db->Query({.table_name = "T",
                   .index_name = "g",
                   .key_condition_expression = "tenant = :t AND #r = :r" + condition,
                   .expression_attribute_names = AttributeNames{{"#r", "region"}},
                   .expression_attribute_values = std::move(values)});
    return output ? output->count : -1;
  };
  EXPECT_EQ(count("", {}), 12);
  EXPECT_EQ(count(" AND nyear = :y", {{":y", 2025}}), 6);
  EXPECT_EQ(count(" AND nyear < :y", {{":y", 2025}}), 6);
  EXPECT_EQ(count(" AND nyear = :y AND nmonth >= :m", {{":y", 2025}, {":m", 2}}), 4);
  EXPECT_EQ(
      count(" AND nyear = :y AND nmonth BETWEEN :m AND :n", {{":y", 2024}, {":m", 1}, {":n", 2}}),
      4);
  EXPECT_EQ(count(" AND nyear = :y AND nmonth = :m AND begins_with(kind, :k)",
                  {{":y", 2024}, {":m", 1}, {":k", "a"}}),
            1);
  // A gap, and a range before the last part.
  EXPECT_EQ(count(" AND nmonth = :m", {{":m", 1}}), -1);
  EXPECT_EQ(count(" AND nyear > :y AND nmonth = :m", {{":y", 2024}, {":m", 1}}), -1);
}

TEST(MultiAttributeKeys, NeedEveryPartOfThePartitionKey) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", Keys({"tenant", "region"}))})));
  EXPECT_FALSE(db->Query({.table_name = "T",
                          .index_name = "g",
                          .key_condition_expression = "tenant = :t",
                          .expression_attribute_values = AttributeValues{{":t", "t"}}})
                   .has_value());
}

TEST(MultiAttributeKeys, AllowFourOfEachKind) {
  const std::vector<std::string> names = {"a1", "a2", "a3", "a4", "a5",
                                          "c1", "c2", "c3", "c4", "c5"};
  const auto created = [&](std::size_t hash, std::size_t range) {
    const auto first = names.begin();
    const auto second = names.begin() + 5;
    const KeySchema keys = Keys({first, first + static_cast<std::ptrdiff_t>(hash)},
                                {second, second + static_cast<std::ptrdiff_t>(range)});
    return OpenInMemory()
        ->CreateTable(MakeTable("T", Keys({"pk"}), {MakeIndex("g", keys)}))
        .has_value();
  };
  EXPECT_TRUE(created(3, 3));
  EXPECT_TRUE(created(4, 4));
  EXPECT_FALSE(created(5, 4));
  EXPECT_FALSE(created(4, 5));
}

class LocalIndex : public testing::Test {
 protected:
  LocalIndex() {
    Must(db_->CreateTable(
        MakeTable("T", Keys({"pk"}, {"sk"}), {},
                  {MakeIndex("l", Keys({"pk"}, {"nb"}), {ProjectionType::kKeysOnly})})));
    Put(*db_, "T", {{"pk", "a"}, {"sk", "1"}, {"nb", 2}, {"x", "one"}});
    Put(*db_, "T", {{"pk", "a"}, {"sk", "2"}, {"nb", 1}, {"x", "two"}});
    Put(*db_, "T", {{"pk", "a"}, {"sk", "3"}, {"x", "three"}});
  }

  QueryInput Input() const {
    return {.table_name = "T",
            .index_name = "l",
            .key_condition_expression = "pk = :p",
            .expression_attribute_values = AttributeValues{{":p", "a"}},
            .consistent_read = true,
            .return_consumed_capacity = ReturnConsumedCapacity::kIndexes};
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
};

TEST_F(LocalIndex, OrdersACollectionByAnotherKey) {
  const auto output = Must(db_->Query(Input()));
  EXPECT_EQ(Text(output.items), "{nb: 1, pk: \"a\", sk: \"2\"}\n{nb: 2, pk: \"a\", sk: \"1\"}");
  EXPECT_EQ(output.consumed_capacity->local_indexes.at("l").total, 1);
  EXPECT_EQ(output.consumed_capacity->table->total, 0);
}

TEST_F(LocalIndex, FetchesAttributesThatItLacksAtTheirCost) {
  QueryInput input = Input();
  input.select = Select::kAllAttributes;
  auto output = Must(db_->Query(input));
  EXPECT_EQ(Text(output.items),
            "{nb: 1, pk: \"a\", sk: \"2\", x: \"two\"}\n{nb: 2, pk: \"a\", sk: \"1\", x: \"one\"}");
  EXPECT_EQ(output.consumed_capacity->local_indexes.at("l").total, 1);
  EXPECT_EQ(output.consumed_capacity->table->total, 2);
  input = Input();
  input.projection_expression = "x";
  output = Must(db_->Query(input));
  EXPECT_EQ(Text(output.items), "{x: \"two\"}\n{x: \"one\"}");
  EXPECT_EQ(output.consumed_capacity->total.total, 3);
}

TEST_F(LocalIndex, RefusesFiltersOnAttributesThatItLacks) {
  QueryInput input = Input();
  input.filter_expression = "x = :x";
  (*input.expression_attribute_values)[":x"] = "one";
  const auto output = db_->Query(input);
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message,
            "One or more parameter values were invalid: Secondary index l does not project one or "
            "more filter attributes: [x]");
}

TEST_F(LocalIndex, ReportsItsCollection) {
  const auto output = Must(db_->PutItem({.table_name = "T",
                                         .item = {{"pk", "a"}, {"sk", "4"}},
                                         .return_item_collection_metrics = true}));
  ASSERT_TRUE(output.item_collection_metrics.has_value());
  EXPECT_EQ(output.item_collection_metrics->partition_key_name, "pk");
  EXPECT_EQ(Text(output.item_collection_metrics->partition_key), "\"a\"");
  EXPECT_EQ(output.item_collection_metrics->size_estimate_gb_low, 0);
  EXPECT_EQ(output.item_collection_metrics->size_estimate_gb_high, 1);
}

TEST(LocalIndexes, AreAskedForOnlyWhereThereAreAny) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}))));
  const auto output = Must(db->PutItem(
      {.table_name = "T", .item = {{"pk", "a"}}, .return_item_collection_metrics = true}));
  EXPECT_FALSE(output.item_collection_metrics.has_value());
}

}  // namespace
}  // namespace prejoin
