// Each route of the model API: what it gives, and what it refuses.
#include "studio/model_api.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "model/check/check.h"
#include "model/syntax/source_size.h"
#include "studio/load_model.h"
#include "tests/studio/json_path.h"
#include "tests/studio/studio_server.h"

namespace prejoin::studio {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kModelRoutes = {"/model/check",  "/model/format", "/model/plan",
                                               "/model/cost",   "/model/advise", "/model/prove",
                                               "/model/tables", "/model/item",   "/model/run",
                                               "/model/design", "/model/gen",    "/model/switch"};

class ModelApiTest : public StudioTest {
 protected:
  ModelApiTest() { Start(); }

  // The model's tables with its sample, on the server's database.
  void Load(const std::string& source) {
    const auto loaded = LoadModel(model::ReadModel(source).model, *database);
    ASSERT_TRUE(loaded) << loaded.error().message;
  }

  const std::string education = Example("d05_education");
};

TEST_F(ModelApiTest, ListsTheExamples) {
  const auto answer = Get("/model/examples");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  EXPECT_EQ(answer.headers.at("cache-control"), "no-store");
  EXPECT_EQ(At(answer.body, "0.name"), "d01_user_orders");
  EXPECT_EQ(At(answer.body, "0.title"), "User and orders");
  EXPECT_THAT(At(answer.body, "0.comment"), testing::StartsWith("D1. "));
  EXPECT_EQ(At(answer.body, ""), "#" + std::to_string(embedded::ExampleFiles().size()));
}

TEST_F(ModelApiTest, GivesOneExampleAndNothingElse) {
  const auto answer = Get("/model/examples/d05_education");
  EXPECT_EQ(At(answer.body, "name"), "d05_education");
  EXPECT_THAT(At(answer.body, "source"), HasSubstr("model \"Education\""));
  for (const std::string name : {"nothing", "", "../../README.md", "d05_education.prejoin"}) {
    EXPECT_EQ(Get("/model/examples/" + name).status, 404) << name;
  }
}

TEST_F(ModelApiTest, ChecksASoundModel) {
  const auto answer = PostModel("/model/check", education);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(At(answer.body, "model.title"), "Education");
  EXPECT_EQ(At(answer.body, "model.tables.0.name"), "Education");
}

TEST_F(ModelApiTest, ChecksABrokenModelWithPlaces) {
  const auto answer =
      PostModel("/model/check", "model \"M\"\nentity X {\n  id text key\n  a texd\n}\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(At(answer.body, "model"), "null");
  EXPECT_EQ(At(answer.body, "findings.0.severity"), "error");
  EXPECT_EQ(At(answer.body, "findings.0.line"), "4");
  EXPECT_EQ(At(answer.body, "findings.0.column"), "5");
  EXPECT_EQ(At(answer.body, "findings.0.length"), "4");
  EXPECT_NE(At(answer.body, "findings.0.rule"), "absent");
  EXPECT_NE(At(answer.body, "findings.0.message"), "absent");
  EXPECT_NE(At(answer.body, "findings.0.suggestion"), "absent");
}

TEST_F(ModelApiTest, FormatsAModel) {
  const auto answer = PostModel("/model/format", "model   \"M\"\nentity X {\n id text key\n}\n");
  EXPECT_EQ(At(answer.body, "source"), "model \"M\"\nentity X {\n  id text key\n}\n");
}

TEST_F(ModelApiTest, PlansServedPatterns) {
  const auto answer = PostModel("/model/plan", education);
  EXPECT_EQ(answer.status, 200);
  const std::string a17 = "patterns.2.";
  EXPECT_EQ(At(answer.body, a17 + "name"), "A17");
  EXPECT_EQ(At(answer.body, a17 + "served"), "true");
  EXPECT_EQ(At(answer.body, a17 + "strong"), "false");
  EXPECT_EQ(At(answer.body, a17 + "parameters.0.name"), "course");
  EXPECT_EQ(At(answer.body, a17 + "parameters.0.type"), "text");
  EXPECT_EQ(At(answer.body, a17 + "examples.0.course"), "C1");
  EXPECT_EQ(At(answer.body, a17 + "steps.0.operation"), "Query");
  EXPECT_EQ(At(answer.body, a17 + "steps.0.table"), "Education");
  EXPECT_EQ(At(answer.body, a17 + "steps.0.index"), "GSI1");
  EXPECT_EQ(At(answer.body, a17 + "steps.0.keyCondition"),
            "GSI1-PK = \"COURSE#{:course}\" and begins_with(GSI1-SK, \"STUDENT#\")");
  EXPECT_EQ(At(answer.body, "patterns.0.steps.0.index"), "null");
  EXPECT_THAT(At(answer.body, a17 + "why"), testing::StartsWith("Estimate: 1 request"));
  EXPECT_EQ(At(answer.body, "keys.0.table"), "Education");
}

TEST_F(ModelApiTest, ProposesAKeyForAPatternThatIsNotServed) {
  std::string source = education;
  source += "\npattern ByName \"Students by name\" {\n  find Student where Name = :name\n}\n";
  const auto answer = PostModel("/model/plan", source);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "patterns.3.served"), "false");
  EXPECT_EQ(At(answer.body, "patterns.3.plan"), "#0");
  EXPECT_THAT(At(answer.body, "patterns.3.why"), HasSubstr("Scan"));
  EXPECT_THAT(At(answer.body, "patterns.3.proposal"), HasSubstr("NAME#{Name}"));
}

