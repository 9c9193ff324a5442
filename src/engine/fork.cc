#include "engine/fork.h"

#include <future>
#include <utility>

#include "base/worker.h"
#include "engine/index/index_outbox.h"
#include "engine/table/catalog.h"
#include "engine/table/table_stats.h"

namespace prejoin::engine {
namespace {

Result<std::unique_ptr<storage::Store>> ForkNow(Engine& engine) {
  std::unique_ptr<storage::Store> fork = engine.store().Fork();
  if (fork == nullptr) {
    return ValidationError("only a database in memory can be copied this way");
  }
  // With a lag, the outbox changes figures on a thread of its own: then the new engine counts for itself.
  if (engine.options().index_lag.max_ms == 0 && engine.index_outbox().waiting() == 0) {
    PJ_RETURN_IF_ERROR(SaveStats(*fork, engine.catalog()));
  }
  return fork;
}

}  // namespace

// Runs on the background thread, so that none of its writes comes between the copy and the figures.
Result<std::unique_ptr<storage::Store>> ForkStore(Engine& engine) {
  std::promise<Result<std::unique_ptr<storage::Store>>> made;
  auto fork = made.get_future();
  if (!engine.background().Add([&] { made.set_value(ForkNow(engine)); })) {
    return Error{ErrorCode::kUnavailable, "the database is closing"};
  }
  return fork.get();
}

}  // namespace prejoin::engine
