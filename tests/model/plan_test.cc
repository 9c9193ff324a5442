// Planning, explaining, costing, advising and drawing, without a database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/advise/advise.h"
#include "model/bind/read_model.h"
#include "model/chart/chart.h"
#include "model/cost/copies.h"
#include "model/cost/cost.h"
#include "model/data/item_render.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/predictor.h"
#include "model/prove/run_plan.h"
#include "model/schema/model_json.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::HasSubstr;

ReadModelResult Example(const std::string& name) {
  ReadModelResult read =
      ReadModel(ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/" + name + ".prejoin"));
  EXPECT_TRUE(read.ok) << name;
  return read;
}

std::string PlanText(const Model& model, const std::string& pattern) {
  const Plan plan = PlanPattern(model, *model.FindPattern(pattern));
  std::string out;
  for (const Request& request : plan.requests) {
    out += DescribeRequest(request) + "\n";
  }
  for (const SectionPlan& section : plan.sections) {
    for (const FollowUp& follow_up : section.follow_ups) {
      out += "then " + follow_up.entity.text + "\n";
    }
  }
  return out;
}

TEST(Planner, ChoosesTheRequestAPersonWouldWrite) {
  const ReadModelResult school = Example("d04_students_and_courses");
  EXPECT_EQ(PlanText(school.model, "A9"), "Query School where PK = \"STU#{:student}\"\n");
  EXPECT_EQ(PlanText(school.model, "A10"),
            "Query School where PK = \"STU#{:student}\" and begins_with(SK, \"ENROLL#CRS#\")\n");
  EXPECT_EQ(
      PlanText(school.model, "A11"),
      "Query School.GSI1 where GSI1PK = \"CRS#{:course}\" and begins_with(GSI1SK, \"STU#\")\n");
  EXPECT_EQ(PlanText(school.model, "A14"),
            "GetItem School where PK = \"CRS#{:course}\" and SK = \"METADATA\"\n");
}

TEST(Planner, ReadsParentAndNewestChildrenInOneQueryBackwards) {
  const ReadModelResult saas = Example("d08_saas_orgs");
  EXPECT_THAT(PlanText(saas.model, "A23"),
              HasSubstr("Query Support.GSI1 where GSI1PK = \"ORG#{:org}#USER#{:user}\", newest"));
  EXPECT_THAT(PlanText(saas.model, "A23"), HasSubstr("ScanIndexForward=false), Limit 11"));
}

TEST(Planner, ClosesAPrefixSoThatP1DoesNotMatchP10) {
  const ReadModelResult reference = Example("d03_quick_reference");
  EXPECT_THAT(PlanText(reference.model, "A5b"),
              HasSubstr("SK between \"PROJECT#{:project}\" and \"PROJECT#{:project}#TASK#…\""));
}

TEST(Planner, QueriesEveryShardInParallel) {
  const ReadModelResult votes = Example("p11_write_sharding");
  EXPECT_THAT(PlanText(votes.model, "OfLecture"),
              HasSubstr("8 parallel Query Votes.GSI1 where GSI1PK = \"LECTURE#{:lecture}#{0…7}\""));
}

TEST(Planner, SaysWhatOneQueryCannotLeaveOut) {
  const ReadModelResult reference = Example("d03_quick_reference");
  const Plan plan = PlanPattern(reference.model, *reference.model.FindPattern("A6"));
  EXPECT_THAT(plan.thrown_away, ::testing::ElementsAre("Task"));
  EXPECT_THAT(ExplainPattern(reference.model, *reference.model.FindPattern("A6")),
              HasSubstr("these keys have no single Query that leaves it out"));
}

TEST(Planner, NeverUsesAnIndexThatLacksRows) {
  const ReadModelResult read = ReadModel(
      "entity A {\n  id text key\n  g text\n  k text optional\n}\npattern P {\n  find A where g = "
      ":g\n}\npattern Q {\n  find A where g = :g and k = :k\n}\n"
      "table T partition PK {\n  index G partition GPK sort GSK project all\n  item A {\n    PK = "
      "\"A#{id}\"\n    GPK = \"{g}\"\n    GSK = \"{k}\"\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  EXPECT_FALSE(PlanPattern(read.model, *read.model.FindPattern("P")).served);
  EXPECT_TRUE(PlanPattern(read.model, *read.model.FindPattern("Q")).served);
}

TEST(Explain, NamesThePatternsThatDieWithAKey) {
  const ReadModelResult school = Example("d04_students_and_courses");
  EXPECT_THAT(ExplainKeys(school.model, "GSI1PK"),
              HasSubstr("supports 1 access pattern that no other key supports: A11"));
  const ReadModelResult saas = Example("d08_saas_orgs");
  EXPECT_THAT(ExplainKeys(saas.model, "GSI1PK"), HasSubstr("A23"));
}

TEST(Explain, SortKeysThatRequestsNameAreNeeded) {
  const ReadModelResult education = Example("d05_education");
  EXPECT_THAT(ExplainKeys(education.model, "SK"),
              HasSubstr("2 patterns depend on it for the right rows or their order: A15, A16"));
  EXPECT_THAT(ExplainKeys(education.model, "GSI1-SK"), HasSubstr("1 pattern depends on it"));
  EXPECT_THAT(ExplainPattern(education.model, *education.model.FindPattern("A17")),
              HasSubstr("1 request in 1 round trip \u00b7 160 items, 19.4 KB read"));
}

// A local index that lacks attributes fetches them in the same Query, and the engine charges for
// each.
TEST(Planner, ALocalIndexFetchesFromTheTableByItself) {
  const std::string text =
      "entity A {\n  g text(4) key\n  id text(4) key\n  rank number(3)\n  note "
      "text(40)\n}\npattern "
      "ByRank {\n  find A where g = :g order by rank\n  fresh strong\n}\ntable T partition PK sort "
      "SK {\n  "
      "local index L sort rank project keys\n  item A {\n    PK = \"G#{g}\"\n    SK = \"A#{id}\"\n "
      " }\n}\n"
      "sample A (g, id, rank, note) {\n  \"g1\", \"a\", 3, \"x\"\n  \"g1\", \"b\", 1, \"y\"\n  "
      "\"g2\", "
      "\"c\", 2, \"z\"\n}\n";
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok);
  const std::vector<Plan> plans = PlanAlternatives(read.model, read.model.patterns[0], 9);
  const auto local = std::find_if(plans.begin(), plans.end(), [](const Plan& plan) {
    return plan.requests[0].view.index != nullptr;
  });
  ASSERT_NE(local, plans.end());
  EXPECT_EQ(local->estimate.requests, 1);
  EXPECT_EQ(local->estimate.rounds, 1);
  const Dataset data = SampleData(read.model);
  auto backend = EmbeddedBackend::OpenInMemory();
  Predictor predictor;
  DataIndex index(data);
  for (const TableItems& table : RenderAll(read.model, index)) {
    for (Backend* one :
         {static_cast<Backend*>(backend->get()), static_cast<Backend*>(&predictor)}) {
      ASSERT_TRUE(one->CreateTable(read.model, *table.table).has_value());
      ASSERT_TRUE(one->Load(table.table->name.text, table.items).has_value());
    }
  }
  const Arguments arguments = {{"g", AttributeValue("g1")}};
  const auto measured = RunPlan(read.model, *local, arguments, **backend);
  const auto predicted = RunPlan(read.model, *local, arguments, predictor);
  ASSERT_TRUE(measured.has_value());
  ASSERT_TRUE(predicted.has_value());
  EXPECT_EQ(measured->requests, 1);
  EXPECT_EQ(measured->read_units, 3) << "one for the entries, one for each of the two items";
  EXPECT_EQ(predicted->read_units, measured->read_units);
  ASSERT_EQ(measured->sections[0].size(), 2u);
  EXPECT_EQ(*measured->sections[0][0].Find("note"), AttributeValue("y"));
  EXPECT_EQ(predicted->sections, measured->sections);
}

TEST(Explain, SortKeysGiveOrderAndUniqueness) {
  const ReadModelResult school = Example("d04_students_and_courses");
  EXPECT_THAT(ExplainKeys(school.model, "SK"),
              HasSubstr("without it uniqueness is lost, and items of one partition overwrite each "
                        "other: Student, Enrollment"));
  EXPECT_THAT(ExplainKeys(school.model, "SK"), HasSubstr("must sort"));
  EXPECT_THAT(ExplainKeys(school.model, "GSI1SK"),
              HasSubstr("without it the application must sort: A11"));
  EXPECT_THAT(ExplainKeys(school.model, "GSI1SK"), ::testing::Not(HasSubstr("uniqueness")));
  // An entity that is alone under its partition key keeps its items.
  EXPECT_THAT(ExplainKeys(school.model, "SK"), ::testing::Not(HasSubstr("Course")));
}

TEST(Copies, NameEveryPlaceThatAChangeMustTouch) {
  const ReadModelResult read = ReadModel(
      "entity Author {\n  id text key\n  name text(~20)\n  count 10\n}\nentity Post {\n  id text "
      "key\n  authorId references Author.id\n}\nrelationship Posts: Author one-to-many Post {\n  "
      "each Author has ~30, at most 90\n}\npattern P {\n  find Post where id = :p get id, "
      "Author.name\n}\nwrite Rename {\n  update Author set name\n  rate 10/day\n}\ntable T "
      "partition PK "
      "{\n  index GSI1 partition GSI1PK project authorName\n  item Author {\n    PK = \"A#{id}\"\n "
      " }\n"
      "  item Post {\n    PK = \"P#{id}\"\n    GSI1PK = \"A#{authorId}\"\n    authorName = copy of "
      "Author.name kept by stream\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  std::vector<CopyPlan> copies = PlanCopies(read.model);
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].copies, 30);
  EXPECT_EQ(copies[0].copies_most, 90);
  EXPECT_EQ(copies[0].units, 60) << "the item and its entry in GSI1, thirty times";
  EXPECT_EQ(copies[0].changes_per_day, 1);
  EXPECT_THAT(copies[0].found_by, HasSubstr("Query T.GSI1"));
  Model without = read.model;
  without.tables[0].indexes.clear();
  EXPECT_EQ(PlanCopies(without)[0].found_by, "");
  EXPECT_THAT(RenderCopies(PlanCopies(without)), HasSubstr("it would need a Scan"));
}

