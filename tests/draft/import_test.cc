// Files of other tools become model files that read without errors, and say what could not be read.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "draft/foreign/read_foreign.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"

namespace prejoin::draft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The text of the model, which must read.
std::string Import(std::string_view text, std::string_view log = "") {
  const auto draft = ReadForeign({.text = text, .name = "Test", .query_log = log});
  if (!draft) {
    return "error: " + draft.error().message;
  }
  const std::string source = PrintDraft(*draft);
  const model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& one : read.diagnostics) {
    ADD_FAILURE() << model::RenderDiagnostic("imported", source, one);
  }
  return source;
}

void ExpectProved(const std::string& source) {
  const model::ReadModelResult read = model::ReadModel(source);
  auto backend = model::EmbeddedBackend::OpenInMemory();
  ASSERT_TRUE(backend);
  const auto proof = model::ProveAtScale(read.model, {}, **backend, {});
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_TRUE(proof->all_right) << model::RenderProof(*proof, true) << source;
  EXPECT_GT(proof->rows, 0u);
}

constexpr std::string_view kWorkbench = R"({
  "ModelName": "Players", "ModelMetadata": {"Version": "3.0"},
  "DataModel": [{
    "TableName": "players",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
                      "SortKey": {"AttributeName": "SK", "AttributeType": "S"}},
    "NonKeyAttributes": [{"AttributeName": "Gone", "AttributeType": "N"}],
    "GlobalSecondaryIndexes": [{"IndexName": "ByName",
      "KeyAttributes": {"PartitionKey": {"AttributeName": "Name", "AttributeType": "S"}},
      "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Name", "PK", "Level"]}}],
    "TableFacets": [
      {"FacetName": "Player", "KeyAttributeAlias": {"PartitionKeyAlias": "playerID", "SortKeyAlias": "#META#playerID"},
       "NonKeyAttributes": ["Name", "Level", "Gone", "Gone"],
       "TableData": [{"PK": {"S": "p-1"}, "SK": {"S": "#META#p-1"}, "Name": {"S": "Ada"}, "Level": {"N": "3"}},
                     {"PK": {"S": "p-2"}, "SK": {"S": "#META#p-2"}, "Name": {"S": "Bo"}, "Level": {"N": "4"},
                      "Extra": {"M": {"plain": "text", "typed": {"N": "1"}}}}]},
      {"FacetName": "Item", "KeyAttributeAlias": {"PartitionKeyAlias": "playerID", "SortKeyAlias": "ITEM#ItemID"},
       "NonKeyAttributes": ["Kind"],
       "TableData": [{"PK": {"S": "p-1"}, "SK": {"S": "ITEM#i1"}, "Kind": {"S": "axe"}},
                     {"PK": {"S": "p-1"}, "SK": {"S": "ITEM#i2"}, "Kind": {"S": "bow"}}]},
      {"FacetName": "Empty", "KeyAttributeAlias": {"PartitionKeyAlias": "playerID", "SortKeyAlias": "EMPTY#<thing>"},
       "NonKeyAttributes": []}
    ]}]})";

TEST(ImportWorkbench, FindsTemplatesInTheDataOfFacets) {
  const std::string source = Import(kWorkbench);
  EXPECT_THAT(source, HasSubstr("PK = \"{playerID}\""));
  EXPECT_THAT(source, HasSubstr("SK = \"#META#{playerID}\""));
  EXPECT_THAT(source, HasSubstr("SK = \"ITEM#{itemID}\""));
  EXPECT_THAT(source, HasSubstr("index ByName partition Name project Level"));
  EXPECT_THAT(source, HasSubstr("Gone"));
  ExpectProved(source);
}

TEST(ImportWorkbench, GuessesTemplatesFromAliasesWhereThereIsNoData) {
  EXPECT_THAT(Import(kWorkbench), HasSubstr("SK = \"EMPTY#{thing}\""));
}

