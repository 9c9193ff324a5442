#include "studio/table_reads.h"

#include <future>

#include "base/limits.h"
#include "base/request_budget.h"
#include "studio/refusal.h"
#include "wire/only_reads.h"

namespace prejoin::studio {
process::Call ReadsOf(server::OperationBackend& backend) {
  return [&backend](const std::string& operation, const std::string& body) -> process::Answer {
    if (!wire::OnlyReads(operation, body)) {
      return ErrorAnswer(Refuse(403, "only reads are passed on"));
    }
    const server::HttpRequest request{
        .method = server::Method::kPost, .target = "/", .fields = {}, .body = body};
    wire::Answer answer = backend.Handle(
        "DynamoDB_20120810." + operation, request,
        RequestBudget(RequestBudget::Attempt::kFinal, kRequestWorkMax, kRequestMemoryBytesMax),
        nullptr);
    if (!backend.IsDurable(answer.ticket)) {
      std::promise<Status> durable;
      backend.WhenDurable(answer.ticket,
                          [&](Status status) { durable.set_value(std::move(status)); });
      if (const Status status = durable.get_future().get(); !status) {
        return ErrorAnswer(status.error());
      }
    }
    return {answer.status, std::move(answer.body)};
  };
}

}  // namespace prejoin::studio
