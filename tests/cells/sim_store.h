// A store whose log a test can cut: a crash keeps the durable commits, and of the others so many as chance allows, in their order. And a
// baton for clients: each has a stack of its own, one of them runs, and at each call of a store chance decides which goes on. All are on
// one thread, so a seed replays, and nothing waits for a scheduler.
#ifndef PREJOIN_TESTS_CELLS_SIM_STORE_H_
#define PREJOIN_TESTS_CELLS_SIM_STORE_H_

#include <ucontext.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "storage/store.h"

namespace prejoin::cells {

// Faults that a test plants to see them found.
enum class Fault {
  kNone,
  kDecisionNotDurable,  // The record of a transaction counts as durable at once.
  kSeenNotDurable,      // Only its record is waited for, not what the transaction has seen.
  kMarkIgnored,         // Readers look into a cell without waiting for marks.
  kWrongOwner,          // Some writes reach another cell.
  kForeignSlice,        // A start takes one cell for another.
  kTokenForgotten,      // The start that completes a transaction loses its token.
  kNoteForgotten,       // A cell does not note that it has applied its part.
};

class Baton {
 public:
  explicit Baton(std::mt19937& random) : random_(random) {}

  // Runs the clients to their ends.
  void Run(const std::vector<std::function<void()>>& clients);
  // At each call of a store. May hand the baton to another client.
  void Step();
  // Grows with each step: the time.
  std::uint64_t now() const { return now_; }

  // The power fails at that step.
  void CrashAt(std::uint64_t step) { crash_at_ = step; }
  bool crashed() const { return crashed_; }
  void PowerOn() {
    crashed_ = false;
    crash_at_ = UINT64_MAX;
  }
  bool Chance(unsigned one_in) { return random_() % one_in == 0; }
  std::mt19937& random() { return random_; }

 private:
  struct Client {
    ucontext_t context;
    std::vector<char> stack;
    const std::function<void()>* work = nullptr;
  };
  static void Enter(unsigned high, unsigned low);

  std::mt19937& random_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::size_t> alive_;
  ucontext_t caller_ = {};
  std::size_t running_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t crash_at_ = UINT64_MAX;
  bool crashed_ = false;
};

// What a cell has on its disk, and what it lost: outlives the store of one life.
struct SimDisk {
  using Batch = std::vector<std::pair<std::string, std::optional<std::string>>>;
  std::vector<Batch> log;
  std::size_t durable = 0;
  std::map<std::string, std::string> state;

  void Apply(const Batch& batch);
  void LoseTail(std::mt19937& random);
};

class SimStore final : public storage::Store {
 public:
  SimStore(Baton& baton, std::vector<SimDisk>& disks, std::size_t cell, Fault fault)
      : baton_(baton), disks_(disks), disk_(disks[cell]), cell_(cell), fault_(fault) {}

  Result<storage::Ticket> Transact(std::span<const std::string> keys, Body body) override;
  Result<std::optional<std::string>> Get(std::string_view key) override;
  Result<Values> GetTogether(std::span<const std::string> keys) override;
  Status Visit(const storage::Range& range, Visitor visitor) override;
  Status DeleteSpace(std::uint32_t space) override;
  storage::Ticket NewestTicket(std::string_view route) const override;
  storage::Ticket NewestTicket() const override;
  bool IsDurable(storage::Ticket ticket) const override;
  Status WaitDurable(storage::Ticket ticket) override;
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) override;
  std::uint64_t ApproximateBytes(std::uint32_t) const override { return 0; }

  // Until the store over the cells is open.
  bool recovering = false;

 private:
  Status CheckPower() const;

  Baton& baton_;
  std::vector<SimDisk>& disks_;
  SimDisk& disk_;
  const std::size_t cell_;
  const Fault fault_;
  storage::Ticket decision_ = 0;  // The newest record.
};

}  // namespace prejoin::cells

#endif  // PREJOIN_TESTS_CELLS_SIM_STORE_H_