// Two items are too few to see what varies; aliases in brackets say it, and count because every item agrees with them.
TEST(ImportWorkbench, TakesAliasesThatTheDataAgreesWith) {
  const std::string source = Import(R"({"ModelName": "Orgs", "DataModel": [{
    "TableName": "orgs",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
                      "SortKey": {"AttributeName": "SK", "AttributeType": "S"}},
    "TableFacets": [
      {"FacetName": "User", "KeyAttributeAlias": {"PartitionKeyAlias": "ORG#<org>", "SortKeyAlias": "USER#<user>#<number pad 3>"},
       "NonKeyAttributes": ["zone", "email"],
       "TableData": [{"PK": {"S": "ORG#ACME"}, "SK": {"S": "USER#ANN#007"}, "email": {"S": "a@b.c"}, "zone": {"S": "x"}}]},
      {"FacetName": "Wrong", "KeyAttributeAlias": {"PartitionKeyAlias": "X#<org>", "SortKeyAlias": "Y#<user>"},
       "TableData": [{"PK": {"S": "ORG#ACME"}, "SK": {"S": "PLAN"}}]}],
    "TableData": [{"PK": {"S": "ORG#ACME"}, "SK": {"S": "USER#ANN#007"}},
                  {"PK": {"S": "UNIQUE#User#email#a@b.c"}, "SK": {"S": "UNIQUE#User#email#a@b.c"}}]}]})");
  EXPECT_THAT(source, HasSubstr("PK = \"ORG#{org}\"\n    SK = \"USER#{user}#{number pad 3}\"\n    "
                                "without org, user, number\n    unique email by lock item"));
  EXPECT_THAT(source, HasSubstr("  zone   text(~1)\n  email  text(~5) unique"));
  EXPECT_THAT(source, HasSubstr("\"ACME\", \"ANN\", 7, \"x\", \"a@b.c\""));
  EXPECT_THAT(source, HasSubstr("SK = \"PLAN\""));
  EXPECT_THAT(source, HasSubstr("sample Wrong (only) {\n  \"1\"\n}"));
  ExpectProved(source);
}

TEST(ImportTable, ReadsDescriptionsAndTemplates) {
  const std::string described = Import(R"({"Table": {"TableName": "Music", "ItemCount": 12,
    "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}, {"AttributeName": "Song", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}, {"AttributeName": "Song", "AttributeType": "S"},
      {"AttributeName": "Year", "AttributeType": "N"}, {"AttributeName": "Genre", "AttributeType": "S"}],
    "GlobalSecondaryIndexes": [{"IndexName": "Many", "KeySchema": [{"AttributeName": "Genre", "KeyType": "HASH"},
      {"AttributeName": "Year", "KeyType": "HASH"}, {"AttributeName": "Song", "KeyType": "RANGE"}],
      "Projection": {"ProjectionType": "KEYS_ONLY"}}]}})");
  EXPECT_THAT(described, HasSubstr("table Music partition Artist sort Song"));
  EXPECT_THAT(described, HasSubstr("index Many partition Genre, Year sort Song project keys"));
  EXPECT_THAT(described, HasSubstr("count  12"));
  const std::string cloud = Import(R"({"Resources": {"Other": {"Type": "AWS::S3::Bucket"},
    "Orders": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Ref": "Name"},
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}}}})");
  EXPECT_THAT(cloud, HasSubstr("table Orders partition pk"));
  EXPECT_THAT(cloud, HasSubstr("prejoin infer"));
}

constexpr std::string_view kTemplate = R"(AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Stage:
    Type: String
    Default: dev
  KeyName:
    Type: String
    Default: orderId
Conditions:
  Many: !Equals [!Ref Stage, prod]
Resources:
  Topic:
    Type: AWS::SNS::Topic
  Orders:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    Properties:
      TableName: !Sub "${AWS::StackName}-orders-${Stage}"
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - { AttributeName: !Ref KeyName, AttributeType: S }
        - &customer
          AttributeName: customerId
          AttributeType: S
        - &placed
          AttributeName: placedAt
          AttributeType: "N"
      KeySchema:
        - AttributeName: !Ref KeyName
          KeyType: HASH
      GlobalSecondaryIndexes:
        - !If
          - Many
          - IndexName: byCustomer
            KeySchema:
              - AttributeName: customerId
                KeyType: HASH
              - AttributeName: placedAt
                KeyType: RANGE
            Projection:
              ProjectionType: INCLUDE
              NonKeyAttributes: [total]
          - !Ref AWS::NoValue
  Events:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Join ["-", [!Ref Stage, !Ref "AWS::StackName", events]]
      AttributeDefinitions: [*customer, *placed]
      KeySchema: [{ AttributeName: customerId, KeyType: HASH }, { AttributeName: placedAt, KeyType: RANGE }]
  Sessions:
    Type: AWS::Serverless::SimpleTable
    Properties: { PrimaryKey: { Name: token, Type: String } }
  Other:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !ImportValue SharedName
      KeySchema: !ImportValue SharedKeys
)";

