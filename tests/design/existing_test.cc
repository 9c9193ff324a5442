// Designs that start from tables that exist: what is kept, the smallest change, published answers, advice.
#include <algorithm>
#include <set>

#include "design/design.h"
#include "design/existing/advice_note.h"
#include "design/finish.h"
#include "model/advise/advise.h"
#include "tests/model/example_files.h"

namespace prejoin::design {
namespace {

model::ReadModelResult ReadFile(const std::string& source) {
  model::ReadModelResult read = model::ReadModel(source);
  EXPECT_TRUE(read.ok);
  return read;
}

DesignReport DesignOf(const std::string& source, const DesignOptions& options = {}) {
  auto report = MakeDesign(source, ReadFile(source), options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *std::move(report) : DesignReport{};
}

std::string KeysOf(const model::Model& model, const std::string& entity) {
  const model::Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return "none";
  }
  std::string text = placement.table->name.text;
  for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
    const model::StoredAttribute* stored = placement.layout->Find(name->text);
    if (stored != nullptr) {
      text += " " + name->text + " = " + stored->key.ToString();
    }
  }
  return text;
}

bool HoldsMaps(const model::Model& model) {
  return std::ranges::any_of(model.tables, [](const model::Table& table) {
    return std::ranges::any_of(table.items, [](const model::ItemLayout& layout) {
      return std::ranges::any_of(layout.attributes, [](const model::StoredAttribute& stored) {
        return stored.kind == model::StoredKind::kEmbedMap;
      });
    });
  });
}

TEST(Keep, ItemsOfAKeptTableStayAsTheyAre) {
  int kept = 0;
  for (const std::string& path : model::SoundExampleFiles()) {
    const std::string source = model::ReadFileForTesting(path);
    const model::ReadModelResult read = ReadFile(source);
    if (read.model.tables.size() != 1 || HoldsMaps(read.model)) {
      continue;
    }
    DesignOptions options;
    options.brief = true;
    options.keep = {read.model.tables[0].name.text};
    const auto report = MakeDesign(source, read, options);
    if (!report) {
      continue;  // Said why: a number as a key, no sort key.
    }
    SCOPED_TRACE(model::BaseName(path));
    const FoundDesign& best = report->designs[0];
    // A key that is kept may be wrong by itself: numbers of two digits, where there are three.
    const auto by_hand = ProveDesign(read.model, options.proof_rows);
    ASSERT_TRUE(by_hand);
    EXPECT_TRUE(best.proved || !by_hand->problems.empty())
        << testing::PrintToString(best.proof_problems);
    for (const model::ItemLayout& layout : read.model.tables[0].items) {
      EXPECT_EQ(KeysOf(best.read.model, layout.entity.text),
                KeysOf(read.model, layout.entity.text));
    }
    EXPECT_LE(best.money, report->money_before * 1.01 + 0.005);
    ++kept;
  }
  EXPECT_GT(kept, 25);
}

TEST(Keep, OneKeptItemIsJoinedByOthersInItsSpelling) {
  const std::string source = R"(
entity Customer {
  id    text(~8) key
  name  text(~20)
  count 1000
}
entity Order {
  customer references Customer.id key
  id       text(~8) key
  total    number(4)
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~5, unbounded
}
pattern Page "A customer with the orders" {
  find Customer where id = :c
  find Order where customer = :c
  rate 10/s
}
write Buy {
  put Order
  rate 1/s
}
table Shop partition pk sort sk {
  item Customer {
    pk = "kunde:{id}"
    sk = "A"
  }
  item Order {
    pk = "best:{id}"
    sk = "x:{customer}"
  }
}
)";
  DesignOptions options;
  options.keep = {"Customer"};
  const DesignReport report = DesignOf(source, options);
  ASSERT_FALSE(report.designs.empty());
  const FoundDesign& best = report.designs[0];
  EXPECT_TRUE(best.proved) << testing::PrintToString(best.proof_problems);
  EXPECT_EQ(KeysOf(best.read.model, "Customer"), "Shop pk = \"kunde:{id}\" sk = \"A\"");
  EXPECT_THAT(KeysOf(best.read.model, "Order"), testing::HasSubstr("pk = \"kunde:{customer}\""));
  EXPECT_EQ(best.worst_rounds, 1);
}

