// Query: every key operator in both directions, for each key type; paging; filters; Select.
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

std::string SortKeys(const PageOutput& page, const std::string& name) {
  std::string text;
  for (const StoredItem& item : page.items) {
    text += (text.empty() ? "" : " ") + Text(*item.Find(name));
  }
  return text;
}

std::string Reversed(const std::string& words) {
  std::string reversed;
  std::string word;
  for (const char c : words + " ") {
    if (c != ' ') {
      word.push_back(c);
      continue;
    }
    reversed = word + (reversed.empty() ? "" : " " + reversed);
    word.clear();
  }
  return reversed;
}

struct OperatorCase {
  std::string condition;  // On the sort key, `k`, with :v and :w.
  std::string expected;   // Sort keys, ascending.
};

void CheckOperators(const std::string& sort_key, const std::vector<AttributeValue>& values,
                    const AttributeValue& low, const AttributeValue& high,
                    const std::vector<OperatorCase>& cases) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}, {sort_key}))));
  for (const AttributeValue& value : values) {
    for (const char* partition : {"a", "aa", "b"}) {
      Put(*db, "T", {{"pk", partition}, {sort_key, value}});
    }
  }
  for (const auto& [condition, expected] : cases) {
    for (const bool forward : {true, false}) {
      QueryInput input{.table_name = "T",
                       .key_condition_expression = "pk = :p" + condition,
                       .expression_attribute_values = AttributeValues{{":p", "aa"}},
                       .scan_index_forward = forward};
      if (condition.find("#k") != std::string::npos) {
        input.expression_attribute_names = AttributeNames{{"#k", sort_key}};
        (*input.expression_attribute_values)[":v"] = low;
      }
      if (condition.find(":w") != std::string::npos) {
        (*input.expression_attribute_values)[":w"] = high;
      }
      EXPECT_EQ(SortKeys(Must(db->Query(input)), sort_key), forward ? expected : Reversed(expected))
          << condition << (forward ? " forward" : " backward");
    }
  }
}

TEST(QueryOperators, Strings) {
  CheckOperators("sk", {"c", "a", "b", "ab", "abc", std::string("a\0", 2), "é"}, "ab", "b",
                 {{"", R"("a" "a\x00" "ab" "abc" "b" "c" "\xc3\xa9")"},
                  {" AND #k = :v", R"("ab")"},
                  {" AND #k < :v", R"("a" "a\x00")"},
                  {" AND #k <= :v", R"("a" "a\x00" "ab")"},
                  {" AND #k > :v", R"("abc" "b" "c" "\xc3\xa9")"},
                  {" AND #k >= :v", R"("ab" "abc" "b" "c" "\xc3\xa9")"},
                  {" AND #k BETWEEN :v AND :w", R"("ab" "abc" "b")"},
                  {" AND begins_with(#k, :v)", R"("ab" "abc")"}});
}

TEST(QueryOperators, Numbers) {
  CheckOperators("nk", {10, 9, -1, 0, -10, *Number::Parse("0.5"), *Number::Parse("1e100")}, 0, 10,
                 {{"", "-10 -1 0 0.5 9 10 1" + std::string(100, '0')},
                  {" AND #k = :v", "0"},
                  {" AND #k < :v", "-10 -1"},
                  {" AND #k <= :v", "-10 -1 0"},
                  {" AND #k > :v", "0.5 9 10 1" + std::string(100, '0')},
                  {" AND #k >= :v", "0 0.5 9 10 1" + std::string(100, '0')},
                  {" AND #k BETWEEN :v AND :w", "0 0.5 9 10"}});
}

TEST(QueryOperators, Binaries) {
  const auto bytes = [](std::string text) { return Binary(std::move(text)); };
  CheckOperators("bk",
                 {bytes("\xff"), bytes("\x80"), bytes("\x7f"), bytes(std::string(1, '\0')),
                  bytes("\xff\xff"), bytes(std::string("\xff\0", 2))},
                 bytes("\xff"), bytes(std::string("\xff\0", 2)),
                 {{"", R"(b"\x00" b"\x7f" b"\x80" b"\xff" b"\xff\x00" b"\xff\xff")"},
                  {" AND #k = :v", R"(b"\xff")"},
                  {" AND #k < :v", R"(b"\x00" b"\x7f" b"\x80")"},
                  {" AND #k <= :v", R"(b"\x00" b"\x7f" b"\x80" b"\xff")"},
                  {" AND #k > :v", R"(b"\xff\x00" b"\xff\xff")"},
                  {" AND #k >= :v", R"(b"\xff" b"\xff\x00" b"\xff\xff")"},
                  {" AND #k BETWEEN :v AND :w", R"(b"\xff" b"\xff\x00")"},
                  {" AND begins_with(#k, :v)", R"(b"\xff" b"\xff\x00" b"\xff\xff")"}});
}

class QueryPages : public testing::Test {
 protected:
  QueryPages() {
    Must(db_->CreateTable(MakeTable("T", Keys({"pk"}, {"nk"}))));
    for (int i = 0; i < 10; ++i) {
      Put(*db_, "T", {{"pk", "a"}, {"nk", i}, {"odd", i % 2 == 1}});
    }
  }

  QueryInput Input() const {
    return {.table_name = "T",
            .key_condition_expression = "pk = :p",
            .expression_attribute_values = AttributeValues{{":p", "a"}}};
  }

  std::unique_ptr<Database> db_ = OpenInMemory();
};