TEST_F(ModelApiTest, PricesAndScales) {
  const auto once = PostModel("/model/cost", education);
  const auto tenfold = PostModel("/model/cost", education, ",\"scale\":10");
  EXPECT_EQ(once.status, 200);
  EXPECT_NEAR(std::stod(At(tenfold.body, "patterns.0.unitsPerSecond")),
              10 * std::stod(At(once.body, "patterns.0.unitsPerSecond")), 1e-6);
  for (const std::string scale : {"0", "-1", "2e9", "\"many\""}) {
    EXPECT_EQ(PostModel("/model/cost", education, ",\"scale\":" + scale).status, 400) << scale;
  }
}

TEST_F(ModelApiTest, Advises) {
  const auto answer = PostModel("/model/advise", education);
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(At(answer.body, "0.relationship"), "absent") << answer.body;
}

TEST_F(ModelApiTest, SwitchesWhatItAdvisesOn) {
  const std::string source = R"(entity Shop {
  id    text(~4) key
  count 50
}
entity Order {
  id     text(~8) key
  shopId references Shop.id
}
relationship Orders: Shop one-to-many Order {
  each Shop has ~40, unbounded
}
pattern OfShop {
  find Order where shopId = :shop
  rate 5/s
}
write Add {
  put Order once
  rate 1/s
}
table Shops partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all

  item Shop {
    PK = "SHOP#{id}"
    SK = "SHOP"
  }
  item Order {
    PK     = "ORDER#{id}"
    SK     = "ORDER"
    GSI1PK = "SHOP#{shopId}"
    GSI1SK = "ORDER#{id}"
  }
}
)";
  const auto post = [&](const std::string& strategy) {
    return PostModel("/model/switch", source,
                     R"(,"relationship":"Orders","strategy":")" + strategy + "\"");
  };
  const auto switched = post("item-collection");
  EXPECT_EQ(switched.status, 200) << switched.body;
  EXPECT_THAT(At(switched.body, "source"), HasSubstr("PK = \"SHOP#{shopId}\""));
  const auto refused = post("composite-sort-key");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(At(refused.body, "error.message"), HasSubstr("item-collection is the same path"));
  EXPECT_EQ(post("no-strategy").status, 400);
  EXPECT_EQ(
      PostModel("/model/switch", source, R"(,"relationship":"X","strategy":"references")").status,
      400);
  EXPECT_EQ(PostModel("/model/advise", source, R"(,"scale":0)").status, 400);
  const auto price = [&](const std::string& more) {
    return std::stod(
        At(PostModel("/model/advise", source, more).body, "0.alternatives.0.moneyPerMonth"));
  };
  EXPECT_GT(price(R"(,"scale":100)"), 50 * price(""));
}

TEST_F(ModelApiTest, Designs) {
  const auto answer = PostModel("/model/design", education);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(At(answer.body, "designs.0.proved"), "true") << answer.body;
  EXPECT_THAT(At(answer.body, "designs.0.source"), HasSubstr("table Education"));
}

