#include "server/http/connection.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <new>
#include <span>
#include <vector>

#include "base/check.h"
#include "server/http/compress_answer.h"
#include "server/http/loop_resources.h"
#include "server/http/protocol_error.h"

namespace prejoin::server {
namespace {

// A client that sends many requests at once shares the thread with others.
constexpr int kRequestsPerTurn = 16;
constexpr std::chrono::milliseconds kTurnTime{1};
// A socket may give or take megabytes in one call, which takes milliseconds. Others have their turn between two slices of them.
constexpr std::size_t kSliceBytes = LoopResources::kReadBytes;
constexpr std::chrono::seconds kLingerTime{2};
constexpr std::size_t kLingerBytesMax = 64 * 1024 * 1024;
constexpr Connection::Time kNever = Connection::Time::max();

// An answer up to this size may leave even if there is no memory for any to wait.
constexpr std::size_t kSmallAnswerBytes = 64 * 1024;
// Twenty kilobytes may become sixteen megabytes: a body of that size takes a loop no noticeable time.
constexpr std::size_t kInflatedOnLoopBytes = 64 * 1024;

bool WouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

// A request with a chunked body, decoded as it comes. Rare, so it may cost an allocation.
struct Connection::ChunkedRequest {
  ChunkedRequest(const ParserLimits& limits, std::string_view header)
      : head(header), fields(LoopResources::kFieldsMax), parser(limits, fields) {}