TEST(Keep, SaysWhatCannotBeKept) {
  const std::string source =
      model::ReadFileForTesting(PREJOIN_SOURCE_DIR "/tests/design/auction.prejoin");
  DesignOptions options;
  options.keep = {"Nothing"};
  EXPECT_FALSE(MakeDesign(source, ReadFile(source), options));
}

TEST(Changes, AreProvedAndPriced) {
  int paths = 0;
  for (const std::string& path : model::SoundExampleFiles()) {
    if (std::string("dflw").find(model::BaseName(path)[0]) == std::string::npos) {
      continue;
    }
    const DesignReport report = DesignOf(model::ReadFileForTesting(path));
    ASSERT_FALSE(report.designs.empty());
    const ChangePath& changes = report.changes;
    if (changes.changes.empty()) {
      continue;
    }
    SCOPED_TRACE(model::BaseName(path));
    EXPECT_TRUE(changes.proved) << testing::PrintToString(changes.problems);
    EXPECT_GT(changes.share, 0);
    EXPECT_FALSE(changes.whole.order.empty());
    EXPECT_LT(changes.money, report.money_before);
    double money = report.money_before;
    for (const DesignChange& change : changes.changes) {
      EXPECT_NEAR(change.money, money - change.saves, 1e-6 * money);
      EXPECT_TRUE(change.in_place) << change.what;
      EXPECT_GE(change.PaybackMonths(), 0);
      money = change.money;
    }
    ++paths;
  }
  EXPECT_GE(paths, 3);
}

// A condition on `cell first 5` wants `cell` in the projection of an index: what is cut is no attribute.
TEST(Changes, ProjectWhatIsCutAsAWhole) {
  const DesignReport report = DesignOf(
      model::ReadFileForTesting(PREJOIN_SOURCE_DIR "/tests/trust/strangers/ride_hailing.prejoin"));
  ASSERT_FALSE(report.changes.changes.empty());
  EXPECT_TRUE(report.changes.proved) << testing::PrintToString(report.changes.problems);
  for (const DesignChange& change : report.changes.changes) {
    EXPECT_EQ(change.what.find("cell first 5,"), std::string::npos) << change.what;
  }
}

// The online shop of the Developer Guide: sixteen patterns, one table, two indexes.
TEST(Published, OnlineShopCostsNoMoreThanTheGuidesDesign) {
  const std::string source =
      model::ReadFileForTesting(PREJOIN_SOURCE_DIR "/tests/design/online_shop.prejoin");
  DesignOptions options;
  options.seconds_max = 600;  // For a machine with much else to do.
  const DesignReport report = DesignOf(source, options);
  ASSERT_FALSE(report.designs.empty());
  EXPECT_EQ(report.unserved_before, 0u);
  EXPECT_TRUE(report.designs[0].proved) << testing::PrintToString(report.designs[0].proof_problems);
  EXPECT_LT(report.designs[0].money, 0.9 * report.money_before);
  const auto fewest = std::ranges::find_if(report.designs, [](const FoundDesign& design) {
    return std::ranges::find(design.best_for, Preference::kFewestIndexes) != design.best_for.end();
  });
  ASSERT_NE(fewest, report.designs.end());
  EXPECT_TRUE(fewest->proved) << testing::PrintToString(fewest->proof_problems);
  EXPECT_LE(fewest->indexes, 2u);
}

// An index that one pattern reads and one write pays for: at some rate of either it stops to pay.
TEST(Assumed, ComesWithTheIntervalInWhichTheAnswerStays) {
  const std::string source = R"(
entity Note {
  id     text(~8) key
  owner  text(~8) distinct 10_000
  labels text(~900)
  count  20_000
}
pattern ById {
  find Note where id = :i
  rate 1/s
}
pattern OfOwner {
  find Note where owner = :o get id, labels
}
write Edit {
  update Note where id = :i set labels
}
)";
  DesignOptions options;
  options.intervals = true;
  options.tie_share = options.tie_money = 0;  // The bill is small: with a tie nothing would change.
  const DesignReport report = DesignOf(source, options);
  ASSERT_EQ(report.assumed.size(), 2u) << testing::PrintToString(report.assumed);
  for (const std::string& line : report.assumed) {
    EXPECT_THAT(line, testing::HasSubstr("once per second"));
    EXPECT_THAT(line, testing::HasSubstr("the answer is the same from"));
  }
  // With keys only, a read costs another unit and an edit one less: what pays depends on both rates.
  EXPECT_THAT(report.assumed, testing::Contains(testing::HasSubstr("times as much (tried")));
}

