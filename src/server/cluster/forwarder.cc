#include "server/cluster/forwarder.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/cluster/peer_protocol.h"
#include "server/http/protocol_error.h"
#include "wire/service.h"

namespace prejoin::server {
namespace {

constexpr std::chrono::milliseconds kBetweenTries(40);
constexpr std::chrono::seconds kLastTries(2);

// Headers of one connection only; everything else may be signed and is passed on unchanged.
bool StaysHere(std::string_view name) {
  static constexpr std::string_view kNames[] = {"connection", "keep-alive",     "transfer-encoding",
                                                "te",         "content-length", "trailer",
                                                "upgrade",    "expect",         kPeerHeader};
  return std::ranges::any_of(kNames,
                             [&](std::string_view one) { return EqualsIgnoreCase(one, name); });
}

// Returns true for requests that are safe to send twice.
bool OnlyReads(const HttpRequest& request) {
  if (request.method != Method::kPost) {
    return request.method == Method::kGet || request.method == Method::kHead ||
           request.method == Method::kOptions;
  }
  const auto operation = wire::Service::OperationIndex(request.Header("x-amz-target"));
  return wire::Service::EffectOf(operation) == wire::Effect::kReads;
}

std::string HeadOf(const HttpRequest& request, const std::string& secret) {
  std::string head;
  head.append(MethodName(request.method)).append(" ").append(request.target);
  head.append(" HTTP/1.1\r\n");
  for (const HeaderField& field : request.fields) {
    if (!StaysHere(field.name)) {
      head.append(field.name).append(": ").append(field.value).append("\r\n");
    }
  }
  head.append("Content-Length: ").append(std::to_string(request.sent_body.size()));
  head.append("\r\n").append(kPeerHeader).append(": ").append(secret).append("\r\n\r\n");
  return head;
}

}  // namespace

void Forwarder::Stop() {
  ending_ = true;
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    threads.swap(threads_);
    changed_.notify_all();
    ended_.notify_all();
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

void Forwarder::EndSoon() {
  end_ = (std::chrono::steady_clock::now() + kLastTries).time_since_epoch();
}

// Without one more, those that there are do the work.
void Forwarder::StartThread() {
  try {
    threads_.emplace_back([this] { Run(); });
  } catch (const std::system_error&) {
  }
}

Outcome Forwarder::Forward(const HttpRequest& request, Exchange& exchange, Completion completion) {
  Job job;
  job.head = HeadOf(request, options_.secret);
  job.only_reads = OnlyReads(request);
  job.has_no_answer_body = request.method == Method::kHead;
  job.exchange = &exchange;
  job.finish = [completion] { completion.Finish({}); };
  job.deadline = std::chrono::steady_clock::now() + options_.patience;
  const std::size_t bytes = job.head.size() + request.sent_body.size();
  {
    const MutexLock lock(mutex_);
    if (ending_ || requests_ >= options_.requests_max || bytes_ + bytes > options_.bytes_max) {
      exchange.response = ProtocolError(503);
      return Outcome::kDone;
    }
    ++requests_;
    bytes_ += bytes;
    job.body = request.sent_body;
    waiting_.push_back(std::move(job));
    if (idle_ < waiting_.size() && threads_.size() < options_.threads_max) {
      StartThread();
    }
    if (threads_.empty()) {
      --requests_;
      bytes_ -= bytes;
      waiting_.pop_back();
      exchange.response = ProtocolError(503);
      return Outcome::kDone;
    }
  }
  changed_.notify_one();
  return Outcome::kLater;
}

void Forwarder::Run() {
  PeerConnection connection;
  while (true) {
    Job job;
    {
      MutexLock lock(mutex_);
      ++idle_;
      while (waiting_.empty() && !ending_) {
        lock.Wait(changed_);
      }
      --idle_;
      if (waiting_.empty()) {
        return;
      }
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    const std::size_t bytes = job.head.size() + job.body.size();
    Do(job, connection);
    {
      const MutexLock lock(mutex_);
      --requests_;
      bytes_ -= bytes;
    }
    job.finish();  // The exchange is no longer ours.
  }
}

void Forwarder::WaitABit(std::chrono::milliseconds time) {
  MutexLock lock(mutex_);
  if (!ending_) {
    lock.WaitFor(ended_, time);
  }
}

void Forwarder::Do(Job& job, PeerConnection& connection) {
  HttpResponse& response = job.exchange->response;
  std::string address = options_.leader(false);
  const auto may_wait = [&] {
    const auto now = std::chrono::steady_clock::now();
    return !ending_ && now < job.deadline && now.time_since_epoch() < end_.load();
  };
  while (may_wait()) {
    if (!address.empty()) {
      const auto give_up = [&] {
        return ending_ || std::chrono::steady_clock::now() > job.deadline ||
               options_.leader(false) != address;
      };
      PeerAnswer answer =
          connection.Ask({address, job.head, job.body, job.has_no_answer_body}, give_up);
      if (answer.outcome == PeerOutcome::kAnswered && !answer.not_leader) {
        ++forwarded_count_;
        response.status = answer.status;
        response.content_type = {};  // Stands among the headers.
        response.headers = std::move(answer.headers);
        response.body = std::move(answer.body);
        return;
      }
      if (answer.outcome == PeerOutcome::kUnknown && !job.only_reads) {
        ++unknown_count_;
        response = CoralError(500, "InternalServerError",
                              "The gateway that led is gone, and it is not known whether the "
                              "request was carried out");
        return;
      }
    }
    WaitABit(kBetweenTries);
    address = options_.leader(true);
  }
  response = CoralError(503, "ServiceUnavailable", "No gateway leads at the moment");
}

}  // namespace prejoin::server
