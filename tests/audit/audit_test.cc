// Audits of items that are right, and of items that were damaged on purpose.
#include "audit/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "audit/prove_stored.h"
#include "model/bind/read_model.h"
#include "model/data/item_render.h"
#include "model/generate/generate.h"
#include "model/prove/embedded_backend.h"
#include "tests/audit/planted_fault.h"
#include "tests/model/example_files.h"
#include "tests/model/random_model.h"

namespace prejoin::audit {
namespace {

using model::Dataset;
using model::Model;
using model::TableItems;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 20261115;
constexpr int kFaults = 100;

Model ReadExample(const std::string& path) {
  return model::ReadModel(model::ReadFileForTesting(path)).model;
}

std::vector<TableItems> StoredSample(const Model& model) {
  const Dataset data = model::SampleData(model);
  model::DataIndex index(data);
  return model::RenderAll(model, index);
}

AuditReport AuditItems(const Model& model, const std::vector<TableItems>& stored,
                       AuditOptions options = {}) {
  Auditor auditor(model, std::move(options));
  for (const TableItems& table : stored) {
    for (const Item& item : table.items) {
      EXPECT_TRUE(auditor.Add(*table.table, item).has_value());
    }
  }
  auto report = auditor.Finish();
  EXPECT_TRUE(report.has_value());
  return *std::move(report);
}

bool ProvedRight(const Model& model, const std::vector<TableItems>& stored) {
  auto backend = model::EmbeddedBackend::OpenInMemory();
  const auto report = ProveStored(model, stored, **backend, {});
  EXPECT_TRUE(report.has_value()) << report.error().message;
  return report.has_value() && report->all_right;
}

TEST(Audit, FindsNothingInTheItemsOfTheExamples) {
  std::int64_t items = 0;
  for (const std::string& path : model::SoundExampleFiles()) {
    const Model model = ReadExample(path);
    const AuditReport report = AuditItems(model, StoredSample(model));
    EXPECT_EQ(report.Total(), 0) << path << "\n" << RenderAudit(report, 5);
    items += report.items;
  }
  EXPECT_GT(items, 200);
}

// A trip begins at one station and ends at another: both references are followed.
TEST(Audit, FollowsEveryReferenceAndKnowsADate) {
  const Model model = model::ReadModel(R"(
entity Station {
  id text(~4) key
}
entity Trip {
  id text(~4) key
  fromId references Station.id
  toId references Station.id optional
  day date
}
table T partition PK {
  item Station {
    PK = "STATION#{id}"
  }
  item Trip {
    PK = "TRIP#{id}"
  }
}
sample Station (id) {
  "s1"
}
sample Trip (id, fromId, toId, day) {
  "t1", "s1", "s1", "2026-01-31"
  "t2", "s1", "s1", "2026-01-31"
  "t3", "s1", -,    "2026-01-31"
}
)")
                          .model;
  Dataset data = model::SampleData(model);
  const auto findings = [&] {
    model::DataIndex index(data);
    const AuditReport report = AuditItems(model, model::RenderAll(model, index));
    return RenderAudit(report, 9);
  };
  EXPECT_THAT(findings(), ::testing::Not(HasSubstr("orphan")));
  data.rows["Trip"][1].Set("toId", AttributeValue("s9"));
  EXPECT_THAT(findings(), HasSubstr("toId: it references a Station that is not stored"));
  data.rows["Trip"][1].Set("toId", AttributeValue("s1"));
  data.rows["Trip"][0].Set("fromId", AttributeValue("s8"));
  EXPECT_THAT(findings(), HasSubstr("fromId: it references a Station that is not stored"));
  data.rows["Trip"][0].Set("fromId", AttributeValue("s1"));
  data.rows["Trip"][2].Set("day", AttributeValue("next week"));
  EXPECT_THAT(findings(), HasSubstr("which is not a valid date"));
}

constexpr const char* kCells = R"(
entity Place {
  id      text(~4) key
  name    text(~8)
  kind    text(~5)
  geohash text(9)
}
table Places partition PK sort SK {
  item Place {
    PK = "PLACE#{id}"
    SK = "PLACE"
  }
  item PlaceCell of Place (id, name) {
    PK = "C6#{geohash first 6}#{kind upper}"
    SK = "{id}"
  }
}
sample Place (id, name, kind, geohash) {
  "p1", "Cafe",   "food", "u4pruydqq"
  "p2", "Museum", "art",  "u4pruzzzz"
}
)";

// The cell is in the key of the second layout only, and what follows it cannot be read back.
TEST(Audit, AKeyMayCutWhatItsItemDoesNotStore) {
  const Model model = model::ReadModel(kCells).model;
  const Dataset data = model::SampleData(model);
  model::DataIndex index(data);
  std::vector<TableItems> stored = model::RenderAll(model, index);
  const AuditReport clean = AuditItems(model, stored);
  EXPECT_EQ(clean.items, 4);
  EXPECT_EQ(clean.Total(), 0) << RenderAudit(clean, 9);
}

TEST(Audit, AKeyThatCutsAnOldValueIsStale) {
  const Model model = model::ReadModel(kCells).model;
  const Dataset data = model::SampleData(model);
  model::DataIndex index(data);
  std::vector<TableItems> stored = model::RenderAll(model, index);
  for (Item& item : stored[0].items) {
    if (*item.Find("PK")->string() == "PLACE#p1") {
      item.Set("geohash", AttributeValue("u4zzzzzzz"));
    }
  }
  const AuditReport moved = AuditItems(model, stored);
  ASSERT_EQ(moved.findings.size(), 1u) << RenderAudit(moved, 9);
  EXPECT_EQ(moved.findings[0].kind, FindingKind::kStaleKey);
  EXPECT_THAT(moved.findings[0].message, HasSubstr("C6#u4zzzz#FOOD"));
  for (Item& item : stored[0].items) {
    if (item.Find("PK")->string()->starts_with("C6#")) {
      item.Set("PK", AttributeValue("C5#" + item.Find("PK")->string()->substr(3)));
    }
  }
  const AuditReport broken = AuditItems(model, stored);
  EXPECT_GT(broken.Total(), 1) << RenderAudit(broken, 9);
}

TEST(Audit, FindsNothingInGeneratedItems) {
  for (const std::string& path : model::SoundExampleFiles()) {
    const Model model = ReadExample(path);
    const Dataset data = model::GenerateData(model, {.rows = 200, .seed = kSeed, .progress = {}});
    model::DataIndex index(data);
    AuditReport report = AuditItems(model, model::RenderAll(model, index));
    // Generated numbers know no conditions of writes.
    report.counts[static_cast<std::size_t>(FindingKind::kBrokenGuard)] = 0;
    EXPECT_EQ(report.Total(), 0) << path << "\n" << RenderAudit(report, 5);
  }
}

// Every construct of the random models, and a fault in each of them. PREJOIN_RANDOM_SEED tries others.
TEST(Audit, FindsFaultsInRandomModelsAndNothingInTheirCleanTwins) {
  const char* wanted = std::getenv("PREJOIN_RANDOM_SEED");
  const std::uint64_t first = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kSeed;
  std::mt19937_64 random(first);
  int planted = 0;
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    const model::ReadModelResult read = model::ReadModel(model::RandomModel(seed));
    ASSERT_TRUE(read.ok) << seed;
    const Dataset data =
        model::GenerateData(read.model, {.rows = 60, .seed = seed, .progress = {}});
    model::DataIndex index(data);
    std::vector<TableItems> stored = model::RenderAll(read.model, index);
    const AuditReport clean = AuditItems(read.model, stored);
    EXPECT_EQ(clean.Total(), 0) << "seed " << seed << "\n" << RenderAudit(clean, 3);
    const auto kind = static_cast<FaultKind>(random() % kFaultKinds);
    const auto fault = PlantFault(read.model, kind, random, stored);
    if (!fault) {
      continue;
    }
    ++planted;
    EXPECT_GT(AuditItems(read.model, stored).Total(), 0) << "seed " << seed << ": " << fault->what;
  }
  EXPECT_GT(planted, 15);
}

