// Designs that experts write and that were accused, and mistakes that were passed over: each as it was met, with the figure
// that the finding must name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/check/apply_fixes.h"
#include "model/check/bill.h"
#include "model/check/check.h"

namespace prejoin::model {
namespace {

std::string Shown(const std::string& text) {
  const ReadModelResult read = ReadModel(text);
  std::string shown;
  for (const Diagnostic& finding : CheckModel(read)) {
    shown += RenderDiagnostic("m", text, finding);
  }
  EXPECT_TRUE(read.ok) << shown;
  return shown;
}

using ::testing::HasSubstr;
using ::testing::Not;

std::string Games(const std::string& group) {
  return "entity Game {\n  id text(~8) key\n  map text(~8)\n  openMap text(~8) optional 2%\n"
         "  openAt time optional 2%\n" +
         group +
         "  count 1_000_000\n}\npattern Open {\n  find Game where openMap = :m order by openAt\n"
         "  rate 5/s\n}\npattern One {\n  find Game where id = :g\n  rate 5/s\n}\n"
         "table T partition PK {\n  index Open partition openMap sort openAt project all\n"
         "  item Game {\n    PK = \"GAME#{id}\"\n  }\n}\n";
}

// Attributes that come together: to ask for one is to ask for the other.
TEST(FalseAlarms, ASparseIndexOverAttributesThatComeTogetherLosesNoRow) {
  EXPECT_THAT(Shown(Games("")), HasSubstr("PJ101"));
  EXPECT_THAT(Shown(Games("  together openMap, openAt\n")), Not(HasSubstr("PJ101")));
}

std::string Coupons(const std::string& optional) {
  return "entity Coupon {\n  id text key\n  count 100\n}\nentity Order {\n  id text key\n"
         "  couponId references Coupon.id" +
         optional +
         "\n  count 100_000\n}\nrelationship Used: Coupon one-to-many Order {\n"
         "  each Coupon has ~20\n}\npattern P {\n  find Order where id = :o\n}\n";
}

TEST(FalseAlarms, RowsWithoutAnOptionalReferenceBelongToNoParent) {
  EXPECT_THAT(Shown(Coupons("")), HasSubstr("PJ223"));
  EXPECT_THAT(Shown(Coupons(" optional")), Not(HasSubstr("PJ223")));
  EXPECT_THAT(Shown(Coupons(" optional 2%")), Not(HasSubstr("PJ223")));
  // 100 coupons with 20 orders each are a fifth of 10,000 orders, not of 100,000.
  const std::string shown = Shown(Coupons(" optional 20%"));
  EXPECT_THAT(shown, HasSubstr("PJ223"));
  EXPECT_THAT(shown, HasSubstr("make 10,000 Order"));
}

std::string Rides(const std::string& ride, const std::string& rider) {
  return "entity Ride {\n  id text key\n}\nentity Rider {\n  id text key\n}\n"
         "pattern A {\n  find Ride where id = :r\n}\npattern B {\n  find Rider where id = :r\n}\n"
         "table T partition PK sort SK {\n  item Ride {\n    PK = \"RIDE#{id}\"\n    SK = \"" +
         ride + "\"\n  }\n  item Rider {\n    PK = \"RIDER#{id}\"\n    SK = \"" + rider +
         "\"\n  }\n}\n";
}

TEST(FalseAlarms, TheNamesOfTwoEntitiesAreNotOneMisspeltMarker) {
  EXPECT_THAT(Shown(Rides("#RIDE", "#RIDER")), Not(HasSubstr("PJ117")));
  EXPECT_THAT(Shown(Rides("META", "METADATA")), HasSubstr("PJ117"));
}

// Two indexes for different entities. In the first, one of them keeps ids only and the entity has a large body.
std::string TwoIndexes(const std::string& second) {
  return "entity User {\n  id text(~10) key\n  email text(~20)\n  count 10_000\n}\n"
         "entity Post {\n  id text(~10) key\n  tag text(~8) distinct 500\n  body text(~6_000)\n"
         "  count 1_000_000\n}\npattern ByEmail {\n  find User where email = :e\n  rate 1/s\n}\n"
         "pattern ByTag {\n  find Post where tag = :t limit 20 get id\n  rate 1/s\n}\n"
         "write Publish {\n  put Post once\n  rate 20/s\n}\n"
         "table T partition PK {\n  index G1 partition G1PK project all\n"
         "  index G2 partition G2PK project " +
         second +
         "\n  item User {\n    PK = \"USER#{id}\"\n    G1PK = \"EMAIL#{email}\"\n  }\n"
         "  item Post {\n    PK = \"POST#{id}\"\n    G2PK = \"TAG#{tag}\"\n  }\n}\n";
}

TEST(FalseAlarms, IndexesAreNotMergedWhenThatRaisesTheBill) {
  EXPECT_THAT(Shown(TwoIndexes("keys")), Not(HasSubstr("PJ201")));
}

// Six kilobytes in every entry for a list of ids: the fix is cheaper, and the finding says by how much.
TEST(Misses, ABodyThatNobodyReadsFromTheIndexIsFoundWithItsPrice) {
  const std::string text = TwoIndexes("all");
  bool found = false;
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    if (finding.rule != "PJ209") {
      continue;
    }
    found = true;
    EXPECT_THAT(finding.message, HasSubstr("Post.body, 5.9 KB in an entry"));
    EXPECT_THAT(finding.message, HasSubstr("the monthly cost falls from"));
    const auto fixed = ApplyFix(text, finding, FixScope::kUnsafeToo);
    ASSERT_TRUE(fixed);
    EXPECT_THAT(Shown(*fixed), Not(HasSubstr("PJ209")));
    const std::set<std::string> post = {"Post"};
    EXPECT_LT(BillOf(ReadModel(*fixed).model, post).money_per_month,
              BillOf(ReadModel(text).model, post).money_per_month);
  }
  EXPECT_TRUE(found) << Shown(text);
}

std::string Events(const std::string& rate) {
  return "entity Event {\n  id text(~10) key\n  day date grows\n  count 1_000_000\n}\n"
         "pattern Day {\n  find Event where day = :d limit 20\n  rate 1/s\n}\nwrite Log {\n"
         "  put Event once\n  rate " +
         rate +
         "\n}\ntable T partition PK {\n  index G partition day sort id project all\n"
         "  item Event {\n    PK = \"EVENT#{id}\"\n  }\n}\n";
}

TEST(Misses, AKeyThatTakesMostOfAPartitionIsFoundBeforeItThrottles) {
  EXPECT_THAT(Shown(Events("400/s")), Not(HasSubstr("PJ112")));
  const std::string shown = Shown(Events("900/s"));
  EXPECT_THAT(shown, HasSubstr("takes 900 WCU per second at peak load, 90% of the 1,000"));
}

std::string TwoTypes(const std::string& key) {
  return "entity A {\n  id text key\n  score number\n}\nentity B {\n  id text key\n  at number\n}\n"
         "pattern P {\n  find A where id = :a\n}\npattern Q {\n  find B where id = :b\n}\n"
         "table T partition PK sort SK {\n  item A {\n    PK = \"A#{id}\"\n    SK = score\n  }\n"
         "  item B {\n    PK = \"B#{id}\"\n    SK = " +
         key + "\n  }\n}\n";
}

TEST(Misses, AKeyAttributeOfTwoTypesIsFound) {
  EXPECT_THAT(Shown(TwoTypes("\"B#{id}\"")),
              HasSubstr("`SK` is text in items of `B` and a number in items of `A`"));
  EXPECT_THAT(Shown(TwoTypes("at")), Not(HasSubstr("PJ124")));
}

std::string Emptiable(const std::string& values) {
  return "entity A {\n  id text key\n  city text values (" + values +
         ")\n}\npattern P {\n  find A where city = :c\n}\ntable T partition PK {\n"
         "  index G partition city project all\n  item A {\n    PK = \"A#{id}\"\n  }\n}\n";
}

TEST(Misses, AnIndexKeyThatMayBeEmptyIsFound) {
  EXPECT_THAT(Shown(Emptiable("\"\", \"ROME\"")), HasSubstr("PJ125"));
  EXPECT_THAT(Shown(Emptiable("\"-\", \"ROME\"")), Not(HasSubstr("PJ125")));
}

std::string Members(const std::string& together) {
  return "entity Game {\n  id text key\n  people number\n}\nentity Member {\n"
         "  gameId references Game.id key\n  user text key\n}\npattern P {\n"
         "  find Game where id = :g\n  find Member where gameId = :g\n}\nwrite Join {\n"
         "  put Member once\n  update Game where id = :gameId set people += 1\n" +
         together +
         "  rate 1/s\n}\ntable T partition PK sort SK {\n  item Game {\n    PK = \"GAME#{id}\"\n"
         "    SK = \"#GAME\"\n  }\n  item Member {\n    PK = \"GAME#{gameId}\"\n"
         "    SK = \"USER#{user}\"\n  }\n}\n";
}

TEST(Misses, ARowAndItsCounterBelongInOneTransaction) {
  const std::string shown = Shown(Members(""));
  EXPECT_THAT(shown, HasSubstr("`Join` puts a row of `Member` and changes `Game.people` in separate"));
  EXPECT_THAT(Shown(Members("  together\n")), Not(HasSubstr("PJ232")));
}

TEST(Misses, AFilterThatDiscardsNearlyEverythingSaysHowMuch) {
  const std::string text =
      "entity Shop {\n  id text key\n  count 100\n}\nentity Order {\n  shopId references Shop.id key\n"
      "  id text key\n  code text unique\n  count 100_100\n}\nrelationship R: Shop one-to-many Order "
      "{\n  each Shop has ~1001\n}\npattern P {\n  find Order where shopId = :s and code = :c\n}\n"
      "table T partition PK sort SK {\n  item Order {\n    PK = \"SHOP#{shopId}\"\n"
      "    SK = \"ORDER#{id}\"\n  }\n  item Shop {\n    PK = \"SHOP#{id}\"\n    SK = \"#SHOP\"\n  }\n}\n";
  const std::string shown = Shown(text);
  EXPECT_THAT(shown, HasSubstr("reads about 1,001 items"));
  EXPECT_THAT(shown, HasSubstr("to return 1"));
}

std::string Scanned(const std::string& allowed) {
  return "entity A {\n  id text key\n  city text(~10)\n  body text(~3_000)\n  count 100_000\n}\n"
         "entity B {\n  id text key\n  count 100_000\n}\npattern P {\n"
         "  find A where city = :c order by city, body limit 5\n" +
         allowed +
         "}\npattern Q {\n  find B where id = :b\n}\ntable T partition PK {\n"
         "  item A {\n    PK = \"A#{id}\"\n  }\n  item B {\n    PK = \"B#{id}\"\n  }\n}\n";
}

TEST(FalseAlarms, AScanThatTheFileAllowsIsNotAccusedOfBeingAScan) {
  EXPECT_EQ(Shown(Scanned("  scan allowed because \"a report each night\"\n")), "");
  EXPECT_THAT(Shown(Scanned("")), HasSubstr("PJ101"));
}

// Two rows that a page shows beside each other belong to no common collection.
TEST(FalseAlarms, RowsThatDoNotBelongTogetherTakeARequestEach) {
  EXPECT_THAT(
      Shown("entity A {\n  id text key\n}\nentity B {\n  id text key\n}\npattern Page {\n"
            "  find A where id = :a\n  find B where id = :b\n}\ntable T partition PK sort SK {\n"
            "  item A {\n    PK = \"A#{id}\"\n    SK = \"A\"\n  }\n  item B {\n"
            "    PK = \"B#{id}\"\n    SK = \"B\"\n  }\n}\n"),
      Not(HasSubstr("PJ206")));
}

}  // namespace
}  // namespace prejoin::model
