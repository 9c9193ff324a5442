#include "tests/cells/sim_store.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/patience.h"
#include "cells/slices.h"
#include "cells/staged_writes.h"

namespace prejoin::cells {
namespace {

constexpr std::uint32_t kTokens = 1;

class SimTransaction final : public storage::Transaction {
 public:
  std::optional<std::string_view> Value(std::size_t) const override { return std::nullopt; }
  void Put(std::string_view key, std::string_view value) override {
    batch.emplace_back(key, std::string(value));
  }
  void Delete(std::string_view key) override { batch.emplace_back(key, std::nullopt); }

  SimDisk::Batch batch;
};

bool IsInternal(std::string_view key) {
  return SpaceOf(key) == kRecordSpace || SpaceOf(key) == kAppliedSpace;
}

}  // namespace

void Baton::Run(const std::vector<std::function<void()>>& clients) {
  constexpr std::size_t kStackBytes = 512u << 10;
  clients_.clear();
  alive_.clear();
  for (std::size_t i = 0; i < clients.size(); ++i) {
    auto client = std::make_unique<Client>();
    client->stack.resize(kStackBytes);
    client->work = &clients[i];
    PJ_CHECK(getcontext(&client->context) == 0);
    client->context.uc_stack.ss_sp = client->stack.data();
    client->context.uc_stack.ss_size = client->stack.size();
    client->context.uc_link = nullptr;
    // makecontext passes numbers only.
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&client->context, reinterpret_cast<void (*)()>(&Baton::Enter), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
    clients_.push_back(std::move(client));
    alive_.push_back(i);
  }
  running_ = 0;
  const WaitingScope kept(true);  // Clients leave it as they like.
  PJ_CHECK(swapcontext(&caller_, &clients_[0]->context) == 0);
}

void Baton::Enter(unsigned high, unsigned low) {
  auto& self = *reinterpret_cast<Baton*>(std::uintptr_t{high} << 32 | low);
  const std::size_t me = self.running_;
  (*self.clients_[me]->work)();
  std::erase(self.alive_, me);
  if (self.alive_.empty()) {
    setcontext(&self.caller_);
  }
  self.running_ = self.alive_[self.random_() % self.alive_.size()];
  setcontext(&self.clients_[self.running_]->context);
}

void Baton::Step() {
  if (++now_ >= crash_at_) {
    crashed_ = true;
  }
  if (alive_.size() < 2) {
    return;
  }
  const std::size_t me = running_;
  running_ = alive_[random_() % alive_.size()];
  if (running_ != me) {
    const bool may_wait = MayWait();  // Belongs to the client, not to the thread.
    PJ_CHECK(swapcontext(&clients_[me]->context, &clients_[running_]->context) == 0);
    patience_internal::may_wait = may_wait;
  }
}

void SimDisk::Apply(const Batch& batch) {
  for (const auto& [key, value] : batch) {
    if (value) {
      state[key] = *value;
    } else {
      state.erase(key);
    }
  }
}

void SimDisk::LoseTail(std::mt19937& random) {
  log.resize(durable + random() % (log.size() - durable + 1));
  durable = log.size();
  state.clear();
  for (const Batch& batch : log) {
    Apply(batch);
  }
}

Status SimStore::CheckPower() const {
  return baton_.crashed() ? Status(Error{ErrorCode::kIo, "the power is off"}) : Status();
}

Result<storage::Ticket> SimStore::Transact(std::span<const std::string>, Body body) {
  baton_.Step();
  PJ_RETURN_IF_ERROR(CheckPower());
  SimTransaction transaction;
  PJ_RETURN_IF_ERROR(body(transaction));
  if (transaction.batch.empty()) {
    return disk_.log.size();
  }
  SimDisk* disk = &disk_;
  const std::string first = transaction.batch.front().first;  // A fault may erase it.
  if (fault_ == Fault::kWrongOwner && !IsInternal(first) && baton_.Chance(50)) {
    disk = &disks_[(cell_ + 1) % disks_.size()];
  }
  if (fault_ == Fault::kNoteForgotten) {
    std::erase_if(transaction.batch, [](const auto& write) { return SpaceOf(write.first) == kAppliedSpace; });
  }
  if (fault_ == Fault::kTokenForgotten && recovering) {
    std::erase_if(transaction.batch, [](const auto& write) { return SpaceOf(write.first) == kTokens; });
  }
  disk->Apply(transaction.batch);
  const bool decides = SpaceOf(first) == kRecordSpace;
  disk->log.push_back(std::move(transaction.batch));
  const storage::Ticket ticket = disk_.log.size();
  if (decides) {
    decision_ = ticket;
  }
  baton_.Step();
  PJ_RETURN_IF_ERROR(CheckPower());
  return ticket;
}

Result<std::optional<std::string>> SimStore::Get(std::string_view key) {
  baton_.Step();
  PJ_RETURN_IF_ERROR(CheckPower());
  const auto at = disk_.state.find(std::string(key));
  return at == disk_.state.end() ? std::nullopt : std::optional(at->second);
}

Result<storage::Store::Values> SimStore::GetTogether(std::span<const std::string> keys) {
  baton_.Step();
  PJ_RETURN_IF_ERROR(CheckPower());
  Values values;
  for (const std::string& key : keys) {
    const auto at = disk_.state.find(key);
    values.push_back(at == disk_.state.end() ? std::nullopt : std::optional(at->second));
  }
  return values;
}

Status SimStore::Visit(const storage::Range& range, Visitor visitor) {
  baton_.Step();
  PJ_RETURN_IF_ERROR(CheckPower());
  for (auto at = disk_.state.lower_bound(range.begin);
       at != disk_.state.end() && (range.end.empty() || at->first < range.end); ++at) {
    if (visitor(at->first, at->second) == storage::Visit::kStop) {
      break;
    }
  }
  return {};
}

Status SimStore::DeleteSpace(std::uint32_t) { return {}; }

storage::Ticket SimStore::NewestTicket() const {
  return disk_.log.size();
}

storage::Ticket SimStore::NewestTicket(std::string_view route) const {
  for (std::size_t i = disk_.log.size(); i > 0; --i) {
    for (const auto& write : disk_.log[i - 1]) {
      if (write.first.compare(0, storage::kRouteBytes, route, 0, storage::kRouteBytes) == 0) {
        return i;
      }
    }
  }
  return 0;
}

bool SimStore::IsDurable(storage::Ticket ticket) const {
  return disk_.durable >= ticket ||
         (fault_ == Fault::kDecisionNotDurable && ticket == decision_);
}

Status SimStore::WaitDurable(storage::Ticket ticket) {
  if (fault_ == Fault::kSeenNotDurable && ticket != decision_ && !recovering) {
    return {};
  }
  while (!IsDurable(ticket)) {
    baton_.Step();
    PJ_RETURN_IF_ERROR(CheckPower());
    if (baton_.Chance(4)) {
      disk_.durable = disk_.log.size();
    }
  }
  return {};
}

void SimStore::WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) {
  done(WaitDurable(ticket));
}

}  // namespace prejoin::cells