// What no example has: rows in a list that have items of their own, a copy in a key.
constexpr const char* kLibrary = R"(
entity Reader {
  id text key
  name text
  email text unique
  loans number
}
entity Book {
  id text key
  title text
}
entity Loan {
  readerId references Reader.id key
  bookId references Book.id key
  days number
}
pattern Reader {
  find Reader where id = :r
}
pattern Loans {
  find Loan where readerId = :r get bookId, days, Book.title
}
pattern ByTitle {
  find Loan where bookId = :b
}
write Lend {
  put Loan once
  update Reader where id = :r set loans += 1 if loans < 5
}
table Library partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all
  item Reader {
    PK = "READER#{id}"
    SK = "READER"
    books = list of Loan (bookId, days)
    unique email by lock item
  }
  item Book {
    PK = "BOOK#{id}"
    SK = "BOOK"
  }
  item Loan {
    PK = "READER#{readerId}"
    SK = "LOAN#{bookId}"
    title = copy of Book.title kept by stream
    GSI1PK = "BOOK#{bookId}"
    GSI1SK = "{title}#{readerId}"
  }
}
sample Reader (id, name, email, loans) {
  "r1", "Ann", "ann@x", 2
  "r2", "Bob", "bob@x", 1
  "r3", "Cid", "cid@x", 0
}
sample Book (id, title) {
  "b1", "Emma"
  "b2", "Ulysses"
}
sample Loan (readerId, bookId, days) {
  "r1", "b1", 7
  "r1", "b2", 9
  "r2", "b1", 3
}
)";

