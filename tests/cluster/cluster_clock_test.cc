#include "cluster/cluster_clock.h"

#include <gtest/gtest.h>

#include "tests/cluster/memory_objects.h"

namespace prejoin::cluster {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

struct MachineClock final : public Clock {
  std::int64_t NowMs() const override { return now_ms; }
  std::int64_t now_ms = 0;
};

class ClusterClockTest : public testing::Test {
 protected:
  // Time goes by everywhere.
  void Pass(std::int64_t ms) {
    objects_.time_ms += ms;
    machine_.now_ms += ms;
    now_ += std::chrono::milliseconds(ms);
  }
  void Measure() { EXPECT_TRUE(clock_.Measure().ok()); }

  MemoryObjects objects_;
  Client client_{objects_};
  MachineClock machine_;
  Instant now_ = std::chrono::hours(1);
  ClusterClock clock_{client_, machine_, [this] { return now_; }};
  const std::int64_t begin_ms_ = objects_.time_ms;
};

TEST_F(ClusterClockTest, GoesByTheSharedObjectsClock) {
  machine_.now_ms = begin_ms_ + 2'000;
  EXPECT_EQ(clock_.NowMs(), machine_.now_ms) << "before the first reading";
  Measure();
  EXPECT_EQ(clock_.NowMs(), begin_ms_);
  Pass(5'000);
  EXPECT_EQ(clock_.NowMs(), begin_ms_ + 5'000);
  EXPECT_EQ(clock_.MachineAheadMs(), 2'000);
  EXPECT_TRUE(clock_.MayLead().has_value());
}

TEST_F(ClusterClockTest, GatewayWhoseClockIsFarOffDoesNotLead) {
  for (const std::int64_t ahead_ms :
       {kClockDifferenceMaxMs + 1, -kClockDifferenceMaxMs - 1, kDayMs}) {
    machine_.now_ms = begin_ms_ + ahead_ms;
    Measure();
    EXPECT_FALSE(clock_.MayLead().has_value()) << ahead_ms;
  }
  EXPECT_NE(clock_.MayLead().error().message.find("86400.0 s ahead of the cluster's"),
            std::string::npos);
  for (const std::int64_t ahead_ms : {kClockDifferenceMaxMs, -kClockDifferenceMaxMs}) {
    machine_.now_ms = begin_ms_ + ahead_ms;
    Measure();
    EXPECT_TRUE(clock_.MayLead().has_value()) << ahead_ms;
  }
}

// Nothing is deleted too early because somebody sets the clock of the machine that leads.
TEST_F(ClusterClockTest, MachineClockThatIsSetMovesNothing) {
  machine_.now_ms = begin_ms_;
  Measure();
  machine_.now_ms += kDayMs;
  EXPECT_EQ(clock_.NowMs(), begin_ms_);
  Measure();
  EXPECT_EQ(clock_.NowMs(), begin_ms_);
  EXPECT_EQ(clock_.MachineAheadMs(), kDayMs);
  EXPECT_FALSE(clock_.MayLead().has_value());
}

// The object may come to another server, whose clock is wrong.
TEST_F(ClusterClockTest, WrongReadingMovesNothing) {
  machine_.now_ms = begin_ms_;
  Measure();
  Pass(1'000);
  objects_.time_ms += kDayMs;
  Measure();
  EXPECT_EQ(clock_.NowMs(), begin_ms_ + 1'000);
  EXPECT_FALSE(clock_.MayLead().has_value());
}

TEST_F(ClusterClockTest, ClockOfASleepingMachineIsPutRight) {
  machine_.now_ms = begin_ms_;
  Measure();
  // The machine was paused as a whole, and its wall clock set afterwards.
  objects_.time_ms += kDayMs;
  machine_.now_ms += kDayMs;
  EXPECT_EQ(clock_.NowMs(), begin_ms_);
  Measure();
  EXPECT_EQ(clock_.NowMs(), begin_ms_ + kDayMs);
}

TEST_F(ClusterClockTest, LeadsByItsOwnClockWhereTheObjectsTellNoTime) {
  machine_.now_ms = 77;
  client_.DieAt(1, false);
  EXPECT_FALSE(client_.Apply("x", {}).ok());
  EXPECT_FALSE(clock_.Measure().ok());
  EXPECT_EQ(clock_.NowMs(), 77);
  EXPECT_TRUE(clock_.MayLead().has_value());
}

}  // namespace
}  // namespace prejoin::cluster