TEST_F(ModelApiTest, ProvesTheSampleAndGeneratedRows) {
  const auto sample = PostModel("/model/prove", education);
  EXPECT_EQ(At(sample.body, "allRight"), "true");
  EXPECT_EQ(At(sample.body, "items"), "7");
  const auto generated = PostModel("/model/prove", education, ",\"scale\":500,\"seed\":7");
  EXPECT_EQ(At(generated.body, "allRight"), "true");
  EXPECT_GT(std::stod(At(generated.body, "rows")), 200);
  for (const std::string members : {"\"scale\":0", "\"scale\":0.5", "\"scale\":20001",
                                    "\"scale\":1e300", "\"seed\":-1", "\"seed\":\"x\""}) {
    EXPECT_EQ(PostModel("/model/prove", education, "," + members).status, 400) << members;
  }
  const std::string fat =
      "model \"M\"\nentity X {\n  id text key\n  body text(~300_000)\n}\n"
      "table T partition id {\n  item X {\n  }\n}\n";
  EXPECT_EQ(PostModel("/model/prove", fat, ",\"scale\":10").status, 200);
  EXPECT_EQ(PostModel("/model/prove", fat, ",\"scale\":1000").status, 400) << "600 MB";
  EXPECT_FALSE(database->DescribeTable("Education")) << "a proof leaves the server's data alone";
}

TEST_F(ModelApiTest, GivesWhatApplyWouldSend) {
  const auto answer = PostModel("/model/tables", education);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(At(answer.body, "tables"), "#1");
  EXPECT_EQ(At(answer.body, "tables.0.TableName"), "Education");
  EXPECT_EQ(At(answer.body, "tables.0.BillingMode"), "PAY_PER_REQUEST");
  EXPECT_EQ(At(answer.body, "tables.0.GlobalSecondaryIndexes.0.Projection.ProjectionType"),
            "INCLUDE");
  EXPECT_EQ(At(answer.body, "items"), "#7");
  EXPECT_EQ(At(answer.body, "items.0.entity"), "Student");
  EXPECT_EQ(At(answer.body, "items.0.item.PK.S"), "STUDENT#S1");
}

TEST_F(ModelApiTest, MakesUpRowsForEntitiesWithoutSample) {
  const std::string bare =
      "model \"M\"\nentity X {\n  id text key\n  count 50\n}\n"
      "table T partition id {\n  item X {\n  }\n}\n";
  EXPECT_EQ(At(PostModel("/model/tables", bare).body, "items"), "#0");
  const auto answer = PostModel("/model/tables", bare, ",\"rows\":20");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "items.0.entity"), "X");
  EXPECT_NE(At(answer.body, "items.0.item.id.S"), "absent");
  for (const std::string rows : {"0", "2001", "-1", "1e300", "\"x\""}) {
    EXPECT_EQ(PostModel("/model/tables", bare, ",\"rows\":" + rows).status, 400) << rows;
  }
}

TEST_F(ModelApiTest, MakesAnItemWithItsKeys) {
  const std::string members =
      R"(,"entity":"Enrollment","once":true,"attributes":{"StudentId":"S2","CourseId":"C2","Grade":null})";
  const auto answer = PostModel("/model/item", education, members);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "table"), "Education");
  EXPECT_EQ(At(answer.body, "item.PK.S"), "STUDENT#S2");
  EXPECT_EQ(At(answer.body, "item.SK.S"), "COURSE#C2");
  EXPECT_EQ(At(answer.body, "item.GSI1-PK.S"), "COURSE#C2");
  EXPECT_EQ(At(answer.body, "item.Grade"), "absent");
  EXPECT_EQ(At(answer.body, "condition"), "attribute_not_exists(#pk)");
  EXPECT_EQ(At(answer.body, "names.#pk"), "PK");
  EXPECT_EQ(At(answer.body, "locks"), "#0");
}