TEST(ImportTable, ReadsTemplatesInYamlAndTheirFunctions) {
  const std::string source = Import(kTemplate);
  EXPECT_THAT(source, HasSubstr("table orders-dev partition orderId {"));
  EXPECT_THAT(source,
              HasSubstr("index byCustomer partition customerId sort placedAt project total"));
  EXPECT_THAT(source, HasSubstr("placedAt   number key"));
  EXPECT_THAT(source, HasSubstr("table dev-events partition customerId sort placedAt {"));
  EXPECT_THAT(source, HasSubstr("table Sessions partition token {"));
  EXPECT_THAT(source, HasSubstr("Resource Other has no key that could be read."));
  EXPECT_THAT(source, Not(HasSubstr("Topic")));
  // The table of an answer of the AWS CLI, and a template inside a file of Serverless.
  EXPECT_THAT(Import("Table:\n  TableName: Music\n  KeySchema:\n  - AttributeName: Artist\n    "
                     "KeyType: HASH\n"),
              HasSubstr("table Music partition Artist"));
  EXPECT_THAT(
      Import("service: shop\nresources:\n  Resources:\n    T:\n      Type: AWS::DynamoDB::Table\n"
             "      Properties:\n        TableName: ${self:service}-carts\n"
             "        KeySchema: [{AttributeName: id, KeyType: HASH}]\n"),
      HasSubstr("table carts partition id"));
}

TEST(ImportTable, RefusesYamlThatIsNone) {
  const auto refusal = [](const std::string& text) {
    const auto draft =
        ReadForeign({.text = text, .name = "x", .format = ForeignFormat::kTableJson});
    return draft ? std::string() : draft.error().message;
  };
  EXPECT_THAT(refusal("Resources:\n  - a\n b: c\n"), HasSubstr("in line 3"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("empty"));
  EXPECT_THAT(refusal("? [a, b]\n: c\n"), HasSubstr("no text"));
  EXPECT_THAT(refusal("&a [*a]\n"), HasSubstr("too deeply"));
  EXPECT_THAT(refusal("a: " + std::string(500'000, '[')), HasSubstr("too deeply"));
  std::string anchors;
  for (int i = 0; i < 1001; ++i) {
    anchors += "- &a" + std::to_string(i) + " b\n";
  }
  EXPECT_THAT(refusal(anchors), HasSubstr("too many anchors"));
  // Aliases that double with each line.
  std::string doubling = "a0: &a0 xxxxxxxxxxxxxxxx\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    doubling += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " +
                before + "]\n";
  }
  EXPECT_THAT(refusal(doubling), HasSubstr("too large"));
}

TEST(ImportOneTable, ReadsTemplatesTypesAndItems) {
  const std::string source = Import(R"({"format": "onetable:1.1.0", "version": "0.0.1",
    "indexes": {"primary": {"hash": "pk", "sort": "sk"}, "gs1": {"hash": "gs1pk", "sort": "gs1sk", "project": ["gs1pk", "email"]}},
    "models": {
      "Account": {"pk": {"type": "string", "value": "account#${id}"}, "sk": {"type": "string", "value": "account#"},
        "id": {"type": "string", "required": true}, "name": {"type": "string", "unique": true}},
      "User": {"pk": {"type": "string", "value": "account#${id}"}, "sk": {"type": "string", "value": "${_type}#${email}"},
        "id": {"type": "string"}, "email": {"type": "string", "required": true}, "no": {"type": "number", "required": true},
        "role": {"type": "string", "enum": ["admin", "user"]}, "address": {"type": "object"},
        "gs1pk": {"type": "string", "value": "user#${no:6:0}"}, "gs1sk": {"type": "string", "value": "user#"}}},
    "params": {"isoDates": true, "typeField": "type"},
    "items": [{"pk": "account#1", "sk": "account#", "type": "Account", "id": "1", "name": "Acme"},
              {"pk": "account#1", "sk": "User#a@b.c", "type": "User", "id": "1", "email": "a@b.c", "no": 7,
               "gs1pk": "user#000007", "gs1sk": "user#"}]})");
  EXPECT_THAT(source, HasSubstr("gs1pk = \"user#{no pad 6}\""));
  EXPECT_THAT(source, HasSubstr("sk    = \"User#{email}\""));
  EXPECT_THAT(source, HasSubstr("values (\"admin\", \"user\")"));
  EXPECT_THAT(source, HasSubstr("project email"));
  EXPECT_THAT(source, HasSubstr("type type"));
  ExpectProved(source);
}

TEST(ImportElectroDb, MakesTheKeysThatElectroDbMakes) {
  const std::string source =
      Import(R"([{"model": {"entity": "task", "version": "1", "service": "taskapp"},
    "attributes": {"taskId": {"type": "string", "required": true}, "project": {"type": "string"},
      "employee": {"type": "string", "field": "emp"}, "status": {"type": ["open", "closed"]}, "points": {"type": "number"}},
    "indexes": {"task": {"pk": {"field": "pk", "composite": ["taskId"]}, "sk": {"field": "sk", "composite": ["project", "points"]}},
      "assigned": {"collection": "assignments", "index": "gsi1", "pk": {"field": "gsi1pk", "composite": ["employee"]},
        "sk": {"field": "gsi1sk", "casing": "none", "composite": ["status"]}},
      "own": {"index": "gsi2", "pk": {"field": "gsi2pk", "template": "P#${project}", "casing": "none", "composite": ["project"]}}}}])");
  EXPECT_THAT(source, HasSubstr("pk     = \"$taskapp#taskid_{taskId lower}\""));
  EXPECT_THAT(source, HasSubstr("sk     = \"$task_1#project_{project lower}#points_{points}\""));
  EXPECT_THAT(source, HasSubstr("gsi1pk = \"$taskapp#employee_{emp lower}\""));
  EXPECT_THAT(source, HasSubstr("gsi1sk = \"$assignments#task_1#status_{status}\""));
  EXPECT_THAT(source, HasSubstr("gsi2pk = \"P#{project}\""));
  EXPECT_THAT(source, HasSubstr("type __edb_e__"));
}

TEST(ImportToolbox, ReadsEntitiesAndTheirTable) {
  const std::string source = Import(R"({"entityName": "Pokemon", "table": {"name": "poke",
      "partitionKey": {"name": "PK", "type": "string"}, "sortKey": {"name": "SK", "type": "string"},
      "indexes": {"byLevel": {"type": "global", "partitionKey": {"name": "level", "type": "number"}}}},
    "schema": {"type": "item", "attributes": {"id": {"type": "string", "key": true, "savedAs": "PK"},
      "kind": {"type": "string", "key": true, "savedAs": "SK", "enum": ["a", "b"]},
      "level": {"type": "number", "required": "atLeastOnce"}, "note": {"type": "string", "required": "never"}}}})");
  EXPECT_THAT(source, HasSubstr("table poke partition PK sort SK"));
  EXPECT_THAT(source, HasSubstr("index byLevel partition level project all"));
  EXPECT_THAT(source, HasSubstr("note  text optional"));
}

