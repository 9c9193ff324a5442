#include "studio/worker.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace prejoin::studio {
namespace {

TEST(Worker, RunsTasksInOrderAndFinishesThemAll) {
  std::vector<int> order;
  {
    Worker worker(100);
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(worker.Post([&order, i] { order.push_back(i); }));
    }
  }
  ASSERT_EQ(order.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Worker, TakesNoMoreThanMayWait) {
  std::promise<void> started;
  std::promise<void> go_on;
  auto gate = go_on.get_future().share();
  Worker worker(2);
  ASSERT_TRUE(worker.Post([&started, gate] {
    started.set_value();
    gate.wait();
  }));
  started.get_future().wait();  // It runs and does not wait any more.
  EXPECT_TRUE(worker.Post([] {}));
  EXPECT_TRUE(worker.Post([] {}));
  EXPECT_FALSE(worker.Post([] {}));
  go_on.set_value();
}

}  // namespace
}  // namespace prejoin::studio
