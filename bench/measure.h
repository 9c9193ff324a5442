// Calls per second and latency percentiles of one function on some threads, printed as the JSON
// lines that bench/run reads.
#ifndef PREJOIN_BENCH_MEASURE_H_
#define PREJOIN_BENCH_MEASURE_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/student.h"

namespace prejoin::bench {

[[noreturn]] inline void Fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

struct Load {
  int threads = 1;
  double seconds = 1;
  int keys = kStudents;
};

struct Measured {
  double per_second = 0;
  double p50_us = 0;
  double p99_us = 0;
};

// Calls `call(number)` with random numbers below `load.keys` until the time is over. A call that
// returns false ends the program: a benchmark of wrong answers is worth nothing. Every 16th call is
// timed, so that the clock costs little beside a call of 1 µs.
inline Measured Measure(const Load& load, const std::function<bool(int)>& call) {
  using Clock = std::chrono::steady_clock;
  constexpr int kBatch = 16;
  std::atomic<long> calls = 0;
  std::vector<std::vector<double>> samples(static_cast<std::size_t>(load.threads));
  const auto start = Clock::now();
  const auto end = start + std::chrono::duration<double>(load.seconds);
  const auto work = [&](int thread) {
    std::minstd_rand random(static_cast<unsigned>(thread + 1));
    std::uniform_int_distribution<int> pick(0, load.keys - 1);
    long done = 0;
    for (auto now = start; now < end;) {
      const auto before = Clock::now();
      if (!call(pick(random))) {
        Fail("a call failed");
      }
      now = Clock::now();
      samples[static_cast<std::size_t>(thread)].push_back(
          std::chrono::duration<double, std::micro>(now - before).count());
      ++done;
      // With many threads a call waits for a sync, and every one is worth timing.
      for (int i = 1; load.threads == 1 && i < kBatch; ++i, ++done) {
        if (!call(pick(random))) {
          Fail("a call failed");
        }
      }
    }
    calls += done;
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < load.threads; ++thread) {
    threads.emplace_back(work, thread);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();

  std::vector<double> all;
  for (const auto& part : samples) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end());
  const auto percentile = [&](double share) {
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  };
  return {static_cast<double>(calls) / elapsed, percentile(0.5), percentile(0.99)};
}

struct Row {
  std::string operation;
  std::string name;
  std::string kind;
};

inline void Print(const Row& row, const Measured& measured) {
  std::printf(
      R"({"operation":"%s","name":"%s","kind":"%s","per_second":%.0f,"p50_us":%.2f,"p99_us":%.2f})"
      "\n",
      row.operation.c_str(), row.name.c_str(), row.kind.c_str(), measured.per_second,
      measured.p50_us, measured.p99_us);
}

}  // namespace prejoin::bench

#endif  // PREJOIN_BENCH_MEASURE_H_
