// Each rule that the broken examples do not show, by a change of one small sound model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "model/check/all_rules.h"
#include "model/check/apply_fixes.h"
#include "model/check/bill.h"
#include "model/check/check.h"
#include "tests/model/errors_of.h"
#include "tests/model/example_files.h"
#include "tests/model/sound_model.h"

namespace prejoin::model {
namespace {

const char* const kFastCopies = R"(entity Author {
  id    text(~6) key
  score number(4) changes 5/hour
  count 100
}
entity Post {
  id       text(~6) key
  authorId references Author.id
  text     text(~50)
}
relationship Posts: Author one-to-many Post {
  each Author has ~300, unbounded
}
pattern One {
  find Post where id = :p get id, text, Author.score
}
pattern Name {
  find Author where id = :a
}
table T partition PK {
  item Author {
    PK    = "AUTHOR#{id}"
    posts = list of Post (id)
  }
  item Post {
    PK    = "POST#{id}"
    score = copy of Author.score kept by stream
  }
}
)";
const char* const kListsOfMany = R"(entity A {
  id text(~6) key
}
entity B {
  id text(~6) key
}
entity L {
  a     references A.id key
  b     references B.id key
  grade text(~2)
}
relationship AB: A many-to-many B through L {
  each A has ~5, at most 40
  changes 3/s
}
pattern P {
  find L where a = :a get b
}
table T partition PK {
  item A {
    PK    = "A#{id}"
    links = list of L (b, grade)
  }
  item B {
    PK = "B#{id}"
  }
}
)";
const char* const kTables = R"(entity A {
  id   text(~6) key
  name text(~6)
}
entity B {
  id  text(~6) key
  aId references A.id
}
pattern P {
  find B where id = :b get id, A.name
}
table TA partition PK {
  item A {
    PK = "A#{id}"
  }
}
table TB partition PK {
  item B {
    PK = "B#{id}"
  }
}
)";
const char* const kIndexes = R"(entity A {
  id   text(~6) key
  city text(~6)
}
entity B {
  id    text(~6) key
  month text(~7)
}
pattern P {
  find A where city = :c
}
pattern Q {
  find B where month = :m
}
table T partition PK {
  index ByCity partition CityPK project all
  index ByMonth partition MonthPK project all
  item A {
    PK     = "A#{id}"
    CityPK = "CITY#{city}"
  }
  item B {
    PK      = "B#{id}"
    MonthPK = "MONTH#{month}"
  }
}
)";

const char* const kCounted = R"(entity Game {
  id     text(~6) key
  people number(2)
}
entity Member {
  gameId references Game.id key
  user   text(~6) key
}
pattern P {
  find Game where id = :g
  find Member where gameId = :g
}
write Join {
  put Member once
  update Game where id = :gameId set people += 1
}
table T partition PK sort SK {
  item Game {
    PK = "GAME#{id}"
    SK = "#GAME"
  }
  item Member {
    PK = "GAME#{gameId}"
    SK = "USER#{user}"
  }
}
)";

struct RuleCase {
  const char* rule;
  const char* from;  // Text of the sound model …
  const char* to;    // … and what stands there instead.
};

void PrintTo(const RuleCase& one, std::ostream* out) { *out << one.rule; }

std::string Findings(const std::string& text, std::set<std::string>& rules) {
  std::string shown;
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    rules.insert(finding.rule);
    EXPECT_GE(finding.at.line, 1);
    EXPECT_FALSE(finding.suggestion.empty()) << finding.message;
    shown += RenderDiagnostic("m", text, finding);
  }
  return shown;
}

TEST(Rules, TheSoundModelHasNoFindings) {
  std::set<std::string> rules;
  EXPECT_EQ(Findings(kSound, rules), "");
}

class RuleTest : public ::testing::TestWithParam<RuleCase> {};

