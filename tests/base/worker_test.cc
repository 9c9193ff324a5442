#include "base/worker.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace prejoin {
namespace {

constexpr Worker::Options kFinishing{.at_stop = Worker::AtStop::kFinish, .waiting_max = 100};

TEST(Worker, RunsJobsInOrderAndFinishesThemAll) {
  std::vector<int> order;
  {
    Worker worker(kFinishing);
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(worker.Add([&order, i] { order.push_back(i); }));
    }
  }
  ASSERT_EQ(order.size(), 50u);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

// A job that runs until it is let go on, and says when it has begun.
struct Gate {
  std::promise<void> started;
  std::promise<void> go_on;

  Worker::Job Job() {
    return [this] {
      started.set_value();
      go_on.get_future().wait();
    };
  }
};

TEST(Worker, TakesNoMoreThanMayWait) {
  Gate gate;
  Worker worker({.waiting_max = 2});
  ASSERT_TRUE(worker.Add(gate.Job()));
  gate.started.get_future().wait();  // It runs and does not wait any more.
  EXPECT_TRUE(worker.Add([] {}));
  EXPECT_TRUE(worker.Add([] {}));
  EXPECT_FALSE(worker.Add([] {}));
  gate.go_on.set_value();
}

TEST(Worker, DropsWhatHasNotBegun) {
  Gate gate;
  bool ran = false;
  Worker worker;
  ASSERT_TRUE(worker.Add(gate.Job()));
  ASSERT_TRUE(worker.Add([&ran] { ran = true; }));
  gate.started.get_future().wait();
  std::thread stopper([&worker] { worker.Stop(); });
  while (!worker.stopping()) {
    std::this_thread::yield();
  }
  gate.go_on.set_value();
  stopper.join();
  EXPECT_FALSE(ran);
  EXPECT_FALSE(worker.Add([&ran] { ran = true; }));
}

TEST(Worker, AJobThatWaitsHoldsUpNoOther) {
  std::promise<void> ready;
  std::vector<int> order;
  Worker worker;
  std::promise<void> second_ran;
  ASSERT_TRUE(worker.Add([&order] { order.push_back(1); }, {ready.get_future().share()}));
  ASSERT_TRUE(worker.Add([&order, &second_ran] {
    order.push_back(2);
    second_ran.set_value();
  }));
  second_ran.get_future().wait();
  ready.set_value();
  worker.DrainForTesting();
  EXPECT_EQ(order, (std::vector<int>{2, 1}));
}

TEST(Worker, SweepsAgainAndAgain) {
  int count = 0;
  std::promise<void> third;
  Worker worker;
  worker.AddSweep(std::chrono::milliseconds(1), [&count, &third] {
    if (++count == 3) {
      third.set_value();
    }
  });
  third.get_future().wait();
}

TEST(Worker, SweepsAtOnceWhenAsked) {
  int count = 0;
  Worker worker;
  worker.AddSweep(std::chrono::hours(1), [&count] { ++count; });
  worker.SweepNow();
  worker.SweepNow();
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace prejoin
