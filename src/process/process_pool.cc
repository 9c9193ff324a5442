#include "process/process_pool.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace prejoin::process {
namespace {

using std::chrono::milliseconds;

// The interval at which a running task's limits and client are checked.
constexpr milliseconds kTick{20};
// The time by the clock that a task may take, in limits of processor time: on a busy machine it gets less than a processor.
constexpr int kClockFactor = 3;
// The interval at which the queue is checked for tasks that waited too long, and the processes for idle ones.
constexpr milliseconds kSweep{500};
constexpr std::size_t kIdleProcessesMax = 2;

bool IsFault(Ending ending) {
  return ending == Ending::kOutOfTime || ending == Ending::kOutOfMemory ||
         ending == Ending::kCrashed || ending == Ending::kTooLarge || ending == Ending::kNotStarted;
}

Answer AnswerCall(const Call& call, const Frame& frame) {
  try {
    return call ? call(frame.name, frame.body) : Answer{400, "{}"};
  } catch (const std::exception&) {
    return {500, "{}"};
  }
}

}  // namespace

ProcessPool::ProcessPool(PoolOptions options)
    : options_(std::move(options)), quick_(options_.quick_bounds), slow_(options_.slow_bounds) {}

bool ProcessPool::Add(Task task) {
  {
    const MutexLock lock(mutex_);
    if (stopping_) {
      return false;
    }
    TaskQueue& queue = task.lane == Lane::kSlow ? slow_ : quick_;
    if (!queue.Add(task, Clock::now())) {
      return false;
    }
    const std::size_t places = options_.quick_places + options_.long_places + options_.slow_places;
    if (quick_.size() + slow_.size() > resting_ && threads_.size() < places) {
      threads_.emplace_back([this] { Run(); });
    }
  }
  changed_.notify_one();
  return true;
}

void ProcessPool::Stop() {
  std::vector<Task> never_run;
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    never_run = quick_.TakeAll();
    for (Task& task : slow_.TakeAll()) {
      never_run.push_back(std::move(task));
    }
  }
  changed_.notify_all();
  for (Task& task : never_run) {
    End(task, Ending::kStopping, {}, {});
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::vector<Idle> idle;
  const MutexLock lock(mutex_);
  idle.swap(idle_);
  processes_ -= idle.size();
}

std::size_t ProcessPool::waiting() const {
  const MutexLock lock(mutex_);
  return quick_.size() + slow_.size();
}

std::size_t& ProcessPool::CountOf(Place place) { return running_[static_cast<std::size_t>(place)]; }

std::optional<ProcessPool::Running> ProcessPool::TakeDue() {
  if (CountOf(Place::kQuick) < options_.quick_places) {
    if (auto task = quick_.TakeNext()) {
      ++CountOf(Place::kQuick);
      return Running{.task = *std::move(task), .place = Place::kQuick, .started = Clock::now()};
    }
  }
  if (CountOf(Place::kSlow) < options_.slow_places) {
    if (auto task = slow_.TakeNext()) {
      ++CountOf(Place::kSlow);
      return Running{.task = *std::move(task), .place = Place::kSlow, .started = Clock::now()};
    }
  }
  return std::nullopt;
}

std::vector<Task> ProcessPool::TakeOverdue(Clock::time_point now) {
  std::vector<Task> overdue = quick_.TakeOlder(now - options_.quick_wait_max);
  for (Task& task : slow_.TakeOlder(now - options_.slow_wait_max)) {
    overdue.push_back(std::move(task));
  }
  return overdue;
}

void ProcessPool::DropIdle(Clock::time_point now, std::vector<Idle>& dropped) {
  const auto old = std::partition(idle_.begin(), idle_.end(), [&](const Idle& one) {
    return now - one.since < options_.idle_max;
  });
  std::move(old, idle_.end(), std::back_inserter(dropped));
  idle_.erase(old, idle_.end());
  processes_ -= dropped.size();
}

std::optional<ProcessPool::Running> ProcessPool::WaitForTask() {
  while (true) {
    std::vector<Idle> dropped;  // Ends its processes without the lock.
    std::vector<Task> overdue;
    {
      MutexLock lock(mutex_);
      if (stopping_) {
        return std::nullopt;
      }
      const auto now = Clock::now();
      overdue = TakeOverdue(now);
      DropIdle(now, dropped);
      if (overdue.empty()) {
        if (auto running = TakeDue()) {
          return running;
        }
        ++resting_;
        if (idle_.empty() && quick_.size() + slow_.size() == 0) {
          lock.Wait(changed_);
        } else {
          lock.WaitFor(changed_, kSweep);
        }
        --resting_;
      }
    }
    for (Task& task : overdue) {
      End(task, Ending::kWaitedTooLong, {}, {});
    }
  }
}

void ProcessPool::Run() {
  while (auto running = WaitForTask()) {
    Serve(*running);
  }
}

std::unique_ptr<WorkerProcess> ProcessPool::TakeIdle() {
  while (true) {
    std::unique_ptr<WorkerProcess> process;
    {
      const MutexLock lock(mutex_);
      if (idle_.empty()) {
        return nullptr;
      }
      process = std::move(idle_.back().process);
      idle_.pop_back();
    }
    if (process->channel().Pump() == FrameChannel::State::kOpen) {
      return process;
    }
    --processes_;  // It ended while it was idle.
  }
}

void ProcessPool::GiveBack(std::unique_ptr<WorkerProcess> process) {
  const MutexLock lock(mutex_);
  if (!stopping_ && idle_.size() < kIdleProcessesMax) {
    idle_.push_back({std::move(process), Clock::now()});
  } else {
    --processes_;
  }
}

