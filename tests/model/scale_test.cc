// What a scale multiplies and what it leaves alone. Each figure is computed by hand in its comment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/bind/read_model.h"
#include "model/cost/cost.h"
#include "model/generate/generate.h"
#include "model/plan/planner.h"

namespace prejoin::model {
namespace {

using ::testing::HasSubstr;

// An invoice has 2 + 8, 7 + 8, 5 + 4, 6 + 4 and 4 + 52 bytes: 100.
constexpr const char* kPractice = R"(
entity Owner {
  id text(8) key
  count 10_000
}
entity Vet {
  id text(4) key
  count 10 fixed
}
entity Desk {
  vetId references Vet.id key
  name text(4) key
}
entity Setting {
  name text(4) values ("TAX", "LOGO") key
  count 2
}
entity Invoice {
  id text(8) key
  ownerId references Owner.id
  vetId references Vet.id
  status text(4) values ("OPEN", "PAID")
  body text(52)
  count 20_000
}
relationship Invoices: Owner one-to-many Invoice {
  each Owner has ~2, unbounded
}
relationship Billed: Vet one-to-many Invoice {
  each Vet has ~2_000, unbounded
}
relationship Desks: Vet one-to-many Desk {
  each Vet has ~2, at most 5
}
table T partition id {
  index ByOwner partition ownerId sort id project all
  index ByVet partition vetId sort id project all
  index ByStatus partition status sort id project all
  item Invoice {
  }
}
pattern One {
  find Invoice where id = :id
  rate 1/s peak 1/s
}
pattern OfOwner {
  find Invoice where ownerId = :owner
  rate 1/s peak 1/s
}
pattern OfVet {
  find Invoice where vetId = :vet
  rate 1/s peak 1/s
}
pattern Open {
  find Invoice where status = "OPEN"
  rate 1/s peak 1/s
}
pattern FirstOpen {
  find Invoice where status = "OPEN" order by id limit 20
  rate 1/s peak 1/s
}
pattern Some {
  find Invoice where status = "OPEN" and id between :from and :to returns ~50
  rate 1/s peak 1/s
}
pattern SomeOfOwner {
  find Invoice where ownerId = :owner and id between :from and :to returns ~1
  rate 1/s peak 1/s
}
write Bill {
  put Invoice
  rate 2/s peak 2/s
}
)";

class Scale : public ::testing::Test {
 protected:
  Scale() {
    for (const Diagnostic& one : read_.diagnostics) {
      ADD_FAILURE() << one.message;
    }
  }

  PlanEstimate At(double scale, const std::string& pattern) {
    Expectations figures(read_.model, {}, scale);
    return PlanPattern(figures, *read_.model.FindPattern(pattern)).estimate;
  }

  CostReport Cost(double scale) {
    Expectations figures(read_.model, {}, scale);
    return EstimateCost(figures, PlanAll(figures), Prices());
  }