TEST_P(RuleTest, IsReported) {
  std::set<std::string> rules;
  const std::string shown = Findings(Changed(GetParam().from, GetParam().to), rules);
  EXPECT_TRUE(rules.contains(GetParam().rule)) << shown;
}

// Rules whose suggestion is advice: the fix is a decision about the data, the sizes or the load, which no lines can make.
const std::set<std::string> kAdvice = {
    "PJ001", "PJ002", "PJ005", "PJ222",           // What was meant?
    "PJ109", "PJ118", "PJ120",                    // Another attribute, or a smaller one.
    "PJ124", "PJ125",                             // Another type, or no empty value.
    "PJ110",                                      // A bound, or items of their own.
    "PJ112", "PJ227", "PJ228", "PJ233",           // Less load, a smaller answer, another key.
    "PJ119", "PJ230",                             // Fewer indexes, or items.
    "PJ102",                                      // Two patterns, or one attribute for both.
    "PJ203", "PJ204", "PJ207", "PJ214", "PJ218",  // Another layout of the whole collection.
    "PJ113", "PJ115", "PJ224",                    // Other sample rows.
    "PJ301"};  // Another name everywhere.

// What the fix of a warning adds to the bill stands in its message. PJ223 corrects the figures, not the design.
void ExpectNoSilentBill(const std::string& text, const std::string& fixed, const Diagnostic& finding) {
  const MonthlyBill before = BillOf(ReadModel(text).model, {"Customer", "Order", "Note"});
  const MonthlyBill after = BillOf(ReadModel(fixed).model, {"Customer", "Order", "Note"});
  EXPECT_TRUE(finding.severity == Severity::kError || finding.rule == "PJ223" || !before.complete ||
              after.money_per_month <= 1.01 * before.money_per_month ||
              finding.message.find('$') != std::string::npos)
      << finding.message << finding.suggestion.text();
}

// The fix is made, and the finding is gone.
TEST_P(RuleTest, TheFixRemovesIt) {
  const std::string text = Changed(GetParam().from, GetParam().to);
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    if (finding.rule != GetParam().rule) {
      continue;
    }
    const std::optional<std::string> mended = ApplyFix(text, finding, FixScope::kUnsafeToo);
    if (kAdvice.contains(finding.rule)) {
      EXPECT_FALSE(mended) << finding.suggestion.text();
      continue;
    }
    ASSERT_TRUE(mended) << finding.suggestion.text();
    EXPECT_NE(*mended, text);
    ExpectNoSilentBill(text, *mended, finding);
    const ReadModelResult read = ReadModel(*mended);
    EXPECT_LE(ErrorsOf(*mended), ErrorsOf(text)) << finding.rule << *mended;
    for (const Diagnostic& left : CheckModel(read)) {
      EXPECT_FALSE(left.rule == finding.rule && left.message == finding.message)
          << finding.suggestion.text() << "\n"
          << *mended;
    }
  }
}