TEST(Cost, CollectionsOfParentsThatGrowKeepTheirSize) {
  const ReadModelResult school = Example("d04_students_and_courses");
  const CostReport report = EstimateCost(school.model, PlanAll(school.model), Prices());
  const auto size = [&](const std::string& view, const std::string& entity) {
    for (const CollectionSize& one : report.sizes) {
      if (one.view == view && one.entity == entity) {
        return one;
      }
    }
    ADD_FAILURE() << view << " " << entity;
    return CollectionSize{};
  };
  const CollectionSize profile = size("School", "Student");
  EXPECT_EQ(profile.bytes[3], profile.bytes[0]);
  const CollectionSize enrolments = size("School", "Enrollment");
  EXPECT_EQ(enrolments.items, 5);
  EXPECT_EQ(enrolments.items_most, 40);
  EXPECT_EQ(enrolments.bytes[3], 5 * enrolments.item_bytes) << "students grow as fast";
  EXPECT_EQ(size("School.GSI1", "Enrollment").items, 250);
}

TEST(Cost, OnePartitionIsOneLineHoweverItsAttributeIsCalled) {
  const ReadModelResult school = Example("d04_students_and_courses");
  std::set<std::string> views;
  for (const Heat& heat : EstimateHeat(school.model, PlanAll(school.model))) {
    EXPECT_TRUE(views.insert(heat.view + heat.key.substr(0, 4)).second) << heat.view << heat.key;
  }
}