TEST(Stopped, GivesWhatEachPatternNeedsByItself) {
  std::string source =
      model::ReadFileForTesting(PREJOIN_SOURCE_DIR "/tests/design/online_shop.prejoin");
  DesignOptions options;
  options.stop = [] { return true; };
  for (const bool with_tables : {true, false}) {
    if (!with_tables) {
      source = source.substr(0, source.find("table OnlineShop"));
    }
    const DesignReport report = DesignOf(source, options);
    ASSERT_EQ(report.designs.size(), 1u);
    EXPECT_TRUE(report.stopped);
    EXPECT_TRUE(report.designs[0].proved)
        << testing::PrintToString(report.designs[0].proof_problems);
    EXPECT_THAT(RenderDesign(report, options.prices).notes,
                testing::HasSubstr("there is no bound"));
  }
}

TEST(NaturalKeys, AreGenericWhereTheyWouldBeTooManyIndexes) {
  std::string source;
  constexpr int kEntities = 11;
  for (int i = 0; i < kEntities; ++i) {
    const std::string n = std::to_string(i);
    source += "entity E" + n + " {\n  id text(~8) key\n  a" + n + " text(~8) distinct 100\n  b" +
              n + " text(~8) distinct 100\n  count 10_000\n}\n";
    for (const char* name : {"a", "b"}) {
      source += "pattern By" + (name + n) + " {\n  find E" + n + " where " + (name + n) +
                " = :v\n  rate 5/s\n}\n";
    }
  }
  DesignOptions options;
  options.brief = true;
  options.keys = KeyStyle::kNatural;
  const DesignReport report = DesignOf(source, options);
  ASSERT_FALSE(report.designs.empty());
  EXPECT_TRUE(report.designs[0].proved) << testing::PrintToString(report.designs[0].proof_problems);
  EXPECT_LE(report.designs[0].indexes, kGlobalIndexesMax);
}

TEST(Advice, DoesNotContradictTheDesignUnexplained) {
  int relationships = 0;
  int notes = 0;
  for (const std::string& path : model::SoundExampleFiles()) {
    const std::string source = model::ReadFileForTesting(path);
    const model::ReadModelResult read = ReadFile(source);
    DesignOptions options;
    options.brief = true;
    options.prove = false;
    const auto report = MakeDesign(source, read, options);
    ASSERT_TRUE(report) << report.error().message;
    if (report->keeps_file) {
      continue;  // The tables are the author's then, and so are their strategies.
    }
    const auto advice = model::Advise(read.model, options.prices);
    std::set<std::string> explained;
    for (const AdviceNote& note : CompareAdvice(advice, *report, options.prices)) {
      EXPECT_FALSE(note.why.empty());
      explained.insert(note.relationship);
      ++notes;
    }
    for (const model::Advice& one : advice) {
      ++relationships;
      if (explained.contains(one.relationship->name.text)) {
        continue;
      }
      const auto strategies =
          std::ranges::find_if(report->designs[0].read.model.strategies, [&](const auto& choice) {
            return choice.relationship.text == one.relationship->name.text;
          });
      for (const model::Strategy* strategy : one.recommended) {
        ASSERT_NE(strategies, report->designs[0].read.model.strategies.end())
            << model::BaseName(path);
        EXPECT_TRUE(std::ranges::any_of(
            strategies->strategies,
            [&](const model::Name& name) { return name.text == strategy->name; }))
            << model::BaseName(path) << " " << one.relationship->name.text << " " << strategy->name;
      }
    }
  }
  EXPECT_GT(relationships, 5);
  EXPECT_LT(notes, relationships);
}

}  // namespace
}  // namespace prejoin::design
