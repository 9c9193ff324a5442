// What `prove` tries beyond running each write once. The designs as a whole are judged by tests/trust.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/bind/read_model.h"
#include "model/generate/hostile_rows.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/prove/trial/transaction_limits.h"
#include "model/prove/trial/write_binding.h"

namespace prejoin::model {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kWallets = R"(
entity Wallet {
  id      text(~6) key
  balance number(6)
  count   300
}
entity Entry {
  walletId references Wallet.id key
  id       text(~8) key
  amount   number(4)
}
relationship Entries: Wallet one-to-many Entry {
  each Wallet has ~3, unbounded
}
pattern One { find Wallet where id = :wallet }
write Open { put Wallet once }
write Move {
  update Wallet where id = :from set balance
  update Wallet where id = :to set balance
  together
}
write Pay {
  put Entry once
  update Wallet where id = :wallet set balance
  together
}
table Wallets partition PK sort SK {
  item Wallet {
    PK = "WALLET#{id}"
    SK = "#WALLET"
    balance = sum of Entry.amount kept by nobody
  }
  item Entry {
    PK = "WALLET#{walletId}"
    SK = "ENTRY#{id}"
  }
}
sample Wallet (id, balance) {
  "w1", 5
  "w2", 0
}
sample Entry (walletId, id, amount) {
  "w1", "e1", 5
}
)";

ProofReport ReportOf(const std::string& text) {
  const ReadModelResult read = ReadModel(text);
  EXPECT_THAT(read.diagnostics, IsEmpty());
  auto backend = EmbeddedBackend::OpenInMemory();
  ProveOptions options;
  options.estimates = false;
  auto report = ProveAtScale(read.model, {}, **backend, options);
  EXPECT_TRUE(report.has_value());
  return report.has_value() ? *report : ProofReport();
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(Trial, DifferentParametersNameDifferentRows) {
  const ReadModelResult read = ReadModel(kWallets);
  const BoundWrite move =
      BindWrite(read.model, *read.model.FindWrite("Move"), SampleData(read.model));
  ASSERT_EQ(move.impossible, "");
  EXPECT_NE(move.steps[0].rows[0], move.steps[1].rows[0]);
}

TEST(Trial, ANewRowPointsAtTheRowThatTheOtherStepNames) {
  const ReadModelResult read = ReadModel(kWallets);
  const BoundWrite pay = BindWrite(read.model, *read.model.FindWrite("Pay"), SampleData(read.model));
  ASSERT_EQ(pay.impossible, "");
  EXPECT_EQ(*pay.steps[0].rows[0].Find("walletId"), *pay.steps[1].rows[0].Find("id"));
}

TEST(Trial, ATotalThatIsReadAndWrittenBackIsLostBetweenTwoWriters) {
  const ProofReport report = ReportOf(kWallets);
  EXPECT_THAT(report.writes[2].problems,
              Contains(HasSubstr("two writers, A Pay and B Pay: both read; A puts Entry and updates "
                                 "Wallet in one transaction; B puts Entry")));
  const ProofReport guarded =
      ReportOf(Replaced(kWallets, "set balance\n  together\n}\ntable",
                        "set balance if balance = :b\n  together\n}\ntable"));
  EXPECT_THAT(guarded.writes[2].problems, IsEmpty());
}

TEST(Trial, TheReportEndsWithWhatWasTriedAndIsTheSameTwice) {
  const ProofReport report = ReportOf(kWallets);
  const std::string text = RenderProof(report, false);
  EXPECT_THAT(text, HasSubstr("Hostile values: the patterns also ran on"));
  EXPECT_THAT(text, HasSubstr("Two writers: "));
  EXPECT_THAT(text, HasSubstr("Not tried"));
  EXPECT_EQ(ProofJson(report), ProofJson(ReportOf(kWallets)));
}

TEST(Trial, HostileRowsKeepKeysUniqueAndNumbersWithinTheirDigits) {
  const ReadModelResult read = ReadModel(kWallets);
  const HostileRows hostile = AddHostileRows(read.model, SampleData(read.model));
  EXPECT_GT(hostile.added, 10u);
  EXPECT_THAT(hostile.problems, IsEmpty());
  std::set<std::string> keys;
  for (const Row& row : hostile.data.Of("Entry")) {
    EXPECT_TRUE(keys.insert(TupleText(row, {"walletId", "id"})).second);
    EXPECT_LT(*row.Find("amount")->number(), Number(10'000));
    EXPECT_GE(*row.Find("amount")->number(), Number(0));
  }
}

TEST(Trial, TransactionsAreCountedAtTheBoundsOfTheirRelationships) {
  const auto faults = [](const std::string& bound) {
    const ReadModelResult read = ReadModel(Replaced(kWallets, "unbounded", bound) + R"(
write Close {
  delete Wallet where id = :wallet with Entry
  together
}
)");
    return TransactionFaults(read.model, *read.model.FindWrite("Close"));
  };
  EXPECT_THAT(faults("at most 99"), IsEmpty());
  EXPECT_THAT(faults("at most 100"), Contains(HasSubstr("holds 100 items")));
  EXPECT_THAT(faults("unbounded"), Contains(HasSubstr("nothing limits the items of Entry")));
}

// Of 24 generated rows none has a status of one in a hundred and no owner, and no two accounts share one of 300 tenants.
TEST(Trial, GeneratedRowsHoldWhatPatternsAndWritesAskFor) {
  const ProofReport report = ReportOf(R"(
entity Job {
  id     text(~8) key
  status one of "NEW" 1%, "DONE" 99%
  owner  text(~6) optional 97%
  left   number(4)
  count  100_000
}
entity Account {
  tenantId text(~6) key distinct 300
  id       text(~6) key
  cents    number(9)
  count    60_000
}
pattern Free {
  find Job where status = "NEW" and not exists(owner)
  scan allowed because "a nightly job"
}
write Take { update Job where id = :job set owner = :owner if status = "NEW" and not exists(owner) }
write Drop { update Job where id = :job remove owner if exists(owner) and left < 3 }
write Transfer {
  update Account where tenantId = :tenant and id = :from set cents -= 5 if cents >= 5
  update Account where tenantId = :tenant and id = :to set cents += 5
  together
}
table T partition PK {
  item Job { PK = "JOB#{id}" }
  item Account { PK = "ACCOUNT#{tenantId}#{id}" }
}
)");
  EXPECT_TRUE(report.all_right) << RenderProof(report, false);
}

// A row of the sample is what the model is about: it stays as it is, and the report says what it lacks.
TEST(Trial, RowsOfTheSampleAreNotChanged) {
  const std::string guarded = Replaced(kWallets, "set balance\n  together\n}\nwrite Pay",
                                       "set balance if balance = 77\n  together\n}\nwrite Pay");
  EXPECT_THAT(ReportOf(guarded).writes[1].problems, Contains(HasSubstr("add one to the sample")));
}

}  // namespace
}  // namespace prejoin::model