TEST_F(ModelApiTest, GivesTheLockItemsOfAnItem) {
  const std::string owners = R"(model "Owners"
entity Owner {
  id    text(~6) key
  email text(~20) unique
}
table Owners partition PK sort SK {
  item Owner {
    PK = "OWNER#{id}"
    SK = "OWNER"
    unique email by lock item
  }
}
)";
  const auto answer = PostModel("/model/item", owners,
                                R"(,"entity":"Owner","attributes":{"id":"1","email":"ana@x.org"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "locks"), "#1");
  EXPECT_EQ(At(answer.body, "locks.0.PK.S"), "UNIQUE#Owner#email#ana@x.org");
  EXPECT_EQ(At(answer.body, "locks.0.SK.S"), "UNIQUE#Owner#email#ana@x.org");
}

TEST_F(ModelApiTest, RefusesItemsThatTheModelDoesNotKnow) {
  struct Case {
    std::string members;
    int status;
    std::string message;
  };
  const std::vector<Case> cases = {
      {R"("entity":"Enrolment","attributes":{})", 404, "Enrollment"},
      {R"("attributes":{})", 400, "`entity`"},
      {R"("entity":"Enrollment")", 400, "`attributes`"},
      {R"("entity":"Enrollment","attributes":[])", 400, "`attributes`"},
      {R"("entity":"Enrollment","attributes":{"StudentId":"S1"})", 400, "missing or empty"},
      {R"("entity":"Enrollment","attributes":{"StudentId":1,"CourseId":"C1"})", 400, "StudentId"},
      {R"("entity":"Enrollment","attributes":{"StudentId":"S1","CourseId":"C1","Colour":"x"})", 400,
       "Colour"},
      {R"("entity":"Enrollment","attributes":{},"once":"yes")", 400, "`once`"},
  };
  for (const Case& one : cases) {
    const auto answer = PostModel("/model/item", education, "," + one.members);
    EXPECT_EQ(answer.status, one.status) << one.members;
    EXPECT_THAT(At(answer.body, "error.message"), HasSubstr(one.message)) << one.members;
  }
}

TEST_F(ModelApiTest, RunsAPatternAndTellsEveryKey) {
  Load(education);
  const auto answer =
      PostModel("/model/run", education, R"(,"pattern":"A17","parameters":{"course":"C1"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "steps"), "#1");
  EXPECT_EQ(At(answer.body, "steps.0.operation"), "Query");
  EXPECT_EQ(At(answer.body, "steps.0.index"), "GSI1");
  EXPECT_EQ(At(answer.body, "steps.0.request.IndexName"), "GSI1");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.returned.0.PK.S"), "STUDENT#S1");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.returned.1.PK.S"), "STUDENT#S2");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.read.1.GSI1-SK.S"), "STUDENT#S2");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.readUnits"), "0.5");
  EXPECT_EQ(At(answer.body, "rows.0.Grade.S"), "A");
  EXPECT_EQ(At(answer.body, "rows.1.Grade.S"), "A-");
  EXPECT_EQ(At(answer.body, "requests"), "1");
  EXPECT_EQ(At(answer.body, "itemsRead"), "2");
  EXPECT_EQ(At(answer.body, "itemsThrownAway"), "0");
  EXPECT_EQ(At(answer.body, "consistency"), "eventual");
  EXPECT_EQ(At(answer.body, "price"), "6.25e-08");
}

TEST_F(ModelApiTest, RunsOnTheSampleAndLeavesTheServersTablesAlone) {
  const std::string members = R"(,"pattern":"A17","parameters":{"course":"C1"})";
  EXPECT_EQ(PostModel("/model/run", education, members).status, 404);
  const auto answer = PostModel("/model/run", education, members + R"(,"sample":true)");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "rows"), "#2");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.returned.1.PK.S"), "STUDENT#S2");
  EXPECT_TRUE(database->ListTables({})->table_names.empty());
}