TEST(ImportAwsSchema, ReadsTemplatesAndPatterns) {
  const std::string source = Import(
      R"({"tables": [{"table_config": {"table_name": "Deals", "partition_key": "pk", "sort_key": "sk"},
    "gsi_list": [{"name": "ByBrand", "partition_key": "brand_id", "sort_key": "created_at", "projection": "ALL"}],
    "entities": {"Deal": {"entity_type": "DEAL", "pk_template": "DEAL#{deal_id}", "sk_template": "META",
      "gsi_mappings": [{"name": "ByBrand", "pk_template": "{brand_id}", "sk_template": "{created_at}"}],
      "fields": [{"name": "deal_id", "type": "string", "required": true}, {"name": "brand_id", "type": "string", "required": true},
                 {"name": "created_at", "type": "string", "required": true}, {"name": "tags", "type": "array"}],
      "access_patterns": [{"pattern_id": 1, "name": "get_deal", "description": "One deal", "operation": "GetItem", "consistent_read": true},
        {"pattern_id": 2, "name": "deals_of_brand", "operation": "Query", "index_name": "ByBrand", "filter_expression": "price > :p"},
        {"pattern_id": 3, "name": "put_deal", "operation": "PutItem"}, {"pattern_id": 4, "name": "all", "operation": "Scan"}]}}}]})");
  EXPECT_THAT(
      source,
      HasSubstr(
          "pattern get_deal \"One deal\" {\n  find Deal where deal_id = :deal_id\n  fresh strong"));
  EXPECT_THAT(source, HasSubstr("find Deal where brand_id = :brand_id"));
  EXPECT_THAT(source, HasSubstr("price > :p"));
  EXPECT_THAT(source, HasSubstr("write put_deal {\n  put Deal"));
  EXPECT_THAT(source, HasSubstr("is a Scan and was left out"));
}

TEST(ImportTable, TakesNoCountThatIsNone) {
  for (const char* count :
       {"\"abc\"", "\"\"", "\"1e999\"", "-5", "\"-5\"", "\"nan\"", "\"12 items\"", "1e300", "[]"}) {
    const std::string source =
        Import(R"({"Table": {"TableName": "T", "ItemCount": )" + std::string(count) +
               R"(, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}})");
    EXPECT_THAT(source, HasSubstr("pk")) << count;
    EXPECT_THAT(source, Not(HasSubstr("count "))) << count;
  }
}

