// One client connection: bytes in, requests out to the handler, answers back, one at a time.
#ifndef PREJOIN_SERVER_HTTP_CONNECTION_H_
#define PREJOIN_SERVER_HTTP_CONNECTION_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/handler.h"
#include "server/http/gzip.h"
#include "server/http/http.h"
#include "server/http/input_buffer.h"
#include "server/http/owned_request.h"
#include "server/http/peers.h"
#include "server/http/request_parser.h"
#include "server/http/response_head.h"
#include "server/http/transport.h"

namespace prejoin::server {

struct LoopResources;

enum class Life { kGoesOn, kEnded };

class Connection;

// The loop as its connections see it.
class ConnectionHost {
 public:
  // Ends a wait for the handler: OnCompletion is called soon, on the loop's thread. Thread-safe.
  virtual void Complete(Connection& connection, Status status) = 0;
  // Loop thread only: calls OnTurn soon, after others had theirs.
  virtual void QueueTurn(Connection& connection) = 0;

 protected:
  ~ConnectionHost() = default;
};

// Single thread: that of its loop, which destroys it when a call returns kEnded.
//
// A request that arrives whole is served from the loop's shared buffer and copied nowhere. Only
// what is incomplete moves into `input_`, header and body together; the header is parsed again when
// the rest is there, so nothing has to remember where its fields are.
class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Owns `fd`, which is connected and does not block. `peer` has counted it.
  Connection(LoopResources& loop, ConnectionHost& host, int fd, std::shared_ptr<Peer> peer);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // The socket is ready for the last request to epoll.
  Life OnReady();
  Life OnCompletion(const Status& status);
  // Goes on with requests that were left in `input_` to let others have a turn.
  Life OnTurn();
  // Called now and then: ends what has taken too long.
  Life OnTick();
  // Serves what has already arrived, then closes. Called once.
  Life OnDrain();
  // Closes now, or as soon as the completion that it waits for has come.
  Life OnAbort();

  // TLS is not agreed upon yet: nobody knows who this is, and it holds more memory than later.
  bool handshaking() const { return handshaking_ && transport_.handshaking(); }
  const Peer* peer() const { return peer_.get(); }

  // Returns true if clients whose requests are known to be small come first: this one is in the middle of a large
  // body or answer, or nobody knows yet what it will ask for.
  bool can_wait() const {
    return state_ == State::kWriting || phase_ == Phase::kBody || !has_answered_;
  }

  std::size_t place = 0;  // For the loop: where it keeps this connection.

 private:
  enum class State {
    kReading,
    kWaiting,  // For a completion.
    kWriting,  // The client does not take the answer as fast as we give it.
    // Everything is sent; reads and drops what still comes, so that no reset overtakes the answer.
    kLingering,
  };
  enum class Phase { kIdle, kHeader, kBody };
  struct ChunkedRequest;
  struct Step {
    std::size_t used = 0;
    Life life = Life::kGoesOn;
  };

  Life Receive();
  // Serves the requests in `data`; the first `used` bytes are done with.
  Step Process(std::string_view data);
  Step TakeRequest(std::string_view data);
  Step BeginChunked(const RequestParser& parser, std::string_view head);
  Step TakeChunks(std::string_view data);
  Life ProcessInput();
  void NoteProgress();
  void SendContinue();

  Life Serve(HttpRequest request, const RequestParser& parser);
  // Lets the handler answer a complete request.
  Life Hand(const HttpRequest& request);
  // Fills `off_loop_`; false if there is no room.
  bool KeepForWorker(const HttpRequest& request);
  Life ServeOffLoop(const HttpRequest& request);
  // Moves the exchange where it belongs: to a worker, or to the waiting ones. Throws std::system_error.
  void PostWork();
  void WorkOffLoop();
  // Answers 500 for an exception, and tells the log.
  void Fail(std::string_view reason) noexcept;
  // Waits for a worker to whom `post` gives the request that was kept.
  template <class Post>
  Life WaitForWorker(Post&& post);
  // A small body may become a large one: only the beginning is inflated on the loop.
  Life InflateOffLoop(const HttpRequest& request, Coding coding);
  Life ServeInflated();
  Life RefuseInflating(InflateOutcome outcome);
  Life WaitForCompletion();
  // An answer from the HTTP layer itself; the connection closes after it.
  Life Refuse(int status);
  Life Send();
  void CountAnswer();
  Life AfterAnswer();
  Life Flush();
  // Pays for the answer while it waits to be sent; false if there is no room for it.
  bool HoldAnswer();
  void ReleaseAnswer();
  void NoteSent();
  Life Linger();
  Life Discard();

  void Watch(std::uint32_t events);
  Time TransferDeadline(std::size_t bytes) const;

  LoopResources& loop_;
  ConnectionHost& host_;
  const std::shared_ptr<Peer> peer_;
  Transport transport_;
  bool handshaking_;  // Until something was received, or OnReady has seen the end of the handshake.
  std::uint32_t watched_ = 0;

  State state_ = State::kReading;
  Phase phase_ = Phase::kIdle;
  Time deadline_;
  Time transfer_started_;

  InputBuffer input_;
  // The size of `input_` before it is worth parsing again; 0 if not known.
  std::size_t bytes_needed_ = 0;
  bool continue_sent_ = false;
  bool has_answered_ = false;  // Once, on this connection.
  std::unique_ptr<ChunkedRequest> chunked_;

  std::unique_ptr<OwnedRequest> off_loop_;  // While a worker has it.
  struct Inflating {
    explicit Inflating(MemoryBudget& budget) : body(budget) {}
    InflateOutcome outcome = InflateOutcome::kBroken;
    PaidText body;
  };
  std::unique_ptr<Inflating> inflating_;  // While a worker inflates the body of `off_loop_`.

  Exchange exchange_;
  Persistence persistence_ = Persistence::kDefault;
  bool without_body_ = false;  // HEAD.
  bool ending_ = false;        // No further request on this connection.
  bool aborted_ = false;
  bool unwatched_ = false;  // epoll refused it.

  std::string output_;  // While writing: what the socket did not take, from `output_sent_` on.
  std::size_t output_sent_ = 0;
  std::size_t output_held_ = 0;    // Bytes of the budget that the answer holds.
  std::size_t progress_from_ = 0;  // The value of `output_sent_` when the deadline was last extended.
  std::size_t bytes_dropped_ = 0;  // While lingering.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_CONNECTION_H_