TEST_F(ModelApiTest, WritesCodeForEveryTarget) {
  const auto targets = Get("/model/targets");
  ASSERT_EQ(targets.status, 200);
  int written = 0;
  for (int i = 0;; ++i) {
    const std::string name = At(targets.body, std::to_string(i) + ".name");
    if (name == "absent") {
      break;
    }
    const auto answer = PostModel("/model/gen", education, ",\"to\":" + Quoted(name));
    ASSERT_EQ(answer.status, 200) << name << answer.body;
    EXPECT_NE(At(answer.body, "files.0.path"), "absent") << name;
    EXPECT_FALSE(At(answer.body, "files.0.text").empty()) << name;
    ++written;
  }
  EXPECT_GE(written, 14);
  const std::string copies =
      "model \"M\"\nentity Author {\n  id text key\n}\nentity Book {\n  id text key\n  title text\n}\n"
      "entity Writing {\n  authorId references Author.id key\n  bookId references Book.id key\n}\n"
      "write Add {\n  put Writing\n}\n"
      "table T partition PK {\n  item Author {\n    PK = \"A#{id}\"\n"
      "    Books = list of Writing (bookId, Book.title) kept by stream\n  }\n"
      "  item Book {\n    PK = \"B#{id}\"\n  }\n}\n";
  EXPECT_THAT(At(PostModel("/model/gen", copies, R"(,"to":"python")").body, "notGenerated.0"),
              HasSubstr("Add: "));
  const auto unknown = PostModel("/model/gen", education, R"(,"to":"pyton")");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(At(unknown.body, "error.message"), HasSubstr("python"));
}

TEST_F(ModelApiTest, InfersAModelFromItems) {
  const auto made = PostModel("/model/tables", education);
  std::string items;
  for (int i = 0; i < 7; ++i) {
    const std::string at = "items." + std::to_string(i) + ".item.";
    items += (items.empty() ? R"({"PK":{"S":)" : R"(,{"PK":{"S":)") +
             Quoted(At(made.body, at + "PK.S")) + R"(},"SK":{"S":)" +
             Quoted(At(made.body, at + "SK.S")) + "}}";
  }
  const std::string table =
      R"("table":{"TableName":"Education","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
      R"({"AttributeName":"SK","KeyType":"RANGE"}],"AttributeDefinitions":)"
      R"([{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}]})";
  const auto answer = Post("/model/infer", "{" + table + ",\"items\":[" + items + "]}");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "items"), "7");
  const std::string source = At(answer.body, "source");
  EXPECT_THAT(source, HasSubstr("STUDENT#{"));
  EXPECT_TRUE(model::ReadModel(source).ok) << source;
  // A table that has more items than were read.
  const std::string larger = "{" + table.substr(0, table.size() - 1) + ",\"ItemCount\":70},\"items\":[" + items + "]}";
  EXPECT_THAT(At(Post("/model/infer", larger).body, "source"),
              HasSubstr("Inferred from 7 items of table Education, which has 70; every count is scaled"));
  for (const std::string& body :
       {std::string("{}"), "{" + table + "}", "{" + table + ",\"items\":[]}",
        "{" + table + ",\"items\":[1]}", std::string(R"({"table":{},"items":[]})"),
        std::string(R"({"table":7,"items":[]})"), "{" + table + ",\"items\":{}}"}) {
    EXPECT_EQ(Post("/model/infer", body).status, 400) << body;
  }
}

TEST_F(ModelApiTest, ImportsSqlWithItsStatements) {
  const std::string schema =
      "CREATE TABLE author (id int PRIMARY KEY, name text);\n"
      "CREATE TABLE book (id int PRIMARY KEY, author_id int REFERENCES author(id), title text);";
  const std::string statements = "-- 40/s\nSELECT * FROM book WHERE author_id = $1 ORDER BY title;";
  const auto answer = Post("/model/import", R"({"name":"Library","text":)" + Quoted(schema) +
                                                R"(,"queries":)" + Quoted(statements) + "}");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "entities"), "2");
  EXPECT_EQ(At(answer.body, "unreadTables"), "0");
  const std::string source = At(answer.body, "source");
  EXPECT_THAT(source, HasSubstr("model \"Library\""));
  EXPECT_THAT(source, HasSubstr("rate 40/s"));
  EXPECT_TRUE(model::ReadModel(source).ok) << source;
  for (const std::string body :
       {R"({})", R"({"text":7})", R"({"text":"neither SQL nor anything else"})",
        R"({"text":"CREATE TABLE a (id int PRIMARY KEY);","from":"excel"})",
        R"({"text":"CREATE TABLE a (id int PRIMARY KEY);","seconds":0})"}) {
    EXPECT_EQ(Post("/model/import", body).status, 400) << body;
  }
}