TEST(Propose, SharesAnIndexWhereTheEntityHasNoKeysYet) {
  ReadModelResult school = Example("d04_students_and_courses");
  Pattern pattern = *school.model.FindPattern("A14");
  pattern.name.text = "ByTerm";
  pattern.sections[0].conditions[0].attribute.text = "term";
  school.model.patterns.push_back(pattern);
  EXPECT_EQ(
      ProposeChange(school.model, pattern).Text(),
      "in `table School` replace `index GSI1 partition GSI1PK sort GSI1SK project enrolledOn, "
      "grade` with:\n"
      "  index GSI1 partition GSI1PK sort GSI1SK project enrolledOn, grade, credits, title\n"
      "and add to `item Course`:\n"
      "  GSI1PK = \"TERM#{term}\"\n"
      "  GSI1SK = \"COURSE#{id}\"");
}

TEST(Cost, WritesFollowTheRulesOfIndexMaintenance) {
  const ReadModelResult shop = Example("d10_shop_items");
  const CostReport report = EstimateCost(shop.model, PlanAll(shop.model), Prices());
  // A changed key is a delete and a put in each index.
  EXPECT_EQ(report.writes[0].units.at(""), 1);
  EXPECT_EQ(report.writes[0].units.at("GSI1"), 2);
  EXPECT_EQ(report.writes[0].units.at("GSI2"), 2);
  EXPECT_EQ(report.writes[1].total_units, 3);
  const ReadModelResult roster = Example("p18_projection");
  const CostReport narrow = EstimateCost(roster.model, PlanAll(roster.model), Prices());
  EXPECT_EQ(narrow.writes[1].units.at("GSI1"), 0) << "an attribute that the index does not keep";
}