const std::vector<RuleCase> kCases = {
    RuleCase{"PJ106", "SK     = \"ORDER#{id}\"", "SK     = \"ORDER#<id>\""},
    RuleCase{"PJ002", "PK = \"CUSTOMER#{id}\"", "PK = \"CUSTOMER#{id\""},
    RuleCase{"PJ002", "PK = \"CUSTOMER#{id}\"", "PK = \"CUSTOMER#{id pad}\""},
    RuleCase{"PJ002", "PK = \"CUSTOMER#{id}\"", "PK = \"\""},
    RuleCase{"PJ101", "where status = :s order by id", "where total = :s"},
    RuleCase{"PJ101", "find Order where status = :s order by id", "find Order"},
    RuleCase{"PJ103", "where status = :s order by id\n",
             "where status = :s order by id\n  fresh strong\n"},
    RuleCase{"PJ104", "where status = :s order by id\n",
             "where status = :s order by id\n  fresh after Put\n"},
    RuleCase{"PJ105", "SK     = \"ORDER#{id}\"", "SK     = \"CUSTOMER#{id}\""},
    RuleCase{"PJ114", "SK     = \"ORDER#{id}\"", "SK     = \"CUSTOMER#{id}\""},
    RuleCase{"PJ106", "SK     = \"ORDER#{id}\"", "SK     = \"ORDER#{total pad 8}\""},
    RuleCase{"PJ109", "name  text(~16)", "name  text(~16, max 409_600)"},
    RuleCase{"PJ112", "  put Order once\n  rate 1/s", "  put Order once\n  rate 5k/s"},
    RuleCase{"PJ233", "  put Order once\n  rate 1/s", "  put Order once\n  rate 5k/s"},
    RuleCase{"PJ118", "id         text(~8) key", "id         text(~8, max 2_000) key"},
    RuleCase{"PJ119", "index GSI1 partition GSI1PK sort GSI1SK project all",
             "index GSI1 partition GSI1PK sort GSI1SK project all\n  index G partition a, b, "
             "c, d, e project all"},
    RuleCase{"PJ120", "status     text(~5) values (\"OPEN\", \"DONE\")", "status     list"},
    RuleCase{"PJ123", "project all", "project PK, total"},
    RuleCase{"PJ225", "PK     = \"CUSTOMER#{customerId}\"",
             "PK     = \"ORDER#{id}\"\n    name = copy of Customer.name kept by stream"},
    RuleCase{"PJ226", "SK = \"CUSTOMER#{id}\"\n",
             "SK = \"CUSTOMER#{id}\"\n    GSI1PK = \"X#{id}\"\n    GSI1SK = \"X\"\n"},
    RuleCase{
        "PJ230", "  item Order {",
        "  item Again of Order {\n    PK = \"T#{total}\"\n    SK = \"{id}#{customerId}\"\n  }\n  "
        "item Order {"},
    RuleCase{"PJ227", "~10, at most 500", "~10_000_000, unbounded"},
    RuleCase{"PJ228", "SK = \"CUSTOMER#{id}\"", "SK = \"CUSTOMER#{name}\""},
    RuleCase{"PJ221", "entity Order {",
             "entity Note {\n  id text key\n  text text\n}\nentity Order {"},
    RuleCase{"PJ223", "each Customer has ~10, at most 500", "each Customer has ~10, at most 5"},
    RuleCase{"PJ223", "total      number(5)", "total      number(5)\n  count 9_000"},
    RuleCase{"PJ202", "SK     = \"ORDER#{id}\"", "SK     = \"{id}\""},
    RuleCase{"PJ204", "find Order where status = :s order by id",
             "find Customer via Order where status = :s"},
    RuleCase{"PJ205", "project all", "project keys"},
    RuleCase{"PJ207", "where customerId = :c order by id",
             "where customerId = :c and total = :t order by id"},
    RuleCase{"PJ208", "find Order where status = :s order by id",
             "find Order where customerId = :s order by total limit 5"},
    RuleCase{"PJ209", "where status = :s order by id",
             "where status = :s order by id get customerId, id"},
    RuleCase{"PJ210", "find Order where status = :s order by id", "find Customer where id = :s"},
    RuleCase{"PJ213", "    SK     = \"ORDER#{id}\"\n",
             "    SK     = \"ORDER#{id}\"\n    cname = copy of Customer.name\n"},
    RuleCase{"PJ214", "entity Customer {", "tenant Customer.id\nentity Customer {"},
    RuleCase{"PJ301", "name  text(~16)", "full-name text(~16)\n  name text(~16)"},
    RuleCase{"PJ001", "rate 5/s", "rate 5"},
    RuleCase{"PJ003", "where status = :s", "where statu = :s"},
    RuleCase{"PJ004", "entity Customer {", "allow PJ203 because \"once\"\nentity Customer {"},
    RuleCase{"PJ124", "SK     = \"ORDER#{id}\"", "SK     = total"},
    RuleCase{"PJ125", "values (\"OPEN\", \"DONE\")", "values (\"\", \"DONE\")"},
    RuleCase{"PJ302", "SK     = \"ORDER#{id}\"", "SK     = \"#ORDER#{id}\""},
    RuleCase{"PJ303", "SK     = \"ORDER#{id}\"", "SK     = \"ORDER#{id lower}\""},
    RuleCase{"PJ231", "total      number(5)", "total      number(5) unique"},
    RuleCase{"PJ229", "  put Order once\n", "  put Customer\n"}};