// The texts of the examples, and one more.
std::vector<std::string> ModelTexts() {
  std::vector<std::string> texts{kLibrary};
  for (const std::string& path : model::SoundExampleFiles()) {
    texts.push_back(model::ReadFileForTesting(path));
  }
  return texts;
}

// A hundred faults of thirteen kinds: the audit and the proof find each of them, and nothing in the clean twin.
TEST(Audit, FindsEveryPlantedFault) {
  std::vector<Model> models;
  for (const std::string& text : ModelTexts()) {
    model::ReadModelResult read = model::ReadModel(text);
    ASSERT_TRUE(read.ok) << text;
    models.push_back(std::move(read.model));
  }
  std::mt19937_64 random(kSeed);
  std::map<FaultKind, int> planted;
  for (int fault_number = 0; fault_number < kFaults; ++fault_number) {
    const auto kind = static_cast<FaultKind>(fault_number % kFaultKinds);
    std::optional<PlantedFault> fault;
    std::vector<TableItems> clean;
    std::vector<TableItems> stored;
    const Model* model = nullptr;
    for (int tries = 0; !fault && tries < 2'000; ++tries) {
      model = &models[random() % models.size()];
      clean = StoredSample(*model);
      stored = clean;
      fault = PlantFault(*model, kind, random, stored);
    }
    ASSERT_TRUE(fault) << "no model has a place for a fault of kind " << static_cast<int>(kind);
    ++planted[kind];
    SCOPED_TRACE(model->title + ": " + fault->what + ", seed " + std::to_string(kSeed));
    EXPECT_GT(AuditItems(*model, stored).Total(), 0);
    EXPECT_FALSE(ProvedRight(*model, stored));
    EXPECT_EQ(AuditItems(*model, clean).Total(), 0);
    EXPECT_TRUE(ProvedRight(*model, clean));
  }
  EXPECT_EQ(planted.size(), static_cast<std::size_t>(kFaultKinds));
}

constexpr const char* kShop = R"(
entity Warehouse {
  id text key
  city text
}
entity Product {
  id text key
  title text
}
entity Stock {
  warehouseId references Warehouse.id key
  productId references Product.id key
  pieces number
  until date optional
}
pattern Inventory "What a warehouse has" {
  find Stock where warehouseId = :w
}
pattern Where "Which warehouses have a product" {
  find Stock where productId = :p get warehouseId, pieces, Product.title
}
pattern One {
  find Warehouse where id = :w
}
table Shop partition PK sort SK {
  type Kind
  index GSI2 partition GSI2PK sort GSI2SK project all
  index Soon partition SoonPK sort SoonSK project keys
  item Warehouse {
    PK = "W#{id}"
    SK = "W#{id}"
  }
  item Product {
    PK = "P#{id}"
    SK = "P#{id}"
  }
  item Stock {
    PK = "P#{productId}"
    SK = "W#{warehouseId}"
    GSI2PK = "W#{warehouseId}"
    GSI2SK = "P#{productId}"
    SoonPK = "{until}"
    SoonSK = "P#{productId}"
    title = copy of Product.title kept by stream
  }
}
sample Warehouse (id, city) {
  "w1", "Bern"
  "w2", "Rome"
}
sample Product (id, title) {
  "p1", "Chair"
}
sample Stock (warehouseId, productId, pieces, until) {
  "w1", "p1", 4, -
  "w2", "p1", 9, "2026-01-01"
}
)";

class AuditShop : public ::testing::Test {
 protected:
  AuditShop()
      : read_(model::ReadModel(kShop)), model_(read_.model), stored_(StoredSample(model_)) {}
  void SetUp() override {
    ASSERT_TRUE(read_.ok) << (read_.diagnostics.empty() ? "" : read_.diagnostics[0].message);
    ASSERT_EQ(AuditItems(model_, stored_).Total(), 0);
  }

  Item& Find(const std::string& partition, const std::string& sort) {
    for (Item& item : stored_[0].items) {
      if (*item.Find("PK") == AttributeValue(partition) &&
          *item.Find("SK") == AttributeValue(sort)) {
        return item;
      }
    }
    ADD_FAILURE() << "no item " << partition << " " << sort;
    return stored_[0].items[0];
  }
  AuditReport Audit(AuditOptions options = {}) {
    return AuditItems(model_, stored_, std::move(options));
  }

