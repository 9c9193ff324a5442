// The C functions of include/prejoin/prejoin.h.
//
// A database is an engine and the service that speaks DynamoDB's JSON to it. Calls hold the handle's lock shared. A restore holds it alone and
// puts another engine in place, opened on a fork of the snapshot's store: what an engine keeps in memory is then right by
// construction, because an engine that opens trusts nothing but its store.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "base/mutex.h"
#include "base/patience.h"
#include "capi/movable_clock.h"
#include "capi/open_options.h"
#include "engine/engine.h"
#include "engine/fork.h"
#include "prejoin/prejoin.h"
#include "storage/store.h"
#include "wire/answers/error_json.h"
#include "wire/service.h"

namespace prejoin::capi {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;

// Allocated by malloc, so that prejoin_free needs to know nothing. Null without memory.
char* CopyOf(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) {
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
  }
  return copy;
}

int Fail(std::string_view message, char** error) {
  if (error != nullptr) {
    *error = CopyOf(message);
  }
  return kFailed;
}

// Runs `work` and turns everything that can go wrong into a message: no exception leaves the library.
template <class Work>
int AtBorder(char** error, Work work) {
  if (error != nullptr) {
    *error = nullptr;
  }
  try {
    const Status status = work();
    return status ? kDone : Fail(status.error().message, error);
  } catch (const std::bad_alloc&) {
    return Fail("out of memory", error);
  } catch (const std::exception& exception) {
    return Fail(exception.what(), error);
  } catch (...) {
    return Fail("unexpected exception", error);
  }
}

std::string TargetOf(std::string_view operation) {
  if (operation.find('.') != std::string_view::npos) {
    return std::string(operation);
  }
  std::string target = "DynamoDB_20120810." + std::string(operation);
  if (wire::Service::OperationIndex(target) + 1 == wire::Service::OperationCount()) {
    std::string of_streams = "DynamoDBStreams_20120810." + std::string(operation);
    if (wire::Service::OperationIndex(of_streams) + 1 != wire::Service::OperationCount()) {
      return of_streams;
    }
  }
  return target;
}

}  // namespace
}  // namespace prejoin::capi

// These types and functions have C's names.
// NOLINTBEGIN(readability-identifier-naming)

struct prejoin_snapshot {
  prejoin::Options options;
  std::int64_t ahead_ms = 0;
  std::unique_ptr<prejoin::storage::Store> store;
};

struct prejoin_database {
  prejoin::Options options;
  prejoin::capi::MovableClock clock;

  mutable prejoin::SharedMutex mutex;  // Held alone while `engine` and `service` are replaced.
  std::unique_ptr<prejoin::engine::Engine> engine PJ_GUARDED_BY(mutex);
  std::unique_ptr<prejoin::wire::Service> service PJ_GUARDED_BY(mutex);

  ~prejoin_database() { StopService(); }

  void Use(std::unique_ptr<prejoin::engine::Engine> opened) PJ_NO_THREAD_SAFETY_ANALYSIS {
    StopService();
    service.reset();
    engine = std::move(opened);
    service = std::make_unique<prejoin::wire::Service>(*engine);
  }

 private:
  void StopService() PJ_NO_THREAD_SAFETY_ANALYSIS {
    if (service != nullptr) {
      service->Stop();
    }
  }
};