  ReadModelResult read_ = ReadModel(kPractice);
};

TEST_F(Scale, MultipliesTheRowsOfWhatCanGrow) {
  Expectations figures(read_.model, {}, 100);
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Owner")), 1'000'000);
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Invoice")), 2'000'000);
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Vet")), 10) << "fixed";
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Setting")), 2) << "its key has two values";
  EXPECT_EQ(figures.Count(*figures.model().FindEntity("Desk")), 50) << "10 vets with at most 5 each";
}

TEST_F(Scale, GrowsACollectionWhereItsParentGrowsLess) {
  Expectations figures(read_.model, {}, 100);
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Invoice"), {"id"}), 1);
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Invoice"), {"ownerId"}), 2) << "owners grow as fast";
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Invoice"), {"vetId"}), 200'000) << "100 x 20,000 for 10 vets";
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Invoice"), {"status"}), 1'000'000) << "100 x 20,000 / 2";
  EXPECT_EQ(figures.Rows(*figures.model().FindEntity("Desk"), {"vetId"}), 5) << "at most";
}

TEST_F(Scale, ReadsWhatTheCollectionHasThen) {
  // 10,000 of 100 bytes are 245 blocks of 4 KB, read eventually, in one page of 1 MB; a hundred times as many are
  // 95 pages of 10,486 items, 257 blocks each, and one of 3,830 items and 94 blocks: 24,509.
  EXPECT_EQ(At(1, "Open").read_units, 122.5);
  EXPECT_EQ(At(1, "Open").rounds, 1);
  EXPECT_EQ(At(100, "Open").read_units, 12'254.5);
  EXPECT_EQ(At(100, "Open").requests, 96);
  EXPECT_EQ(At(100, "Open").rounds, 96);
  // 2,000 of 100 bytes are 49 blocks; 200,000 are 19 pages of 257 and one of 19: 4,902.
  EXPECT_EQ(At(1, "OfVet").read_units, 24.5);
  EXPECT_EQ(At(100, "OfVet").read_units, 2'451);
  for (const char* same : {"One", "OfOwner", "FirstOpen", "SomeOfOwner"}) {
    EXPECT_EQ(At(100, same).read_units, At(1, same).read_units) << same;
    EXPECT_EQ(At(100, same).items_returned, At(1, same).items_returned) << same;
  }
  EXPECT_EQ(At(100, "Some").items_returned, 5'000) << "returns ~50 of a hundredth";
}

TEST_F(Scale, PricesRowsAndRequestsTogether) {
  const CostReport now = Cost(1);
  const CostReport then = Cost(100);
  ASSERT_EQ(then.patterns[3].name, "Open");
  EXPECT_EQ(then.patterns[3].units_per_second, 100 * 12'254.5);
  EXPECT_EQ(then.patterns[1].units_per_second, 100 * now.patterns[1].units_per_second);
  EXPECT_EQ(then.writes[0].units_per_second, 100 * now.writes[0].units_per_second);
  EXPECT_EQ(then.storage[0].items, 100 * now.storage[0].items);
}

TEST_F(Scale, SpreadsRequestsOverTheKeysThatThereAreThen) {
  const auto writes = [&](const CostReport& report, const std::string& view) {
    for (const Heat& heat : report.heat) {
      if (heat.view == view) {
        return heat.write_units_per_second;
      }
    }
    return -1.0;
  };
  const CostReport now = Cost(1);
  const CostReport then = Cost(100);
  EXPECT_EQ(writes(now, "T.ByStatus"), 1) << "2 units a second over two values";
  EXPECT_EQ(writes(then, "T.ByStatus"), 100);
  EXPECT_EQ(writes(then, "T.ByVet"), 20) << "200 over 10 vets";
  EXPECT_DOUBLE_EQ(writes(then, "T.ByOwner"), 2.0 / 10'000) << "as today";
}

TEST_F(Scale, ShowsCollectionsAsTheyGrow) {
  for (const CollectionSize& size : Cost(1).sizes) {
    if (size.view == "T.ByStatus") {
      EXPECT_EQ(size.bytes, (std::array<double, 4>{1e6, 1e7, 1e8, 1e9}));
    } else if (size.view == "T.ByOwner") {
      EXPECT_EQ(size.bytes, (std::array<double, 4>{200, 200, 200, 200}));
    }
  }
  EXPECT_THAT(RenderCost(Cost(10), Prices()), HasSubstr("\u00d710,000"));
}

// 30,032 rows are declared: a fifth of them, and twice as many.
TEST_F(Scale, GeneratesRowsAtOneScale) {
  const auto rows = [&](double wanted) {
    GenerateOptions options;
    options.rows = wanted;
    return GenerateData(read_.model, options);
  };
  const double declared = 10'000 + 10 + 20 + 2 + 20'000;
  const Dataset less = rows(declared / 5);
  EXPECT_EQ(less.Of("Owner").size(), 2'000);
  EXPECT_EQ(less.Of("Vet").size(), 2);
  const Dataset more = rows(declared * 2);
  EXPECT_EQ(more.Of("Owner").size(), 20'000);
  EXPECT_EQ(more.Of("Vet").size(), 10);
  EXPECT_EQ(more.Of("Invoice").size(), 40'000);
}

}  // namespace
}  // namespace prejoin::model