TEST(ImportSql, ReadsTablesKeysAndLinks) {
  const std::string source = Import(R"(
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TABLE students (id serial PRIMARY KEY, name varchar(80) NOT NULL, mood mood, born date, email text UNIQUE);
    CREATE TABLE courses (code char(6) PRIMARY KEY, credits int NOT NULL);
    CREATE TABLE enrolments (student_id int REFERENCES students, course_code char(6), since timestamptz NOT NULL,
      PRIMARY KEY (student_id, course_code), FOREIGN KEY (course_code) REFERENCES courses (code));
    CREATE VIEW busy AS SELECT 1;
    THIS IS NOT SQL;
    ALTER TABLE courses ADD COLUMN teacher int;)");
  EXPECT_THAT(source, HasSubstr("values (\"sad\", \"ok\")"));
  EXPECT_THAT(source, HasSubstr("student_id  references Students.id key"));
  EXPECT_THAT(source, HasSubstr("many-to-many Courses through Enrolments"));
  EXPECT_THAT(source, HasSubstr("// THIS IS NOT SQL"));
  EXPECT_THAT(source, HasSubstr("teacher"));
  EXPECT_THAT(source, HasSubstr("name  text(~20, max 80)"));
}

// A table that was called so in Latin-1 became a name that no report could print.
TEST(ImportSql, RefusesTextThatIsNotUtf8) {
  EXPECT_THAT(Import("CREATE TABLE caf\xe9 (id int PRIMARY KEY);"), HasSubstr("not UTF-8"));
  EXPECT_THAT(Import("CREATE TABLE a (id int PRIMARY KEY);", "SELECT '\xe9';"),
              HasSubstr("not UTF-8"));
  EXPECT_THAT(Import("CREATE TABLE caf\u00e9 (id int PRIMARY KEY);"),
              HasSubstr("entity Caf\u00e9"));
}

TEST(ImportSql, ReadsWhatMySqlWrites) {
  const std::string source = Import(R"(
    CREATE TABLE `users` (`id` int(11) unsigned NOT NULL AUTO_INCREMENT COMMENT 'the id', `name` varchar(50) CHARACTER SET utf8 NOT NULL,
      `kind` enum('a','b') DEFAULT 'a', `seen` datetime DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,
      PRIMARY KEY (`id`), UNIQUE KEY `by_name` (`name`), KEY `by_kind` (`kind`)) ENGINE=InnoDB DEFAULT CHARSET=utf8;)");
  EXPECT_THAT(source, HasSubstr("id   number(~9, max 19) key"));
  EXPECT_THAT(source, HasSubstr("unique"));
  EXPECT_THAT(source, HasSubstr("seen time optional"));
}

TEST(ImportSql, MakesPatternsOfAQueryLog) {
  const std::string source = Import(
      "CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL);"
      "CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, "
      "placed date NOT NULL);",
      R"(-- 40/s
         SELECT * FROM orders WHERE customer_id = 7 ORDER BY placed DESC LIMIT 10;
         SELECT o.id, o.placed, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = $1;
         SELECT o.id, o.placed, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = $1;
         SELECT * FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.id = 3;
         SELECT count(*) FROM orders GROUP BY placed;
         INSERT INTO orders VALUES (1, 2, '2024-01-01');
         UPDATE orders SET placed = '2024-01-02' WHERE id = 1;)");
  EXPECT_THAT(source, HasSubstr("find Orders where customer_id = :customerId order by placed desc "
                                "limit 10\n  rate 40/s"));
  EXPECT_THAT(source, HasSubstr("find Orders where id = :id get id, placed, Customers.name"));
  EXPECT_THAT(source, HasSubstr("In the log: 2 calls."));
  EXPECT_THAT(source,
              HasSubstr("find Customers where id = :id\n  find Orders where customer_id = :id"));
  EXPECT_THAT(source, HasSubstr("put Orders once"));
  EXPECT_THAT(source, HasSubstr("update Orders set placed"));
  EXPECT_THAT(source, HasSubstr("// SELECT count(*) FROM orders GROUP BY placed"));
  EXPECT_THAT(source, Not(HasSubstr("GetOrders")));
}

