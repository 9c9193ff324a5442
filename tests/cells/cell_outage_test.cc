// Cells whose disks are full for a while: what was decided is completed when there is room again, and nothing gets in between.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cells/cell_store.h"
#include "tests/storage/stores.h"

namespace prejoin::cells {
namespace {

using storage::MakeKey;
using storage::Ticket;

Error NoRoom() { return {ErrorCode::kUnavailable, "no space left"}; }

// When a cell has no room.
enum class Full {
  kNever,
  kAtWrites,  // Commits are refused.
  kAtSyncs,   // What is committed does not become durable.
};

class FullStore final : public storage::Store {
 public:
  Result<Ticket> Transact(std::span<const std::string> keys, Body body) override {
    if (full == Full::kAtWrites) {
      if (on_refusal) {
        on_refusal();
      }
      return NoRoom();
    }
    return store_->Transact(keys, body);
  }
  Result<std::optional<std::string>> Get(std::string_view key) override { return store_->Get(key); }
  Result<Values> GetTogether(std::span<const std::string> keys) override {
    return store_->GetTogether(keys);
  }
  Status Visit(const storage::Range& range, Visitor visitor) override {
    return store_->Visit(range, visitor);
  }
  Status DeleteSpace(std::uint32_t space) override { return store_->DeleteSpace(space); }
  Ticket NewestTicket(std::string_view route) const override { return store_->NewestTicket(route); }
  Ticket NewestTicket() const override { return store_->NewestTicket(); }
  bool IsDurable(Ticket) const override { return full != Full::kAtSyncs; }
  Status WaitDurable(Ticket) override {
    return full == Full::kAtSyncs ? Status(NoRoom()) : Status();
  }
  void WhenDurable(Ticket ticket, std::function<void(Status)> done) override {
    done(WaitDurable(ticket));
  }
  Status Health() const override { return full == Full::kNever ? Status() : Status(NoRoom()); }
  std::uint64_t Outage() const override { return full == Full::kNever ? 0 : 1; }
  std::uint64_t ApproximateBytes(std::uint32_t) const override { return 0; }

  std::atomic<Full> full = Full::kNever;
  std::function<void()> on_refusal;

 private:
  const std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
};

class CellOutage : public testing::Test {
 protected:
  static constexpr std::size_t kCount = 4;

  CellOutage() {
    Cells cells;
    for (std::size_t i = 0; i < kCount; ++i) {
      auto child = std::make_unique<FullStore>();
      children_.push_back(child.get());
      cells.push_back(std::move(child));
    }
    store_ = *OpenCellStore(std::move(cells), Durability::kKeepsData);
  }

  // In that cell.
  static std::string KeyIn(std::uint32_t cell) { return MakeKey(16, (cell << 30) + 1, "k"); }

  // Puts the value into each of the cells. `meanwhile` comes between the reads of the transaction and its commit.
  Status Put(const std::vector<std::uint32_t>& cells, const std::string& value,
             const std::function<void()>& meanwhile = [] {}) {
    std::vector<std::string> keys;
    for (const std::uint32_t cell : cells) {
      keys.push_back(KeyIn(cell));
    }
    const auto ticket = store_->Transact(keys, [&](storage::Transaction& transaction) -> Status {
      for (const std::string& key : keys) {
        transaction.Put(key, value);
      }
      meanwhile();
      return {};
    });
    return ticket ? Status() : Status(ticket.error());
  }
  Status PutWhileFull(const std::vector<std::uint32_t>& cells, std::uint32_t full_cell, Full full) {
    return Put(cells, "new", [&] { children_[full_cell]->full = full; });
  }
  std::string ValueIn(std::uint32_t cell) {
    const auto value = store_->Get(KeyIn(cell));
    return !value ? "error" : value->value_or("nothing");
  }
  void MakeRoom() {
    for (FullStore* child : children_) {
      child->full = Full::kNever;
    }
  }
  // The moment is the store's to choose.
  bool WritesAgain() {
    for (int i = 0; i < 1000; ++i) {
      if (store_->Health() && Put({3}, "again")) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  std::vector<FullStore*> children_;
  std::unique_ptr<storage::Store> store_;
};

TEST_F(CellOutage, PartThatFoundNoRoomFollows) {
  ASSERT_TRUE(Put({0, 1, 2}, "old"));
  const Status written = PutWhileFull({0, 1, 2}, 1, Full::kAtWrites);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(ValueIn(0), "error") << "nobody sees a part of it";
  EXPECT_EQ(ValueIn(2), "error");
  EXPECT_FALSE(Put({3}, "refused"));
  EXPECT_FALSE(store_->Health());

  MakeRoom();
  ASSERT_TRUE(WritesAgain());
  for (const std::uint32_t cell : {0u, 1u, 2u}) {
    EXPECT_EQ(ValueIn(cell), "new") << cell;
  }
}

TEST_F(CellOutage, NobodyWritesWhereAPartIsMissing) {
  ASSERT_TRUE(Put({0, 1, 2}, "old"));
  // Waits for the latch of cell 2 while the transaction below fails in cell 1, before it gets to cell 2.
  std::thread other;
  std::atomic<bool> acknowledged = false;
  children_[1]->on_refusal = [&] {
    if (!other.joinable()) {
      children_[1]->full = Full::kNever;  // So that nothing but the missing part stops it.
      other = std::thread([&] { acknowledged = Put({2}, "newer").has_value(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  };
  const Status written = PutWhileFull({0, 1, 2}, 1, Full::kAtWrites);
  EXPECT_FALSE(written);
  other.join();
  ASSERT_TRUE(WritesAgain());
  EXPECT_EQ(ValueIn(2), acknowledged ? "newer" : "new");
  EXPECT_EQ(ValueIn(0), "new");
  EXPECT_EQ(ValueIn(1), "new");
}

TEST_F(CellOutage, RecordThatIsSyncedLaterCounts) {
  ASSERT_TRUE(Put({0, 1}, "old"));
  ASSERT_FALSE(PutWhileFull({0, 1}, 0, Full::kAtSyncs));
  MakeRoom();
  ASSERT_TRUE(WritesAgain());
  EXPECT_EQ(ValueIn(0), "new");
  EXPECT_EQ(ValueIn(1), "new");
}

TEST_F(CellOutage, RecordThatWasRefusedDoesNot) {
  ASSERT_TRUE(Put({0, 1}, "old"));
  ASSERT_FALSE(PutWhileFull({0, 1}, 0, Full::kAtWrites));
  MakeRoom();
  ASSERT_TRUE(WritesAgain());
  EXPECT_EQ(ValueIn(0), "old");
  EXPECT_EQ(ValueIn(1), "old");
}

}  // namespace
}  // namespace prejoin::cells