TEST_F(QueryPages, LimitStopsAndTheLastKeyContinues) {
  for (const bool forward : {true, false}) {
    QueryInput input = Input();
    input.limit = 4;
    input.scan_index_forward = forward;
    std::vector<std::string> pages;
    for (int guard = 0; guard < 5; ++guard) {
      const QueryOutput page = Must(db_->Query(input));
      pages.push_back(SortKeys(page, "nk"));
      if (!page.last_evaluated_key) {
        break;
      }
      input.exclusive_start_key = page.last_evaluated_key;
    }
    EXPECT_EQ(pages, forward ? (std::vector<std::string>{"0 1 2 3", "4 5 6 7", "8 9"})
                             : (std::vector<std::string>{"9 8 7 6", "5 4 3 2", "1 0"}));
  }
}

TEST_F(QueryPages, AFullLastPageStillHasALastKey) {
  QueryInput input = Input();
  input.limit = 10;
  QueryOutput page = Must(db_->Query(input));
  ASSERT_TRUE(page.last_evaluated_key.has_value());
  EXPECT_EQ(Text(*page.last_evaluated_key), "{nk: 9, pk: \"a\"}");
  input.exclusive_start_key = page.last_evaluated_key;
  page = Must(db_->Query(input));
  EXPECT_EQ(page.count, 0);
  EXPECT_FALSE(page.last_evaluated_key.has_value());
  input = Input();
  input.limit = 11;
  EXPECT_FALSE(Must(db_->Query(input)).last_evaluated_key.has_value());
}

TEST_F(QueryPages, FilterCountsWhatItThrowsAway) {
  QueryInput input = Input();
  input.limit = 5;
  input.filter_expression = "odd = :t";
  (*input.expression_attribute_values)[":t"] = true;
  const QueryOutput page = Must(db_->Query(input));
  EXPECT_EQ(SortKeys(page, "nk"), "1 3");
  EXPECT_EQ(page.count, 2);
  EXPECT_EQ(page.scanned_count, 5);
}

TEST_F(QueryPages, FilterOnAKeyIsRefused) {
  QueryInput input = Input();
  input.filter_expression = "nk > :p";
  const auto page = db_->Query(input);
  ASSERT_FALSE(page.has_value());
  EXPECT_EQ(page.error().message,
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
            "nk");
}

TEST_F(QueryPages, CountGivesNoItems) {
  QueryInput input = Input();
  input.select = Select::kCount;
  const QueryOutput page = Must(db_->Query(input));
  EXPECT_TRUE(page.count_only);
  EXPECT_TRUE(page.items.empty());
  EXPECT_EQ(page.count, 10);
}

TEST_F(QueryPages, StartKeyOfAnotherPartitionIsRefused) {
  QueryInput input = Input();
  input.exclusive_start_key = Item{{"pk", "b"}, {"nk", 1}};
  const auto page = db_->Query(input);
  ASSERT_FALSE(page.has_value());
  EXPECT_EQ(page.error().code, ErrorCode::kValidation);
}

TEST_F(QueryPages, StartKeyNeedNotExist) {
  QueryInput input = Input();
  input.exclusive_start_key = Item{{"pk", "a"}, {"nk", *Number::Parse("6.5")}};
  EXPECT_EQ(SortKeys(Must(db_->Query(input)), "nk"), "7 8 9");
  input.scan_index_forward = false;
  EXPECT_EQ(SortKeys(Must(db_->Query(input)), "nk"), "6 5 4 3 2 1 0");
}

TEST_F(QueryPages, WithoutThePartitionKeyIsRefused) {
  const auto page = db_->Query({.table_name = "T",
                                .key_condition_expression = "nk = :p",
                                .expression_attribute_values = AttributeValues{{":p", 1}}});
  ASSERT_FALSE(page.has_value());
  EXPECT_EQ(page.error().message, "Query condition missed key schema element: pk");
}

TEST(QueryPage, EndsWithTheItemThatReachesOneMegabyte) {
  const auto db = OpenInMemory();
  Must(db->CreateTable(MakeTable("T", Keys({"pk"}, {"nk"}))));
  // pk 2 + 1, nk 2 + 2 (1 for zero), x 1 + the rest: 256 KB each.
  for (int i = 1; i <= 9; ++i) {
    Put(*db, "T", {{"pk", "a"}, {"nk", i}, {"x", std::string(256 * 1024 - 8, 'x')}});
  }
  QueryInput input{.table_name = "T",
                   .key_condition_expression = "pk = :p",
                   .expression_attribute_values = AttributeValues{{":p", "a"}},
                   .return_consumed_capacity = ReturnConsumedCapacity::kTotal};
  QueryOutput page = Must(db->Query(input));
  EXPECT_EQ(SortKeys(page, "nk"), "1 2 3 4");
  ASSERT_TRUE(page.last_evaluated_key.has_value());
  EXPECT_EQ(page.consumed_capacity->total.total, 128);
  input.exclusive_start_key = page.last_evaluated_key;
  page = Must(db->Query(input));
  EXPECT_EQ(SortKeys(page, "nk"), "5 6 7 8");
  input.exclusive_start_key = page.last_evaluated_key;
  page = Must(db->Query(input));
  EXPECT_EQ(SortKeys(page, "nk"), "9");
  EXPECT_FALSE(page.last_evaluated_key.has_value());
}

}  // namespace
}  // namespace prejoin
