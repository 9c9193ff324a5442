// What a design must keep whatever it saves, and which of two equal ones is chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "design/design.h"
#include "model/check/check.h"
#include "tests/model/example_files.h"

namespace prejoin::design {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

DesignReport Designed(const std::string& source, const DesignOptions& options = {}) {
  const model::ReadModelResult read = model::ReadModel(source);
  EXPECT_TRUE(read.ok) << source;
  auto report = MakeDesign(source, read, options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *std::move(report) : DesignReport{};
}

std::size_t Findings(const FoundDesign& design, const std::string& rule) {
  return static_cast<std::size_t>(
      std::ranges::count(model::CheckModel(design.read), rule, &model::Diagnostic::rule));
}

// `every`: whether the pattern that finds a ticket by its id knows the tenant.
std::string Tickets(bool every) {
  return std::string("tenant Org.id\nentity Org {\n  id text(~8) key\n  name text(~12)\n") +
         "  count 1_000\n}\nentity Ticket {\n  orgId references Org.id key\n  id text(~12) key\n"
         "  state text(~6) values (\"OPEN\", \"DONE\")\n  body text(~300)\n}\n"
         "relationship Tickets: Org one-to-many Ticket {\n  each Org has ~2_000\n}\n"
         "pattern AnOrg {\n  find Org where id = :org\n  rate 10/s\n}\n"
         "pattern One {\n  find Ticket where id = :t" +
         (every ? " and orgId = :org" : "") +
         "\n  rate 100/s\n}\npattern InState {\n"
         "  find Ticket where orgId = :org and state = :s limit 20 get id\n  rate 20/s\n}\n"
         "write Open {\n  put Ticket once\n  rate 10/s\n}\n"
         "write Close {\n  update Ticket where id = :t and orgId = :org set state\n  rate 10/s\n}\n";
}

TEST(Constraints, TheTenantLeadsEveryKeyOfWhatOneTenantReads) {
  for (const FoundDesign& design : Designed(Tickets(true)).designs) {
    EXPECT_EQ(Findings(design, "PJ214"), 0u) << design.source;
    EXPECT_TRUE(design.violations.empty());
    EXPECT_TRUE(design.proved);
  }
}

// A request that does not know its tenant is not of one tenant: the design says which key is not scoped.
TEST(Constraints, AKeyThatCannotBeScopedIsNamed) {
  const DesignReport report = Designed(Tickets(false));
  ASSERT_FALSE(report.designs.empty());
  ASSERT_FALSE(report.designs[0].violations.empty());
  EXPECT_THAT(report.designs[0].violations[0], HasSubstr("tenant"));
}

std::string Log(const std::string& rate) {
  return "entity Event {\n  id text(~20) key\n  day date grows\n  text text(~80)\n"
         "  count 5_000_000\n}\npattern Day {\n"
         "  find Event where day = :d order by id limit 50\n  rate 5/s\n}\nwrite Add {\n"
         "  put Event once\n  rate " +
         rate + "\n}\n";
}

TEST(Constraints, NoKeyTakesMoreThanItsShareOfAPartition) {
  const DesignReport half = Designed(Log("900/s"));
  EXPECT_LE(half.designs.at(0).hottest, 0.5);
  EXPECT_THAT(half.designs[0].physical, HasSubstr("{shard 2 of"));
  DesignOptions options;
  options.heat_max = 1;
  const DesignReport whole = Designed(Log("900/s"), options);
  EXPECT_THAT(whole.designs.at(0).physical, Not(HasSubstr("shard")));
  options.heat_max = 0.2;
  EXPECT_LE(Designed(Log("900/s"), options).designs.at(0).hottest, 0.2);
}

// An index that saves a few dollars is not built; one that saves a hundred is.
std::string Shop(const std::string& rate) {
  return "entity Customer {\n  id text(~8) key\n  name text(~12)\n  count 10_000\n}\n"
         "entity Order {\n  customerId references Customer.id key\n  id text(~12) key\n"
         "  note text(~900)\n}\nrelationship Orders: Customer one-to-many Order {\n"
         "  each Customer has ~30\n}\npattern Of {\n"
         "  find Order where customerId = :c order by id desc get id\n  rate " +
         rate + "\n}\nwrite Put {\n  put Order once\n  rate 1/s\n}\n";
}

TEST(Ties, GoToThePlainDesign) {
  EXPECT_EQ(Designed(Shop("1/s")).designs.at(0).indexes, 0u);
  EXPECT_EQ(Designed(Shop("200/s")).designs.at(0).indexes, 1u);
  DesignOptions exact;
  exact.tie_money = 0;
  exact.tie_share = 0;
  EXPECT_LE(Designed(Shop("1/s"), exact).designs.at(0).money,
            Designed(Shop("1/s")).designs.at(0).money + 1e-9);
}

TEST(Ties, PrefixesAreWholeWords) {
  const DesignReport report = Designed(Shop("1/s"));
  EXPECT_THAT(report.designs.at(0).physical, HasSubstr("\"CUSTOMER#{customerId}\""));
  EXPECT_THAT(report.designs[0].physical, HasSubstr("\"ORDER#{id}\""));
}

TEST(Ties, TheTablesOfTheFileStay) {
  const std::string file = PREJOIN_SOURCE_DIR "/tests/design/workloads/employees.prejoin";
  const std::string source = model::ReadFileForTesting(file);
  const DesignReport report = Designed(source);
  ASSERT_FALSE(report.designs.empty());
  EXPECT_TRUE(report.keeps_file);
  EXPECT_EQ(report.designs[0].source, source);
  EXPECT_TRUE(report.designs[0].proved);
}

// A key that is called like an attribute holds that attribute, so keys get other names.
TEST(Constraints, NamesKeysApartFromAttributes) {
  const DesignReport report = Designed(
      "entity Item {\n  id text(~8) key\n  PK text(~8)\n  SK text(~8)\n  GSI1PK text(~8)\n  owner text(~8)\n  count 1_000\n}\n"
      "pattern One {\n  find Item where id = :id\n  rate 10/s\n}\n"
      "pattern OfOwner {\n  find Item where owner = :owner\n  rate 10/s\n}\n");
  ASSERT_FALSE(report.designs.empty());
  EXPECT_TRUE(report.designs[0].proved);
  EXPECT_THAT(report.designs[0].physical, HasSubstr("partition KeyPK"));
}

// Few rows on both sides, read with the name of the other end: lists with copies are the cheapest, but who writes a row would have to read
// both ends first.
TEST(Constraints, KeepsLinksThatAreWrittenInItemsOfTheirOwn) {
  const auto source = [](const std::string& writes) {
    return "entity Member {\n  id text(~8) key\n  name text(~20)\n  count 20_000\n}\n"
           "entity Book {\n  isbn text(~20) key\n  title text(~20)\n  count 50_000\n}\n"
           "entity Reservation {\n  memberId references Member.id key\n  bookIsbn references Book.isbn key\n  state text(~8)\n"
           "  count 30_000\n}\n"
           "relationship MemberBooks: Member many-to-many Book through Reservation {\n"
           "  each Member has ~1.5, at most 10\n  each Book has ~0.6, at most 100\n}\n"
           "pattern BooksOfMember {\n  find Member where id = :member\n"
           "  find Reservation where memberId = :member get bookIsbn, state, Book.title\n  rate 10/s\n}\n"
           "pattern MembersOfBook {\n  find Book where isbn = :book\n"
           "  find Reservation where bookIsbn = :book get memberId, state, Member.name\n  rate 10/s\n}\n" +
           writes;
  };
  const DesignReport read = Designed(source(""));
  ASSERT_FALSE(read.designs.empty());
  EXPECT_THAT(read.designs[0].physical, HasSubstr("list of Reservation"));
  EXPECT_GT(read.designs[0].copies, 0u);
  const DesignReport written = Designed(source("write Reserve {\n  put Reservation once\n  rate 1/min\n}\n"));
  ASSERT_FALSE(written.designs.empty());
  EXPECT_THAT(written.designs[0].physical, Not(HasSubstr("list of Reservation")));
  EXPECT_THAT(written.designs[0].physical, HasSubstr("item Reservation"));
}

}  // namespace
}  // namespace prejoin::design