INSTANTIATE_TEST_SUITE_P(Rules, RuleTest, ::testing::ValuesIn(kCases),
                         [](const ::testing::TestParamInfo<RuleCase>& test) {
                           return std::string(test.param.rule) + "_" + std::to_string(test.index);
                         });

TEST(Rules, AnAttributeThatNothingReadsOrSetsIsReported) {
  std::string text =
      Changed("find Customer where id = :c", "find Customer where id = :c get id, name");
  std::set<std::string> rules;
  EXPECT_EQ(Findings(text, rules), "");
  text.replace(text.find("  name  text(~16)\n"), 18, "  name  text(~16)\n  phone text(~9)\n");
  Findings(text, rules);
  EXPECT_EQ(rules, std::set<std::string>{"PJ211"});
}

TEST(Rules, AnEmptyFileIsNoModel) {
  for (const std::string text : {"", "// nothing yet\n", "model \"Title\"\n"}) {
    std::set<std::string> rules;
    Findings(text, rules);
    EXPECT_EQ(rules, std::set<std::string>{"PJ005"}) << text;
  }
}

TEST(Rules, AModelThatAsksNothingIsReported) {
  std::set<std::string> rules;
  Findings("entity A {\n  id text key\n}\n", rules);
  EXPECT_TRUE(rules.contains("PJ222"));
}

TEST(Rules, CountsOfAManyToManyMustAgreeFromBothSides) {
  const auto with = [](const std::string& each_b) {
    return "entity A {\n  id text key\n  count 100\n}\nentity B {\n  id text key\n  count "
           "10\n}\nentity "
           "L {\n  a references A.id key\n  b references B.id key\n}\nrelationship R: A "
           "many-to-many B "
           "through L {\n  each A has ~5\n  each B has ~" +
           each_b +
           "\n}\npattern P {\n  find L where a = :a\n}\ntable T partition PK sort SK {\n  "
           "item L {\n    PK = \"A#{a}\"\n    SK = \"B#{b}\"\n  }\n}\n";
  };
  std::set<std::string> rules;
  Findings(with("50"), rules);
  EXPECT_FALSE(rules.contains("PJ223"));
  // Once and a half of 500 is where an estimate becomes a contradiction.
  Findings(with("75"), rules);
  EXPECT_FALSE(rules.contains("PJ223"));
  Findings(with("76"), rules);
  EXPECT_TRUE(rules.contains("PJ223"));
}

