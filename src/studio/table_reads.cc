#include "studio/table_reads.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <future>

#include "base/limits.h"
#include "base/request_budget.h"
#include "json/reader.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

constexpr auto kReadingOperations = std::to_array<std::string_view>({
    "BatchGetItem",
    "DescribeEndpoints",
    "DescribeLimits",
    "DescribeTable",
    "DescribeTimeToLive",
    "GetItem",
    "ListTables",
    "ListTagsOfResource",
    "Query",
    "Scan",
    "TransactGetItems",
});

bool BeginsWithSelect(std::string_view statement) {
  constexpr std::string_view kSelect = "select";
  while (!statement.empty() && std::isspace(static_cast<unsigned char>(statement.front())) != 0) {
    statement.remove_prefix(1);
  }
  return statement.size() > kSelect.size() &&
         server::EqualsIgnoreCase(statement.substr(0, kSelect.size()), kSelect) &&
         std::isspace(static_cast<unsigned char>(statement[kSelect.size()])) != 0;
}

// Every member of the name: the database might look at another one than we do.
bool Selects(std::string_view body) {
  const auto document = json::Document::Parse(body);
  if (!document || document->root().type() != json::Type::kObject) {
    return false;
  }
  bool selects = false;
  for (const auto& field : document->root().fields()) {
    if (field.name != "Statement") {
      continue;
    }
    if (field.value.type() != json::Type::kString || !BeginsWithSelect(field.value.string())) {
      return false;
    }
    selects = true;
  }
  return selects;
}

}  // namespace

bool OnlyReads(std::string_view operation, std::string_view body) {
  if (operation == "ExecuteStatement") {
    return Selects(body);
  }
  return std::ranges::find(kReadingOperations, operation) != kReadingOperations.end();
}

process::Call ReadsOf(server::Backend& backend) {
  return [&backend](const std::string& operation, const std::string& body) -> process::Answer {
    if (!OnlyReads(operation, body)) {
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
