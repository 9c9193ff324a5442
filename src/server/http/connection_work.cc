// The part of a connection that has to do with other threads: workers, and those who wait for others.
#include <exception>
#include <new>

#include "server/http/compress_answer.h"
#include "server/http/connection.h"
#include "server/http/loop_resources.h"
#include "server/http/protocol_error.h"

namespace prejoin::server {

bool Connection::KeepForWorker(const HttpRequest& request) {
  const std::string_view input = input_.data();
  if (!input.empty() && request.body.data() + request.body.size() == input.data() + input.size()) {
    // The buffer holds this request and nothing after it. Consume finds it empty afterwards.
    off_loop_ = std::make_unique<OwnedRequest>(request, input_.TakeAll(), peer_->received);
  } else if (!peer_->received.TryTake(OwnedRequest::Bytes(request))) {
    return false;
  } else {
    off_loop_ = std::make_unique<OwnedRequest>(request, peer_->received);
  }
  return true;
}

Life Connection::ServeOffLoop(const HttpRequest& request) {
  if (!KeepForWorker(request)) {
    exchange_.response = ProtocolError(503);
    return Send();
  }
  return WaitForWorker([this] { PostWork(); });
}

template <class Post>
Life Connection::WaitForWorker(Post&& post) {
  const Life life = WaitForCompletion();
  try {
    post();
  } catch (const std::exception& failure) {
    loop_.log.Error("no worker can be started", {{"reason", failure.what()}});
    loop_.metrics.waits_ended.Add();
    state_ = State::kReading;
    inflating_.reset();
    off_loop_.reset();
    exchange_.obstacle.reset();
    exchange_.response = ProtocolError(503);
    return Send();
  }
  return life;
}

void Connection::PostWork() {
  const auto work = [this] { WorkOffLoop(); };
  if (exchange_.obstacle) {
    loop_.lanes.Post(*exchange_.obstacle, work);
  } else {
    loop_.workers.Post(work);
  }
}

void Connection::Fail(std::string_view reason) noexcept {
  exchange_.response = HttpResponse();
  exchange_.response.status = 500;
  try {
    exchange_.response = ProtocolError(500);
    loop_.log.Error(
        "a request failed",
        {{"operation", loop_.all_metrics.operation_name(exchange_.operation)}, {"reason", reason}});
  } catch (const std::bad_alloc&) {
    // The status says it all.
  }
}

Life Connection::InflateOffLoop(const HttpRequest& request, Coding coding) {
  if (!KeepForWorker(request)) {
    exchange_.response = ProtocolError(503);
    return Send();
  }
  inflating_ = std::make_unique<Inflating>(peer_->received);
  return WaitForWorker([this, coding] {
    loop_.workers.Post([this, coding] {
      const Completion completion(host_, *this);
      try {
        inflating_->outcome = Inflate(coding, off_loop_->request().body,
                                      loop_.options.body_bytes_max, inflating_->body);
      } catch (const std::bad_alloc&) {
        inflating_->outcome = InflateOutcome::kNoRoom;
      }
      completion.Finish({});
    });
  });
}

Life Connection::ServeInflated() {
  const std::unique_ptr<OwnedRequest> owner = std::move(off_loop_);
  const std::unique_ptr<Inflating> inflated = std::move(inflating_);
  HttpRequest request = owner->request();
  request.sent_body = request.body;
  request.body = inflated->body.text();
  return inflated->outcome == InflateOutcome::kDone ? Hand(request)
                                                    : RefuseInflating(inflated->outcome);
}

// Runs on a worker. The connection waits meanwhile, so request and exchange are the worker's; once
// the completion is called they are the loop's again.
void Connection::WorkOffLoop() {
  const Completion completion(host_, *this);
  Outcome outcome = Outcome::kDone;
  try {
    outcome = loop_.handler.Work(off_loop_->request(), exchange_, completion);
    if (outcome == Outcome::kOffLoop) {
      PostWork();
    }
    if (outcome == Outcome::kDone) {
      Deflater deflater;
      CompressAnswer(exchange_, deflater);
      off_loop_.reset();  // Unmapping megabytes takes a millisecond, which the loop does not have.
    }
  } catch (const std::exception& failure) {
    outcome = Outcome::kDone;
    Fail(failure.what());
  } catch (...) {
    outcome = Outcome::kDone;
    Fail("an exception of an unknown kind");
  }
  if (outcome == Outcome::kDone) {
    completion.Finish({});
  }
}

}  // namespace prejoin::server