  const std::string head;  // The parser's fields point into it.
  std::vector<HeaderField> fields;
  RequestParser parser;
  std::string body;
  std::size_t budget_taken = 0;
};

bool ClientHasGone(const Exchange& exchange) {
  pollfd watched{.fd = exchange.socket, .events = POLLRDHUP, .revents = 0};
  return poll(&watched, 1, 0) > 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void Completion::Finish(Status status) const { host_->Complete(*connection_, std::move(status)); }

Connection::Connection(LoopResources& loop, ConnectionHost& host, int fd,
                       std::shared_ptr<Peer> peer)
    : loop_(loop),
      host_(host),
      peer_(std::move(peer)),
      transport_(fd, loop.options.tls),
      handshaking_(loop.options.tls != nullptr),
      input_(peer_->received) {
  deadline_ =
      loop_.now + (handshaking_ ? loop_.options.handshake_timeout : loop_.options.idle_timeout);
  exchange_.socket = fd;
  loop_.metrics.connections_opened.Add();
  Watch(EPOLLIN);
}

Connection::~Connection() {
  // To close the socket does not suffice: a process that is being started has it too until it executes its
  // program, and epoll would go on to report it, under the address of this object.
  Watch(0);
  if (chunked_) {
    peer_->received.Give(chunked_->budget_taken);
  }
  ReleaseAnswer();
  --peer_->connections;
  loop_.metrics.connections_closed.Add();
}

Life Connection::OnReady() {
  switch (state_) {
    case State::kReading:
      return Receive();
    case State::kWaiting:
      // More requests, or a hang-up. Neither matters until the completion, and epoll would report
      // it again and again.
      Watch(0);
      return Life::kGoesOn;
    case State::kWriting:
      return Flush();
    case State::kLingering:
      return Discard();
  }
  return Life::kEnded;
}

Life Connection::OnCompletion(const Status& status) {
  PJ_CHECK(state_ == State::kWaiting);
  loop_.metrics.waits_ended.Add();
  state_ = State::kReading;
  if (!inflating_) {
    off_loop_.reset();
    exchange_.obstacle.reset();
    loop_.handler.Resume(exchange_, status);
  }
  if (aborted_) {
    loop_.metrics.requests_ended.Add();
    return Life::kEnded;
  }
  if ((inflating_ ? ServeInflated() : Send()) == Life::kEnded) {
    return Life::kEnded;
  }
  return ProcessInput();
}

Life Connection::OnTurn() {
  if (ProcessInput() == Life::kEnded) {
    return Life::kEnded;
  }
  return state_ == State::kReading && transport_.HasPending() ? Receive() : Life::kGoesOn;
}

Life Connection::OnTick() {
  if (unwatched_ && state_ != State::kWaiting) {
    return Life::kEnded;
  }
  if (loop_.now < deadline_) {
    return Life::kGoesOn;
  }
  if (state_ != State::kReading || phase_ == Phase::kIdle) {
    return Life::kEnded;
  }
  return Refuse(408);
}

Life Connection::OnDrain() {
  if (state_ != State::kReading) {
    return Life::kGoesOn;  // Send() sees that the loop drains.
  }
  return Receive();
}

Life Connection::OnAbort() {
  aborted_ = true;
  return state_ == State::kWaiting ? Life::kGoesOn : Life::kEnded;
}

Life Connection::Receive() {
  const bool borrowed = input_.empty();
  std::span<char> space{loop_.read_buffer.get(), LoopResources::kReadBytes};
  if (!borrowed) {
    const std::size_t total =
        bytes_needed_ > 0 ? bytes_needed_ : loop_.options.header_bytes_max + 1;
    if (!input_.MakeRoom(total)) {
      return Refuse(503);
    }
    space = input_.free_space();
    space = space.first(std::min(space.size(), kSliceBytes));
  }
  const ssize_t received = transport_.Receive(space);
  const int error = errno;
  Watch(transport_.wants_to_send() ? EPOLLIN | EPOLLOUT : EPOLLIN);
  if (received == 0) {
    return Life::kEnded;
  }
  if (received < 0) {
    if (!WouldBlock(error)) {
      return Life::kEnded;
    }
    if (handshaking_ && !transport_.handshaking()) {
      handshaking_ = false;
      deadline_ = loop_.now + loop_.options.idle_timeout;
    }
    const bool idle = phase_ == Phase::kIdle;
    return loop_.draining && idle ? Life::kEnded : Life::kGoesOn;
  }
  const auto bytes = static_cast<std::size_t>(received);
  loop_.metrics.bytes_received.Add(bytes);
  // The socket will not report what TLS has taken from it already.
  if (transport_.HasPending()) {
    host_.QueueTurn(*this);
  }
  if (!borrowed) {
    input_.Filled(bytes);
    return ProcessInput();
  }
  const std::string_view data(space.data(), bytes);
  const Step step = Process(data);
  if (step.life == Life::kEnded) {
    return Life::kEnded;
  }
  if (step.used < data.size() && !ending_ && !input_.Append(data.substr(step.used))) {
    if (state_ == State::kReading) {
      return Refuse(503);
    }
    ending_ = true;  // The answer under way says that nothing after it was read.
  }
  NoteProgress();
  return Life::kGoesOn;
}

Life Connection::ProcessInput() {
  if (state_ != State::kReading) {
    return Life::kGoesOn;
  }
  if (!input_.empty()) {
    const Step step = Process(input_.data());
    if (step.life == Life::kEnded) {
      return Life::kEnded;
    }
    if (ending_) {
      input_.Release();
    } else {
      input_.Consume(step.used);
    }
  }
  NoteProgress();
  return Life::kGoesOn;
}

Connection::Step Connection::Process(std::string_view data) {
  Step all;
  Time begun;
  for (int turn = 0; state_ == State::kReading && all.used < data.size(); ++turn) {
    if (turn == kRequestsPerTurn || (turn > 0 && exchange_.started - begun > kTurnTime)) {
      host_.QueueTurn(*this);
      break;
    }
    const Step step = TakeRequest(data.substr(all.used));
    if (turn == 0) {
      begun = exchange_.started;
    }
    all.used += step.used;
    all.life = step.life;
    if (step.used == 0 || step.life == Life::kEnded) {
      break;
    }
  }
  return all;
}

Connection::Step Connection::TakeRequest(std::string_view data) {
  if (chunked_) {
    return TakeChunks(data);
  }
  if (data.size() < bytes_needed_) {
    return {};
  }
  const ParserLimits limits{loop_.options.header_bytes_max, loop_.options.body_bytes_max};
  RequestParser& parser = loop_.parser.emplace(limits, loop_.fields);
  const auto [head_bytes, error_status] = parser.ParseHeader(data);
  if (error_status != 0) {
    return {data.size(), Refuse(error_status)};
  }
  if (!parser.header_done()) {
    return {};
  }
  if (parser.chunked()) {
    return BeginChunked(parser, data.substr(0, head_bytes));
  }
  const std::size_t total = head_bytes + static_cast<std::size_t>(parser.content_length());
  if (data.size() < total) {
    bytes_needed_ = total;
    if (parser.expects_continue()) {
      SendContinue();
    }
    return {};
  }
  bytes_needed_ = 0;
  HttpRequest request = parser.request();
  request.body = data.substr(head_bytes, total - head_bytes);
  exchange_.request_bytes = total;
  return {total, Serve(request, parser)};
}

Connection::Step Connection::BeginChunked(const RequestParser& parser, std::string_view head) {
  const ParserLimits limits{loop_.options.header_bytes_max, loop_.options.body_bytes_max};
  chunked_ = std::make_unique<ChunkedRequest>(limits, head);
  const auto again = chunked_->parser.ParseHeader(chunked_->head);
  PJ_CHECK(again.used == head.size() && chunked_->parser.header_done());
  if (parser.expects_continue()) {
    SendContinue();
  }
  return {head.size(), Life::kGoesOn};
}

Connection::Step Connection::TakeChunks(std::string_view data) {
  ChunkedRequest& chunked = *chunked_;
  // The decoded bytes are fewer than the raw ones, and a string at most doubles.
  const std::size_t wanted = 2 * (chunked.body.size() + data.size());
  if (wanted > chunked.budget_taken) {
    if (!peer_->received.TryTake(wanted - chunked.budget_taken)) {
      return {data.size(), Refuse(503)};
    }
    chunked.budget_taken = wanted;
  }
  const auto [used, error_status] = chunked.parser.ParseChunks(data, chunked.body);
  if (error_status != 0) {
    return {data.size(), Refuse(error_status)};
  }
  if (!chunked.parser.done()) {
    // A chunk header or trailer that never ends.
    if (data.size() - used > loop_.options.header_bytes_max) {
      return {data.size(), Refuse(431)};
    }
    return {used, Life::kGoesOn};
  }
  const std::unique_ptr<ChunkedRequest> request_owner = std::move(chunked_);
  peer_->received.Give(request_owner->budget_taken);
  HttpRequest request = request_owner->parser.request();
  request.body = request_owner->body;
  exchange_.request_bytes = request_owner->head.size() + request_owner->body.size();
  return {used, Serve(request, request_owner->parser)};
}

// Sets the deadline of the next phase.
void Connection::NoteProgress() {
  if (state_ != State::kReading) {
    return;
  }
  if (chunked_ || bytes_needed_ > 0) {
    if (phase_ != Phase::kBody) {
      transfer_started_ = loop_.now;
    }
    phase_ = Phase::kBody;
    deadline_ = std::min(TransferDeadline(chunked_ ? chunked_->body.size() : input_.data().size()),
                         loop_.now + loop_.options.progress_timeout);
  } else if (!input_.empty()) {
    if (phase_ != Phase::kHeader) {
      deadline_ = loop_.now + loop_.options.header_timeout;
    }
    phase_ = Phase::kHeader;
  } else {
    phase_ = Phase::kIdle;
    deadline_ = loop_.now + loop_.options.idle_timeout;
  }
}

void Connection::SendContinue() {
  if (continue_sent_) {
    return;
  }
  continue_sent_ = true;
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  // A socket that cannot take 25 bytes has other troubles, which the next call on it will show.
  iovec part{const_cast<char*>(kContinue.data()), kContinue.size()};
  (void)transport_.Send({&part, 1});
}

Life Connection::Serve(HttpRequest request, const RequestParser& parser) {
  phase_ = Phase::kIdle;  // Whatever comes next is a new request.
  continue_sent_ = false;
  loop_.metrics.requests_begun.Add();
  exchange_.response = HttpResponse();
  exchange_.operation = kNoOperation;
  exchange_.access.reset();
  exchange_.started = std::chrono::steady_clock::now();
  exchange_.coding = ChooseCoding(request.Header("accept-encoding"));
  without_body_ = request.method == Method::kHead;
  ending_ = !parser.keep_alive();
  persistence_ = parser.http_1_0() && !ending_ ? Persistence::kKeepAlive : Persistence::kDefault;

  std::string inflated;
  request.sent_body = request.body;
  const std::string_view encoding = request.Header("content-encoding");
  if (!encoding.empty() && !EqualsIgnoreCase(encoding, "identity")) {
    const auto coding = CodingNamed(encoding);
    const std::size_t here = std::min(kInflatedOnLoopBytes, loop_.options.body_bytes_max);
    const auto outcome =
        coding ? Inflate(*coding, request.body, here, inflated) : InflateOutcome::kBroken;
    if (outcome == InflateOutcome::kTooLarge && here < loop_.options.body_bytes_max) {
      return InflateOffLoop(request, *coding);
    }
    if (outcome != InflateOutcome::kDone) {
      return RefuseInflating(outcome);
    }
    request.body = inflated;
  }
  return Hand(request);
}

Life Connection::RefuseInflating(InflateOutcome outcome) {
  // AWS blames itself for a body that it cannot decode.
  exchange_.response = ProtocolError(outcome == InflateOutcome::kTooLarge ? 413
                                     : outcome == InflateOutcome::kNoRoom ? 503
                                                                          : 500);
  return Send();
}

Life Connection::Hand(const HttpRequest& request) {
  Outcome outcome = Outcome::kDone;
  try {
    outcome = loop_.handler.Handle(request, exchange_, Completion(host_, *this));
  } catch (const std::exception& failure) {
    Fail(failure.what());
  } catch (...) {
    Fail("an exception of an unknown kind");
  }
  switch (outcome) {
    case Outcome::kDone:
      return Send();
    case Outcome::kLater:
      return WaitForCompletion();
    case Outcome::kOffLoop:
      return ServeOffLoop(request);
  }
  return Life::kEnded;
}

Life Connection::WaitForCompletion() {
  loop_.metrics.waits_begun.Add();
  state_ = State::kWaiting;
  deadline_ = kNever;
  return Life::kGoesOn;
}

Life Connection::Refuse(int status) {
  loop_.metrics.requests_begun.Add();
  exchange_.response = ProtocolError(status);
  exchange_.operation = kNoOperation;
  exchange_.started = std::chrono::steady_clock::now();
  exchange_.coding = Coding::kIdentity;
  without_body_ = false;
  return Send();
}

Life Connection::Send() {
  HttpResponse& response = exchange_.response;
  if (response.drop) {
    loop_.metrics.requests_ended.Add();
    return Life::kEnded;
  }
  CompressAnswer(exchange_, loop_.deflater);
  if (!HoldAnswer()) {
    response = ProtocolError(503);
  }
  ending_ = ending_ || response.close || loop_.draining;
  if (ending_) {
    persistence_ = Persistence::kClose;
  }
  loop_.head.clear();
  loop_.response_head.Write(response, persistence_, loop_.head);
  CountAnswer();
  const std::size_t body_bytes = without_body_ ? 0 : response.body.size();
  std::array<iovec, 2> parts = {{{loop_.head.data(), loop_.head.size()},
                                 {response.body.data(), std::min(body_bytes, kSliceBytes)}}};
  const ssize_t result = transport_.Send(std::span(parts).first(body_bytes > 0 ? 2 : 1));
  if (result < 0 && !WouldBlock(errno)) {
    return Life::kEnded;
  }
  const std::size_t sent = result < 0 ? 0 : static_cast<std::size_t>(result);
  loop_.metrics.bytes_sent.Add(sent);
  if (sent == loop_.head.size() + body_bytes) {
    return AfterAnswer();
  }

  if (sent < loop_.head.size()) {
    output_ = loop_.head.substr(sent);
    output_.append(response.body, 0, body_bytes);
    output_sent_ = 0;
  } else {
    output_ = std::move(response.body);
    output_sent_ = sent - loop_.head.size();
  }
  state_ = State::kWriting;
  progress_from_ = output_sent_;
  deadline_ = loop_.now + loop_.options.progress_timeout;
  Watch(EPOLLOUT);
  return Life::kGoesOn;
}

// Small answers are let pass: there would be no room to say so in fewer bytes, and 10,000 of them
// are not much.
bool Connection::HoldAnswer() {
  const std::size_t bytes = exchange_.response.body.capacity();
  if (bytes <= kSmallAnswerBytes) {
    return true;
  }
  if (!loop_.budget.TryTake(bytes)) {
    return false;
  }
  output_held_ = bytes;
  return true;
}

void Connection::ReleaseAnswer() {
  loop_.budget.Give(output_held_);
  output_held_ = 0;
}

// A client that reads byte after byte must not keep its answer for as long as that takes.
void Connection::NoteSent() {
  if (output_sent_ - progress_from_ < loop_.options.progress_bytes) {
    return;
  }
  progress_from_ = output_sent_;
  deadline_ = loop_.now + loop_.options.progress_timeout;
}

void Connection::CountAnswer() {
  const auto latency = std::chrono::steady_clock::now() - exchange_.started;
  loop_.metrics.CountAnswer(exchange_.operation, exchange_.response.status, latency);
  loop_.metrics.requests_ended.Add();
  if (!loop_.log.Enabled(LogLevel::kDebug)) {
    return;
  }
  loop_.log.Write(LogLevel::kDebug, "request",
                  {{"operation", loop_.all_metrics.operation_name(exchange_.operation)},
                   {"status", exchange_.response.status},
                   {"request_bytes", static_cast<std::int64_t>(exchange_.request_bytes)},
                   {"answer_bytes", static_cast<std::int64_t>(exchange_.response.body.size())},
                   {"us", std::chrono::duration_cast<std::chrono::microseconds>(latency).count()}});
}

Life Connection::AfterAnswer() {
  has_answered_ = true;
  exchange_.response.body = std::string();
  ReleaseAnswer();
  if (ending_) {
    return Linger();
  }
  state_ = State::kReading;
  Watch(EPOLLIN);
  if (transport_.HasPending()) {
    host_.QueueTurn(*this);
  }
  return Life::kGoesOn;
}

Life Connection::Flush() {
  iovec rest{output_.data() + output_sent_, std::min(output_.size() - output_sent_, kSliceBytes)};
  const ssize_t result = transport_.Send({&rest, 1});
  if (result < 0) {
    return WouldBlock(errno) ? Life::kGoesOn : Life::kEnded;
  }
  output_sent_ += static_cast<std::size_t>(result);
  loop_.metrics.bytes_sent.Add(static_cast<std::uint64_t>(result));
  NoteSent();
  if (output_sent_ < output_.size()) {
    return Life::kGoesOn;
  }
  output_ = std::string();
  output_sent_ = 0;
  if (AfterAnswer() == Life::kEnded) {
    return Life::kEnded;
  }
  return ProcessInput();
}

// Closing a socket that has unread bytes resets the connection, and the reset may overtake the
// answer.
Life Connection::Linger() {
  input_.Release();
  if (!transport_.FinishSending()) {
    return Life::kEnded;
  }
  state_ = State::kLingering;
  deadline_ = loop_.now + kLingerTime;
  Watch(EPOLLIN);
  return Life::kGoesOn;
}

Life Connection::Discard() {
  const ssize_t received = transport_.Receive({loop_.read_buffer.get(), LoopResources::kReadBytes});
  if (received < 0) {
    return WouldBlock(errno) ? Life::kGoesOn : Life::kEnded;
  }
  bytes_dropped_ += static_cast<std::size_t>(received);
  return received == 0 || bytes_dropped_ > kLingerBytesMax ? Life::kEnded : Life::kGoesOn;
}

void Connection::Watch(std::uint32_t events) {
  if (events == watched_) {
    return;
  }
  epoll_event event{};
  event.events = events;
  event.data.ptr = this;
  const int operation = watched_ == 0 ? EPOLL_CTL_ADD : events == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
  // This fails only for want of memory in the kernel. No event would ever come; the next tick
  // closes the connection.
  if (epoll_ctl(loop_.epoll_fd, operation, transport_.fd(), &event) != 0) {
    unwatched_ = true;
  }
  watched_ = events;
}

Connection::Time Connection::TransferDeadline(std::size_t bytes) const {
  const auto extra = std::chrono::seconds(bytes / loop_.options.bytes_per_second_min);
  return transfer_started_ + loop_.options.transfer_timeout + extra;
}

}  // namespace prejoin::server
