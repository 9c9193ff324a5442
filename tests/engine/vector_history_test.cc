// Random histories on a table with four vector indexes, compared with a plain map that is searched
// item by item. Components are small whole numbers, so scores tie often and 32-bit sums are exact.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {
namespace {

constexpr int kDimensions = 5;
constexpr std::int64_t kFirstSecond = 1'700'000'000;  // The clock's.

struct IndexUnderTest {
  const char* name;
  VectorDistance distance;
  bool has_hash;
};
constexpr IndexUnderTest kIndexes[] = {
    {"cosine", VectorDistance::kCosine, false},
    {"euclidean", VectorDistance::kEuclidean, true},
    {"dot", VectorDistance::kDotProduct, true},
    {"dot-all", VectorDistance::kDotProduct, false},
};

VectorIndexSpecification Specification(const IndexUnderTest& index) {
  VectorIndexSpecification specification{
      .index_name = index.name,
      .vector_attribute = "e",
      .dimensions = kDimensions,
      .distance = index.distance,
      .projection = Projection{.type = ProjectionType::kInclude,
                               .non_key_attributes = std::vector<std::string>{"note"}},
      .search_schema = {{"colour", SearchSchemaType::kInlineFilter},
                        {"n_size", SearchSchemaType::kInlineFilter}}};
  if (index.has_hash) {
    specification.search_schema.push_back({"tenant", SearchSchemaType::kHash});
  }
  return specification;
}

// The plain reference: double arithmetic over the numbers as the item has them.
double PlainScore(VectorDistance distance, const std::vector<int>& a, const std::vector<int>& b) {
  double product = 0;
  double difference = 0;
  double squared_a = 0;
  double squared_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    squared_a += a[i] * a[i];
    squared_b += b[i] * b[i];
  }
  switch (distance) {
    case VectorDistance::kDotProduct:
      return product;
    case VectorDistance::kEuclidean:
      return std::sqrt(difference);
    case VectorDistance::kCosine:
      break;
  }
  return squared_a * squared_b > 0 ? 1 - product / std::sqrt(squared_a * squared_b) : 1;
}

std::vector<int> NumbersOf(const AttributeValue& value) {
  std::vector<int> numbers;
  for (const AttributeValue& element : *value.list()) {
    numbers.push_back(static_cast<int>(element.number()->ToInt64().value()));
  }
  return numbers;
}

class VectorHistory {
 public:
  explicit VectorHistory(unsigned seed) : random_(seed) {
    Open();
    CreateTableInput input = MakeTable("T", Keys({"pk"}));
    input.attribute_definitions.push_back({"tenant", ScalarType::kString});
    input.attribute_definitions.push_back({"colour", ScalarType::kString});
    input.attribute_definitions.push_back({"n_size", ScalarType::kNumber});
    input.vector_indexes.emplace();
    for (const IndexUnderTest& index : kIndexes) {
      input.vector_indexes->push_back(Specification(index));
    }
    Must(db_->CreateTable(input));
    Must(db_->UpdateTimeToLive(
        {.table_name = "T", .specification = {.enabled = true, .attribute_name = "until"}}));
    Drain();
  }

  void Run(int steps) {
    for (int step = 0; step < steps; ++step) {
      Change();
      if (step % 20 == 19) {
        for (const IndexUnderTest& index : kIndexes) {
          Compare(index);
        }
      }
      if (step % 200 == 150) {
        Open();
      }
      if (step % 200 == 199) {
        Rebuild(kIndexes[random_() % std::size(kIndexes)]);
      }
    }
    EXPECT_GT(compared_, 0);
    EXPECT_GT(results_, compared_);
  }

 private:
  int Below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  bool Chance(int percent) { return Below(100) < percent; }
  void Drain() { DrainBackground(*db_); }
  std::string SomeKey() { return "k" + std::to_string(Below(60)); }
  AttributeValue SomeTenant() { return "t" + std::to_string(Below(3)); }
  AttributeValue SomeColour() { return "c" + std::to_string(Below(3)); }
  AttributeValue SomeVector() {
    AttributeValue::List list;
    for (int i = 0; i < kDimensions; ++i) {
      list.emplace_back(Below(7) - 3);
    }
    return list;
  }

  void Open() {
    db_.reset();
    db_ = OpenOn(std::make_unique<StoreProxy>(*store_), clock_);
  }

  Item SomeItem(const std::string& key) {
    Item item{{"pk", key}, {"note", Below(1000)}, {"other", "x"}};
    if (Chance(90)) {
      item.Set("e", SomeVector());
    }
    if (Chance(85)) {
      item.Set("tenant", SomeTenant());
    }
    if (Chance(80)) {
      item.Set("colour", SomeColour());
    }
    if (Chance(80)) {
      item.Set("n_size", Below(2));
    }
    return item;
  }