TEST(ImportSql, KeepsJoinedColumns) {
  const std::string source = Import(
      "CREATE TABLE pets (id int PRIMARY KEY, name text NOT NULL, born date);"
      "CREATE TABLE visits (id int PRIMARY KEY, pet_id int NOT NULL REFERENCES pets, at timestamp "
      "NOT NULL);",
      R"(SELECT v.*, p.name FROM visits v JOIN pets p ON p.id = v.pet_id WHERE v.at = $1;
         SELECT * FROM visits v JOIN pets p ON p.id = v.pet_id WHERE v.id = $1;
         SELECT * FROM visits WHERE pet_id = $1;
         SELECT v.at, p.colour FROM visits v JOIN pets p ON p.id = v.pet_id WHERE v.pet_id = $1;)");
  EXPECT_THAT(source, HasSubstr("find Visits where at = :at get id, pet_id, at, Pets.name"));
  EXPECT_THAT(source,
              HasSubstr("find Visits where id = :id get id, pet_id, at, Pets.name, Pets.born"));
  EXPECT_THAT(source, HasSubstr("find Visits where pet_id = :petId\n"));
  EXPECT_THAT(source, HasSubstr("// It selects colour, which is no column of its tables."));
  EXPECT_THAT(source, HasSubstr("find Visits where pet_id = :petId get at\n"));
}

TEST(ImportSql, ReadsQuestionMarksAsParameters) {
  const std::string ddl = "CREATE TABLE bikes (id int PRIMARY KEY, state text NOT NULL);";
  const std::string source = Import(
      ddl, "SELECT * FROM bikes WHERE state = ? AND id > ?; DELETE FROM bikes WHERE id = ?;");
  EXPECT_THAT(source, HasSubstr("find Bikes where state = :state and id > :id"));
  EXPECT_THAT(source, HasSubstr("delete Bikes"));
  EXPECT_THAT(source, Not(HasSubstr("Not read")));
  EXPECT_THAT(Import(ddl, "SELECT count(*) FROM bikes;"),
              HasSubstr("because no statement of the log is a pattern"));
}

