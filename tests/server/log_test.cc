#include "server/log.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace prejoin::server {
namespace {

class FixedClock : public Clock {
 public:
  std::int64_t NowMs() const override { return 1767225600123; }
};

// The text that a log writes while `write` uses it.
template <class Write>
std::string Written(LogLevel level, Write write) {
  std::array<int, 2> ends;
  EXPECT_EQ(pipe(ends.data()), 0);
  const FixedClock clock;
  {
    Log log(ends[1], level, clock);
    write(log);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> block;
  ssize_t bytes;
  while ((bytes = read(ends[0], block.data(), block.size())) > 0) {
    text.append(block.data(), static_cast<std::size_t>(bytes));
  }
  close(ends[0]);
  return text;
}

TEST(Log, WritesOneJsonObjectALine) {
  EXPECT_EQ(Written(LogLevel::kInfo,
                    [](Log& log) {
                      log.Info("started", {{"port", 8000}, {"path", "a\"b\\c\n"}});
                      log.Error("over");
                    }),
            "{\"time\":\"2026-01-01T00:00:00.123Z\",\"level\":\"info\",\"event\":\"started\","
            "\"port\":8000,"
            "\"path\":\"a\\\"b\\\\c\\n\"}\n"
            "{\"time\":\"2026-01-01T00:00:00.123Z\",\"level\":\"error\",\"event\":\"over\"}\n");
}

TEST(Log, LeavesOutWhatIsBelowItsLevel) {
  EXPECT_EQ(Written(LogLevel::kWarning, [](Log& log) { log.Info("quiet"); }), "");
  EXPECT_EQ(Written(LogLevel::kOff, [](Log& log) { log.Error("quiet"); }), "");
  EXPECT_FALSE(
      Written(LogLevel::kDebug, [](Log& log) { log.Write(LogLevel::kDebug, "said"); }).empty());
}

// A pipe that nobody reads holds 64 KB; the log drops what its own queue cannot hold, and nobody
// waits.
TEST(Log, DoesNotBlockWhenNobodyReads) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const FixedClock clock;
  {
    Log log(ends[1], LogLevel::kInfo, clock);
    signal(SIGPIPE, SIG_IGN);  // Else the close below would end the test program.
    for (int i = 0; i < 50'000; ++i) {
      log.Info("a line of some length that nobody will read");
    }
    close(ends[0]);  // Frees the writer: its write fails from now on.
  }
  close(ends[1]);
}

TEST(Log, KnowsItsLevelsByName) {
  EXPECT_EQ(ParseLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(ParseLogLevel("off"), LogLevel::kOff);
  EXPECT_EQ(ParseLogLevel("loud"), std::nullopt);
}

}  // namespace
}  // namespace prejoin::server
