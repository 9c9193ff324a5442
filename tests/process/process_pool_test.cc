#include "process/process_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <set>
#include <thread>

namespace prejoin::process {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

struct Ended {
  Ending ending;
  Answer answer;
};

struct Failure {
  std::string route;
  Ending ending;
  std::string reason;
};

// The ids of this process's children, zombies among them.
std::set<int> Children() {
  std::set<int> children;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (int pid = 0; list >> pid;) {
      children.insert(pid);
    }
  }
  return children;
}

// Whether it has ended, and only its parent has not taken note.
bool IsDead(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(file, stat);
  return stat.find(") Z ") != std::string::npos;
}

class ProcessPoolTest : public ::testing::Test {
 protected:
  void Start(PoolOptions options = {}) {
    options.command.arguments = {"worker"};
    options.command.settings = "set ";
    options.failed = [this](const std::string& route, Ending ending, const std::string& reason) {
      const std::lock_guard lock(mutex);
      failures.push_back({route, ending, reason});
    };
    pool = std::make_unique<ProcessPool>(std::move(options));
  }

  static Task Make(const std::string& route, const std::string& body = "",
                   milliseconds time = milliseconds(60'000)) {
    Task task;
    task.route = route;
    task.body = body;
    task.limits = {time, std::size_t{64} << 20};
    return task;
  }

  std::future<Ended> Begin(Task task) {
    auto promise = std::make_shared<std::promise<Ended>>();
    task.done = [promise](Ending ending, Answer answer) {
      promise->set_value({ending, std::move(answer)});
    };
    auto future = promise->get_future();
    EXPECT_TRUE(pool->Add(std::move(task)));
    return future;
  }

  Ended Run(Task task) { return Begin(std::move(task)).get(); }

  // Whatever happened before.
  void ExpectServing() {
    const Ended ended = Run(Make("echo", "hello"));
    EXPECT_EQ(ended.ending, Ending::kAnswered);
    EXPECT_EQ(ended.answer.body, "set hello");
  }

  std::mutex mutex;
  std::vector<Failure> failures;
  std::unique_ptr<ProcessPool> pool;
};

TEST_F(ProcessPoolTest, AnswersFromAProcessThatIsUsedAgain) {
  Start();
  ExpectServing();
  const Ended first = Run(Make("pid"));
  const Ended second = Run(Make("pid"));
  EXPECT_EQ(first.answer.body, second.answer.body);
  EXPECT_NE(first.answer.body, std::to_string(getpid()));
  EXPECT_EQ(pool->processes(), 1u);
  EXPECT_EQ(pool->ended(Ending::kAnswered), 3u);
}

TEST_F(ProcessPoolTest, AFaultEndsTheTaskAndItsProcessOnly) {
  struct Case {
    const char* route;
    const char* reason;
  };
  Start();
  for (const Case& one : {Case{"segfault", "signal 11"}, Case{"check", "internal error at"},
                          Case{"exit", "exit code 7"}, Case{"throw", "thrown: it"},
                          Case{"throw number", "exception"}, Case{"recurse", "signal 11"}}) {
    SCOPED_TRACE(one.route);
    failures.clear();
    EXPECT_EQ(Run(Make(one.route, "it")).ending, Ending::kCrashed);
    ASSERT_EQ(failures.size(), 1u);
    EXPECT_EQ(failures[0].route, one.route);
    EXPECT_THAT(failures[0].reason, HasSubstr(one.reason));
    ExpectServing();
  }
  EXPECT_EQ(pool->ended(Ending::kCrashed), 6u);
}

TEST_F(ProcessPoolTest, MemoryIsLimited) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer maps more than any limit";
#endif
  Start();
  EXPECT_EQ(Run(Make("allocate")).ending, Ending::kOutOfMemory);
  ASSERT_EQ(failures.size(), 1u);
  ExpectServing();
}

TEST_F(ProcessPoolTest, TimeIsLimitedWhetherItWorksOrWaits) {
  Start();
  for (const char* route : {"loop", "pause"}) {
    EXPECT_EQ(Run(Make(route, "", milliseconds(100))).ending, Ending::kOutOfTime) << route;
    ExpectServing();
  }
  EXPECT_EQ(failures.size(), 2u);
}

TEST_F(ProcessPoolTest, AnAnswerThatIsTooLargeIsNotPassedOn) {
  Start();
  Task task = Make("large answer", std::to_string(kAnswerBytesMax + 1));
  task.limits.memory_bytes = std::size_t{512} << 20;
  EXPECT_EQ(Run(std::move(task)).ending, Ending::kTooLarge);
  Task fits = Make("large answer", std::to_string(kAnswerBytesMax));
  fits.limits.memory_bytes = std::size_t{512} << 20;
  EXPECT_EQ(Run(std::move(fits)).answer.body.size(), kAnswerBytesMax);
  ExpectServing();
}

