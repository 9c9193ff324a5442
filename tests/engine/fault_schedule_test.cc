// Injected faults: which requests a rule hits, and that runs repeat.
#include "engine/physics/fault_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace prejoin::engine {
namespace {

FaultSchedule Schedule(std::string_view text, std::uint64_t seed = 1) {
  auto rules = ParseFaultRules(text);
  EXPECT_TRUE(rules.has_value()) << (rules ? "" : rules.error().message);
  return FaultSchedule(rules ? *std::move(rules) : std::vector<FaultRule>(), seed);
}

TEST(FaultScheduleTest, EveryFilterMustFit) {
  FaultSchedule schedule =
      Schedule("fault timeout of PutItem on Orders key \"a b\" at 1 minutes for 30 seconds\n");
  const std::vector<std::string> tables = {"Users", "Orders"};
  const std::vector<std::string> keys = {"x", "a b"};
  const std::vector<std::string> none;
  const auto decide = [&](std::string_view operation, const std::vector<std::string>& in,
                          const std::vector<std::string>& with, double at_s) {
    return schedule.Decide({.operation = operation, .tables = in, .keys = with, .at_s = at_s});
  };
  EXPECT_EQ(decide("PutItem", tables, keys, 60), FaultKind::kTimeout);
  EXPECT_EQ(decide("PutItem", tables, keys, 89.9), FaultKind::kTimeout);
  EXPECT_FALSE(decide("PutItem", tables, keys, 59.9));
  EXPECT_FALSE(decide("PutItem", tables, keys, 90));
  EXPECT_FALSE(decide("GetItem", tables, keys, 60));
  EXPECT_FALSE(decide("PutItem", none, keys, 60));
  EXPECT_FALSE(decide("PutItem", tables, none, 60));
}

TEST(FaultScheduleTest, TheFirstRuleThatHitsDecides) {
  FaultSchedule schedule = Schedule("fault error of PutItem\n\n// all others\nfault region\n");
  EXPECT_EQ(schedule.Decide({.operation = "PutItem"}), FaultKind::kError);
  EXPECT_EQ(schedule.Decide({.operation = "Query"}), FaultKind::kDrop);
}

TEST(FaultScheduleTest, SharesAreExactAtTheirEndsAndRepeat) {
  const auto hits = [](FaultSchedule schedule) {
    std::vector<bool> outcome;
    for (int i = 0; i < 1'000; ++i) {
      outcome.push_back(schedule.Decide({.operation = "Scan"}).has_value());
    }
    return outcome;
  };
  const auto count = [](const std::vector<bool>& outcome) {
    return std::count(outcome.begin(), outcome.end(), true);
  };
  EXPECT_EQ(count(hits(Schedule("fault error 0%"))), 0);
  EXPECT_EQ(count(hits(Schedule("fault error 100%"))), 1'000);
  const auto some = hits(Schedule("fault error 25%"));
  EXPECT_NEAR(static_cast<double>(count(some)), 250, 50);
  EXPECT_EQ(some, hits(Schedule("fault error 25%")));
  EXPECT_NE(some, hits(Schedule("fault error 25%", 2)));
}

}  // namespace
}  // namespace prejoin::engine
