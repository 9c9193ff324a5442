#include "base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace prejoin {
namespace {

TEST(Mutex, LetsOneThreadInAtATime) {
  Mutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int step = 0; step < 10'000; ++step) {
        const MutexLock lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(count, 40'000);
}

TEST(MutexLock, GivesTheMutexUpWhileItWaits) {
  Mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread waiter([&] {
    MutexLock lock(mutex);
    while (!ready) {
      lock.Wait(changed);
    }
  });
  {
    const MutexLock lock(mutex);
    ready = true;
  }
  changed.notify_all();
  waiter.join();
}

TEST(SharedMutex, LetsReadersInTogether) {
  SharedMutex mutex;
  const ReaderLock first(mutex);
  bool second_entered = false;
  std::thread([&] {
    const ReaderLock second(mutex);
    second_entered = true;
  }).join();
  EXPECT_TRUE(second_entered);
}

TEST(SharedMutex, KeepsWritersApart) {
  SharedMutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int step = 0; step < 5'000; ++step) {
        const WriterLock lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(count, 20'000);
}

}  // namespace
}  // namespace prejoin