  // What an update sets and removes, and the same on the reference.
  struct SomeUpdate {
    std::string expression;
    AttributeValues values;
  };
  SomeUpdate UpdateOf(const std::string& key) {
    const bool was_there = items_.contains(key);
    Item& item = items_.try_emplace(key, Item{{"pk", key}}).first->second;
    switch (Below(5)) {
      case 0:
        item.Set("e", SomeVector());
        return {"SET e = :v", {{":v", *item.Find("e")}}};
      case 1:
        item.Set("tenant", SomeTenant());
        return {"SET tenant = :v", {{":v", *item.Find("tenant")}}};
      case 2:
        item.Set("colour", SomeColour());
        return {"SET colour = :v", {{":v", *item.Find("colour")}}};
      case 3:
        item.Set("note", Below(1000));
        return {"SET note = :v", {{":v", *item.Find("note")}}};
      default:
        // Nothing to remove makes no item.
        item.Remove("e");
        if (!was_there) {
          items_.erase(key);
        }
        return {"REMOVE e", {}};
    }
  }
  static std::optional<AttributeValues> Given(AttributeValues values) {
    return values.empty() ? std::nullopt : std::optional(std::move(values));
  }

  void Change() {
    const std::string key = SomeKey();
    switch (Below(9)) {
      case 0:
      case 1:
      case 2:
        items_[key] = SomeItem(key);
        Put(*db_, "T", items_[key]);
        return;
      case 3: {
        SomeUpdate update = UpdateOf(key);
        Must(db_->UpdateItem({.table_name = "T",
                              .key = {{"pk", key}},
                              .update_expression = update.expression,
                              .expression_attribute_values = Given(std::move(update.values))}));
        return;
      }
      case 4:
        items_.erase(key);
        Must(db_->DeleteItem({.table_name = "T", .key = {{"pk", key}}}));
        return;
      case 5:
        return Transact();
      case 6:
        return Batch();
      case 7:
        return Execute(key);
      default:
        return Expire(key);
    }
  }

  void Transact() {
    const std::string put = "k" + std::to_string(Below(20));
    const std::string updated = "k" + std::to_string(20 + Below(20));
    const std::string removed = "k" + std::to_string(40 + Below(20));
    items_[put] = SomeItem(put);
    items_.erase(removed);
    SomeUpdate update = UpdateOf(updated);
    TransactWriteItemsInput input;
    input.items.push_back(
        {.action = TransactAction::kPut, .table_name = "T", .item_or_key = items_[put]});
    input.items.push_back({.action = TransactAction::kUpdate,
                           .table_name = "T",
                           .item_or_key = {{"pk", updated}},
                           .update_expression = update.expression,
                           .expression_attribute_values = Given(std::move(update.values))});
    input.items.push_back(
        {.action = TransactAction::kDelete, .table_name = "T", .item_or_key = {{"pk", removed}}});
    Must(db_->TransactWriteItems(input));
  }

  void Batch() {
    const std::string put = "k" + std::to_string(Below(30));
    const std::string removed = "k" + std::to_string(30 + Below(30));
    items_[put] = SomeItem(put);
    items_.erase(removed);
    BatchWriteItemInput input;
    input.request_items["T"] = {{.put = items_[put], .remove = std::nullopt},
                                {.put = std::nullopt, .remove = Item{{"pk", removed}}}};
    Must(db_->BatchWriteItem(input));
  }

  // One statement of PartiQL.
  void Execute(const std::string& key) {
    if (!items_.contains(key)) {
      items_[key] = SomeItem(key);
      std::string members;
      std::vector<AttributeValue> parameters;
      for (const auto& [name, value] : items_[key]) {
        members += (members.empty() ? "'" : ", '") + name + "': ?";
        parameters.push_back(value);
      }
      Must(db_->ExecuteStatement({.statement = "INSERT INTO T VALUE {" + members + "}",
                                  .parameters = std::move(parameters)}));
    } else if (Chance(50)) {
      items_[key].Set("e", SomeVector());
      Must(db_->ExecuteStatement(
          {.statement = "UPDATE T SET e = ? WHERE pk = '" + key + "'",
           .parameters = std::vector<AttributeValue>{*items_[key].Find("e")}}));
    } else {
      items_.erase(key);
      Must(db_->ExecuteStatement(
          {.statement = "DELETE FROM T WHERE pk = '" + key + "'", .parameters = std::nullopt}));
    }
  }

  // Time to live takes an item away.
  void Expire(const std::string& key) {
    Item item = SomeItem(key);
    item.Set("until", kFirstSecond - 60);
    Put(*db_, "T", std::move(item));
    items_.erase(key);
    engine::EngineOf(*db_).background().SweepNow();
  }

