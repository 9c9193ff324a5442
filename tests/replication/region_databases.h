// Three regions of one account, on stores that outlive their databases: a test can stop all of them at any moment and open
// them again, as after a crash.
#ifndef PREJOIN_TESTS_REPLICATION_REGION_DATABASES_H_
#define PREJOIN_TESTS_REPLICATION_REGION_DATABASES_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/replication/region_group.h"
#include "tests/engine/test_database.h"

namespace prejoin {

inline const std::vector<std::string> kRegionNames = {"eu-west-1", "us-east-1", "us-west-2"};

class RegionDatabases {
 public:
  explicit RegionDatabases(const Clock& clock, IndexLag lag = {}) : clock_(clock), lag_(lag) {
    for (const std::string& region : kRegionNames) {
      stores_[region] = storage::NewMemoryStore();
    }
    Open();
  }
  ~RegionDatabases() { Close(); }
  RegionDatabases(const RegionDatabases&) = delete;
  RegionDatabases& operator=(const RegionDatabases&) = delete;

  Database& operator[](const std::string& region) { return *databases_.at(region); }
  engine::Engine& Engine(const std::string& region) {
    return engine::EngineOf(*databases_.at(region));
  }
  engine::RegionGroup& group() { return *group_; }

  void Open() {
    group_ = std::make_shared<engine::RegionGroup>(
        [](const std::string& region, const std::string&) {
          return ValidationError("Region " + region + " is not supported.");
        },
        lag_);
    for (const std::string& region : kRegionNames) {
      Options options;
      options.region = region;
      options.clock = &clock_;
      auto proxy = std::make_unique<StoreProxy>(*stores_[region]);
      proxies_[region] = proxy.get();
      auto opened = engine::Engine::OpenOn(std::move(proxy), options, clock_);
      PJ_CHECK(opened.has_value());
      databases_[region] = engine::DatabaseOn(*std::move(opened));
      engine::RegionGroup::Add(group_, Engine(region));
    }
  }
  void Close() {
    if (group_ != nullptr) {
      group_->Stop();
    }
    databases_.clear();
    group_.reset();
  }
  void Reopen() {
    Close();
    Open();
  }
  // No database writes anything from now on, one after the other in this order, wherever it is in its work.
  void Break(const std::vector<std::string>& regions) {
    for (const std::string& region : regions) {
      proxies_.at(region)->broken = true;
    }
  }
  StoreProxy& proxy(const std::string& region) { return *proxies_.at(region); }

  TableDescription Describe(const std::string& region, const std::string& table) {
    return Must((*this)[region].DescribeTable(table));
  }
  Status AddReplica(const std::string& from, const std::string& table, const std::string& region) {
    ReplicaUpdate update;
    update.create.emplace().region_name = region;
    return Change(from, table, update);
  }
  Status DeleteReplica(const std::string& from, const std::string& table,
                       const std::string& region) {
    ReplicaUpdate update;
    update.remove = region;
    return Change(from, table, update);
  }
  // A table that all regions have.
  void CreateEverywhere(const CreateTableInput& input) {
    Must((*this)[kRegionNames[0]].CreateTable(input));
    for (std::size_t i = 1; i < kRegionNames.size(); ++i) {
      Must(AddReplica(kRegionNames[0], input.table_name, kRegionNames[i]));
      AwaitActive(input.table_name, i + 1);
    }
  }
  // Waits until the first so many regions have the table with all its replicas.
  void AwaitActive(const std::string& table, std::size_t regions = kRegionNames.size()) {
    Await("every replica is ACTIVE", [&] {
      for (std::size_t i = 0; i < regions; ++i) {
        const auto described = (*this)[kRegionNames[i]].DescribeTable(table);
        if (!described || described->status != TableStatus::kActive || !described->replicas ||
            described->replicas->size() != regions - 1) {
          return false;
        }
        for (const ReplicaDescription& replica : *described->replicas) {
          if (replica.status != ReplicaStatus::kActive) {
            return false;
          }
        }
      }
      return true;
    });
  }
  void AwaitSent() {
    Await("all writes are sent", [&] { return group_->waiting() == 0; });
  }
  static void Await(const char* what, const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!is_so()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "waited too long until " << what;
      std::this_thread::yield();
    }
  }

 private:
  Status Change(const std::string& from, const std::string& table, const ReplicaUpdate& update) {
    UpdateTableInput input{.table_name = table};
    input.replica_updates = {update};
    const auto changed = (*this)[from].UpdateTable(input);
    return changed ? Status() : Status(changed.error());
  }

  const Clock& clock_;
  const IndexLag lag_;
  std::map<std::string, std::unique_ptr<storage::Store>> stores_;
  std::map<std::string, StoreProxy*> proxies_;
  std::shared_ptr<engine::RegionGroup> group_;
  std::map<std::string, std::unique_ptr<Database>> databases_;
};

}  // namespace prejoin

#endif  // PREJOIN_TESTS_REPLICATION_REGION_DATABASES_H_
