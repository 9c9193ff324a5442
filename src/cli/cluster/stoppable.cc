#include "cli/cluster/stoppable.h"

#include <cstdlib>
#include <future>
#include <thread>

#include "cli/verb.h"

namespace prejoin::cli {

void RunUntilStopped(const sigset_t& stop_signals, server::Log& log,
                     const std::function<void()>& work) {
  constexpr timespec kSlice{0, 5'000'000};
  std::promise<void> done;
  const std::future<void> finished = done.get_future();
  std::thread working([&] {
    work();
    done.set_value();
  });
  while (finished.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    const int number = sigtimedwait(&stop_signals, nullptr, &kSlice);
    if (number <= 0) {
      continue;
    }
    log.Info("stopping", {{"signal", number}});
    std::_Exit(kFine);
  }
  working.join();
}

void RunAtMost(std::chrono::milliseconds time, const std::function<void()>& work,
               const std::function<void()>& give_up) {
  std::promise<void> done;
  const std::future<void> finished = done.get_future();
  std::thread working([&] {
    work();
    done.set_value();
  });
  if (finished.wait_for(time) != std::future_status::ready) {
    give_up();
  }
  working.join();
}

}  // namespace prejoin::cli
