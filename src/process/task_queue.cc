#include "process/task_queue.h"

#include <algorithm>
#include <utility>

namespace prejoin::process {

bool TaskQueue::Add(Task& task, Time now) {
  const std::size_t bytes = task.body.size();
  if (tasks_ >= bounds_.tasks_max || bytes_ + bytes > bounds_.bytes_max) {
    return false;
  }
  auto client = std::ranges::find(clients_, task.client, &Client::name);
  if (client == clients_.end()) {
    if (bytes > bounds_.client_bytes_max) {
      return false;
    }
    clients_.push_back({.name = task.client, .waiting = {}, .bytes = 0});
    client = std::prev(clients_.end());
  } else if (client->waiting.size() >= bounds_.client_tasks_max ||
             client->bytes + bytes > bounds_.client_bytes_max) {
    return false;
  }
  client->waiting.push_back({std::move(task), now});
  client->bytes += bytes;
  bytes_ += bytes;
  ++tasks_;
  return true;
}

Task TaskQueue::TakeFirst(Client& client) {
  Task task = std::move(client.waiting.front().task);
  client.waiting.pop_front();
  client.bytes -= task.body.size();
  bytes_ -= task.body.size();
  --tasks_;
  return task;
}

std::optional<Task> TaskQueue::TakeNext() {
  if (clients_.empty()) {
    return std::nullopt;
  }
  Client client = std::move(clients_.front());
  clients_.pop_front();
  Task task = TakeFirst(client);
  if (!client.waiting.empty()) {
    clients_.push_back(std::move(client));
  }
  return task;
}

std::vector<Task> TaskQueue::TakeOlder(Time since) {
  std::vector<Task> taken;
  for (Client& client : clients_) {
    while (!client.waiting.empty() && client.waiting.front().since < since) {
      taken.push_back(TakeFirst(client));
    }
  }
  std::erase_if(clients_, [](const Client& client) { return client.waiting.empty(); });
  return taken;
}

std::vector<Task> TaskQueue::TakeAll() { return TakeOlder(Time::max()); }

}  // namespace prejoin::process
