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

std::string Calendars(const std::string& guests) {
  return "entity Calendar {\n  id text(~8) key\n  count 900\n}\nentity Event {\n"
         "  calendarId references Calendar.id key\n  id text(~8) key\n  start time\n}\n"
         "entity Guest {\n  calendarId references Event.calendarId key\n"
         "  eventId references Event.id key\n  email text(~20) key\n}\n"
         "relationship Events: Calendar one-to-many Event {\n  each Calendar has ~9, at most 900\n}\n"
         "relationship Guests: Event one-to-many Guest {\n  each Event has ~4, " +
         guests +
         "\n}\npattern Week {\n  find Event where calendarId = :c order by start\n}\n"
         "pattern Who {\n  find Guest where calendarId = :c and eventId = :e\n}\n"
         "table T partition PK sort SK {\n  local index ByStart sort start project all\n"
         "  item Calendar {\n    PK = \"C#{id}\"\n    SK = \"C\"\n  }\n"
         "  item Event {\n    PK = \"C#{calendarId}\"\n    SK = \"E#{id}\"\n  }\n"
         "  item Guest {\n    PK = \"C#{calendarId}\"\n    SK = \"G#{eventId}#{email}\"\n  }\n}\n";
}

TEST(FalseAlarms, BoundsOfAllGenerationsBoundACollection) {
  EXPECT_THAT(Shown(Calendars("unbounded")), HasSubstr("PJ111"));
  EXPECT_THAT(Shown(Calendars("at most 300")), Not(HasSubstr("PJ111")));
}

TEST(FalseAlarms, NamesOfTwoEntitiesAreTwoWords) {
  const std::string text =
      "entity OrderItem {\n  id text(~4) key\n  count 9\n}\nentity order_item {\n"
      "  id text(~4) key\n  count 9\n}\npattern A {\n  find OrderItem where id = :a\n}\n"
      "pattern B {\n  find order_item where id = :b\n}\ntable T partition PK {\n"
      "  item OrderItem {\n    PK = \"ORDERITEM#{id}\"\n  }\n"
      "  item order_item {\n    PK = \"ORDER_ITEM#{id}\"\n  }\n}\n";
  EXPECT_THAT(Shown(text), Not(HasSubstr("PJ116")));
}

std::string Sessions(const std::string& each) {
  return "entity User {\n  id text(~8) key\n  count 1_000\n}\nentity Session {\n"
         "  id text(~12) key\n  userId references User.id\n  until number(10)\n"
         "  ttl until kept 1 days\n}\nrelationship Sessions: User one-to-many Session {\n  each User has " +
         each +
         ", unbounded\n}\npattern One {\n  find Session where id = :s\n}\n"
         "write Open {\n  put Session once\n  rate 1/s\n}\ntable T partition PK {\n"
         "  item Session {\n    PK = \"S#{id}\"\n  }\n}\n";
}

// One a second for a day are 86,400.
TEST(FalseAlarms, RowsThatComeAtARateAndLiveForATimeCanContradictARelationship) {
  EXPECT_THAT(Shown(Sessions("~2")), HasSubstr("`kept 1 days` make 86,400"));
  EXPECT_THAT(Shown(Sessions("~86")), Not(HasSubstr("PJ223")));
}

std::string Errors(const std::string& text) {
  std::string errors;
  for (const Diagnostic& one : ReadModel(text).diagnostics) {
    errors += one.message + "\n";
  }
  return errors;
}

std::string Shelves(const std::string& type, const std::string& inside) {
  return "entity Shelf {\n  id text(~4) key\n  name text(~9)\n  kind text(~4)\n}\nentity Book {\n"
         "  shelfId references Shelf.id key\n  no number(3) key\n  name text(~9)\n}\n"
         "pattern Books {\n  find Book where shelfId = :s order by no\n}\n"
         "table T partition PK sort SK {\n  type " +
         type + "\n  item Shelf {\n    PK = \"S#{id}\"\n    SK = \"S\"\n" + inside + "  }\n}\n";
}

TEST(FalseAlarms, AnItemHasOneValueUnderAName) {
  EXPECT_EQ(Errors(Shelves("entity", "")), "");
  EXPECT_THAT(Errors(Shelves("kind", "")), HasSubstr("`kind` is already an attribute of `Shelf`"));
  const std::string copied = "  }\n  item Book {\n    PK = \"S#{shelfId}\"\n    SK = \"B#{no pad 3}\"\n    ";
  EXPECT_EQ(Errors(Shelves("entity", copied + "shelf = copy of Shelf.name kept by nobody\n")), "");
  EXPECT_THAT(Errors(Shelves("entity", copied + "name = copy of Shelf.name kept by nobody\n")),
              HasSubstr("`name` is already an attribute of `Book`"));
}

// Rows went into no map, because its names are text.
TEST(FalseAlarms, AMapIsKeyedByText) {
  EXPECT_EQ(Errors(Shelves("entity", "    books = list of Book (no, name)\n")), "");
  EXPECT_EQ(Errors(Shelves("entity", "    books = map of Book by name (no)\n")), "");
  EXPECT_THAT(Errors(Shelves("entity", "    books = map of Book by no (name)\n")),
              HasSubstr("the names in a map are text, and `Book.no` is not"));
}

// Members who never came must be found too, so the proposed key does without their last visit.
TEST(FalseAlarms, AProposedKeyFindsRowsThatLackWhatTheyAreSortedBy) {
  const std::string text =
      "entity Member {\n  id text(~8) key\n  guild text(~6) distinct 40\n  seen time optional 80%\n"
      "  count 900\n}\npattern Roster {\n  find Member where guild = :g order by seen desc\n}\n"
      "table T partition PK {\n  index ByGuild partition GSI1PK sort GSI1SK project all\n"
      "  item Member {\n    PK = \"M#{id}\"\n    GSI1PK = \"G#{guild}\"\n    GSI1SK = \"{seen}#{id}\"\n"
      "  }\n}\n";
  const std::string shown = Shown(text);
  EXPECT_THAT(shown, HasSubstr("`T.ByGuild` has no entry for rows of `Member` without seen"));
  EXPECT_THAT(shown, HasSubstr("GSI2SK = \"MEMBER#{id}\""));
}

constexpr const char* kTenants = R"(
tenant Org.id
entity Org {
  id   text(~6) key
  name text(~10)
}
entity Doc {
  orgId text(~6) key
  id    text(~6) key
  title text(~10)
}
pattern Docs {
  find Doc where orgId = :org
}
table T partition PK sort SK {
  item Org {
    PK = "ORG#{id}"
    SK = "ORG"
  }
  item Doc {
    PK = "ORG#{orgId}"
    SK = "DOC#{id}"
  }
}
)";

// The key is right and the file does not say so: the advice is to say it, and it is enough.
TEST(FalseAlarms, AKeyThatMeansTheTenantLacksOnlyTheReference) {
  const auto advice = [](const std::string& text) {
    std::string out;
    for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
      out += finding.rule == "PJ214" ? finding.suggestion.text() + "\n" : "";
    }
    return out;
  };
  std::string text = kTenants;
  EXPECT_THAT(advice(text), HasSubstr("`orgId references Org.id`"));
  EXPECT_THAT(advice(text), Not(HasSubstr("Start the partition key")));
  std::string other = text;
  other.replace(other.find("ORG#{orgId}"), 4, "DOC#");
  EXPECT_THAT(advice(other), HasSubstr("Start the partition key"));
  text.replace(text.find("orgId text(~6) key"), 18, "orgId references Org.id key");
  EXPECT_EQ(advice(text), "");
}

}  // namespace
}  // namespace prejoin::model
