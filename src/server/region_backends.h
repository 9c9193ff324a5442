// Tables kept apart by region and account, as `serve --separate-regions` has them: one database for
// each, created on first use. The credential of a request selects its database; the home region
// and account, and names that are no AWS region, select the home database.
#ifndef PREJOIN_SERVER_REGION_BACKENDS_H_
#define PREJOIN_SERVER_REGION_BACKENDS_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/replication/region_group.h"
#include "prejoin/options.h"
#include "server/engine_backend.h"
#include "server/log.h"

namespace prejoin::server {

// Thread-safe.
class RegionBackends : public OperationBackend {
 public:
  // Each takes memory and open files, so a client cannot have more of them made.
  static constexpr std::size_t kPlacesMax = 32;

  // `home` serves the region and account of `options`; it and `log` outlive this object. Others are
  // in memory if home is, or below regions/ in its directory.
  // Tables with replicas in several regions send their writes to each other after `replication_lag`.
  RegionBackends(EngineBackend& home, Options options, std::string bucket_root, Log& log,
                 IndexLag replication_lag = {});
  ~RegionBackends() override;

  // Opens those that an earlier run has made, so that their background work continues.
  Status OpenExisting();
  // Replication between the databases.
  engine::RegionGroup& group() { return *group_; }
  // As EngineBackend has it; afterwards the databases may be closed.
  void Stop();

  std::vector<std::string> OperationNames() const override { return home_.OperationNames(); }
  std::optional<std::size_t> OperationOf(std::string_view target) const override {
    return home_.OperationOf(target);
  }
  wire::Running RunningOf(std::size_t operation) const override {
    return home_.RunningOf(operation);
  }
  wire::Answer Handle(std::string_view target, const HttpRequest& request,
                      const RequestBudget& budget, engine::AccessControl* access) override;
  std::optional<wire::Answer> FaultOf(std::size_t operation, std::string_view body) override {
    return home_.FaultOf(operation, body);
  }
  Status Health() const override;
  bool IsDurable(storage::Ticket ticket) const override;
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) override;

 private:
  using Place = std::pair<std::string, std::string>;  // Region and account.
  struct Opened {
    std::unique_ptr<engine::Engine> engine;
    std::unique_ptr<EngineBackend> backend;
  };

  std::optional<Place> PlaceOf(const HttpRequest& request) const;
  std::optional<std::size_t> FindNumber(const Place& place) const PJ_EXCLUDES(mutex_);
  // The number of the place's database, which is opened if need be. Takes its time.
  Result<std::size_t> NumberOf(const Place& place, std::size_t places_max = kPlacesMax)
      PJ_EXCLUDES(opening_, mutex_);
  EngineBackend& At(std::size_t number) const PJ_EXCLUDES(mutex_);
  // For a table's replica. Refuses what no region is called.
  Status OpenFor(const std::string& region, const std::string& account)
      PJ_EXCLUDES(opening_, mutex_);

  EngineBackend& home_;
  const Options options_;
  const std::string bucket_root_;
  Log& log_;

  Mutex opening_;  // Held while a database is opened, on a worker. Comes before `mutex_`.
  mutable Mutex mutex_;
  std::map<Place, std::size_t> numbers_ PJ_GUARDED_BY(mutex_);
  std::vector<Opened> opened_ PJ_GUARDED_BY(mutex_);  // Only grows; number 1 is the first.
  const std::shared_ptr<engine::RegionGroup> group_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_REGION_BACKENDS_H_
