// Rates that change over the day: the simulation begins at the busiest hour, or where it is told to, and goes over midnight.
#include <gtest/gtest.h>

#include <string>

#include "model/bind/read_model.h"
#include "simulate/daily_rates.h"
#include "simulate/report.h"
#include "simulate/scenario.h"
#include "simulate/simulator.h"
#include "simulate/workload.h"

namespace prejoin::simulate {
namespace {

std::string ModelWith(const std::string& rate) {
  return R"(model "M"
entity Thing {
  id    text(~8) key
  count 500
}
pattern Get "One" {
  find Thing where id = :id
  rate )" + rate +
         R"(
}
table Things partition PK {
  item Thing {
    PK = "T#{id}"
  }
}
)";
}

Outcome Simulated(const std::string& rate, const std::string& lines) {
  const auto read = model::ReadModel(ModelWith(rate));
  const auto workload = MakeWorkload(read.model, {.rows = 500, .days = ReadDailyRates(read.tree)});
  EXPECT_TRUE(workload.has_value()) << (workload ? "" : workload.error().message);
  const auto scenario = ParseScenario("scenario \"S\" {\n" + lines + "\n}\n");
  EXPECT_TRUE(scenario.has_value()) << (scenario ? "" : scenario.error().message);
  auto outcome = Simulate(*workload, *scenario);
  EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : outcome.error().message);
  return outcome ? *std::move(outcome) : Outcome();
}

double CallsPerSecond(const std::string& rate, const std::string& lines) {
  const Outcome outcome = Simulated(rate, lines);
  return static_cast<double>(outcome.all.calls) / outcome.seconds;
}

constexpr char kMorning[] = "2/s, 100/s from 08:00 to 10:00";
constexpr char kNight[] = "2/s, 100/s from 23:30 to 00:30";

TEST(DailyRate, BeginsAtTheBusiestHour) {
  EXPECT_NEAR(CallsPerSecond(kMorning, "for 10 minutes"), 100, 3);
  EXPECT_EQ(Simulated(kMorning, "for 1 minutes").start_hour, 8);
  EXPECT_EQ(Simulated(kNight, "for 1 minutes").start_hour, 23.5);
  EXPECT_EQ(Simulated("5/s", "for 1 minutes").start_hour, std::nullopt);
  // The hours outside of those that are stated may be the busiest.
  EXPECT_NEAR(CallsPerSecond("100/s, 2/s from 00:00 to 06:00", "for 2 minutes"), 100, 5);
}

TEST(DailyRate, FollowsTheHours) {
  EXPECT_NEAR(CallsPerSecond(kMorning, "start 07:00\nfor 30 minutes"), 2, 0.3);
  EXPECT_NEAR(CallsPerSecond(kMorning, "start 09:30\nfor 60 minutes"), 51, 2);
}

TEST(DailyRate, GoesOverMidnight) {
  EXPECT_NEAR(CallsPerSecond(kNight, "start 23:00\nfor 2 hours"), 51, 2);
  EXPECT_NEAR(CallsPerSecond(kNight, "start 00:00\nfor 30 minutes"), 100, 3);
  EXPECT_NEAR(CallsPerSecond(kNight, "start 00:30\nfor 30 minutes"), 2, 0.3);
}

TEST(DailyRate, PeaksWhereTheyAreAskedFor) {
  EXPECT_NEAR(CallsPerSecond("5/s peak 50/s", "for 5 minutes"), 5, 1);
  EXPECT_NEAR(CallsPerSecond("5/s peak 50/s", "load peak\nfor 5 minutes"), 50, 2);
  EXPECT_NEAR(CallsPerSecond(kMorning, "start 03:00\nload peak\nfor 5 minutes"), 100, 3);
  EXPECT_NEAR(CallsPerSecond("5/s", "load peak\nfor 5 minutes"), 5, 1);
  EXPECT_TRUE(Simulated("5/s peak 50/s", "for 1 minutes").is_below_peak);
  EXPECT_FALSE(Simulated("5/s peak 50/s", "load peak\nfor 1 minutes").is_below_peak);
  EXPECT_FALSE(Simulated("5/s", "for 1 minutes").is_below_peak);
}

TEST(DailyRate, WrongTimesOfDay) {
  for (const char* line : {"start", "start 8", "start 24:00", "start 08:60", "start 8:30 am", "start -1:00", "start 1.5:00", "start nan:00", "load peak 2"}) {
    const auto scenario = ParseScenario(std::string("scenario \"S\" {\n") + line + "\n}\n");
    ASSERT_FALSE(scenario.has_value()) << line;
    EXPECT_NE(scenario.error().message.find("line 2: write "), std::string::npos) << scenario.error().message;
  }
}

}  // namespace
}  // namespace prejoin::simulate