TEST_F(ModelApiTest, AsksTheQuestionsOfNew) {
  const auto answer = Post("/model/interview", R"({"answers":{"entity":"owners","entity #2":"pets",)"
                                               R"("relationship":"owner has many dragons"}})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const std::string source = At(answer.body, "source");
  EXPECT_THAT(source, HasSubstr("entity Owner {"));
  EXPECT_THAT(source, HasSubstr("entity Pet {"));
  EXPECT_TRUE(model::ReadModel(source).ok) << source;
  EXPECT_THAT(answer.body, HasSubstr(R"("key":"How many pets are there, approximately?")"));
  EXPECT_THAT(answer.body, HasSubstr("there is no entity `dragons`"));

  const auto none = Post("/model/interview", R"({"answers":{}})");
  ASSERT_EQ(none.status, 200) << none.body;
  EXPECT_THAT(At(none.body, "trouble"), HasSubstr("no entity was named"));
  for (const std::string body : {R"({})", R"({"answers":[]})", R"({"answers":{"entity":1}})"}) {
    EXPECT_EQ(Post("/model/interview", body).status, 400) << body;
  }
}

TEST_F(ModelApiTest, ShowsWhatARunReadsAndThrowsAway) {
  const std::string source = Example("d03_quick_reference");
  Load(source);
  const auto answer =
      PostModel("/model/run", source, R"(,"pattern":"A6","parameters":{"org":"o1"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "itemsThrownAway"), "3");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.count"), "3");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.scannedCount"), "6");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.returned"), "#3");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.read"), "#6");
}

