#include "cli/serve/account_services.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "engine/engine_of.h"
#include "engine/item/item_write.h"
#include "engine/physics/physics.h"
#include "engine/table/catalog.h"
#include "json/writer.h"
#include "server/clock_route.h"

namespace prejoin::cli {
namespace {

constexpr std::chrono::seconds kScalingInterval(1);

const Clock& ClockOf(const ServeArguments& arguments) {
  return arguments.clock != nullptr ? *arguments.clock : Clock::System();
}

// GET of a path, with an answer in JSON, which may have a line for each partition of each table.
void AddJson(server::Dispatch& dispatch, const char* path, std::function<std::string()> text) {
  dispatch.AddRoute({server::Method::kGet, path,
                     [text = std::move(text)](const server::HttpRequest&, server::Exchange& exchange,
                                              server::Completion) {
                       exchange.response.content_type = "application/json";
                       exchange.response.body = text();
                       return server::Outcome::kDone;
                     },
                     true});
}

void AnswerMetrics(server::EngineBackend& backend, wire::CloudWatchProtocol protocol,
                   std::string_view operation, const server::HttpRequest& request,
                   const wire::AllowAction& allow, server::HttpResponse& response) {
  wire::CloudWatchAnswer answer =
      wire::AnswerCloudWatch(backend.engine(), protocol, operation, request.body, allow);
  response.status = answer.status;
  response.body = std::move(answer.body);
  switch (protocol) {
    case wire::CloudWatchProtocol::kQuery:
      response.content_type = "text/xml";
      return;
    case wire::CloudWatchProtocol::kJson:
      response.content_type = server::kAmzJson10;
      break;
    case wire::CloudWatchProtocol::kCbor:
      response.content_type = "application/cbor";
      response.AddHeader("smithy-protocol", "rpc-v2-cbor");
      break;
  }
  if (!answer.error.empty()) {
    response.AddHeader("x-amzn-query-error", std::string(answer.error) + ";Sender");
  }
}

}  // namespace

Status LoadUnmetered(Database& database, const std::string& table_name,
                     const std::vector<Item>& items) {
  engine::Engine& engine = engine::EngineOf(database);
  engine::RequestContext context = engine::BeginRequest(engine);
  for (const Item& item : items) {
    engine::TablePtr table = engine.catalog().FindOrNull(table_name);
    if (table == nullptr) {
      return Error{ErrorCode::kResourceNotFound, "the table " + table_name + " is gone"};
    }
    engine::ItemWrite write;
    PJ_RETURN_IF_ERROR(engine::PlanPut(std::move(table), item, write));
    PJ_RETURN_IF_ERROR(
        engine::RunWrites(engine, context, {.writes = {&write, 1}, .unmetered = true}));
  }
  return engine.store().WaitDurable(engine::AwaitedTicket(engine, context));
}

AccountServices::AccountServices(const ServeArguments& arguments, server::EngineBackend& backend,
                                 Database& database)
    : arguments_(arguments),
      backend_(backend),
      database_(database),
      disturbances_(ClockOf(arguments), ConflictMs(arguments.latency).has_value(), 1),
      scaling_(std::make_shared<wire::ScalingApi>(database, ClockOf(arguments))) {}

Status AccountServices::AddTo(server::Dispatch& dispatch, server::DynamoDbEndpoint& endpoint) {
  AddJson(dispatch, "/insights", [this] { return backend_.InsightsReports(); });
  if (arguments_.database.physics) {
    AddJson(dispatch, "/partitions", [this] { return backend_.Partitions(); });
    PJ_RETURN_IF_ERROR(scaling_->Load());
    ServeAccountApis(dispatch);
  }
  if (arguments_.clock != nullptr) {
    server::AddClockRoutes(dispatch, *arguments_.clock, [this] { database_.CatchUp(); });
  }
  // Without any of these options requests take the shortest way.
  const auto conflict_ms = ConflictMs(arguments_.latency);
  engine::Physics* const physics = engine::EngineOf(database_).physics();
  if (physics != nullptr && conflict_ms.value_or(0) > 0) {
    physics->RunTransactionsFor(std::chrono::milliseconds(*conflict_ms));
  }
  if (conflict_ms || !arguments_.faults.empty() || arguments_.database.physics) {
    backend_.DisturbWith(disturbances_);
    endpoint.DelayWith(delays_);
    AddFaultRoutes(dispatch);
  }
  return ReadFaults();
}

// CloudWatch and Application Auto Scaling.
void AccountServices::ServeAccountApis(server::Dispatch& dispatch) {
  dispatch.ServeMetricsApi([this](wire::CloudWatchProtocol protocol, std::string_view operation,
                                  const server::HttpRequest& request,
                                  const wire::AllowAction& allow,
                                  server::HttpResponse& response) {
    if (!operation.starts_with(wire::kScalingTarget)) {
      AnswerMetrics(backend_, protocol, operation, request, allow, response);
      return;
    }
    operation.remove_prefix(wire::kScalingTarget.size());
    wire::ScalingAnswer answer = scaling_->Answer(operation, request.body, allow);
    response.status = answer.status;
    response.content_type = "application/x-amz-json-1.1";
    response.body = std::move(answer.body);
  });
  engine::EngineOf(database_).background().AddSweep(kScalingInterval, [scaling = scaling_] { scaling->CatchUp(); });
}

Status AccountServices::ReadFaults() {
  if (arguments_.faults.empty()) {
    return {};
  }
  std::ifstream file(arguments_.faults, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return ValidationError(arguments_.faults + ": cannot read the file");
  }
  auto rules = engine::ParseFaultRules(text.str());
  if (!rules) {
    return ValidationError(arguments_.faults + ": " + rules.error().message);
  }
  disturbances_.SetRules(*std::move(rules));
  return {};
}

// POST /faults replaces the rules; an empty body ends all faults.
void AccountServices::AddFaultRoutes(server::Dispatch& dispatch) {
  dispatch.AddRoute(
      {server::Method::kPost, "/faults",
       [this](const server::HttpRequest& request, server::Exchange& exchange, server::Completion) {
         exchange.response.content_type = "application/json";
         auto rules = engine::ParseFaultRules(request.body);
         json::ObjectWriter object(exchange.response.body);
         if (!rules) {
           exchange.response.status = 400;
           object.String("message", rules.error().message);
           return server::Outcome::kDone;
         }
         object.Integer("rules", static_cast<std::int64_t>(rules->size()));
         disturbances_.SetRules(*std::move(rules));
         return server::Outcome::kDone;
       }});
}

}  // namespace prejoin::cli
