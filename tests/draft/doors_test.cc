// Terraform, Prisma, ElectroDB, and what SQL says beside its tables: read, or a comment at its place.
#include <gtest/gtest.h>

#include "draft/foreign/read_foreign.h"
#include "model/bind/read_model.h"
#include "model/data/dataset.h"
#include "model/generate/generate.h"

namespace prejoin::draft {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The text of the model, which must read.
std::string Imported(std::string_view text) {
  const auto draft = ReadForeign({.text = text, .name = "Test"});
  if (!draft) {
    return "error: " + draft.error().message;
  }
  const std::string source = PrintDraft(*draft);
  for (const model::Diagnostic& one : model::ReadModel(source).diagnostics) {
    ADD_FAILURE() << model::RenderDiagnostic("imported", source, one);
  }
  return source;
}

TEST(ImportTerraform, ReadsTablesWithIndexesAndTimeToLive) {
  const std::string source = Imported(R"(
# A comment with a } in it.
resource "aws_sns_topic" "other" { name = "n" }
resource "aws_dynamodb_table" "games" {
  name         = "Games" # The name.
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "UserId"
  range_key    = "Title"
  attribute {
    name = "UserId"
    type = "S"
  }
  attribute {
    name = "Title"
    type = "S"
  }
  attribute {
    name = "Top"
    type = "N"
  }
  ttl {
    attribute_name = "Expires"
    enabled        = true
  }
  global_secondary_index {
    name               = "ByTitle"
    hash_key           = "Title"
    range_key          = "Top"
    projection_type    = "INCLUDE"
    non_key_attributes = ["Wins", "Losses"]
  }
  tags = { a = "b", c = "${var.d}" }
}
resource "aws_dynamodb_table" "named_by_stage" {
  name = "${var.stage}-table"
  hash_key = "id"
  attribute {
    name = "id"
    type = "S"
  }
}
)");
  EXPECT_THAT(source, HasSubstr("table Games partition UserId sort Title"));
  EXPECT_THAT(source, HasSubstr("index ByTitle partition Title sort Top project Wins, Losses"));
  EXPECT_THAT(source, HasSubstr("ttl Expires kept"));
  EXPECT_THAT(source, HasSubstr("table named_by_stage partition id"));
  EXPECT_THAT(source, HasSubstr("From Terraform"));
}

TEST(ImportTerraform, KnowsVariablesLocalsAndDynamicBlocks) {
  const std::string source = Imported(R"(
variable "key" { default = "Tenant" }
variable "stage" {}
locals {
  sort    = lower("SORT")
  indexes = [{ name = "ByOwner", key = "Owner" }, { name = "By-${var.key}", key = "${var.key}" }]
  tables  = { orders = { key = "OrderId" }, users = { key = "UserId" } }
}
resource "aws_iam_role" "r" {
  policy = <<-END
    { "unbalanced": "{{{"
  END
}
resource "aws_dynamodb_table" "main" {
  name      = "x-${var.stage}"
  hash_key  = var.key
  range_key = local.sort != null ? local.sort : "other"
  attribute {
    name = var.key
    type = "N"
  }
  dynamic "global_secondary_index" {
    for_each = local.indexes
    content {
      name            = global_secondary_index.value.name
      hash_key        = global_secondary_index.value["key"]
      projection_type = "ALL"
    }
  }
  dynamic "local_secondary_index" {
    for_each = var.stage
    content {
      name = "never"
    }
  }
  ttl {
    attribute_name = "Gone"
    enabled        = false
  }
}
resource "aws_dynamodb_table" "each" {
  for_each = local.tables
  name     = "t-${each.key}"
  hash_key = each.value.key
}
)");
  for (const char* part : {"table main partition Tenant sort sort", "Tenant number",
                           "index ByOwner partition Owner", "index By-Tenant partition Tenant",
                           "table t-orders partition OrderId", "table t-users partition UserId",
                           "local_secondary_index is made by an expression"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
  EXPECT_THAT(source, Not(HasSubstr("Gone")));
}

TEST(ImportTerraform, ReadsTheModuleOfTheRegistry) {
  const std::string source = Imported(R"(
module "table" {
  source   = "terraform-aws-modules/dynamodb-table/aws"
  name     = "my-table"
  hash_key = "id"
  range_key = "title"
  attributes = [
    { name = "id", type = "N" }, # The key.
    {
      name = "title"
      type = "S"
    },
  ]
  global_secondary_indexes = [{
    name               = "TitleIndex"
    hash_key           = "title"
    projection_type    = "INCLUDE"
    non_key_attributes = ["owner"]
  }]
  ttl_enabled        = true
  ttl_attribute_name = "expires"
}
)");
  for (const char* part : {"table my-table partition id sort title", "id      number",
                           "index TitleIndex partition title project owner", "ttl expires kept"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
}

TEST(ImportTerraform, NeverInventsTheNameOfAKey) {
  EXPECT_THAT(Imported(R"(
variable "hash_key" { type = string }
resource "aws_dynamodb_table" "this" {
  name     = "t"
  hash_key = var.hash_key
}
)"),
              AllOf(HasSubstr("error: aws_dynamodb_table.this was left out: hash_key is not stated"),
                    HasSubstr("describe-table")));
}

TEST(ImportTerraform, EndsForValuesThatReferToEachOther) {
  std::string text = "locals {\n  a0 = \"x\"\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = std::to_string(i - 1);
    text += "  a" + std::to_string(i) + " = [local.a" + before + ", local.a" + before + "]\n";
  }
  text += "  me = local.me\n}\nresource \"aws_dynamodb_table\" \"t\" {\n  hash_key = local.a59\n  range_key = local.me\n}\n";
  EXPECT_THAT(Imported(text), HasSubstr("error: "));
  for (const char* deep : {"(", "[", "!", "{a=", "f(", "\"${"}) {
    std::string key;
    for (int i = 0; i < 50'000; ++i) {
      key += deep;
    }
    EXPECT_THAT(Imported("resource \"aws_dynamodb_table\" \"t\" {\n  hash_key = " + key),
                HasSubstr("error: "))
        << deep;
  }
}

TEST(ImportTerraform, EndsForBrokenText) {
  for (const char* text :
       {"resource \"aws_dynamodb_table\" \"x\" {", "resource \"aws_dynamodb_table\" \"x\" { a = [",
        "\"aws_dynamodb_table\" } } {{{ = \" \\", "resource \"aws_dynamodb_table\""}) {
    EXPECT_THAT(Imported(text), HasSubstr("error: ")) << text;
  }
}

TEST(ImportPrisma, ReadsModelsRelationsAndIndexes) {
  const std::string source = Imported(R"(
datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
enum Role {
  USER
  ADMIN // The boss.
}
model User {
  id        Int      @id @default(autoincrement())
  email     String   @unique @db.VarChar(80)
  name      String?
  role      Role     @default(USER)
  posts     Post[]
  createdAt DateTime @default(now())
  @@index([name, role])
  @@map("users")
}
model Post {
  id       Int    @id
  title    String
  author   User?  @relation(fields: [authorId], references: [id], onDelete: Cascade)
  authorId Int?
  tags     Tag[]
  meta     Json?
  scores   Float[]
  @@unique([authorId, title])
}
model Tag {
  name  String @id
  posts Post[]
}
)");
  for (const char* part :
       {"entity User {", "email     text(~20, max 80) unique", "values (\"USER\", \"ADMIN\")",
        "authorId references User.id optional", "one-to-many Post by authorId", "entity PostToTag",
        "many-to-many Tag through PostToTag", "createdAt time", "scores   list",
        "// ON DELETE CASCADE of User", "// Called \"users\" in the database.",
        "// Unique together: authorId, title.", "// role: default USER", "CREATE INDEX ON \"User\"",
        "From a Prisma schema"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
}

TEST(ImportPrisma, KeepsApartRelationsByTheirNames) {
  const std::string source = Imported(R"(
model User {
  id        Int    @id
  /// Shown to everybody.
  name      String
  following User[] @relation("Follow")
  followers User[] @relation("Follow")
  written   Post[] @relation("Author")
  liked     Post[] @relation("Likes")
  watched   Post[] @relation("Watches")
}
model Post {
  id       Int    @id
  author   User   @relation("Author", fields: [authorId], references: [id])
  authorId Int
  likedBy  User[] @relation(name: "Likes")
  watchers User[] @relation("Watches")
}
)");
  for (const char* part : {"entity Follow {", "entity Likes {", "entity Watches {", "// Shown to everybody.",
                           "one-to-many Post by authorId"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
  EXPECT_THAT(source, Not(HasSubstr("entity PostToUser")));
  EXPECT_THAT(source, Not(HasSubstr("entity Author")));
}

TEST(ImportPrisma, EndsForBrokenText) {
  EXPECT_THAT(Imported("model A { @id"), HasSubstr("error: "));
  EXPECT_THAT(Imported("model A {\n  id Int @id @default(\n}\n"), HasSubstr("entity A"));
}

TEST(ImportSql, KeepsWhatAModelCannotSayAsComments) {
  const std::string source = Imported(R"(
CREATE TABLE rooms (id uuid PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE bookings (id bigint PRIMARY KEY, room uuid REFERENCES rooms(id) ON DELETE CASCADE, during tstzrange,
                       EXCLUDE USING gist (room WITH =, during WITH &&));
CREATE TABLE guests (id int PRIMARY KEY, email text);
CREATE INDEX by_room ON bookings (room, id DESC);
CREATE UNIQUE INDEX one_name ON guests (lower(email));
CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE TRIGGER t AFTER INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION f();
COMMENT ON TABLE rooms IS 'where people sleep';
COMMENT ON COLUMN rooms.name IS 'on the door';
)");
  const std::size_t rooms = source.find("entity Rooms");
  const std::size_t bookings = source.find("entity Bookings");
  const std::size_t guests = source.find("entity Guests");
  const auto between = [&](const char* part, std::size_t from, std::size_t to) {
    const std::size_t at = source.find(part);
    EXPECT_TRUE(at != std::string::npos && at >= from && at < to) << part << "\n" << source;
  };
  between("where people sleep", 0, rooms);
  between("name: on the door", 0, rooms);
  between("ON DELETE CASCADE of Rooms", rooms, bookings);
  between("An EXCLUDE constraint on room, during", rooms, bookings);
  between("CREATE INDEX by_room", rooms, bookings);
  between("CREATE TRIGGER t", rooms, bookings);
  between("CREATE UNIQUE INDEX one_name", bookings, guests);
  between("CREATE FUNCTION f()", 0, guests);
}

TEST(ImportSql, KeepsTheSpellingOfUnquotedNames) {
  const std::string source = Imported(R"(
CREATE TABLE BusinessEntity (BusinessEntityID SERIAL, rowGuid uuid NOT NULL, Date date, PRIMARY KEY (businessentityid));
CREATE TABLE Person (ID int PRIMARY KEY, entity int REFERENCES businessentity(BusinessEntityID), firstName varchar(50));
ALTER TABLE person ADD COLUMN lastName varchar(50);
)");
  for (const char* part : {"entity BusinessEntity {", "BusinessEntityID number(~6, max 10) key", "rowGuid", "entity Person {",
                           "firstName", "lastName", "references BusinessEntity.BusinessEntityID", "Date             date"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
}

TEST(ImportSql, ReadsMySqlsNamedKeysReservedNamesAndTextsInDoubleQuotes) {
  const std::string source = Imported(R"(
CREATE TABLE /*$prefix*/user (
  user_id int(8) unsigned NOT NULL auto_increment,
  user varchar(30) binary NOT NULL default "unknown",
  offset int,
  media ENUM("UNKNOWN", "IT'S", "AUDIO") default NULL,
  PRIMARY KEY user_id (user_id),
  INDEX by_media (media(10))
) ;
CREATE TABLE IF NOT EXISTS `order` (id int PRIMARY KEY, end datetime, by_user int REFERENCES user(user_id));
)");
  for (const char* part : {"entity User {", "user_id number(~9, max 19) key", "offset", "\"IT'S\"", "entity Order {",
                           "by_user references User.user_id"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
  EXPECT_THAT(source, Not(HasSubstr("Not read")));
}

TEST(ImportSql, TablesNeedNoSemicolonsBetweenThem) {
  const std::string source = Imported(R"(
CREATE DOMAIN "Name" varchar(50) NULL;
CREATE SCHEMA people
  CREATE TABLE person (id int PRIMARY KEY, name "Name")
  CREATE TABLE pet (id int PRIMARY KEY, owner int REFERENCES person(id))
;
CREATE TABLE a (id int PRIMARY KEY)
CREATE TABLE b (id int PRIMARY KEY)
GO
CREATE TABLE prices (film int, valid int4range, PRIMARY KEY (film, valid WITHOUT OVERLAPS));
)");
  for (const char* part : {"entity Person {", "entity Pet {", "name text(~13, max 50)", "entity A {", "entity B {", "entity Prices {"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
}

TEST(ImportSql, SaysWhyNoTableCouldBeRead) {
  EXPECT_THAT(Imported("CREATE TABLE a (b int,, c int);"),
              HasSubstr("no CREATE TABLE could be read; the first one: syntax error at or near"));
  EXPECT_THAT(Imported("SELECT 1;"), HasSubstr("there is no CREATE TABLE in it"));
}

TEST(ImportSql, RowsForForeignKeysInACircleHaveTheirKeys) {
  const model::ReadModelResult read = model::ReadModel(Imported(R"(
CREATE TABLE line (order_id int REFERENCES orders(id), number int, PRIMARY KEY (order_id, number));
CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL REFERENCES customer(id));
CREATE TABLE customer (id int PRIMARY KEY, mail varchar(50) NOT NULL REFERENCES address(mail));
CREATE TABLE address (mail varchar(50) PRIMARY KEY, customer int NOT NULL REFERENCES customer(id));
)"));
  const model::Dataset data = model::GenerateData(read.model, {.rows = 100, .seed = 1});
  std::size_t rows = 0;
  for (const model::Entity& entity : read.model.entities) {
    for (const model::Row& row : data.Of(entity.name.text)) {
      ++rows;
      EXPECT_FALSE(model::TupleText(row, entity.KeyNames()).empty()) << entity.name.text;
    }
  }
  EXPECT_GT(rows, 50u);
}

TEST(ImportSql, SkipsTheRowsOfADumpAndWhatIsForPsql) {
  const std::string source = Imported(R"(
CREATE TABLE public.actor (actor_id integer NOT NULL, name text);
CREATE TABLE public.film (film_id integer NOT NULL, actor_id integer);
\copy actor FROM 'it''s.csv' DELIMITER E'\t' CSV;
CREATE FUNCTION f() RETURNS void AS $func$ BEGIN PERFORM 1; END; $func$ LANGUAGE plpgsql;
COPY public.actor (actor_id, name) FROM stdin;
1 O'Brien; and "more
\.
COPY public.film (film_id, actor_id) FROM stdin;
\.
ALTER TABLE ONLY public.actor ADD CONSTRAINT a PRIMARY KEY (actor_id);
ALTER TABLE ONLY public.film ADD CONSTRAINT f PRIMARY KEY (film_id);
ALTER TABLE ONLY public.film ADD CONSTRAINT k FOREIGN KEY (actor_id) REFERENCES public.actor(actor_id);
)");
  for (const char* part : {"actor_id number(~6, max 10) key", "film_id  number(~6, max 10) key", "actor_id references Actor.actor_id"}) {
    EXPECT_THAT(source, HasSubstr(part));
  }
  EXPECT_THAT(source, Not(HasSubstr("rowId")));
  EXPECT_THAT(source, Not(HasSubstr("O'Brien")));
}

TEST(ImportElectroDb, KeepsPaddingAndMembers) {
  const std::string source =
      Imported(R"([{"model": {"entity": "pay", "version": "1", "service": "s"},
    "attributes": {"id": {"type": "string"}, "cents": {"type": "number", "padding": {"length": 8, "char": "0"}},
      "code": {"type": "string", "padding": {"length": 3, "char": "_"}},
      "place": {"type": "map", "properties": {"street": {"type": "string", "required": true}, "zip": {"type": "number"},
        "kind": {"type": ["home", "work"]}}},
      "steps": {"type": "list", "items": {"type": "map", "properties": {"at": {"type": "string"}}}},
      "odd": {"type": "map", "properties": {"a b": {"type": "string"}}}},
    "indexes": {"pay": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": ["cents"]}}}}])");
  EXPECT_THAT(source, HasSubstr("#cents_{cents pad 8}\""));
  EXPECT_THAT(source, HasSubstr("// The padding of `code` in keys was left out"));
  EXPECT_THAT(source, HasSubstr("map of (street text, zip number optional, kind text optional values (\"home\", \"work\")) optional"));
  EXPECT_THAT(source, HasSubstr("list of (at text optional) optional"));
  EXPECT_THAT(source, ::testing::ContainsRegex("odd +map optional"));
}

}  // namespace
}  // namespace prejoin::draft