TEST_F(ProcessPoolTest, ACallReachesTheParentAndComesBack) {
  Start();
  Task task = Make("call", "what");
  task.call = [](const std::string& operation, const std::string& body) {
    return Answer{201, operation + " " + body};
  };
  const Ended ended = Run(std::move(task));
  EXPECT_EQ(ended.answer.status, 201);
  EXPECT_EQ(ended.answer.body, "called: Query what");
  EXPECT_EQ(Run(Make("call", "what")).answer.status, 400);  // Nobody answers calls.
}

TEST_F(ProcessPoolTest, ATaskEndsWhenItsClientGoes) {
  Start();
  std::atomic<bool> gone = false;
  Task task = Make("pause");
  task.gone = [&] { return gone.load(); };
  auto ended = Begin(std::move(task));
  gone = true;
  EXPECT_EQ(ended.get().ending, Ending::kClientGone);
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(pool->processes(), 0u);
}

TEST_F(ProcessPoolTest, TheChildHasNoFilesNoNetworkAndNoPowerOverOthers) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "not confined under a sanitizer";
#endif
  Start();
  for (const char* route : {"socket", "file", "program", "signal parent"}) {
    EXPECT_EQ(Run(Make(route)).answer.body, "refused") << route;
  }
  EXPECT_EQ(Run(Make("thread")).answer.body, "ran");
}

TEST_F(ProcessPoolTest, AProcessThatDiesWhileIdleIsReplaced) {
  Start();
  const int pid = std::stoi(Run(Make("pid")).answer.body);
  kill(pid, SIGKILL);
  while (!IsDead(pid)) {
    std::this_thread::yield();
  }
  ExpectServing();
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(pool->processes(), 1u);
}

TEST_F(ProcessPoolTest, QuickTasksPassLongAndSlowOnes) {
  Start();
  std::vector<std::future<Ended>> endless;
  for (int i = 0; i < 4; ++i) {
    Task task = Make("loop");
    task.client = "busy " + std::to_string(i);
    task.lane = i == 0 ? Lane::kSlow : Lane::kQuick;
    endless.push_back(Begin(std::move(task)));
  }
  // With all places for quick and long tasks taken by endless ones, these still have their turn.
  for (int i = 0; i < 20; ++i) {
    ExpectServing();
  }
  pool->Stop();
  for (auto& one : endless) {
    const Ending ending = one.get().ending;
    EXPECT_TRUE(ending == Ending::kStopping || ending == Ending::kOvertaken);
  }
}

TEST_F(ProcessPoolTest, LongTasksGoOnWhileNobodyWaits) {
  PoolOptions options;
  options.long_places = 0;
  Start(options);
  EXPECT_EQ(Run(Make("loop", "", milliseconds(600))).ending, Ending::kOutOfTime);
}

TEST_F(ProcessPoolTest, ATaskThatNeverHasItsTurnIsToldSo) {
  PoolOptions options;
  options.slow_wait_max = milliseconds(50);
  Start(options);
  Task first = Make("pause", "", milliseconds(2'000));
  first.lane = Lane::kSlow;
  auto running = Begin(std::move(first));
  Task second = Make("echo");
  second.lane = Lane::kSlow;
  EXPECT_EQ(Run(std::move(second)).ending, Ending::kWaitedTooLong);
  EXPECT_EQ(running.get().ending, Ending::kOutOfTime);
}

TEST_F(ProcessPoolTest, ManyTasksAtOnceAreAllAnswered) {
  Start();
  std::vector<std::future<Ended>> all;
  for (int i = 0; i < 64; ++i) {
    all.push_back(Begin(Make("echo", std::to_string(i))));
  }
  for (int i = 0; i < 64; ++i) {
    const Ended ended = all[static_cast<std::size_t>(i)].get();
    EXPECT_EQ(ended.ending, Ending::kAnswered);
    EXPECT_EQ(ended.answer.body, "set " + std::to_string(i));
  }
}

TEST_F(ProcessPoolTest, StopEndsTasksAndLeavesNoProcess) {
  const auto before = Children();
  Start();
  std::vector<std::future<Ended>> all;
  for (int i = 0; i < 10; ++i) {
    all.push_back(Begin(Make(i % 2 == 0 ? "loop" : "pause")));
  }
  pool->Stop();
  for (auto& one : all) {
    EXPECT_EQ(one.get().ending, Ending::kStopping);
  }
  EXPECT_EQ(pool->processes(), 0u);
  EXPECT_EQ(Children(), before);
  Task late = Make("echo");
  late.done = [](Ending, Answer) { ADD_FAILURE(); };
  EXPECT_FALSE(pool->Add(std::move(late)));
}

TEST_F(ProcessPoolTest, AProgramThatIsNotThereIsReported) {
  PoolOptions options;
  options.command.executable = "/nonexistent/prejoin";
  Start(options);
  EXPECT_EQ(Run(Make("echo")).ending, Ending::kNotStarted);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0].reason, HasSubstr("No such file"));
}

}  // namespace
}  // namespace prejoin::process