TEST(Cost, PricesAreEditableAndBadLinesAreRefused) {
  const auto prices = ParsePrices("// ours\nread_million = 2\ncurrency = EUR\n");
  ASSERT_TRUE(prices.has_value());
  EXPECT_EQ(prices->read_million, 2);
  EXPECT_EQ(prices->write_million, 0.625);
  EXPECT_EQ(prices->currency, "EUR");
  EXPECT_FALSE(ParsePrices("read_milion = 2\n").has_value());
  EXPECT_FALSE(ParsePrices("read_million = cheap\n").has_value());
}

TEST(Cost, TheHottestKeyFollowsTheSkewAndShards) {
  const ReadModelResult votes = Example("p11_write_sharding");
  for (const Heat& heat : EstimateHeat(votes.model, PlanAll(votes.model))) {
    EXPECT_LT(heat.utilisation, 1) << heat.view;
  }
  std::string unsharded =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/p11_write_sharding.prejoin");
  unsharded.replace(unsharded.find("#{shard 8 of voterId}"),
                    std::string("#{shard 8 of voterId}").size(), "");
  const ReadModelResult hot = ReadModel(unsharded);
  EXPECT_FALSE(EstimateHeat(hot.model, PlanAll(hot.model)).empty());
}

TEST(Advise, WalksTheDecisionTreeAndPricesTheAlternatives) {
  const ReadModelResult school = Example("d04_students_and_courses");
  const std::vector<Advice> advice = Advise(school.model, Prices());
  ASSERT_EQ(advice.size(), 1u);
  ASSERT_EQ(advice[0].recommended.size(), 2u);
  EXPECT_EQ(advice[0].recommended[0]->name, "adjacency-list");
  EXPECT_EQ(advice[0].recommended[1]->name, "inverted-index");
  EXPECT_GE(advice[0].prices.size(), 5u);
  const std::string text = RenderAdvice(advice, Prices(), 400, AdviceDetail::kRules);
  EXPECT_THAT(text, HasSubstr("R2 (many-to-many) Both directions often? yes"));
  EXPECT_THAT(text,
              HasSubstr("`A11` is not supported by any key: `Enrollment` has no items of its own"));
}

