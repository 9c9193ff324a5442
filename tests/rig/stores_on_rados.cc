// Puts whatever a test program opens on RADOS, if PREJOIN_TEST_RADOS=CEPH_CONF:POOL is set.
//
// The linker leads every call of NewMemoryStore and OpenRocksStore here (--wrap, tests/CMakeLists.txt),
// those of the engine included. So the tests need not know, and none of them can be forgotten. A store
// in memory becomes one in a space of its own. A store on disk becomes one in a space that is named
// after its path; each time it is opened, another client takes the lead from the one before it, as
// one gateway does from another.
//
// With PREJOIN_TEST_CELLS=N each store is one of N cells (src/cells), on this machine.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "cells/cell_folder.h"
#include "cells/cell_store.h"
#include "cluster/load_module.h"
#include "cluster/shared_store.h"
#include "storage/store.h"
#include "tests/cluster/memory_objects.h"

namespace prejoin::storage {

std::unique_ptr<Store> RealNewMemoryStore() __asm__("__real__ZN7prejoin7storage14NewMemoryStoreEv");
Result<std::unique_ptr<Store>> RealOpenRocksStore(const RocksStoreOptions& options) __asm__(
    "__real__ZN7prejoin7storage14OpenRocksStoreERKNS0_17RocksStoreOptionsE");
std::unique_ptr<Store> NewStoreForTesting() __asm__("__wrap__ZN7prejoin7storage14NewMemoryStoreEv");
Result<std::unique_ptr<Store>> OpenStoreForTesting(const RocksStoreOptions& options) __asm__(
    "__wrap__ZN7prejoin7storage14OpenRocksStoreERKNS0_17RocksStoreOptionsE");

namespace {

// A store, and the connection that it needs and that ends after it.
class ConnectedStore final : public Store {
 public:
  ConnectedStore(std::unique_ptr<cluster::ObjectStore> objects, std::unique_ptr<Store> store)
      : objects_(std::move(objects)), store_(std::move(store)) {}

  Result<Ticket> Transact(std::span<const std::string> keys, Body body) override {
    return store_->Transact(keys, body);
  }
  Result<std::optional<std::string>> Get(std::string_view key) override { return store_->Get(key); }
  Result<Values> GetTogether(std::span<const std::string> keys) override {
    return store_->GetTogether(keys);
  }
  Status Visit(const Range& range, Visitor visitor) override {
    return store_->Visit(range, visitor);
  }
  bool VisitSeesOneState() const override { return store_->VisitSeesOneState(); }
  Status DeleteSpace(std::uint32_t space) override { return store_->DeleteSpace(space); }
  Ticket NewestTicket(std::string_view route) const override { return store_->NewestTicket(route); }
  Ticket NewestTicket() const override { return store_->NewestTicket(); }
  bool IsDurable(Ticket ticket) const override { return store_->IsDurable(ticket); }
  Status WaitDurable(Ticket ticket) override { return store_->WaitDurable(ticket); }
  void WhenDurable(Ticket ticket, std::function<void(Status)> done) override {
    store_->WhenDurable(ticket, std::move(done));
  }
  Status Health() const override { return store_->Health(); }
  Status Need(const std::string& feature) override { return store_->Need(feature); }
  std::uint64_t ApproximateBytes(std::uint32_t space) const override {
    return store_->ApproximateBytes(space);
  }

 private:
  std::unique_ptr<cluster::ObjectStore> objects_;
  std::unique_ptr<Store> store_;
};

Result<std::unique_ptr<Store>> OpenOnRados(const std::string& space,
                                           std::vector<std::string> known_features) {
  const std::string where = getenv("PREJOIN_TEST_RADOS");
  const std::size_t colon = where.rfind(':');
  PJ_ASSIGN_OR_RETURN(auto objects, cluster::OpenRados({.configuration = where.substr(0, colon),
                                                        .user = "",
                                                        .pool = where.substr(colon + 1),
                                                        .space = space}));
  PJ_ASSIGN_OR_RETURN(auto store, cluster::OpenSharedStore(
                                      *objects, {.epoch = cluster::TakeLead(*objects),
                                                 .block_cache_bytes = 8u << 20,
                                                 .known_features = std::move(known_features)}));
  return std::make_unique<ConnectedStore>(std::move(objects), std::move(store));
}

// Not in use by another run of this or another program.
std::string FreshSpace() {
  static std::atomic<int> count = 0;
  const auto moment = std::chrono::system_clock::now().time_since_epoch().count();
  return "test." + std::to_string(moment) + "." + std::to_string(++count);
}

// 0: not on cells.
std::size_t CellCount() {
  const char* count = getenv("PREJOIN_TEST_CELLS");
  return count != nullptr ? static_cast<std::size_t>(atoi(count)) : 0;
}

std::unique_ptr<Store> NewCellsInMemory(std::size_t count) {
  cells::Cells cells;
  for (std::size_t i = 0; i < count; ++i) {
    cells.push_back(RealNewMemoryStore());
  }
  auto store = cells::OpenCellStore(std::move(cells), cells::Durability::kKeepsNothing);
  PJ_CHECK(store.has_value());
  return *std::move(store);
}

// A directory that is a cell, or that a test has brought along, stays what it is.
bool CanBeCells(const RocksStoreOptions& options) {
  return CellCount() > 1 && options.sync == SyncMode::kAlways && options.path.find("/cell-") == std::string::npos &&
         !std::filesystem::exists(options.path + "/PREJOIN");
}

}  // namespace

std::unique_ptr<Store> NewStoreForTesting() {
  if (CellCount() > 1) {
    return NewCellsInMemory(CellCount());
  }
  if (!cluster::OnRados()) {
    return RealNewMemoryStore();
  }
  auto store = OpenOnRados(FreshSpace(), RocksStoreOptions().known_features);
  EXPECT_TRUE(store.has_value()) << store.error().message;
  PJ_CHECK(store.has_value());
  return *std::move(store);
}

Result<std::unique_ptr<Store>> OpenStoreForTesting(const RocksStoreOptions& options) {
  if (CanBeCells(options)) {
    return cells::OpenCells(options, CellCount());
  }
  if (!cluster::OnRados()) {
    return RealOpenRocksStore(options);
  }
  return OpenOnRados("test." + options.path, options.known_features);
}

}  // namespace prejoin::storage
