#include <algorithm>
#include <string>
#include <utility>

#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {
namespace {

std::string NoGlobalTable(const std::string& name) {
  return "Global table with name: '" + name + "' does not exist.";
}

Error InvalidDestinationState(const std::string& what) {
  return ValidationError("Table is not in a valid state to enable Kinesis Streaming Destination: " +
                         what);
}

Status CheckTable(Engine& engine, const std::string& table_name) {
  if (engine.catalog().FindOrNull(table_name) == nullptr) {
    return TableNotFound(table_name);
  }
  return {};
}

}  // namespace

Status CreateGlobalTable() {
  return InvalidParameter(
      "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB "
      "global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).");
}

Status UpdateGlobalTable(const std::string& name, GlobalTableUpdate update) {
  switch (update) {
    case GlobalTableUpdate::kNothing:
      return ValidationError("One or more parameter values were invalid");
    case GlobalTableUpdate::kCreateReplica:
      return CreateGlobalTable();
    case GlobalTableUpdate::kDeleteReplica:
      break;
  }
  return DescribeGlobalTable(name);
}

Status DescribeGlobalTable(const std::string& name) {
  return Error{ErrorCode::kGlobalTableNotFound, "Global table not found: " + NoGlobalTable(name)};
}

Status GlobalTableSettings(const std::string& name) {
  return Error{ErrorCode::kGlobalTableNotFound, NoGlobalTable(name)};
}

Result<ReplicaAutoScaling> DescribeReplicaAutoScaling(Engine& engine, RequestContext& context,
                                                      const std::string& table_name) {
  auto table = DescribeTable(engine, context, table_name);
  if (!table || !table->replicas) {
    return ResourceNotFound(NoGlobalTable(table_name));
  }
  ReplicaAutoScaling scaling{.table = *std::move(table), .replicas = {}};
  scaling.replicas = *scaling.table.replicas;
  ReplicaDescription& own = scaling.replicas.emplace_back();
  own.region_name = engine.options().region;
  for (const IndexDescription& index : scaling.table.global_indexes) {
    own.global_index_names.push_back(index.index_name);
  }
  std::ranges::sort(scaling.replicas, {}, &ReplicaDescription::region_name);
  return scaling;
}

// Tables with replicas are on demand, and AWS scales no such table.
Status UpdateReplicaAutoScaling(Engine& engine, const std::string& table_name) {
  RequestContext context = BeginRequest(engine);
  PJ_ASSIGN_OR_RETURN(const ReplicaAutoScaling scaling,
                      DescribeReplicaAutoScaling(engine, context, table_name));
  std::string names;
  for (const ReplicaDescription& replica : scaling.replicas) {
    names += names.empty() ? "'" : ", '";
    for (const char c : replica.region_name) {
      names.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    }
    names += "'";
  }
  return ValidationError("Failed to update global table with name \u2018" + table_name +
                         "\u2018. Replicas " + names +
                         " BillingMode is PayPerRequest. You must convert table's BillingMode to "
                         "PROVISIONED to set parameters: "
                         "'GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate'.");
}

Status EnableKinesisStreamingDestination(Engine& engine, const KinesisDestination& destination) {
  PJ_RETURN_IF_ERROR(CheckTable(engine, destination.table_name));
  return ResourceNotFound(
      "Requested resource not found: Kinesis stream: " + destination.stream_arn +
      " not found. Prejoin has no Kinesis; the table's own stream has the same records.");
}

Status DisableKinesisStreamingDestination(Engine& engine, const KinesisDestination& destination) {
  PJ_RETURN_IF_ERROR(CheckTable(engine, destination.table_name));
  return InvalidDestinationState(
      "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
}

Status UpdateKinesisStreamingDestination(Engine& engine, const KinesisDestination& destination) {
  PJ_RETURN_IF_ERROR(CheckTable(engine, destination.table_name));
  return InvalidDestinationState(
      "No streaming destination with streamArn: " + destination.stream_arn +
      " found for table with tableName: " + destination.table_name);
}

Status DescribeKinesisStreamingDestination(Engine& engine, const std::string& table_name) {
  return CheckTable(engine, table_name);
}

}  // namespace prejoin::engine