TEST_F(ModelApiTest, ShowsEveryPageOfALongRun) {
  const std::string source = R"(model "Pages"
entity Author {
  name text key
}
entity Post {
  author references Author.name key
  number number key
  text text
}
pattern Posts "All posts" {
  find Post where author = :author
}
table Posts partition author sort number {
  item Post {
  }
}
)";
  Load(source);
  // 1.2 MB in one collection: a Query gives at most one.
  for (int i = 0; i < 12; ++i) {
    PutItemInput put;
    put.table_name = "Posts";
    put.item = Item{{"author", "ann"}, {"number", i}, {"text", std::string(100'000, 'x')}};
    ASSERT_TRUE(database->PutItem(put));
  }
  const auto answer =
      PostModel("/model/run", source, R"(,"pattern":"Posts","parameters":{"author":"ann"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(At(answer.body, "steps"), "#1");
  EXPECT_EQ(At(answer.body, "steps.0.pages"), "#2");
  EXPECT_EQ(At(answer.body, "steps.0.pages.0.request.ExclusiveStartKey"), "absent");
  EXPECT_EQ(At(answer.body, "steps.0.pages.1.request.ExclusiveStartKey.author.S"), "ann");
  EXPECT_EQ(At(answer.body, "requests"), "2");
  EXPECT_EQ(At(answer.body, "rows"), "#12");
}

TEST_F(ModelApiTest, RefusesRunsThatCannotBe) {
  const auto refused = [&](const std::string& members, const std::string& source) {
    return PostModel("/model/run", source, "," + members);
  };
  const auto missing = refused(R"("pattern":"A17","parameters":{"course":"C1"})", education);
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(At(missing.body, "error.code"), "TableNotFound");
  Load(education);
  const auto unknown = refused(R"("pattern":"A71","parameters":{})", education);
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(At(unknown.body, "error.message"), HasSubstr("A17"));
  struct Case {
    std::string members;
    std::string message;
  };
  const std::vector<Case> cases = {
      {R"("parameters":{"course":"C1"})", "`pattern`"},
      {R"("pattern":"A17")", "`course`"},
      {R"("pattern":"A17","parameters":{"course":null})", "`course`"},
      {R"("pattern":"A17","parameters":["C1"])", "`parameters`"},
      {R"("pattern":"A17","parameters":{"course":1})", "`course` must be text"},
      {R"("pattern":"A17","parameters":{"course":"C1","x":1})", "`x`"},
  };
  for (const Case& one : cases) {
    const auto answer = refused(one.members, education);
    EXPECT_EQ(answer.status, 400) << one.members;
    EXPECT_THAT(At(answer.body, "error.message"), HasSubstr(one.message)) << one.members;
  }
  const auto unserved =
      refused(R"("pattern":"ByName","parameters":{"name":"x"})",
              education + "\npattern ByName {\n  find Student where Name = :name\n}\n");
  EXPECT_EQ(unserved.status, 400);
  EXPECT_EQ(At(unserved.body, "error.code"), "NotServed");
}

TEST_F(ModelApiTest, RefusesWhatIsNoRequestOnEveryRoute) {
  for (const std::string& path : kModelRoutes) {
    for (const std::string body : {"", "{", "[]", "\"text\"", "{\"source\":1}", "{}", "null"}) {
      const auto answer = Post(path, body);
      EXPECT_EQ(answer.status, 400) << path << " " << body;
      EXPECT_NE(At(answer.body, "error.message"), "absent") << path << " " << body;
    }
    EXPECT_EQ(Post(path, "{\"source\":\"\xff\"}").status, 400) << path << ": not UTF-8";
    EXPECT_EQ(Get(path).status, 404) << path;
  }
  EXPECT_EQ(Post("/model/nothing", "{}").status, 404);
  EXPECT_EQ(Get("/model/").status, 404);
}

TEST_F(ModelApiTest, RefusesAnUnreadableModelWithTheFirstPlace) {
  const std::string broken = "model \"M\"\nentity X {\n  id text key\n  a texd\n}\n";
  for (const std::string& path : kModelRoutes) {
    if (path == "/model/check") {
      continue;
    }
    const auto answer =
        PostModel(path, broken, R"(,"pattern":"A","entity":"X","attributes":{},"parameters":{})");
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_EQ(At(answer.body, "error.line"), "4") << path;
    EXPECT_EQ(At(answer.body, "error.column"), "5") << path;
  }
}

TEST_F(ModelApiTest, TakesASourceOfItsSizeAndNoMore) {
  const auto padded = [](std::size_t bytes) {
    const std::string begin = "model \"M\"\n//";
    return begin + std::string(bytes - begin.size(), 'x');
  };
  EXPECT_EQ(PostModel("/model/check", padded(model::kSourceBytesMax - 1)).status, 200);
  EXPECT_EQ(PostModel("/model/check", padded(model::kSourceBytesMax)).status, 200);
  for (const std::string& path : kModelRoutes) {
    EXPECT_EQ(PostModel(path, padded(model::kSourceBytesMax + 1)).status, 413) << path;
  }
  EXPECT_EQ(PostModel("/model/check", std::string(std::size_t{5} << 20, 'x')).status, 413);
  const std::string lines(model::kSourceLinesMax, '\n');
  EXPECT_EQ(PostModel("/model/check", lines).status, 200);
  EXPECT_EQ(PostModel("/model/check", lines + "\n").status, 413);
}

// The lexer, the checker and the planner must not take long over any text that is let in.
TEST_F(ModelApiTest, AnswersHostileSourcesInTime) {
  for (const std::string& unit : {std::string("{"), std::string("entity X {\n"), std::string("\""),
                                  std::string("pattern P {\n find X\n}\n"), std::string("\xc3\xa9"),
                                  std::string("\\u0000\n")}) {
    std::string source;
    const std::ptrdiff_t lines = std::max<std::ptrdiff_t>(std::ranges::count(unit, '\n'), 1);
    for (std::ptrdiff_t i = 0; i + lines <= model::kSourceLinesMax; i += lines) {
      source += unit;
    }
    const auto answer = PostModel("/model/check", source);
    EXPECT_EQ(answer.status, 200) << unit;
    EXPECT_EQ(At(answer.body, "model"), "null") << unit;
  }
}

// Proofs run one after the other, each for as long as fifteen seconds. One that nobody waits for
// any more ends at once, and one that has not begun never begins.
TEST_F(ModelApiTest, StillServesDynamoDb) {
  const auto answer = Ask(server::Post("{}", server::SdkHeaders("ListTables")));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "{\"TableNames\":[]}");
}

}  // namespace
}  // namespace prejoin::studio
