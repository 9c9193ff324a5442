#include "wire/request_counts.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "engine/physics/limits_reached.h"
#include "engine/physics/request_metrics.h"
#include "engine/table/catalog.h"
#include "prejoin/operations.h"
#include "wire/answers/error_json.h"

namespace prejoin::wire {
namespace {

// The most keys of a request; a batch may have a hundred.
constexpr std::size_t kSubjectKeysMax = 1'000;
constexpr int kSubjectDepthMax = 8;

// "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/index/i" → "Orders"
std::string TableNameIn(std::string_view name) {
  constexpr std::string_view kTable = ":table/";
  if (const std::size_t at = name.find(kTable); at != std::string_view::npos) {
    name.remove_prefix(at + kTable.size());
    name = name.substr(0, name.find('/'));
  }
  return std::string(name);
}

void AddOnce(std::string name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(std::move(name));
  }
}

// Values such as {"S": "c1"}, at any place in the request.
void AddKeys(const json::Value& value, int depth, RequestSubjects& subjects) {
  if (depth > kSubjectDepthMax || subjects.keys.size() >= kSubjectKeysMax) {
    return;
  }
  if (value.type() == json::Type::kArray) {
    for (const json::Value element : value.elements()) {
      AddKeys(element, depth + 1, subjects);
    }
  } else if (value.type() == json::Type::kObject) {
    for (const json::Field field : value.fields()) {
      const bool is_text = field.value.type() == json::Type::kString;
      if (is_text && (field.name == "S" || field.name == "N" || field.name == "B")) {
        subjects.keys.emplace_back(field.value.string());
      } else if (is_text && field.name == "TableName") {
        AddOnce(TableNameIn(field.value.string()), subjects.tables);
      } else {
        AddKeys(field.value, depth + 1, subjects);
      }
    }
  }
}

// The tables alone.
std::vector<std::string> TablesOf(const json::Value& root) {
  std::vector<std::string> tables;
  if (const auto name = root.Find("TableName"); name && name->type() == json::Type::kString) {
    tables.push_back(TableNameIn(name->string()));
    return tables;
  }
  if (const auto items = root.Find("RequestItems"); items && items->type() == json::Type::kObject) {
    for (const json::Field field : items->fields()) {
      AddOnce(TableNameIn(field.name), tables);
    }
    return tables;
  }
  const auto items = root.Find("TransactItems");
  if (!items || items->type() != json::Type::kArray) {
    return tables;
  }
  for (const json::Value item : items->elements()) {
    if (item.type() != json::Type::kObject) {
      continue;
    }
    for (const json::Field action : item.fields()) {
      if (const auto name = action.value.Find("TableName");
          name && name->type() == json::Type::kString) {
        AddOnce(TableNameIn(name->string()), tables);
      }
    }
  }
  return tables;
}

// The answer of a Query or Scan has the member before its items, and a text in it has no bare quote.
std::int64_t CountIn(std::string_view answer) {
  constexpr std::string_view kName = "\"Count\":";
  const std::size_t at = answer.find(kName);
  std::int64_t count = -1;
  if (at != std::string_view::npos) {
    const std::string_view digits = answer.substr(at + kName.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return error == std::errc() ? count : -1;
  }
  return count;
}

// Members of a transaction with this code.
std::uint64_t ReasonsOf(const Error& error, std::string_view code) {
  const auto* detail = dynamic_cast<const CancellationDetail*>(error.detail.get());
  return detail == nullptr ? 0
                           : static_cast<std::uint64_t>(std::ranges::count(
                                 detail->reasons, code, &CancellationReason::code));
}

engine::RequestSeen SeenOf(std::string_view operation, const Status& status,
                           std::string_view answer, double latency_ms) {
  engine::RequestSeen seen{.latency_ms = latency_ms, .succeeded = status.has_value()};
  if (status) {
    if (operation == "Query" || operation == "Scan") {
      seen.item_count = CountIn(answer);
    }
    return seen;
  }
  const Error& error = status.error();
  seen.throttled = engine::IsThrottling(error) || ReasonsOf(error, "ThrottlingError") > 0 ||
                   ReasonsOf(error, "ProvisionedThroughputExceeded") > 0;
  seen.failed_condition = error.code == ErrorCode::kConditionalCheckFailed ||
                          ReasonsOf(error, "ConditionalCheckFailed") > 0;
  seen.conflicts = error.code == ErrorCode::kTransactionConflict
                       ? 1
                       : ReasonsOf(error, "TransactionConflict");
  seen.system_error = StatusOf(error.code) >= 500;
  return seen;
}

}  // namespace

RequestSubjects SubjectsOf(const json::Value& root) {
  RequestSubjects subjects;
  AddKeys(root, 0, subjects);
  for (std::string& table : TablesOf(root)) {
    AddOnce(std::move(table), subjects.tables);
  }
  return subjects;
}

void CountRequest(engine::Engine& engine, std::string_view operation, const json::Value& root,
                  const Status& status, std::string_view answer, double latency_ms) {
  engine::RequestMetrics* metrics = engine.request_metrics();
  if (metrics == nullptr) {
    return;
  }
  const engine::RequestSeen seen = SeenOf(operation, status, answer, latency_ms);
  for (const std::string& table : TablesOf(root)) {
    if (engine.catalog().FindOrNull(table) != nullptr) {
      metrics->Count(table, operation, seen);
    }
  }
  // Throttled requests, failed conditions and conflicts are the business of others.
  if (!status && !seen.throttled && !seen.failed_condition && seen.conflicts == 0 &&
      !seen.system_error) {
    metrics->CountUserError();
  }
}

void CountFault(engine::Engine& engine, std::string_view operation, const RequestSubjects& subjects,
                engine::FaultKind kind) {
  engine::RequestMetrics* metrics = engine.request_metrics();
  if (metrics == nullptr) {
    return;
  }
  const bool throttled = kind == engine::FaultKind::kThrottle;
  for (const std::string& table : subjects.tables) {
    if (engine.catalog().FindOrNull(table) != nullptr) {
      metrics->Count(table, operation,
                     {.throttled = throttled, .system_error = !throttled, .injected = true});
    }
  }
}

Error ErrorOfFault(engine::Engine& engine, engine::FaultKind kind, bool reads,
                   const RequestSubjects& subjects) {
  if (kind != engine::FaultKind::kThrottle) {
    return Error{kind == engine::FaultKind::kUnavailable ? ErrorCode::kUnavailable
                                                         : ErrorCode::kInternal,
                 kind == engine::FaultKind::kUnavailable
                     ? "The service is currently unavailable or busy."
                     : "an injected fault"};
  }
  engine::LimitReached reached{
      .on_demand = true,
      .direction = reads ? engine::Direction::kRead : engine::Direction::kWrite,
      .limit = engine::Limit::kKeyRange};
  for (const std::string& name : subjects.tables) {
    if (const engine::TablePtr table = engine.catalog().FindOrNull(name)) {
      reached.arn = table->description.arn;
      reached.on_demand = table->description.billing_mode == BillingMode::kPayPerRequest;
      break;
    }
  }
  return engine::ThrottlingError({std::move(reached)});
}

}  // namespace prejoin::wire