namespace prejoin::capi {
namespace {

wire::Answer Answer(prejoin_database& database, std::string_view operation, std::string_view body) {
  if (body.size() > kRequestBytesMax) {
    wire::Answer refused;
    const Error error = {ErrorCode::kRequestTooLarge, ""};
    refused.status = wire::StatusOf(error.code);
    wire::AppendError(error, refused.body);
    return refused;
  }
  const WaitingScope waiting(true);
  const RequestBudget budget(RequestBudget::Attempt::kFinal, kRequestWorkMax,
                             kRequestMemoryBytesMax);
  const ReaderLock lock(database.mutex);
  wire::Answer answer = database.service->Handle(TargetOf(operation), body, budget);
  storage::Store& store = database.engine->store();
  if (!store.IsDurable(answer.ticket)) {
    if (const Status durable = store.WaitDurable(answer.ticket); !durable) {
      answer.status = 500;
      answer.body.clear();
      wire::AppendError(durable.error(), answer.body);
    }
  }
  return answer;
}

Status Open(const char* options, prejoin_database** out) {
  if (out == nullptr) {
    return ValidationError("no place for the database");
  }
  *out = nullptr;
  auto database = std::make_unique<prejoin_database>();
  PJ_ASSIGN_OR_RETURN(database->options, ParseOpenOptions(options == nullptr ? "" : options));
  Options with_clock = database->options;
  with_clock.clock = &database->clock;
  PJ_ASSIGN_OR_RETURN(auto engine, engine::Engine::Open(with_clock));
  database->Use(std::move(engine));
  *out = database.release();
  return {};
}

Status Take(prejoin_database* database, prejoin_snapshot** out) {
  if (database == nullptr || out == nullptr) {
    return ValidationError("no database, or no place for the snapshot");
  }
  *out = nullptr;
  auto snapshot = std::make_unique<prejoin_snapshot>();
  const WriterLock lock(database->mutex);
  snapshot->options = database->options;
  snapshot->ahead_ms = database->clock.ahead_ms();
  PJ_ASSIGN_OR_RETURN(snapshot->store, engine::ForkStore(*database->engine));
  *out = snapshot.release();
  return {};
}

Status Restore(prejoin_database* database, const prejoin_snapshot* snapshot) {
  if (database == nullptr || snapshot == nullptr) {
    return ValidationError("no database, or no snapshot");
  }
  if (!database->options.path.empty()) {
    return ValidationError("only a database in memory can be put back to a snapshot");
  }
  const WriterLock lock(database->mutex);
  PJ_ASSIGN_OR_RETURN(auto engine, engine::Engine::OpenOn(snapshot->store->Fork(),
                                                          database->options, database->clock));
  database->Use(std::move(engine));
  database->clock.set_ahead_ms(snapshot->ahead_ms);
  return {};
}

Status OpenSnapshot(const prejoin_snapshot* snapshot, prejoin_database** out) {
  if (snapshot == nullptr || out == nullptr) {
    return ValidationError("no snapshot, or no place for the database");
  }
  *out = nullptr;
  auto database = std::make_unique<prejoin_database>();
  database->options = snapshot->options;
  database->clock.set_ahead_ms(snapshot->ahead_ms);
  PJ_ASSIGN_OR_RETURN(auto engine, engine::Engine::OpenOn(snapshot->store->Fork(),
                                                          database->options, database->clock));
  database->Use(std::move(engine));
  *out = database.release();
  return {};
}

int Call(prejoin_database* database, const char* operation, std::string_view body, char** answer,
         std::size_t* answer_bytes) {
  int status = 500;
  const int done = AtBorder(answer, [&]() -> Status {
    if (database == nullptr || operation == nullptr) {
      return ValidationError("no database, or no operation");
    }
    const wire::Answer made = Answer(*database, operation, body);
    *answer = CopyOf(made.body);
    *answer_bytes = *answer == nullptr ? 0 : made.body.size();
    status = *answer == nullptr ? 500 : made.status;
    return {};
  });
  if (done != kDone) {
    *answer_bytes = *answer == nullptr ? 0 : std::strlen(*answer);
  }
  return status;
}

}  // namespace
}  // namespace prejoin::capi

int prejoin_abi_version(void) { return PREJOIN_ABI_VERSION; }

const char* prejoin_version(void) { return PREJOIN_VERSION; }

int prejoin_open(const char* options, prejoin_database** database, char** error) {
  return prejoin::capi::AtBorder(error, [&] { return prejoin::capi::Open(options, database); });
}

void prejoin_close(prejoin_database* database) { delete database; }

int prejoin_call(prejoin_database* database, const char* operation, const char* body,
                 size_t body_bytes, char** answer, size_t* answer_bytes) {
  if (answer == nullptr || answer_bytes == nullptr) {
    return 500;
  }
  *answer = nullptr;
  *answer_bytes = 0;
  return prejoin::capi::Call(
      database, operation,
      body == nullptr ? std::string_view() : std::string_view(body, body_bytes), answer,
      answer_bytes);
}

int prejoin_snapshot_take(prejoin_database* database, prejoin_snapshot** snapshot, char** error) {
  return prejoin::capi::AtBorder(error, [&] { return prejoin::capi::Take(database, snapshot); });
}

int prejoin_snapshot_restore(prejoin_database* database, const prejoin_snapshot* snapshot,
                             char** error) {
  return prejoin::capi::AtBorder(error, [&] { return prejoin::capi::Restore(database, snapshot); });
}

int prejoin_snapshot_open(const prejoin_snapshot* snapshot, prejoin_database** database,
                          char** error) {
  return prejoin::capi::AtBorder(error,
                                 [&] { return prejoin::capi::OpenSnapshot(snapshot, database); });
}

void prejoin_snapshot_free(prejoin_snapshot* snapshot) { delete snapshot; }

void prejoin_advance_clock(prejoin_database* database, int64_t milliseconds) {
  if (database != nullptr && milliseconds > 0) {
    database->clock.Advance(milliseconds);
  }
}

void prejoin_free(char* text) { std::free(text); }

// NOLINTEND(readability-identifier-naming)
