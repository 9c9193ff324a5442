#include "storage/syncer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <semaphore>
#include <thread>

#include "base/call_batch.h"

namespace prejoin::storage {
namespace {

// A log whose syncs the test lets through one by one.
struct FakeLog {
  Syncer::Log log() {
    return {[this]() -> Status {
              EXPECT_EQ(++running, 1);
              ++started;
              started.notify_all();
              gate.acquire();
              --running;
              if (failing) {
                return Error{ErrorCode::kIo, "disk on fire"};
              }
              return {};
            },
            [this] { return last.load(); }};
  }
  void WaitForStart(int count) {
    for (int now = started; now < count; now = started) {
      started.wait(now);
    }
  }

  std::atomic<Ticket> last = 0;
  std::atomic<int> started = 0;
  std::atomic<int> running = 0;
  std::atomic<bool> failing = false;
  std::counting_semaphore<> gate{0};
};

TEST(Syncer, TicketTakenDuringASyncWaitsForTheNext) {
  FakeLog log;
  Syncer syncer(SyncMode::kAlways, log.log());
  log.last = 1;
  std::thread first([&] { EXPECT_TRUE(syncer.WaitDurable(1).has_value()); });
  log.WaitForStart(1);
  log.last = 2;
  std::atomic<bool> called = false;
  syncer.WhenDurable(2, [&](const Status& status) {
    EXPECT_TRUE(status.has_value());
    EXPECT_TRUE(syncer.IsDurable(2));
    called = true;
    called.notify_all();
  });
  log.gate.release();
  first.join();
  EXPECT_TRUE(syncer.IsDurable(1));
  EXPECT_FALSE(syncer.IsDurable(2));
  EXPECT_FALSE(called);
  log.gate.release();
  called.wait(false);
  EXPECT_EQ(log.started, 2);
}

TEST(Syncer, ManyWaitersShareASync) {
  FakeLog log;
  Syncer syncer(SyncMode::kAlways, log.log());
  log.last = 100;
  std::vector<std::thread> threads;
  for (Ticket ticket = 1; ticket <= 10; ++ticket) {
    threads.emplace_back([&, ticket] { EXPECT_TRUE(syncer.WaitDurable(ticket).has_value()); });
  }
  log.WaitForStart(1);
  log.gate.release();
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(log.started, 1);
}

TEST(Syncer, CommitThatNobodyWaitsForBecomesDurable) {
  FakeLog log;
  Syncer syncer(SyncMode::kAlways, log.log());
  log.last = 1;
  syncer.NoteCommit();
  log.WaitForStart(1);
  log.last = 2;
  syncer.NoteCommit();
  log.gate.release();
  log.WaitForStart(2);
  log.gate.release();
}

TEST(Syncer, EndSyncsWhatIsLeft) {
  FakeLog log;
  log.gate.release();
  {
    Syncer syncer(SyncMode::kAlways, log.log());
    log.last = 1;
    syncer.NoteCommit();
  }
  EXPECT_EQ(log.started, 1);
}

std::atomic<int> batches = 0;
void CountBatch() { ++batches; }

TEST(Syncer, CallsBackInOneBatch) {
  batches = 0;
  FakeLog log;
  Syncer syncer(SyncMode::kAlways, log.log());
  log.last = 1;
  std::thread first([&] { EXPECT_TRUE(syncer.WaitDurable(1).has_value()); });
  log.WaitForStart(1);
  log.last = 50;
  std::vector<std::thread> threads;
  std::latch all_called(50);
  for (Ticket ticket = 1; ticket <= 50; ++ticket) {
    threads.emplace_back([&, ticket] {
      syncer.WhenDurable(ticket, [&](const Status& status) {
        EXPECT_TRUE(status.has_value());
        EXPECT_TRUE(CallBatch::PutOff(CountBatch));
        all_called.count_down();
      });
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  log.gate.release();
  first.join();
  log.gate.release();
  all_called.wait();
  syncer.Stop();
  EXPECT_EQ(log.started, 2);
  EXPECT_EQ(batches, 2);
}

// Each callback is called exactly once, and only when its ticket is durable, whatever syncs, failures and wake-ups come at the same time.
TEST(Syncer, AnswersEachCallbackOfManyThreadsOnce) {
  constexpr int kThreads = 24;  // More than there are lines.
  constexpr int kCallsOfEach = 2000;
  for (const bool fails : {false, true}) {
    std::atomic<Ticket> last = 0;
    std::atomic<Ticket> synced = 0;
    std::atomic<int> answers = 0;
    std::atomic<int> failures = 0;
    Syncer syncer(SyncMode::kAlways, {.sync = [&]() -> Status {
                                        const Ticket covered = last.load();
                                        std::this_thread::yield();
                                        synced = std::max(synced.load(), covered);
                                        return {};
                                      },
                                      .last = [&] { return last.load(); }});
    // The one behind the fault comes too late for certain; all others may have been answered before.
    const int calls = kThreads * kCallsOfEach + (fails ? 1 : 0);
    const auto commit = [&] {
      const Ticket ticket = ++last;
      syncer.NoteCommit();
      syncer.WhenDurable(ticket, [&, ticket](const Status& status) {
        failures += !status.has_value();
        EXPECT_TRUE(!status.has_value() || synced.load() >= ticket);
        ++answers;
        answers.notify_all();
      });
      return ticket;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int call = 0; call < kCallsOfEach; ++call) {
          if (commit() == kThreads * kCallsOfEach / 2 && fails) {
            syncer.Fail({ErrorCode::kIo, "disk on fire"});
            commit();
          }
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    for (int now = answers; now < calls; now = answers) {
      answers.wait(now);
    }
    syncer.Stop();
    EXPECT_EQ(answers, calls);
    EXPECT_EQ(failures > 0, fails);
  }
}

TEST(Syncer, FailedSyncIsFinalAndNeverTriedAgain) {
  FakeLog log;
  Syncer syncer(SyncMode::kAlways, log.log());
  log.last = 1;
  log.gate.release();
  ASSERT_TRUE(syncer.WaitDurable(1).has_value());
  ASSERT_TRUE(syncer.Check().has_value());

  log.last = 3;
  log.failing = true;
  std::atomic<int> failures = 0;
  const auto count_failure = [&](const Status& status) {
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, ErrorCode::kIo);
    ++failures;
  };
  std::thread waiter([&] { count_failure(syncer.WaitDurable(2)); });
  log.WaitForStart(2);
  syncer.WhenDurable(2, count_failure);
  syncer.WhenDurable(3, count_failure);
  std::thread second([&] { count_failure(syncer.WaitDurable(3)); });
  log.gate.release();
  waiter.join();
  second.join();

  log.failing = false;
  count_failure(syncer.WaitDurable(3));
  syncer.WhenDurable(3, count_failure);
  count_failure(syncer.Check());
  syncer.NoteCommit();
  EXPECT_EQ(log.started, 2);
  EXPECT_FALSE(syncer.IsDurable(2));
  // What was durable before stays so.
  EXPECT_TRUE(syncer.WaitDurable(1).has_value());
}

TEST(Syncer, FailureFromOutsideAnswersEverybody) {
  FakeLog log;
  Syncer syncer(SyncMode::kAlways, log.log());
  log.last = 1;
  std::atomic<int> failures = 0;
  std::thread waiter([&] { failures += !syncer.WaitDurable(1).has_value(); });
  log.WaitForStart(1);
  std::thread second([&] { failures += !syncer.WaitDurable(5).has_value(); });
  syncer.WhenDurable(5, [&](const Status& status) { failures += !status.has_value(); });
  syncer.Fail({ErrorCode::kCorruption, "first"});
  syncer.Fail({ErrorCode::kIo, "second"});
  second.join();
  log.gate.release();
  waiter.join();
  EXPECT_EQ(failures, 2);
  EXPECT_EQ(syncer.Check().error().message, "first");
}

TEST(Syncer, WithoutSyncingEverythingIsDurable) {
  Syncer syncer(SyncMode::kNone, {});
  EXPECT_TRUE(syncer.IsDurable(1000));
  EXPECT_TRUE(syncer.WaitDurable(1000).has_value());
  int calls = 0;
  syncer.WhenDurable(1000, [&](const Status& status) { calls += status.has_value(); });
  EXPECT_EQ(calls, 1);
  syncer.NoteCommit();
  syncer.Fail({ErrorCode::kIo, "no more"});
  EXPECT_EQ(syncer.Check().error().message, "no more");
}

// What fails for want of room goes on once `recover` says so, and not before.
TEST(Syncer, GoesOnAfterAFailureThatPasses) {
  for (const SyncMode mode : {SyncMode::kAlways, SyncMode::kNone}) {
    std::atomic<Ticket> last = 1;
    std::atomic<bool> has_room = false;
    std::atomic<int> attempts = 0;
    std::atomic<int> changes = 0;
    Syncer syncer(mode, {.sync = []() -> Status { return {}; },
                         .last = [&] { return last.load(); },
                         .recover = [&]() -> Status {
                           ++attempts;
                           attempts.notify_all();
                           if (has_room) {
                             return {};
                           }
                           return Error{ErrorCode::kUnavailable, "still full"};
                         },
                         .changed =
                             [&](const Status&) {
                               ++changes;
                               changes.notify_all();
                             }});
    syncer.Fail({ErrorCode::kUnavailable, "full"});
    const std::uint64_t outage = syncer.outage();
    EXPECT_NE(outage, 0u);
    EXPECT_FALSE(syncer.IsDurable(1));
    EXPECT_FALSE(syncer.WaitDurable(1).has_value());
    attempts.wait(0);
    EXPECT_EQ(syncer.outage(), outage);
    has_room = true;
    changes.wait(1);
    EXPECT_EQ(syncer.outage(), 0u);
    EXPECT_TRUE(syncer.Check().has_value());
    EXPECT_TRUE(syncer.IsDurable(1));
    last = 2;
    EXPECT_TRUE(syncer.WaitDurable(2).has_value());
    EXPECT_EQ(changes, 2);
    EXPECT_EQ(syncer.outage_count(), 1u);
  }
}

TEST(Syncer, DoesNotRecoverFromAFinalFailure) {
  std::atomic<int> attempts = 0;
  {
    Syncer syncer(SyncMode::kAlways, {.sync = []() -> Status { return {}; },
                                      .last = [] { return Ticket{1}; },
                                      .recover = [&]() -> Status {
                                        ++attempts;
                                        return {};
                                      }});
    syncer.Fail({ErrorCode::kIo, "disk on fire"});
    syncer.Fail({ErrorCode::kUnavailable, "full"});
    EXPECT_EQ(syncer.Check().error().message, "disk on fire");
  }
  EXPECT_EQ(attempts, 0);
}

}  // namespace
}  // namespace prejoin::storage