  // The index goes, and comes back from the items that are there.
  void Rebuild(const IndexUnderTest& index) {
    Must(db_->UpdateTable({.table_name = "T",
                           .vector_index_updates = std::vector<VectorIndexUpdate>{
                               {.create = std::nullopt, .remove = index.name}}}));
    Drain();
    std::vector<AttributeDefinition> definitions = {{"pk", ScalarType::kString},
                                                    {"tenant", ScalarType::kString},
                                                    {"colour", ScalarType::kString},
                                                    {"n_size", ScalarType::kNumber}};
    if (!index.has_hash) {
      definitions.erase(definitions.begin() + 1);
    }
    Must(db_->UpdateTable({.table_name = "T",
                           .attribute_definitions = definitions,
                           .vector_index_updates = std::vector<VectorIndexUpdate>{
                               {.create = Specification(index), .remove = std::nullopt}}}));
    Drain();
  }

  struct Search {
    std::vector<int> query;
    Item wanted;  // Equalities.
    std::size_t top_k = 0;
  };

  bool IsWanted(const Item& item, const Search& search) const {
    return item.Find("e") != nullptr &&
           std::ranges::all_of(search.wanted, [&](const Item::Entry& equal) {
             const AttributeValue* value = item.Find(equal.first);
             return value != nullptr && *value == equal.second;
           });
  }

  void Compare(const IndexUnderTest& index) {
    Search search{.query = NumbersOf(SomeVector()),
                  .top_k = static_cast<std::size_t>(Chance(30) ? 100 : 1 + Below(10))};
    if (index.has_hash) {
      search.wanted.Set("tenant", SomeTenant());
    }
    if (Chance(50)) {
      search.wanted.Set("colour", SomeColour());
    }
    if (Chance(30)) {
      search.wanted.Set("n_size", Below(2));
    }
    std::vector<double> plain;
    for (const auto& [key, item] : items_) {
      if (IsWanted(item, search)) {
        plain.push_back(PlainScore(index.distance, search.query, NumbersOf(*item.Find("e"))));
      }
    }
    std::ranges::sort(plain);
    if (index.distance == VectorDistance::kDotProduct) {
      std::ranges::reverse(plain);
    }
    plain.resize(std::min(plain.size(), search.top_k));
    Check(index, search, plain, Ask(index, search));
  }

  SearchVectorsOutput Ask(const IndexUnderTest& index, const Search& search) {
    SearchVectorsInput input{.table_name = "T",
                             .index_name = index.name,
                             .search_vector = {},
                             .top_k = static_cast<std::int64_t>(search.top_k)};
    for (const int number : search.query) {
      input.search_vector.emplace_back(number);
    }
    for (const auto& [name, value] : search.wanted) {
      if (!input.search_condition_expression) {
        input.search_condition_expression.emplace();
        input.expression_attribute_values.emplace();
      } else {
        *input.search_condition_expression += " AND ";
      }
      *input.search_condition_expression += name + " = :" + name;
      input.expression_attribute_values->emplace(":" + name, value);
    }
    return Must(db_->SearchVectors(input));
  }

  // The scores are the plain ones, and each item is there once, as the index projects it.
  void Check(const IndexUnderTest& index, const Search& search, const std::vector<double>& plain,
             const SearchVectorsOutput& output) {
    ASSERT_EQ(output.results.size(), plain.size()) << index.name;
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const Item found = output.results[i].item.Decode();
      const std::string key = *found.Find("pk")->string();
      EXPECT_EQ(++seen[key], 1);
      ASSERT_TRUE(items_.contains(key) && IsWanted(items_.at(key), search)) << index.name << key;
      Item expected = items_.at(key);
      expected.Remove("e");
      expected.Remove("other");
      if (!index.has_hash) {
        expected.Remove("tenant");
      }
      EXPECT_EQ(Text(found), Text(expected));
      const double score =
          PlainScore(index.distance, search.query, NumbersOf(*items_.at(key).Find("e")));
      EXPECT_NEAR(output.results[i].score, score, 1e-6) << index.name << key;
      EXPECT_NEAR(output.results[i].score, plain[i], 1e-6) << index.name << " " << i;
      ++results_;
    }
    const auto described = Must(db_->DescribeTable("T"));
    for (const VectorIndexDescription& one : described.vector_indexes) {
      const bool has_hash = one.definition.search_schema.size() == 3;
      const auto indexed = std::ranges::count_if(items_, [&](const auto& entry) {
        return entry.second.Find("e") != nullptr &&
               (!has_hash || entry.second.Find("tenant") != nullptr);
      });
      EXPECT_EQ(one.item_count, indexed) << one.definition.index_name;
    }
    ++compared_;
  }

  std::mt19937 random_;
  FakeClock clock_;
  std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
  std::unique_ptr<Database> db_;
  std::map<std::string, Item> items_;
  int compared_ = 0;
  int results_ = 0;
};

TEST(VectorHistory, EqualsAPlainSearch) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    VectorHistory(seed).Run(1000);
  }
}

}  // namespace
}  // namespace prejoin
