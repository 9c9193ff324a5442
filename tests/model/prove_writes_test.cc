// Promises of writes: what must be refused is refused, what is kept right is kept right, and a proof of nothing is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/bind/read_model.h"
#include "model/cost/write_cost.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ProofReport ProofOf(const std::string& text) {
  const ReadModelResult read = ReadModel(text);
  for (const Diagnostic& one : read.diagnostics) {
    ADD_FAILURE() << one.message;
  }
  auto backend = EmbeddedBackend::OpenInMemory();
  auto report = ProveAtScale(read.model, {}, **backend, {});
  EXPECT_TRUE(report.has_value());
  return *std::move(report);
}

const WriteProof& WriteIn(const ProofReport& report, const std::string& name) {
  for (const WriteProof& proof : report.writes) {
    if (proof.name == name) {
      return proof;
    }
  }
  ADD_FAILURE() << "no write " << name;
  return report.writes.front();
}

std::string People(const std::string& write, const std::string& keys,
                   const std::string& more = "") {
  return R"(
entity Person {
  id text(~8) key
  email text(~20) unique
  town text(~8)
}
write Register {
  )" + write +
         R"(
  rate 1/s
}
sample Person (id, email, town) {
  "ada", "ada@example.com", "London"
  "alan", "alan@example.com", "Leeds"
}
table T partition PK sort SK {
  item Person {
    )" + keys +
         R"(
    )" + more +
         R"(
  }
}
)";
}

TEST(WriteProofs, OnceIsAboutTheRowNotTheItem) {
  const std::string sound = "PK = \"P#{id}\"\n    SK = \"P\"";
  const ProofReport right = ProofOf(People("put Person once", sound, "unique email by lock item"));
  EXPECT_TRUE(right.all_right) << RenderProof(right, true);
  EXPECT_THAT(WriteIn(right, "Register").shown,
              Contains("a second Person with the same key was refused"));
  // The town in the key: the same person in another town is another item.
  const ProofReport wrong = ProofOf(People(
      "put Person once", "PK = \"P#{id}\"\n    SK = \"{town}\"", "unique email by lock item"));
  EXPECT_FALSE(wrong.all_right);
  EXPECT_THAT(WriteIn(wrong, "Register").problems,
              Contains(HasSubstr("a second Person with the same key was written")));
}

TEST(WriteProofs, UniqueMustBeEnforcedBySomething) {
  const ProofReport wrong = ProofOf(People("put Person once", "PK = \"P#{id}\"\n    SK = \"P\""));
  EXPECT_FALSE(wrong.all_right);
  EXPECT_THAT(WriteIn(wrong, "Register").problems,
              Contains(HasSubstr("(PJ231); add to `item Person`: unique email by lock item")));
  const ProofReport locked = ProofOf(
      People("put Person once", "PK = \"P#{id}\"\n    SK = \"P\"", "unique email by lock item"));
  EXPECT_THAT(WriteIn(locked, "Register").shown,
              Contains("a second Person with the same email was refused"));
  // The table's own key can do it too.
  const ProofReport key = ProofOf(People("put Person once", "PK = \"{email}\"\n    SK = \"P\""));
  EXPECT_THAT(WriteIn(key, "Register").shown,
              Contains("a second Person with the same email was refused"));
}

TEST(WriteProofs, APutThatReplacesAnotherRowIsWrong) {
  const ProofReport report = ProofOf(R"(
entity Order {
  day date key
  id text(~4) key
}
write Place {
  put Order
  rate 1/s
}
sample Order (day, id) {
  "2026-01-01", "o1"
}
table T partition PK {
  item Order {
    PK = "DAY#{day}"
  }
}
)");
  EXPECT_THAT(WriteIn(report, "Place").problems,
              Contains(HasSubstr("replaces the item of another row")));
}

TEST(WriteProofs, APatternWithoutRowsIsFilledOrNotProved) {
  const std::string text = R"(
entity Order {
  id text(~4) key
  status text(~6)
}
pattern Lost {
  find Order where id = :id and status = "LOST"
  rate 1/s
}
sample Order (id, status) {
  "o1", "SENT"
}
table T partition PK {
  item Order {
    PK = "ORDER#{id}"
  }
}
)";
  const ProofReport report = ProofOf(text);
  EXPECT_TRUE(report.all_right) << RenderProof(report, true);
  EXPECT_GT(report.patterns[0].rows_found, 0u);
  EXPECT_THAT(report.generated, Contains(HasSubstr("rows of Order")));
  // On the sample alone it is not proved.
  const ReadModelResult read = ReadModel(text);
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto thin = Prove(read.model, SampleData(read.model), **backend, {});
  EXPECT_FALSE(thin->all_right);
  EXPECT_THAT(thin->patterns[0].problems, Contains(HasSubstr("every run was empty")));
}

