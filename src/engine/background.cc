#include "engine/background.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/engine.h"
#include "engine/history/backup_catalog.h"
#include "engine/history/history.h"
#include "engine/history/history_trim.h"
#include "engine/history/restore.h"
#include "engine/index/index_build.h"
#include "engine/item/idempotency.h"
#include "engine/item/keys.h"
#include "engine/stream/stream_trim.h"
#include "engine/table/catalog.h"
#include "engine/table/table_stats.h"
#include "engine/ttl/expiry_sweep.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

constexpr auto kLeftoversInterval = std::chrono::seconds(60);
constexpr auto kStopCheckInterval = std::chrono::milliseconds(20);
constexpr std::size_t kTokensPerStep = 256;

// Removes tokens whose window is over, a few at a time. A token that is claimed again meanwhile is
// left alone.
Status SweepTokens(Engine& engine, const BackgroundWork& work) {
  storage::Range range;
  AppendSpace(kTokenSpace, range.begin);
  range.end = PrefixEnd(range.begin);
  const std::int64_t horizon_ms = engine.clock().NowMs() - kIdempotencyWindowMs;
  while (!work.stopping()) {
    std::vector<std::string> old_tokens;
    std::string last;
    std::size_t seen = 0;
    PJ_RETURN_IF_ERROR(
        engine.store().Visit(range, [&](std::string_view key, std::string_view value) {
          last = key;
          if (TokenTimeMs(value) <= horizon_ms) {
            old_tokens.emplace_back(key);
          }
          return ++seen < kTokensPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
        }));
    if (seen == 0) {
      return {};
    }
    PJ_RETURN_IF_ERROR(
        engine.store().Transact(old_tokens, [&](storage::Transaction& transaction) -> Status {
          for (std::size_t i = 0; i < old_tokens.size(); ++i) {
            const auto value = transaction.Value(i);
            if (value && TokenTimeMs(*value) <= horizon_ms) {
              transaction.Delete(old_tokens[i]);
            }
          }
          return {};
        }));
    range.begin = last + '\0';
  }
  return {};
}

// From one space that has anything in it to the next, so that the cost does not grow with the
// number of tables there ever were.
Status DeleteUnused(storage::Store& store, const BackgroundWork& work,
                    const Catalog::Spaces& spaces) {
  storage::Range range;
  AppendSpace(kFirstFreeSpace, range.begin);
  AppendSpace(spaces.next, range.end);
  while (!work.stopping()) {
    std::optional<std::uint32_t> space;
    PJ_RETURN_IF_ERROR(store.Visit(range, [&](std::string_view key, std::string_view) {
      space = SpaceOf(key);
      return storage::Visit::kStop;
    }));
    if (!space) {
      return {};
    }
    if (!spaces.used.contains(*space)) {
      PJ_RETURN_IF_ERROR(store.DeleteSpace(*space));
    }
    range.begin.clear();
    AppendSpace(*space + 1, range.begin);
  }
  return {};
}

}  // namespace

BackgroundWork::BackgroundWork(Engine& engine)
    : engine_(engine), history_trim_(std::make_unique<HistoryTrim>()) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::seconds ttl(std::max(engine.options().ttl_sweep_seconds, 1u));
  sweeps_ = {{&BackgroundWork::SweepExpiredItems, ttl, now + ttl},
             {&BackgroundWork::SweepLeftovers, kLeftoversInterval, now + kLeftoversInterval}};
  // What expired while nothing ran goes at once.
  Add([this] { SweepExpiredItems(); });
  thread_ = std::thread([this] { Run(); });
}

BackgroundWork::~BackgroundWork() { Stop(); }

void BackgroundWork::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void BackgroundWork::BuildIndex(std::string table_name, std::string index_name,
                                Retirements old_versions) {
  Add([this, table_name = std::move(table_name), index_name = std::move(index_name),
       old_versions = std::move(old_versions)] {
    if (!AwaitRetired(old_versions)) {
      return;
    }
    // A failure leaves the index CREATING; the next start tries again.
    const auto not_accepting = AcceptEntries(engine_, table_name, index_name);
    if (not_accepting && AwaitRetired(*not_accepting)) {
      (void)FillIndex(engine_, *this, table_name, index_name);
    }
  });
}