// By 1,000 stations there are 10,000,000 trips, by 1,000 members 60,000; and treatments of visits whose number follows from the
// pets: 8,000 x 6 visits with 3 each against 3 with 1,000 each.
TEST(Rules, CountsOfTwoParentsMustAgree) {
  const auto trips = [](const std::string& each_member) {
    return "entity Station {\n  id text key\n  count 1_000\n}\nentity Member {\n  id text key\n"
           "  count 1_000\n}\nentity Trip {\n  id text key\n  stationId references Station.id\n"
           "  memberId references Member.id\n}\nrelationship A: Station one-to-many Trip {\n"
           "  each Station has ~10_000\n}\nrelationship B: Member one-to-many Trip {\n"
           "  each Member has ~" +
           each_member + "\n}\npattern P {\n  find Trip where id = :id\n}\n";
  };
  std::set<std::string> rules;
  Findings(trips("10_000"), rules);
  EXPECT_FALSE(rules.contains("PJ223"));
  const std::string shown = Findings(trips("60"), rules);
  EXPECT_TRUE(rules.contains("PJ223"));
  EXPECT_THAT(shown, ::testing::HasSubstr("each Member has ~10000, unbounded"));
  rules.clear();
  Findings(
      "entity Pet {\n  id text key\n  count 8_000\n}\nentity Visit {\n  id text key\n  petId "
      "references Pet.id\n}\nentity Treatment {\n  id text key\n  count 3\n}\nentity Given {\n  v "
      "references Visit.id key\n  t references Treatment.id key\n}\nrelationship A: Pet "
      "one-to-many Visit {\n  each Pet has ~6\n}\nrelationship B: Visit many-to-many Treatment "
      "through Given {\n  each Visit has ~3\n  each Treatment has ~1_000\n}\npattern P {\n  find "
      "Visit where id = :id\n}\n",
      rules);
  EXPECT_TRUE(rules.contains("PJ223"));
}

TEST(Rules, AModelWithoutATableHasOneFindingForAllItsPatterns) {
  const std::string logical =
      "entity A {\n  id text key\n  name text\n}\npattern One {\n  find A where id = :id\n}\n"
      "pattern ByName {\n  find A where name = :name\n}\npattern Both {\n  find A where name = "
      ":name "
      "order by id\n}\n";
  std::set<std::string> rules;
  std::string text = logical;
  int errors = 0;
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    if (finding.severity != Severity::kError) {
      continue;
    }
    ++errors;
    EXPECT_THAT(finding.message,
                ::testing::HasSubstr("none of its 3 access patterns is supported"));
    EXPECT_THAT(finding.message, ::testing::HasSubstr("prejoin design"));
  }
  EXPECT_EQ(errors, 1);
  // Doing what the findings say ends with all of them served.
  for (int round = 0; round < 9; ++round) {
    const std::vector<Diagnostic> findings = CheckModel(ReadModel(text));
    const auto unserved = std::ranges::find(findings, "PJ101", &Diagnostic::rule);
    if (unserved == findings.end()) {
      break;
    }
    const auto mended = ApplyFix(text, *unserved, FixScope::kUnsafeToo);
    ASSERT_TRUE(mended) << unserved->suggestion.text();
    text = *mended;
  }
  Findings(text, rules);
  EXPECT_FALSE(rules.contains("PJ101")) << text;
}

TEST(Rules, ASampleRowThatPointsAtNoRowIsReported) {
  const auto with = [](const std::string& customer) {
    return Changed("write Put {",
                   "sample Customer (id, name) {\n  \"c1\", \"Ann\"\n}\nsample Order "
                   "(customerId, id, total, status) {\n  \"" +
                       customer + "\", \"o1\", 1, \"OPEN\"\n}\nwrite Put {");
  };
  std::set<std::string> rules;
  EXPECT_EQ(Findings(with("c1"), rules), "");
  Findings(with("c2"), rules);
  EXPECT_EQ(rules, std::set<std::string>{"PJ224"});
}

// PJ122 is about the key, so it needs the number in one.
TEST(Rules, ANumberInATextKeySortsWrongUnlessPadded) {
  std::string text = Changed("status = :s order by id", "status = :s order by total");
  const std::string key = "GSI1SK = \"ORDER#{id}#{customerId}\"";
  text.replace(text.find(key), key.size(), "GSI1SK = \"{total}#{id}#{customerId}\"");
  std::set<std::string> rules;
  Findings(text, rules);
  EXPECT_TRUE(rules.contains("PJ122"));
  text.replace(text.find("{total}"), 7, "{total pad 4}");
  rules.clear();
  EXPECT_THAT(Findings(text, rules), testing::HasSubstr("10000 sorts before 9999"));
  EXPECT_TRUE(rules.contains("PJ122"));
  text.replace(text.find("{total pad 4}"), 13, "{total pad 9}");
  rules.clear();
  EXPECT_EQ(Findings(text, rules), "");
}