// A delete and a put of one unit each, in a transaction: 4 units, where an update in place would be 1.
TEST(WriteProofs, AnUpdateOfTheTablesKeyIsADeleteAndAPut) {
  const std::string text = R"(
entity Job {
  id text(~4) key
  status text(~6) values ("NEW", "DONE")
}
write Finish {
  update Job where id = :id and status = :old set status
  rate 1/s peak 1/s
}
sample Job (id, status) {
  "j1", "NEW"
}
table T partition PK sort SK {
  item Job {
    PK = "JOB#{id}"
    SK = "{status}"
  }
}
)";
  const ProofReport report = ProofOf(text);
  EXPECT_TRUE(report.all_right) << RenderProof(report, true);
  EXPECT_EQ(WriteIn(report, "Finish").items_written, 2u);
  EXPECT_EQ(WriteIn(report, "Finish").measured_units, 4);
  const ReadModelResult read = ReadModel(text);
  Expectations figures(read.model);
  EXPECT_EQ(EstimateWrite(figures, read.model.writes[0]).total_units, 4);
  EXPECT_THAT(NeedsTransaction(read.model, read.model.writes[0].steps[0]),
              HasSubstr("changes the table's key"));
}

// The figures by hand, all in transactions, each item of one unit and so doubled:
//   Join        guest 1 + its entry 1 + party 1 (people and presents): 3 x 2 = 6
//   Register    person 1 + lock 1: 2 x 2 = 4
//   NewAddress  person 1 + old lock 1 + new lock 1: 3 x 2 = 6
//   Undo        party 1
TEST(WriteProofs, CountersSumsLocksAndCascadesAreDoneAndPriced) {
  const ReadModelResult read =
      ReadModel(ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/w04_guests.prejoin"));
  ASSERT_TRUE(read.ok);
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto report = ProveAtScale(read.model, {}, **backend, {});
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->all_right) << RenderProof(*report, true);
  EXPECT_THAT(report->generated, IsEmpty());
  EXPECT_EQ(WriteIn(*report, "Join").measured_units, 5);
  EXPECT_THAT(WriteIn(*report, "Join").shown,
              Contains("a row of Party for which the condition does not hold was left alone"));
  EXPECT_EQ(WriteIn(*report, "Register").measured_units, 4);
  EXPECT_EQ(WriteIn(*report, "NewAddress").measured_units, 6);
  EXPECT_EQ(WriteIn(*report, "Undo").measured_units, 1);
  Expectations figures(read.model);
  EXPECT_EQ(EstimateWrite(figures, *read.model.FindWrite("Register")).total_units, 4);
  EXPECT_EQ(EstimateWrite(figures, *read.model.FindWrite("NewAddress")).total_units, 6);
  EXPECT_EQ(EstimateWrite(figures, *read.model.FindWrite("Undo")).total_units, 1);
  // The party, and 12 guests with an entry each: 1 + 24, and the sum is gone with the party.
  EXPECT_EQ(EstimateWrite(figures, *read.model.FindWrite("Cancel")).units.at("with Guest"), 24);
}

// An order with three lines is four items in one transaction: 8 units.
TEST(WriteProofs, SeveralRowsOfAnEntityAreOneWrite) {
  const ProofReport report = ProofOf(R"(
entity Order {
  id text(~4) key
}
entity Line {
  orderId references Order.id key
  no text(~2) key
}
write Place {
  put Order once
  put Line times 3
  together
  rate 1/s
}
sample Order (id) {
  "o1"
}
sample Line (orderId, no) {
  "o1", "1"
}
table T partition PK sort SK {
  item Order {
    PK = "O#{id}"
    SK = "#"
  }
  item Line {
    PK = "O#{orderId}"
    SK = "L#{no}"
  }
}
)");
  EXPECT_TRUE(report.all_right) << RenderProof(report, true);
  EXPECT_EQ(WriteIn(report, "Place").items_written, 4u);
  EXPECT_EQ(WriteIn(report, "Place").measured_units, 8);
}