void BackgroundWork::BuildExpiry(std::string table_name, Retirements old_versions) {
  Add([this, table_name = std::move(table_name), old_versions = std::move(old_versions)] {
    if (!AwaitRetired(old_versions)) {
      return;
    }
    // A failure leaves it unfinished; the next start tries again.
    const auto not_accepting = AcceptExpiry(engine_, table_name);
    if (not_accepting && AwaitRetired(*not_accepting)) {
      (void)FillExpiry(engine_, *this, table_name);
    }
  });
}

void BackgroundWork::DropSpaces(std::vector<std::uint32_t> spaces, Retirements old_versions) {
  Add([this, spaces = std::move(spaces), old_versions = std::move(old_versions)] {
    if (!AwaitRetired(old_versions)) {
      return;
    }
    for (const std::uint32_t space : spaces) {
      // What a failure leaves behind can never be read, and is swept at the next start.
      (void)engine_.store().DeleteSpace(space);
    }
  });
}

void BackgroundWork::Restore(std::string table_name) {
  Add([this, table_name = std::move(table_name)] {
    // A failure leaves the table CREATING; the next start goes on.
    (void)FillRestored(engine_, *this, table_name);
  });
}

void BackgroundWork::ReleaseHistory(std::string table_name, const KeptTable& table) {
  Add([this, table_name = std::move(table_name), table] {
    // What a failure leaves behind is found again at the next start.
    (void)engine::ReleaseHistory(engine_, table_name, table);
  });
}

void BackgroundWork::SweepSpaces(Catalog::Spaces spaces) {
  Add([this, spaces = std::move(spaces)] {
    // What a failure leaves behind is found again at the next start.
    (void)DeleteUnused(engine_.store(), *this, spaces);
  });
}

void BackgroundWork::Recount(std::string table_name) {
  Add([this, table_name = std::move(table_name)] {
    // Not the table itself: somebody may wait for the end of this version of it.
    std::vector<std::pair<std::uint32_t, std::shared_ptr<Stats>>> to_count;
    if (const TablePtr table = engine_.catalog().FindOrNull(table_name)) {
      to_count.emplace_back(table->space, table->stats);
      for (const Index& index : table->indexes) {
        to_count.emplace_back(index.space, index.stats);
      }
    }
    for (const auto& [space, stats] : to_count) {
      if (!stopping()) {
        (void)CountSpace(engine_.store(), space, *stats);
      }
    }
  });
}

void BackgroundWork::DrainForTesting() {
  MutexLock lock(mutex_);
  while (busy_ || !jobs_.empty()) {
    lock.Wait(changed_);
  }
}

void BackgroundWork::SweepForTesting() {
  Add([this] {
    SweepExpiredItems();
    SweepLeftovers();
  });
  DrainForTesting();
}

bool BackgroundWork::stopping() const {
  MutexLock lock(mutex_);
  return stopping_;
}

void BackgroundWork::Add(std::function<void()> job) {
  {
    MutexLock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

// What a sweep fails to do is left for the next one.
void BackgroundWork::SweepExpiredItems() { (void)SweepExpired(engine_, *this); }

void BackgroundWork::SweepLeftovers() {
  (void)TrimStreams(engine_, *this);
  (void)SweepTokens(engine_, *this);
  (void)engine_.backups().RemoveExpired(engine_.clock().NowMs());
  (void)history_trim_->Run(engine_, *this);
}

BackgroundWork::Sweep& BackgroundWork::NextSweep() {
  return *std::ranges::min_element(sweeps_, {}, &Sweep::next);
}

void BackgroundWork::Run() {
  while (true) {
    std::function<void()> job;
    Sweep& sweep = NextSweep();
    {
      MutexLock lock(mutex_);
      busy_ = false;
      changed_.notify_all();
      while (!stopping_ && jobs_.empty() && std::chrono::steady_clock::now() < sweep.next) {
        lock.WaitFor(changed_, sweep.next - std::chrono::steady_clock::now());
      }
      if (stopping_) {
        return;
      }
      if (!jobs_.empty()) {
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      busy_ = true;
    }
    if (job) {
      job();
    } else {
      (this->*sweep.run)();
      sweep.next = std::chrono::steady_clock::now() + sweep.interval;
    }
  }
}

bool BackgroundWork::AwaitRetired(const Retirements& versions) {
  for (const std::shared_future<void>& retired : versions) {
    while (retired.wait_for(kStopCheckInterval) != std::future_status::ready) {
      if (stopping()) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace prejoin::engine
