#include "process/task_queue.h"

#include <gtest/gtest.h>

namespace prejoin::process {
namespace {

const TaskQueue::Time kNow{};

Task From(const std::string& client, const std::string& route, std::size_t bytes = 0) {
  Task task;
  task.client = client;
  task.route = route;
  task.body = std::string(bytes, 'x');
  return task;
}

bool Add(TaskQueue& queue, Task task) { return queue.Add(task, kNow); }

TEST(TaskQueue, ClientsTakeTurns) {
  TaskQueue queue({});
  for (const char* route : {"a1", "a2", "a3"}) {
    ASSERT_TRUE(Add(queue, From("a", route)));
  }
  for (const char* route : {"b1", "b2"}) {
    ASSERT_TRUE(Add(queue, From("b", route)));
  }
  std::string order;
  while (auto task = queue.TakeNext()) {
    order += task->route + " ";
  }
  EXPECT_EQ(order, "a1 b1 a2 b2 a3 ");
  EXPECT_EQ(queue.size(), 0u);
}

TEST(TaskQueue, BoundsTasksOfAllAndOfOne) {
  TaskQueue queue({.tasks_max = 3, .client_tasks_max = 2});
  EXPECT_TRUE(Add(queue, From("a", "1")));
  EXPECT_TRUE(Add(queue, From("a", "2")));
  EXPECT_FALSE(Add(queue, From("a", "3")));
  EXPECT_TRUE(Add(queue, From("b", "4")));
  EXPECT_FALSE(Add(queue, From("b", "5")));
  queue.TakeNext();
  EXPECT_TRUE(Add(queue, From("b", "5")));
}

TEST(TaskQueue, BoundsBytesOfAllAndOfOne) {
  TaskQueue queue({.bytes_max = 100, .client_bytes_max = 60});
  EXPECT_FALSE(Add(queue, From("a", "1", 61)));
  EXPECT_TRUE(Add(queue, From("a", "1", 60)));
  EXPECT_FALSE(Add(queue, From("a", "2", 1)));
  EXPECT_FALSE(Add(queue, From("b", "3", 41)));
  EXPECT_TRUE(Add(queue, From("b", "3", 40)));
  queue.TakeNext();
  EXPECT_TRUE(Add(queue, From("a", "2", 60)));
}

TEST(TaskQueue, GivesWhatWaitedTooLong) {
  TaskQueue queue({});
  Task old = From("a", "old");
  Task young = From("a", "young");
  ASSERT_TRUE(queue.Add(old, kNow));
  ASSERT_TRUE(queue.Add(young, kNow + std::chrono::seconds(2)));
  const auto taken = queue.TakeOlder(kNow + std::chrono::seconds(1));
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].route, "old");
  EXPECT_EQ(queue.TakeNext()->route, "young");
}

}  // namespace
}  // namespace prejoin::process
