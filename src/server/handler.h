// The seam between HTTP and what is served over it.
#ifndef PREJOIN_SERVER_HANDLER_H_
#define PREJOIN_SERVER_HANDLER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/patience.h"
#include "prejoin/result.h"
#include "server/http/gzip.h"
#include "server/http/http.h"

namespace prejoin::access {
class RequestAccess;
}

namespace prejoin::server {

class Connection;
class ConnectionHost;

inline constexpr std::uint32_t kNoOperation = 0;  // Health checks, broken requests and the like.

// A body of more bytes is neither read nor hashed on an event loop.
inline constexpr std::size_t kBodyOnLoopBytesMax = 64 * 1024;

// One request on its way. The connection owns it until the answer is written.
struct Exchange {
  HttpResponse response;
  std::uint32_t operation = kNoOperation;  // As Metrics counts them.
  std::uint64_t request_bytes = 0;
  std::chrono::steady_clock::time_point started;
  Coding coding = Coding::kIdentity;  // That the client wants a large answer in.
  // The operation that last was too much for the loop on this connection: its next request goes to
  // a worker at once.
  std::uint32_t heavy_operation = kNoOperation;
  // The obstacle that the request waits for. Set by Handle or Work before they return kOffLoop: Work runs (again) where waiting is allowed.
  std::optional<Obstacle> obstacle;
  int socket = -1;   // The socket of the connection.
  std::string peer;  // The client's address, once somebody has asked for it.
  // The rights of the caller; null: everything.
  std::shared_ptr<access::RequestAccess> access;
};

// Returns true if nobody waits for the answer any more. For work that takes seconds, from any thread, until the
// completion is called; costs a system call. A client that has closed its half of the connection counts as gone:
// one that closed both looks the same until something is sent to it.
bool ClientHasGone(const Exchange& exchange);

// Finishes an exchange that its handler left open. A copyable token of two words: it fits into a
// std::function without an allocation.
class Completion {
 public:
  Completion(ConnectionHost& host, Connection& connection)
      : host_(&host), connection_(&connection) {}

  // Call exactly once, from any thread. Does not block; Handler::Resume runs soon after, on the
  // connection's thread.
  void Finish(Status status) const;

 private:
  ConnectionHost* host_;
  Connection* connection_;
};

enum class Outcome {
  kDone,     // The response is filled in and may leave.
  kLater,    // `completion` will be called (or was already).
  kOffLoop,  // Work is to be called, on a worker; again after Work, which has set `obstacle`.
};

// Thread-safe: called from every loop at once.
class Handler {
 public:
  virtual ~Handler() = default;

  // Runs on the connection's thread, and everything else on that thread waits meanwhile: work that
  // may take more than a millisecond or two belongs into Work. `exchange`
  // stays where it is until the completion is called, so work on another thread may fill its
  // response; `request` does not.
  virtual Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion) = 0;

  // After Handle returned kOffLoop: does the work on a thread on which nobody waits. `request` is a
  // copy that lives until the answer leaves, `exchange` is as Handle left it.
  virtual Outcome Work(const HttpRequest& request, Exchange& exchange, Completion completion) = 0;

  // After Completion::Finish, or Work: the last chance to change the response before it leaves.
  virtual void Resume(Exchange& exchange, const Status& status) = 0;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HANDLER_H_
