#include "cluster/lease.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "tests/cluster/memory_objects.h"

namespace prejoin::cluster {
namespace {

using std::chrono::milliseconds;

// A gateway with a clock of its own.
struct Gateway {
  Gateway(ObjectStore& objects, const std::string& name)
      : client(objects),
        lease(client, {.self = {name, name + ":1", ""},
                       .duration = milliseconds(600),
                       .now = [this] { return now; }}) {}

  bool Takes() {
    const auto taken = lease.TryTake();
    EXPECT_TRUE(taken.has_value()) << taken.error().message;
    return taken && *taken;
  }

  Instant now = std::chrono::hours(1);
  Client client;
  Lease lease;
};

class LeaseTest : public testing::Test {
 protected:
  std::string LeaderName() {
    const auto state = ReadLease(objects_);
    EXPECT_TRUE(state.has_value() && *state);
    return (*state)->leader ? (*state)->leader->gateway : "";
  }

  MemoryObjects objects_;
  Gateway a_{objects_, "a"};
  Gateway b_{objects_, "b"};
};

TEST_F(LeaseTest, FirstOneLeadsAndOthersWait) {
  EXPECT_TRUE(a_.Takes());
  EXPECT_TRUE(a_.lease.IsHeld());
  EXPECT_FALSE(b_.Takes());
  EXPECT_FALSE(b_.lease.IsHeld());
  EXPECT_EQ(LeaderName(), "a");
}

TEST_F(LeaseTest, LeaderActsForTwoThirdsOfItsLease) {
  ASSERT_TRUE(a_.Takes());
  a_.now += milliseconds(399);
  EXPECT_TRUE(a_.lease.IsHeld());
  a_.now += milliseconds(1);
  EXPECT_FALSE(a_.lease.IsHeld());
  EXPECT_TRUE(a_.lease.Renew().ok());  // Nobody has taken over.
  EXPECT_TRUE(a_.lease.IsHeld());
}

TEST_F(LeaseTest, IsTakenOverWhenItStoodStillForAWholeLease) {
  ASSERT_TRUE(a_.Takes());
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(599);
  EXPECT_FALSE(b_.Takes());
  EXPECT_TRUE(a_.lease.Renew().ok());
  b_.now += milliseconds(2);
  EXPECT_FALSE(b_.Takes()) << "it was renewed meanwhile";
  b_.now += milliseconds(600);
  EXPECT_TRUE(b_.Takes());
  EXPECT_EQ(LeaderName(), "b");
  EXPECT_EQ(a_.lease.Renew().code, ObjectCode::kMismatch);
}

TEST_F(LeaseTest, ClocksNeedNotAgree) {
  b_.now = std::chrono::hours(1000);
  ASSERT_TRUE(a_.Takes());
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(300);
  EXPECT_FALSE(b_.Takes());
}

TEST_F(LeaseTest, LongerLeaseOfTheLeaderCounts) {
  Instant now = std::chrono::hours(1);
  Lease hasty(objects_, {.self = {"hasty", "hasty:1", ""},
                         .duration = milliseconds(100),
                         .now = [&] { return now; }});
  ASSERT_TRUE(a_.Takes());
  ASSERT_TRUE(hasty.TryTake().has_value());
  now += milliseconds(599);
  EXPECT_FALSE(*hasty.TryTake());
  now += milliseconds(1);
  EXPECT_TRUE(*hasty.TryTake());
}

TEST_F(LeaseTest, LeaderThatCannotBeReadIsNotTakenOver) {
  ASSERT_TRUE(a_.Takes());
  Change change;
  change.attributes = {{kLeaderAttribute, "of another version"}};
  ASSERT_TRUE(objects_.Apply(kDirectoryObject, change).ok());
  const auto taken = b_.lease.TryTake();
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().code, ErrorCode::kCorruption);
}

TEST_F(LeaseTest, ReleasedOneIsFreeAtOnce) {
  ASSERT_TRUE(a_.Takes());
  a_.lease.Release();
  EXPECT_FALSE(a_.lease.IsHeld());
  EXPECT_TRUE(b_.Takes());
  EXPECT_EQ((*ReadLease(objects_))->epoch, 2u);
}

TEST_F(LeaseTest, RenewalOnItsWayHoldsNothingThatIsReleased) {
  ASSERT_TRUE(a_.Takes());
  a_.client.Sleep();
  auto renewal = std::async(std::launch::async, [&] { return a_.lease.Renew(); });
  while (a_.client.waiting_count() == 0) {
    std::this_thread::yield();
  }
  auto release = std::async(std::launch::async, [&] { a_.lease.Release(); });
  while (a_.client.waiting_count() < 2) {
    std::this_thread::yield();
  }
  a_.client.Wake();
  EXPECT_TRUE(renewal.get().ok());
  release.get();
  EXPECT_FALSE(a_.lease.IsHeld());
}

TEST_F(LeaseTest, HeirTakesAReleasedOneBeforeOthers) {
  Gateway c{objects_, "c"};
  ASSERT_TRUE(a_.Takes());
  const auto state = ReadLease(objects_);
  ASSERT_TRUE(NameHeir(objects_, **state, "c").has_value());
  EXPECT_EQ((*ReadLease(objects_))->heir.value_or(Heir{}).gateway, "c");
  EXPECT_TRUE(a_.lease.Renew().ok());
  EXPECT_FALSE(c.Takes()) << "the leader has not let go";
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(599);
  EXPECT_FALSE(b_.Takes());
  a_.lease.Release();
  b_.now += milliseconds(1);
  EXPECT_FALSE(b_.Takes()) << "its time begins with the release";
  EXPECT_TRUE(c.Takes());
  EXPECT_EQ(LeaderName(), "c");
  EXPECT_FALSE((*ReadLease(objects_))->heir) << "the wish is fulfilled";
}

TEST_F(LeaseTest, OthersTakeOverWhereTheHeirDoesNotCome) {
  ASSERT_TRUE(a_.Takes());
  ASSERT_TRUE(NameHeir(objects_, **ReadLease(objects_), "gone").has_value());
  a_.lease.Release();
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(599);
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(1);
  EXPECT_TRUE(b_.Takes());
}

TEST_F(LeaseTest, HeirIsForOneLeaderOnly) {
  ASSERT_TRUE(a_.Takes());
  const auto before = ReadLease(objects_);
  a_.lease.Release();
  ASSERT_TRUE(b_.Takes());
  EXPECT_FALSE(NameHeir(objects_, **before, "c").has_value()) << "another one leads";
  EXPECT_FALSE((*ReadLease(objects_))->heir);
}

TEST_F(LeaseTest, OnlyOneOfTwoTakesOver) {
  Gateway c(objects_, "c");
  ASSERT_TRUE(a_.Takes());
  EXPECT_FALSE(b_.Takes());
  EXPECT_FALSE(c.Takes());
  b_.now += milliseconds(700);
  c.now += milliseconds(700);
  EXPECT_TRUE(b_.Takes());
  EXPECT_FALSE(c.Takes());
}

// The renewal of a sleeping leader arrives after the lead has changed.
TEST_F(LeaseTest, LateRenewalIsRefused) {
  ASSERT_TRUE(a_.Takes());
  a_.client.Sleep();
  auto renewal = std::async(std::launch::async, [&] { return a_.lease.Renew(); });
  while (a_.client.waiting_count() == 0) {
    std::this_thread::yield();
  }
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(600);
  EXPECT_TRUE(b_.Takes());
  a_.client.Wake();
  EXPECT_EQ(renewal.get().code, ObjectCode::kMismatch);
  EXPECT_EQ(LeaderName(), "b");
}

// A renewal counts from when it began, not from when its answer came.
TEST_F(LeaseTest, SlowRenewalGivesNoMoreTime) {
  ASSERT_TRUE(a_.Takes());
  a_.client.Sleep();
  auto renewal = std::async(std::launch::async, [&] { return a_.lease.Renew(); });
  while (a_.client.waiting_count() == 0) {
    std::this_thread::yield();
  }
  a_.now += milliseconds(400);
  a_.client.Wake();
  EXPECT_TRUE(renewal.get().ok());
  EXPECT_FALSE(a_.lease.IsHeld());
}

TEST_F(LeaseTest, KeeperTellsThatTheLeadIsLost) {
  LeaseOptions options;
  options.self = {"k", "k:1", ""};
  options.duration = milliseconds(60);
  Client client(objects_);
  Lease lease(client, options);
  ASSERT_TRUE(*lease.TryTake());
  std::promise<std::string> lost;
  lease.Keep([&](const std::string& reason) { lost.set_value(reason); });
  client.Sleep();  // The store hangs.
  EXPECT_EQ(lost.get_future().get(), "the lease could not be renewed in time");
  EXPECT_FALSE(lease.IsHeld());
  client.Wake();
}

TEST_F(LeaseTest, KeeperNoticesATakeOver) {
  LeaseOptions options;
  options.self = {"k", "k:1", ""};
  options.duration = std::chrono::hours(1);
  Lease lease(objects_, options);
  ASSERT_TRUE(*lease.TryTake());
  Change change;
  change.attributes = {{kEpochAttribute, PrintNumber(9)}};
  ASSERT_TRUE(objects_.Apply(kDirectoryObject, change).ok());
  std::promise<std::string> lost;
  lease.Keep([&](const std::string& reason) { lost.set_value(reason); });
  EXPECT_TRUE(lost.get_future().get().starts_with("another gateway has taken over"));
  EXPECT_FALSE(lease.IsHeld());
}

// A store that cannot write is of no use to anybody; the next leader may have more luck with it.
TEST_F(LeaseTest, KeeperStepsDownWhenTheStoreFails) {
  a_.lease.WatchHealth([] { return Status(Error{ErrorCode::kIo, "the log is gone"}); });
  ASSERT_TRUE(a_.Takes());
  std::promise<std::string> lost;
  a_.lease.Keep([&](const std::string& reason) { lost.set_value(reason); });
  EXPECT_EQ(lost.get_future().get(), "the store can no longer write: the log is gone");
  EXPECT_FALSE(a_.lease.IsHeld());
  EXPECT_EQ(LeaderName(), "");
}

TEST_F(LeaseTest, OthersFollowFirstWhereTheStoreFailed) {
  a_.lease.WatchHealth([] { return Status(Error{ErrorCode::kIo, "the log is gone"}); });
  ASSERT_TRUE(a_.Takes());
  std::promise<std::string> lost;
  a_.lease.Keep([&](const std::string& reason) { lost.set_value(reason); });
  lost.get_future().wait();
  Gateway again(objects_, "a");  // The same gateway, after its restart.
  EXPECT_FALSE(again.Takes());
  again.now += milliseconds(599);
  EXPECT_FALSE(again.Takes());
  EXPECT_TRUE(b_.Takes()) << "at once";
  EXPECT_EQ(LeaderName(), "b");
}

TEST_F(LeaseTest, FailedOneLeadsAgainWhereThereIsNoOther) {
  a_.lease.WatchHealth([] { return Status(Error{ErrorCode::kIo, "the log is gone"}); });
  ASSERT_TRUE(a_.Takes());
  std::promise<std::string> lost;
  a_.lease.Keep([&](const std::string& reason) { lost.set_value(reason); });
  lost.get_future().wait();
  Gateway again(objects_, "a");
  EXPECT_FALSE(again.Takes());
  again.now += milliseconds(600);
  EXPECT_TRUE(again.Takes());
}

TEST_F(LeaseTest, HealthThatIsNoLongerWatchedSaysNothing) {
  LeaseOptions options;
  options.self = {"k", "k:1", ""};
  options.duration = std::chrono::hours(1);
  Lease lease(objects_, options);
  lease.WatchHealth([] { return Status(Error{ErrorCode::kIo, "the log is gone"}); });
  lease.WatchHealth({});
  ASSERT_TRUE(*lease.TryTake());
  std::atomic<bool> lost = false;
  lease.Keep([&](const std::string&) { lost = true; });
  while ((*ReadLease(objects_))->beat == 0) {
    std::this_thread::yield();
  }
  EXPECT_FALSE(lost);
  EXPECT_TRUE(lease.IsHeld());
}

// To fence the former leader may take as long as the monitors do not answer. The lead is used meanwhile.
TEST_F(LeaseTest, KeeperDoesNotWaitForTheFence) {
  a_.client.address = "a's client";
  b_.client.address = "b's client";
  std::promise<std::pair<std::string, std::thread::id>> fenced;
  b_.client.on_fence = [&](const std::string& former) {
    fenced.set_value({former, std::this_thread::get_id()});
  };
  ASSERT_TRUE(a_.Takes());
  EXPECT_FALSE(b_.Takes());
  b_.now += milliseconds(600);
  ASSERT_TRUE(b_.Takes());
  b_.lease.Keep([](const std::string&) {});
  const auto [former, thread] = fenced.get_future().get();
  EXPECT_EQ(former, "a's client");
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(LeaseTest, GatewayThatMayNotLeadLeavesTheLeadToOthers) {
  LeaseOptions options;
  options.self = {"k", "k:1", ""};
  options.may_lead = [] { return Status(Error{ErrorCode::kUnavailable, "its clock is wrong"}); };
  Lease lease(objects_, options);
  const auto taken = lease.TryTake();
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().message, "its clock is wrong");
  EXPECT_TRUE(a_.Takes());
}

}  // namespace
}  // namespace prejoin::cluster