TEST(Rules, FastChangingCopiesAndUnboundedListsAreReported) {
  const std::string text = kFastCopies;
  std::set<std::string> rules;
  const std::string shown = Findings(text, rules);
  EXPECT_TRUE(rules.contains("PJ110")) << shown;
  EXPECT_TRUE(rules.contains("PJ212")) << shown;
}

TEST(Rules, ListsOfManyAndEdgeDataOnAnEndAreReported) {
  const std::string text = kListsOfMany;
  std::set<std::string> rules;
  const std::string shown = Findings(text, rules);
  EXPECT_TRUE(rules.contains("PJ215")) << shown;
  EXPECT_TRUE(rules.contains("PJ216")) << shown;
}

// All orders under one key of an index.
std::string OneKey(const std::string& rate) {
  std::string text = Changed("GSI1PK = \"STATUS#{status}\"", "GSI1PK = \"ORDERS\"");
  const std::string old_rate = "put Order once\n  rate 1/s";
  return text.replace(text.find(old_rate), old_rate.size(), "put Order once\n  rate " + rate);
}

// R10: one partition for all is right while it can do the work.
TEST(Rules, OnePartitionForAllIsReportedWhereItIsTooLittle) {
  std::set<std::string> rules;
  std::string shown = Findings(OneKey("1/s"), rules);
  EXPECT_FALSE(rules.contains("PJ217")) << shown;
  shown = Findings(OneKey("4_000/s"), rules);
  EXPECT_TRUE(rules.contains("PJ217")) << shown;
  EXPECT_THAT(shown, testing::HasSubstr("{shard 8 of customerId}"));
  std::string unknown = OneKey("1/s");
  unknown.erase(unknown.find("  count 20_000\n"), 15);
  rules.clear();
  shown = Findings(unknown, rules);
  EXPECT_TRUE(rules.contains("PJ217")) << "nobody says how many: " << shown;
}

// An attribute that is a key by itself holds nothing but its own values.
TEST(Rules, IndexesWithNaturalKeysCannotBeOne) {
  std::string text = kIndexes;
  for (const auto& [from, to] :
       {std::pair{"CityPK = \"CITY#{city}\"", ""}, {"partition CityPK", "partition city"}}) {
    text.replace(text.find(from), std::string_view(from).size(), to);
  }
  std::set<std::string> rules;
  const std::string shown = Findings(text, rules);
  EXPECT_FALSE(rules.contains("PJ201")) << shown;
}

TEST(Rules, ASignAloneIsNoMisspeltMarker) {
  const auto with = [](const std::string& a, const std::string& b) {
    return "entity A {\n  id text key\n}\nentity B {\n  id text key\n}\n"
           "table T partition PK sort SK {\n"
           "  item A {\n    PK = \"A#{id}\"\n    SK = \"" +
           a +
           "\"\n  }\n"
           "  item B {\n    PK = \"B#{id}\"\n    SK = \"" +
           b + "\"\n  }\n}\n";
  };
  std::set<std::string> rules;
  Findings(with("#", "#B"), rules);
  EXPECT_FALSE(rules.contains("PJ117"));
  Findings(with("#META", "#METADATA"), rules);
  EXPECT_TRUE(rules.contains("PJ117"));
}

TEST(Rules, OneTableForEachEntityAndAnIndexForEachRelationshipAreReported) {
  const std::string tables = kTables;
  std::set<std::string> rules;
  std::string shown = Findings(tables, rules);
  EXPECT_TRUE(rules.contains("PJ218")) << shown;
  const std::string indexes = kIndexes;
  rules.clear();
  shown = Findings(indexes, rules);
  EXPECT_TRUE(rules.contains("PJ201")) << shown;
}