TEST(Advise, RejectsAComplexAttributeByEitherQuestion) {
  const std::vector<Advice> few = Advise(Example("d06_customer_addresses").model, Prices());
  EXPECT_EQ(few[0].recommended[0]->name, "complex-attribute");
  const std::vector<Advice> many = Advise(Example("d01_user_orders").model, Prices());
  EXPECT_EQ(many[0].recommended[0]->name, "item-collection");
  const std::vector<Advice> deep = Advise(Example("d09_starbucks").model, Prices());
  EXPECT_EQ(deep[0].recommended[0]->name, "composite-sort-key");
  const std::vector<Advice> copies = Advise(Example("p03_duplicate_attributes").model, Prices());
  EXPECT_EQ(copies[0].recommended[0]->name, "duplicate-attributes");
  const std::vector<Advice> lists = Advise(Example("p09_shallow_duplication").model, Prices());
  EXPECT_THAT(lists[0].path, ::testing::Contains(::testing::Field(
                                 &DecisionStep::text, HasSubstr("Both directions often? yes"))));
  EXPECT_EQ(lists[0].recommended[0]->name, "shallow-duplication")
      << "links need a sort key, and the table has none";
}

TEST(Cost, GivesEachShardItsPartOfACollection) {
  const ReadModelResult votes = Example("p11_write_sharding");
  Expectations figures(votes.model);
  for (const CollectionSize& size : EstimateSizes(figures)) {
    if (size.view != "Votes.GSI1") {
      continue;
    }
    EXPECT_EQ(size.items, 50'000.0 / 8);
    return;
  }
  ADD_FAILURE() << "the index has no collection";
}

TEST(Chart, ShowsTheCollectionOnceAndInKeyOrder) {
  const ReadModelResult saas = Example("d08_saas_orgs");
  const View gsi1{&saas.model.tables[0], &saas.model.tables[0].indexes[0]};
  const std::vector<Collection> collections = Collections(saas.model, gsi1, SampleData(saas.model));
  ASSERT_EQ(collections.size(), 3u);
  const auto bill = std::find_if(collections.begin(), collections.end(), [](const Collection& one) {
    return one.partition == "ORG#MICROSOFT#USER#BILLGATES";
  });
  ASSERT_NE(bill, collections.end());
  ASSERT_EQ(bill->items.size(), 3u);
  EXPECT_EQ(bill->items[0].sort, "TICKET#1569468714-JM14");
  EXPECT_EQ(bill->items[2].entity, "User");
}

TEST(Chart, DrawsTextMarkdownAndSvgOfEveryExample) {
  for (const std::string& file : SoundExampleFiles()) {
    const ReadModelResult read = ReadModel(ReadFileForTesting(file));
    EXPECT_THAT(DrawChart(read.model, ChartFormat::kText), HasSubstr("Entity chart of ")) << file;
    EXPECT_THAT(DrawChart(read.model, ChartFormat::kMarkdown), HasSubstr("| --- |")) << file;
    const std::string svg = DrawChart(read.model, ChartFormat::kSvg);
    EXPECT_TRUE(svg.starts_with("<svg ")) << file;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << file;
  }
}

TEST(Json, HoldsBothHalves) {
  const std::string json = ModelJson(Example("d04_students_and_courses").model);
  EXPECT_THAT(json, HasSubstr("\"template\": \"ENROLL#CRS#{courseId}\""));
  EXPECT_THAT(json, HasSubstr("\"kind\": \"many-to-many\""));
}

}  // namespace
}  // namespace prejoin::model