// Partitions that are split again ended the program, because the table they are a part of was gone.
TEST(ImportSql, MakesOneEntityOfPartitionsOfPartitions) {
  const std::string source = Import(R"(
    CREATE TABLE events (id bigint, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
    CREATE TABLE b2024 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01') PARTITION BY RANGE (at);
    CREATE TABLE a2024_01 PARTITION OF b2024 FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');)");
  EXPECT_THAT(source, HasSubstr("entity Events {"));
  EXPECT_THAT(source, HasSubstr("Its 2 partitions are one entity here."));
  EXPECT_THAT(source, Not(HasSubstr("2024 {")));
  // Nonsense, and no reason to end.
  EXPECT_THAT(
      Import("CREATE TABLE a (id int PRIMARY KEY); ALTER TABLE a ATTACH PARTITION a DEFAULT;"),
      HasSubstr("entity A {"));
}

TEST(ImportSql, LeavesOutForeignKeysThatGoRoundInACircle) {
  const std::string source = Import(
      "CREATE TABLE a (id int PRIMARY KEY REFERENCES b (id)); CREATE TABLE b (id int PRIMARY KEY "
      "REFERENCES a (id)); CREATE TABLE c (id int PRIMARY KEY REFERENCES c (id));");
  EXPECT_THAT(source, HasSubstr("references B.id"));
  EXPECT_THAT(source, HasSubstr("A foreign key from id to A.id is circular"));
  EXPECT_THAT(source, HasSubstr("A foreign key from id to C.id is circular"));
}

// The parser prints trees by recursion: these ended the program.
TEST(ImportSql, SurvivesExpressionsOfAnyDepth) {
  std::string sum = "1";
  std::string casts = "'a'";
  for (int i = 0; i < 300'000; ++i) {
    sum += "+1";
    casts += "::b";
  }
  const std::string table = "CREATE TABLE a (id int PRIMARY KEY);";
  for (const std::string& deep : {sum, casts}) {
    const std::string check = "CREATE TABLE b (id int PRIMARY KEY, CHECK (id = " + deep + "));";
    EXPECT_THAT(Import(table + check), HasSubstr("the statement is longer than 32 KB"));
    EXPECT_THAT(Import(table, "SELECT * FROM a WHERE id = " + deep + ";"),
                HasSubstr("the statement is longer than 32 KB"));
  }
  // Rows of a dump are not worth a word.
  EXPECT_THAT(Import(table + "INSERT INTO a VALUES (" + sum + ");"), Not(HasSubstr("32 KB")));
  // Just below the limit.
  std::string short_sum = "1";
  while (short_sum.size() < 32'000) {
    short_sum += "+1";
  }
  EXPECT_THAT(Import(table + "CREATE TABLE b (id int, CHECK (id = " + short_sum + "));"),
              HasSubstr("Not read (it is nested too deeply)"));
}

TEST(ImportSql, TakesAColumnOnce) {
  const std::string source = Import(
      "CREATE TABLE a (id int PRIMARY KEY, \"x y\" text, x_y date); ALTER TABLE a ADD COLUMN id "
      "int;");
  EXPECT_THAT(source, HasSubstr("It has x_y more than once; the first was taken."));
  EXPECT_THAT(source, HasSubstr("It has id more than once; the first was taken."));
}

// The quoted statement was cut in the middle of a character.
TEST(ImportSql, QuotesLongStatementsInWholeCharacters) {
  std::string text = "CREATE TABLE a (id int PRIMARY KEY); NONSENSE ";
  for (int i = 0; i < 300; ++i) {
    text += "\u00e9";
  }
  EXPECT_THAT(Import(text + ";"), HasSubstr("\u00e9 \u2026\n"));
  EXPECT_THAT(Import(text + ";x" + text), HasSubstr("entity A {"));
}

TEST(ImportSql, MakesOneToOneOfAUniqueReference) {
  const std::string source = Import(R"(
    CREATE TABLE visits (id bigint PRIMARY KEY, day date NOT NULL);
    CREATE TABLE invoices (id int PRIMARY KEY, visit_id bigint UNIQUE REFERENCES visits);
    CREATE TABLE notes (visit_id bigint PRIMARY KEY REFERENCES visits, text text);
    CREATE TABLE stamps (id int PRIMARY KEY, visit_id bigint REFERENCES visits);
    CREATE UNIQUE INDEX one_stamp ON stamps (visit_id);
    CREATE TABLE photos (id int PRIMARY KEY, visit_id bigint REFERENCES visits);)");
  for (const char* child : {"Invoices", "Notes", "Stamps"}) {
    EXPECT_THAT(source, HasSubstr("Visits one-to-one " + std::string(child))) << child;
  }
  EXPECT_THAT(source, HasSubstr("Visits one-to-many Photos"));
  // As many digits as the type can have: keys are padded to them.
  EXPECT_THAT(source, HasSubstr("id  number(~9, max 19) key"));
}

TEST(ImportSql, MakesAClosedListOfACheckWithValues) {
  const std::string source = Import(R"(
    CREATE TABLE pets (id int PRIMARY KEY, species varchar(20) NOT NULL CHECK (species IN ('DOG', 'CAT')),
      mood text, size text, legs int CHECK (legs > 0),
      CONSTRAINT moods CHECK (mood IN ('sad', 'good')),
      CONSTRAINT sizes CHECK (((size)::text = ANY ((ARRAY['S'::character varying, 'XXL'::character varying])::text[]))));)");
  EXPECT_THAT(source, HasSubstr("species text(~3, max 20) values (\"DOG\", \"CAT\")"));
  EXPECT_THAT(source, HasSubstr("mood    text(~4) optional values (\"sad\", \"good\")"));
  EXPECT_THAT(source, HasSubstr("size    text(~2) optional values (\"S\", \"XXL\")"));
  EXPECT_THAT(source, HasSubstr("// A CHECK has no form in a model and was left out, on legs."));
}

std::string SqlFile(const std::string& name) {
  std::ifstream file(std::string(PREJOIN_SOURCE_DIR) + "/tests/draft/sql/" + name);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

TEST(ImportSql, ReadsAShopFromADumpOfPostgres) {
  const std::string source = Import(SqlFile("shop.sql"), SqlFile("shop_queries.sql"));
  EXPECT_THAT(source,
              HasSubstr("status      text values (\"open\", \"paid\", \"sent\", \"cancelled\")"));
  EXPECT_THAT(source, HasSubstr("relationship CustomerOrders: Customer one-to-many Orders"));
  EXPECT_THAT(source, HasSubstr("relationship OrdersOrderLine: Orders one-to-many OrderLine"));
  EXPECT_THAT(source, HasSubstr("price_with_tax"));
  // Partitions are no entities of their own.
  EXPECT_THAT(source, Not(HasSubstr("entity Payment2026")));
  EXPECT_THAT(source, HasSubstr("// Its 2 partitions are one entity here."));
  EXPECT_THAT(source, HasSubstr("relationship OrdersPayment: Orders one-to-many Payment"));
  // What could not be read stands where it was: the view behind the last table before it.
  EXPECT_GT(source.find("sales_by_day"), source.find("entity OrderLine"));
  EXPECT_THAT(source,
              HasSubstr("find Orders where customer_id = :customerId order by placed_at desc "
                        "limit 10 get order_id, placed_at, status\n  rate 40/s"));
  EXPECT_THAT(source, HasSubstr("// SELECT product_id, sum(quantity) FROM order_line"));
}

TEST(ImportSql, ReadsASchoolFromADumpOfMySql) {
  const std::string source = Import(SqlFile("school.sql"));
  for (const char* entity : {"entity Teachers {", "entity Courses {", "entity Students {"}) {
    EXPECT_THAT(source, HasSubstr(entity));
  }
  EXPECT_THAT(source, HasSubstr("relationship TeachersCourses: Teachers one-to-many Courses"));
  EXPECT_THAT(source, HasSubstr("Students many-to-many Courses through Enrolments"));
  EXPECT_THAT(source, HasSubstr("code       text(~8, max 8) unique"));
  EXPECT_THAT(source, HasSubstr("photo      binary optional"));
  EXPECT_THAT(source, HasSubstr("CREATE TRIGGER"));
}

TEST(ImportSql, ReadsAnIssueTrackerWithNamesInBrackets) {
  const std::string source = Import(SqlFile("issues.sql"));
  EXPECT_THAT(source, HasSubstr("relationship ProjectIssue: Project one-to-many Issue"));
  EXPECT_THAT(source,
              HasSubstr("relationship AccountAccount: Account one-to-many Account by ReportsTo"));
  EXPECT_THAT(source, HasSubstr("one-to-many Issue by AuthorId"));
  EXPECT_THAT(source, HasSubstr("one-to-many Issue by AssigneeId"));
  EXPECT_THAT(source, HasSubstr("Issue one-to-many Comment by ProjectId, IssueNumber"));
  EXPECT_THAT(source, HasSubstr("Label many-to-many Issue through IssueLabel"));
  EXPECT_THAT(source, HasSubstr("// CREATE VIRTUAL TABLE IssueText"));
}

TEST(Import, SaysForProgramsWhatWasRead) {
  const auto draft =
      ReadForeign({.text = "CREATE TABLE a (id int PRIMARY KEY, b text);", .name = "x"});
  ASSERT_TRUE(draft);
  const std::string json = DraftJson(*draft);
  EXPECT_THAT(json, HasSubstr(R"("key": [
        "id"
      ])"));
  EXPECT_THAT(json, HasSubstr("\"source\": \"// From SQL"));
}

TEST(Import, RefusesWhatItDoesNotKnow) {
  for (const std::string_view text :
       {"", "{", "[]", "{}", "{\"a\": 1}", "[[[[", "SELECT 1", "{\"DataModel\": 7}",
        "{\"models\": 1, \"indexes\": []}", "{\"tables\": [{}]}", "[{\"schema\": {}}]"}) {
    const auto draft = ReadForeign({.text = text, .name = "x"});
    EXPECT_FALSE(draft) << text;
  }
}

// JSON to the eye but not to its reader: such a file is tried as a program, which gives the same text again.
TEST(Import, RefusesNumbersThatCannotBeRead) {
  const std::string table = R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"}])";
  using enum ForeignFormat;
  for (const ForeignFormat format : {kUnknown, kTableJson, kOneTable, kElectroDb}) {
    for (const std::string& text : std::initializer_list<std::string>
         {R"({"Table":{"TableName":"items","ItemCount":18446744073709551616,)" + table + "}}",
          R"(const t = {TableName: "items", ItemCount: 18446744073709551616, )" + table + "};",
          R"(const s = {indexes: {primary: {hash: 'pk'}}, models: {A: {n: {type: Number, default: 99999999999999999999}}}};)"}) {
      const auto draft = ReadForeign({.text = text, .name = "x", .format = format});
      ASSERT_FALSE(draft);
      const bool is_yaml = format == kTableJson && !text.starts_with('{');
      EXPECT_THAT(draft.error().message, HasSubstr(is_yaml ? "YAML" : "too many digits"));
    }
  }
}

TEST(Import, SaysWhatToDoWithWhatIsNoSql) {
  const auto refusal = [](std::string_view text) {
    const auto draft = ReadForeign({.text = text, .name = "x"});
    return draft ? std::string() : draft.error().message;
  };
  EXPECT_THAT(refusal("export const user = new Table({})"), HasSubstr("JSON.stringify"));
  EXPECT_THAT(refusal("import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';"), HasSubstr("cdk synth"));
  EXPECT_THAT(refusal("import software.amazon.awscdk.services.dynamodb.Table;"), HasSubstr("cdk synth"));
  EXPECT_THAT(refusal("import { pgTable } from 'drizzle-orm/pg-core'"), HasSubstr("drizzle-kit export"));
  EXPECT_THAT(refusal("resource \"aws_dynamodb_table\" \"t\" {}"), HasSubstr("hash_key is not stated in this file"));
}

}  // namespace
}  // namespace prejoin::draft