// A text with the form of a time is one, declared or not.
TEST(Rules, ALocalTimeInATextIsReported) {
  const auto with = [](const std::string& id) {
    return Changed(
        "write Put {",
        "sample Order (customerId, id, total, status) {\n  \"c1\", \"" + id +
            "\", 1, \"OPEN\"\n}\nsample Customer (id, name) {\n  \"c1\", \"Ann\"\n}\nwrite "
            "Put {");
  };
  for (const char* id : {"2024-05-01T10:11:12Z", "2024-05-01", "2024-05-01 x 10:11:12", "o1"}) {
    std::set<std::string> rules;
    EXPECT_EQ(Findings(with(id), rules), "") << id;
  }
  std::set<std::string> rules;
  Findings(with("2024-05-01 10:11:12"), rules);
  EXPECT_EQ(rules, std::set<std::string>{"PJ220"});
}

TEST(Rules, ADelimiterInsideAValueIsReported) {
  const std::string text = Changed("write Put {",
                                   "sample Order (customerId, id, total, status) {\n  \"c1\", "
                                   "\"a#b\", 1, \"OPEN\"\n}\nwrite Put {");
  std::set<std::string> rules;
  Findings(text, rules);
  EXPECT_TRUE(rules.contains("PJ115"));
}

// Models that break every rule at least once.
std::vector<std::string> BrokenModels() {
  std::vector<std::string> texts = {
      kFastCopies, kListsOfMany, kTables, kIndexes, kCounted, "", "entity A {\n  id text key\n}\n"};
  for (const RuleCase& one : kCases) {
    texts.push_back(Changed(one.from, one.to));
  }
  texts.push_back(OneKey("4_000/s"));
  for (const std::string& file : ExampleFiles("broken")) {
    texts.push_back(ReadFileForTesting(file));
  }
  const std::string sample = "sample Order (customerId, id, total, status) {\n  ";
  for (const char* row : {"\"c1\", \"a#b\", 1, \"OPEN\"", "\"c9\", \"o1\", 1, \"OPEN\""}) {
    texts.push_back(Changed("write Put {", "sample Customer (id, name) {\n  \"c1\", \"Ann\"\n}\n" +
                                               sample + row + "\n}\nwrite Put {"));
  }
  std::string unread =
      Changed("find Customer where id = :c", "find Customer where id = :c get id, name");
  texts.push_back(unread.replace(unread.find("  count 20_000"), 0, "  phone text(~9)\n"));
  std::string number = Changed("status = :s order by id", "status = :s order by total");
  const std::string key = "ORDER#{id}#{customerId}";
  texts.push_back(number.replace(number.find(key), key.size(), "{total}#{id}#{customerId}"));
  return texts;
}

// Every rule has a fix that removes its finding and brings no error, or gives advice to people.
TEST(Rules, EverySuggestionIsAFixOrAdvice) {
  std::set<std::string> met;
  std::set<std::string> done;
  for (const std::string& text : BrokenModels()) {
    for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
      met.insert(finding.rule);
      const std::optional<std::string> mended = ApplyFix(text, finding, FixScope::kUnsafeToo);
      if (!mended) {
        continue;
      }
      done.insert(finding.rule);
      EXPECT_LE(ErrorsOf(*mended), ErrorsOf(text)) << finding.rule << *mended;
      for (const Diagnostic& left : CheckModel(ReadModel(*mended))) {
        EXPECT_FALSE(left.rule == finding.rule && left.message == finding.message)
            << finding.rule << ": " << finding.suggestion.text() + "\n" + *mended;
      }
    }
  }
  for (const Rule& rule : AllRules()) {
    const std::string id(rule.id);
    EXPECT_TRUE(met.contains(id)) << id << " is broken by no model here";
    EXPECT_TRUE(done.contains(id) || kAdvice.contains(id))
        << "no program can do what " << id << " says";
  }
}

}  // namespace
}  // namespace prejoin::model