void ProcessPool::Serve(Running& running) {
  Result result;
  if (running.task.gone && running.task.gone()) {
    Leave(running);
    return End(running.task, Ending::kClientGone, {}, {});
  }
  try {
    std::unique_ptr<WorkerProcess> process = TakeIdle();
    if (process == nullptr) {
      auto started = WorkerProcess::Start(options_.command);
      if (started) {
        process = *std::move(started);
        ++processes_;
      } else {
        result = {Ending::kNotStarted, {}, started.error().message};
      }
    }
    if (process != nullptr) {
      result = RunIn(*process, running);
      if (result.reusable) {
        GiveBack(std::move(process));
      } else {
        process.reset();
        --processes_;
      }
    }
  } catch (const std::exception& error) {
    result = {Ending::kCrashed, {}, std::string("in the server: ") + error.what()};
  }
  Leave(running);
  End(running.task, result.ending, std::move(result.answer), result.reason);
}

void ProcessPool::Leave(Running& running) {
  {
    const MutexLock lock(mutex_);
    --CountOf(running.place);
    if (running.leaving) {
      --leaving_;
    }
    if (running.place == Place::kLong) {
      const auto client = long_of_client_.find(running.task.client);
      if (--client->second == 0) {
        long_of_client_.erase(client);
      }
    }
  }
  changed_.notify_all();
}

void ProcessPool::End(Task& task, Ending ending, Answer answer, const std::string& reason) {
  ended_[static_cast<std::size_t>(ending)].fetch_add(1, std::memory_order_relaxed);
  if (IsFault(ending) && options_.failed) {
    options_.failed(task.route, ending, reason);
  }
  task.done(ending, std::move(answer));
}

bool ProcessPool::MakeRoom(Running& running) {
  {
    const MutexLock lock(mutex_);
    // One client's long tasks leave room for another's.
    const std::size_t share = std::max<std::size_t>(1, options_.long_places / 2);
    const auto held = long_of_client_.find(running.task.client);
    const bool has_share = held != long_of_client_.end() && held->second >= share;
    if (CountOf(Place::kLong) >= options_.long_places || has_share) {
      // Its place is not needed, or others already leave for everybody who needs one.
      if (quick_.size() <= leaving_) {
        return true;
      }
      ++leaving_;
      running.leaving = true;
      return false;
    }
    --CountOf(Place::kQuick);
    ++CountOf(Place::kLong);
    ++long_of_client_[running.task.client];
    running.place = Place::kLong;
  }
  changed_.notify_one();
  return true;
}

std::optional<Ending> ProcessPool::Overdue(const WorkerProcess& process, Running& running) {
  if (stopping_) {
    return Ending::kStopping;
  }
  const auto elapsed = Clock::now() - running.started;
  const auto processor_time = process.ProcessorTime() - running.processor_before;
  if (processor_time > running.task.limits.time || elapsed > kClockFactor * running.task.limits.time) {
    return Ending::kOutOfTime;
  }
  if (running.task.gone && running.task.gone()) {
    return Ending::kClientGone;
  }
  if (running.place != Place::kQuick) {
    return std::nullopt;
  }
  const bool is_long =
      elapsed > options_.quick_time || processor_time > options_.quick_processor_time;
  if (is_long && !MakeRoom(running)) {
    return Ending::kOvertaken;
  }
  return std::nullopt;
}

ProcessPool::Result ProcessPool::RunIn(WorkerProcess& process, Running& running) {
  const TaskLimits& limits = running.task.limits;
  running.processor_before = process.ProcessorTime();
  FrameChannel& channel = process.channel();
  channel.Queue({.kind = FrameKind::kTask,
                 .first = static_cast<std::uint32_t>(limits.memory_bytes >> 20),
                 .second = static_cast<std::uint32_t>(
                     std::chrono::ceil<std::chrono::seconds>(limits.time).count()),
                 .name = running.task.route,
                 .body = std::move(running.task.body)});
  while (true) {
    const auto state = channel.Pump();
    while (auto frame = channel.Take()) {
      if (frame->kind == FrameKind::kCall) {
        Answer answer = AnswerCall(running.task.call, *frame);
        channel.Queue({.kind = FrameKind::kCallAnswer,
                       .first = static_cast<std::uint32_t>(answer.status),
                       .body = std::move(answer.body)});
        continue;
      }
      if (frame->kind == FrameKind::kOutOfMemory) {
        return {Ending::kOutOfMemory, {}, {}};
      }
      if (frame->kind == FrameKind::kFailed) {
        return {Ending::kCrashed, {}, "exception: " + frame->body};
      }
      if (frame->kind != FrameKind::kAnswer) {
        return {Ending::kCrashed, {}, "an unknown message"};
      }
      return {.ending = Ending::kAnswered,
              .answer = {static_cast<int>(frame->first), std::move(frame->body)},
              .reusable = frame->second == 0};
    }
    if (channel.broken()) {
      return {Ending::kTooLarge, {}, {}};
    }
    if (state != FrameChannel::State::kOpen) {
      const std::string how = process.End(/*by_itself=*/true);
      const bool slow = how.starts_with("signal " + std::to_string(SIGXCPU));
      return {slow ? Ending::kOutOfTime : Ending::kCrashed, {}, how};
    }
    if (const auto ending = Overdue(process, running)) {
      return {*ending, {}, {}};
    }
    pollfd watched{.fd = channel.fd(), .events = POLLIN, .revents = 0};
    if (channel.has_output()) {
      watched.events |= POLLOUT;
    }
    poll(&watched, 1, static_cast<int>(kTick.count()));
  }
}

}  // namespace prejoin::process
