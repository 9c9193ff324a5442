// The DynamoDB API as text in, text out: everything between the HTTP server and the engine.
#ifndef PREJOIN_WIRE_SERVICE_H_
#define PREJOIN_WIRE_SERVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/patience.h"
#include "base/request_budget.h"
#include "engine/engine.h"
#include "wire/disturbances.h"

namespace prejoin::transfer {
class Transfers;
}

namespace prejoin::wire {

// The fate of the connection instead of an answer, with an injected fault.
enum class Severed { kNo, kDrop, kTimeout };

struct Answer {
  int status = 200;
  std::string body;
  // The newest commit that the answer depends on; it must not leave before the store is durable up
  // to here.
  decltype(engine::RequestContext::ticket) ticket = 0;
  bool abandoned = false;
  // The obstacle that an abandoned request would have waited for; nothing: it needs a larger budget.
  std::optional<Obstacle> obstacle;
  std::uint64_t work = 0;  // As RequestBudget counts it.
  Severed severed = Severed::kNo;
  double latency_ms = 0;  // The least time that the answer takes.
};

// Says whether an operation changes anything. One that only reads is safe to send twice.
enum class Effect {
  kReads,
  kWrites,
  kDependsOnStatement,  // PartiQL: a SELECT reads.
};

// Says how often, and on which threads, an operation may run.
enum class Running {
  kOnce,         // On a worker, to its end.
  kRepeatable,   // Changes nothing before its only commit: it may be abandoned and run again.
  kTriedOnLoop,  // Repeatable, charges its work first and waits for nobody: an event loop tries it.
};

// Thread-safe.
class Service {
 public:
  // `engine` outlives the service. `bucket_root` is the directory that simulates S3; empty: there is
  // none.
  explicit Service(engine::Engine& engine, const std::string& bucket_root = "");
  ~Service();

  // Ends imports and exports that run, before the engine ends.
  void Stop();
  // Blocks until every import and export so far is done.
  void DrainForTesting();

  // `target` is the X-Amz-Target header, e.g. "DynamoDB_20120810.PutItem", `host` the
  // Host header. The answer is marked as
  // abandoned if `budget` was for a trial and did not suffice, or if the thread may not wait
  // (base/patience.h) and would have had to; nothing has changed then.
  // `access` decides what the caller may do, for this request; null: everything.
  Answer Handle(std::string_view target, std::string_view body,
                const RequestBudget& budget = RequestBudget(), std::string_view host = "localhost",
                engine::AccessControl* access = nullptr) const;

  // From now on requests take their time, and some fail. Outlives the service; before the first request.
  void DisturbWith(Disturbances& disturbances) { disturbances_ = &disturbances; }
  // The fault of this request; nullopt: none. Asked once for each request.
  std::optional<Answer> FaultOf(std::size_t operation, std::string_view body) const;

  // Columns of the table of operations.
  static Effect EffectOf(std::size_t index);
  static Running RunningOf(std::size_t index);

  // The most used keys of tables with Contributor Insights, as JSON.
  std::string InsightsReports() const;
  // Partitions of every table and index, and their metrics by CloudWatch's names, as JSON. Null
  // without physics.
  std::string Partitions() const;

  // For metrics: a number below OperationCount() for each target. The last number stands for all
  // unknown targets.
  static std::size_t OperationCount();
  static std::size_t OperationIndex(std::string_view target);
  static std::string_view OperationName(std::size_t index);  // "PutItem"; "Unknown".

 private:
  engine::Engine& engine_;
  std::unique_ptr<transfer::Transfers> transfers_;
  Disturbances* disturbances_ = nullptr;
};

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_SERVICE_H_