  const model::ReadModelResult read_;
  const Model& model_;
  std::vector<TableItems> stored_;
};

// The fault of a published design: an item without the keys of its second index, and a query that loses a row.
TEST_F(AuditShop, NamesThePatternThatLosesARowAndTheAttributeAtFault) {
  Item& stock = Find("P#p1", "W#w1");
  stock.Remove("GSI2PK");
  stock.Remove("GSI2SK");
  const AuditReport report = Audit();
  EXPECT_EQ(report.counts[static_cast<std::size_t>(FindingKind::kMissingKey)], 2);
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_EQ(report.losses[0].pattern, "Inventory");
  EXPECT_EQ(report.losses[0].lost, 1);
  EXPECT_THAT(RenderAudit(report, 5), HasSubstr("GSI2PK is missing; it should be \"W#w1\""));
  EXPECT_THAT(AuditJson(report), HasSubstr("\"lost\": 1"));
}

TEST_F(AuditShop, AKeyOfAnAbsentAttributeIsSurplus) {
  Find("P#p1", "W#w1").Set("SoonPK", AttributeValue("2026-01-01"));
  const AuditReport report = Audit();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::kSurplusKey);
  EXPECT_EQ(report.findings[0].attribute, "SoonPK");
}

TEST_F(AuditShop, AWrongLabelAndAnUnknownItemAreTold) {
  Find("W#w1", "W#w1").Set("Kind", AttributeValue("Stock"));
  stored_[0].items.push_back({{"PK", "X#1"}, {"SK", "X#1"}});
  const AuditReport report = Audit();
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::kUnknownItem);
  EXPECT_EQ(report.findings[1].kind, FindingKind::kWrongAttribute);
  EXPECT_EQ(report.findings[1].entity, "Warehouse");
}

TEST_F(AuditShop, TypesAndMissingAttributesAreChecked) {
  Find("P#p1", "W#w1").Set("pieces", AttributeValue("four"));
  Find("W#w2", "W#w2").Remove("city");
  const AuditReport report = Audit();
  EXPECT_EQ(report.counts[static_cast<std::size_t>(FindingKind::kWrongAttribute)], 1);
  EXPECT_EQ(report.counts[static_cast<std::size_t>(FindingKind::kMissingAttribute)], 1);
}

TEST_F(AuditShop, DriftNamesThePatternsThatReadTheCopy) {
  Find("P#p1", "W#w1").Set("title", AttributeValue("Stool"));
  std::vector<Fix> fixes;
  const AuditReport report = Audit({.on_fix = [&](const Fix& fix) { fixes.push_back(fix); }});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::kDrift);
  EXPECT_THAT(report.findings[0].patterns, ::testing::ElementsAre("Where"));
  ASSERT_EQ(fixes.size(), 1u);
  EXPECT_EQ(fixes[0].operation, "UpdateItem");
  EXPECT_THAT(fixes[0].body, HasSubstr("\"Chair\""));
  EXPECT_THAT(fixes[0].body, HasSubstr("ConditionExpression"));
}

TEST_F(AuditShop, LittleMemoryGivesTheSameFindings) {
  Find("P#p1", "W#w1").Set("title", AttributeValue("Stool"));
  std::erase_if(stored_[0].items,
                [](const Item& item) { return *item.Find("PK") == AttributeValue("W#w2"); });
  const AuditReport roomy = Audit();
  const AuditReport narrow = Audit({.memory_bytes = 100});
  EXPECT_EQ(roomy.spilled_bytes, 0u);
  EXPECT_GT(narrow.spilled_bytes, 0u);
  EXPECT_EQ(RenderAudit(roomy, 10), RenderAudit(narrow, 10));
  EXPECT_EQ(roomy.counts[static_cast<std::size_t>(FindingKind::kOrphan)], 1);
}

TEST_F(AuditShop, ASampleSaysNothingAboutWhatIsNotInIt) {
  std::erase_if(stored_[0].items,
                [](const Item& item) { return *item.Find("PK") == AttributeValue("W#w2"); });
  const AuditReport report = Audit({.complete = false});
  EXPECT_EQ(report.Total(), 0);
  EXPECT_FALSE(report.not_checked.empty());
}

TEST_F(AuditShop, CountsWhatItDoesNotTell) {
  for (Item& item : stored_[0].items) {
    item.Remove("Kind");
  }
  const AuditReport report = Audit({.findings_max = 2});
  EXPECT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.Total(), 5);
}

}  // namespace
}  // namespace prejoin::audit