// Two items in the transaction, 4 units; the three copies follow by the stream, one unit each. `cost` says the same.
TEST(WriteProofs, CopiesKeptByAStreamAreInNoTransaction) {
  const std::string text = R"(
entity Category {
  id text(~2) key
  title text(~8)
  count 2
}
entity Product {
  id text(~2) key
  categoryId references Category.id
}
entity Log {
  id text(~4) key
}
relationship Products: Category one-to-many Product {
  each Category has ~3, at most 10
}
pattern One {
  find Product where id = :p get id, Category.title
}
pattern OfCategory {
  find Product where categoryId = :c get id
}
write Rename {
  update Category set title
  put Log
  together
  rate 1/s
}
sample Category (id, title) {
  "k1", "Books"
}
sample Product (id, categoryId) {
  "p1", "k1"
  "p2", "k1"
  "p3", "k1"
}
sample Log (id) {
  "l1"
}
table T partition PK sort SK {
  index G partition GPK sort GSK project keys
  item Category {
    PK = "C#{id}"
    SK = "C"
  }
  item Product {
    PK    = "P#{id}"
    SK    = "P"
    GPK   = "C#{categoryId}"
    GSK   = "P#{id}"
    title = copy of Category.title kept by stream
  }
  item Log {
    PK = "L#{id}"
    SK = "L"
  }
}
)";
  const ProofReport report = ProofOf(text);
  EXPECT_TRUE(report.all_right) << RenderProof(report, true);
  EXPECT_EQ(WriteIn(report, "Rename").items_written, 5u);
  EXPECT_EQ(WriteIn(report, "Rename").measured_units, 7);
  const ReadModelResult read = ReadModel(text);
  Expectations figures(read.model);
  EXPECT_EQ(EstimateWrite(figures, *read.model.FindWrite("Rename")).total_units, 7);
}

// What a delete takes away is there again for the writes behind it.
TEST(WriteProofs, ADeleteLeavesTheLaterWritesTheirRows) {
  const ProofReport report = ProofOf(R"(
entity Order {
  id text(~4) key
}
entity Line {
  orderId references Order.id key
  no text(~2) key
  note text(~5)
}
write Drop {
  delete Order with Line
}
write Note {
  update Line set note
}
write DropAgain {
  delete Order with Line
}
sample Order (id) {
  "o1"
}
sample Line (orderId, no, note) {
  "o1", "1", "a"
  "o1", "2", "b"
}
table T partition PK sort SK {
  item Order {
    PK = "O#{id}"
    SK = "#"
  }
  item Line {
    PK = "O#{orderId}"
    SK = "L#{no}"
  }
}
)");
  EXPECT_TRUE(report.all_right) << RenderProof(report, true);
  EXPECT_EQ(WriteIn(report, "Drop").items_written, 3u);
  EXPECT_EQ(WriteIn(report, "DropAgain").items_written, 3u);
}

// Each of the author's two followers gets a line: 2 items.
TEST(WriteProofs, AFanOutWritesARowForEach) {
  const std::string text = R"(
entity User {
  id text(~4) key
  count 1_000
}
entity Follower {
  authorId references User.id key
  userId references User.id key
}
entity Timeline {
  ownerId references User.id key
  postId text(~4) key
}
relationship Followers: User one-to-many Follower by authorId {
  each User has ~30, unbounded
}
write Post {
  put Timeline for each Follower
  rate 1/s
}
sample User (id) {
  "u1"
  "u2"
  "u3"
}
sample Follower (authorId, userId) {
  "u1", "u2"
  "u1", "u3"
}
sample Timeline (ownerId, postId) {
  "u2", "p1"
}
table T partition PK sort SK {
  item User {
    PK = "U#{id}"
    SK = "#"
  }
  item Follower {
    PK = "U#{authorId}"
    SK = "F#{userId}"
  }
  item Timeline {
    PK = "U#{ownerId}"
    SK = "T#{postId}"
  }
}
)";
  const ProofReport report = ProofOf(text);
  EXPECT_TRUE(report.all_right) << RenderProof(report, true);
  EXPECT_EQ(WriteIn(report, "Post").items_written, 2u);
  const ReadModelResult read = ReadModel(text);
  Expectations figures(read.model);
  EXPECT_EQ(EstimateWrite(figures, read.model.writes[0]).total_units, 30);
}

}  // namespace
}  // namespace prejoin::model
