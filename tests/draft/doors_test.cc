// Terraform, Prisma, and what SQL says beside its tables: read, or a comment at its place.
#include <gtest/gtest.h>

#include "draft/foreign/read_foreign.h"
#include "model/bind/read_model.h"

namespace prejoin::draft {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace prejoin::draft
