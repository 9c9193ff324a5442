// Tasks that wait, and whose turn it is.
//
// Every client has a queue of its own, and the clients take turns: one that sends a hundred tasks delays another's single task by
// one of them.
#ifndef PREJOIN_PROCESS_TASK_QUEUE_H_
#define PREJOIN_PROCESS_TASK_QUEUE_H_

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "process/task_runner.h"

namespace prejoin::process {

struct QueueBounds {
  std::size_t tasks_max = 256;
  std::size_t bytes_max = std::size_t{64} << 20;  // The limit on their bodies.
  // The limit for one client.
  std::size_t client_tasks_max = 128;
  std::size_t client_bytes_max = std::size_t{32} << 20;
};

// Thread-compatible.
class TaskQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit TaskQueue(const QueueBounds& bounds) : bounds_(bounds) {}

  // Returns false, with `task` unchanged, if it does not fit.
  bool Add(Task& task, Time now);
  std::optional<Task> TakeNext();
  // Tasks that came before `since`.
  std::vector<Task> TakeOlder(Time since);
  std::vector<Task> TakeAll();

  std::size_t size() const { return tasks_; }

 private:
  struct Waiting {
    Task task;
    Time since;
  };
  struct Client {
    std::string name;
    std::deque<Waiting> waiting;  // Never empty.
    std::size_t bytes = 0;
  };
  Task TakeFirst(Client& client);

  const QueueBounds bounds_;
  std::deque<Client> clients_;  // The first one is next.
  std::size_t tasks_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_TASK_QUEUE_H_
