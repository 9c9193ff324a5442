// CreateGlobalTable, UpdateGlobalTable, DescribeGlobalTable, DescribeGlobalTableSettings,
// UpdateGlobalTableSettings, ListGlobalTables; DescribeTableReplicaAutoScaling and
// UpdateTableReplicaAutoScaling read no more than a table's name. One file for all, because there
// are no global tables of 2017 here, and nothing scales: each is read for its refusals, and then refused as AWS does.
#include "json/enum_names.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct GlobalTableInput {
  std::string name;
};

template <class T>
constexpr Member<T> GlobalTableNameMember() {
  return Field<&T::name, ReadGlobalTableName>("GlobalTableName", Presence::kRequired);
}

constexpr Member<GlobalTableInput> kNameMembers[] = {GlobalTableNameMember<GlobalTableInput>()};

constexpr Member<GlobalTableInput> kCreateMembers[] = {
    GlobalTableNameMember<GlobalTableInput>(),
    {"ReplicationGroup",
     [](InputReader&, json::Value value, const Path&, GlobalTableInput&) {
       return json::CheckArray(value);
     },
     Presence::kRequired},
};

constexpr Member<UpdateGlobalTableInput> kUpdateActions[] = {
    {"Create",
     [](InputReader&, json::Value, const Path&, UpdateGlobalTableInput& out) -> Status {
       out.update = engine::GlobalTableUpdate::kCreateReplica;
       return {};
     }},
    {"Delete",
     [](InputReader&, json::Value, const Path&, UpdateGlobalTableInput& out) -> Status {
       if (out.update == engine::GlobalTableUpdate::kNothing) {
         out.update = engine::GlobalTableUpdate::kDeleteReplica;
       }
       return {};
     }},
};

constexpr Member<UpdateGlobalTableInput> kUpdateGlobalTableMembers[] = {
    GlobalTableNameMember<UpdateGlobalTableInput>(),
    {"ReplicaUpdates",
     [](InputReader& reader, json::Value value, const Path& path, UpdateGlobalTableInput& out) {
       return reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
         PJ_RETURN_IF_ERROR(
             json::CheckObject(element, {Shape::Kind::kStructureElement, "ReplicaUpdate"}));
         return reader.ReadMembers(element, &at, kUpdateActions, out);
       });
     },
     Presence::kRequired},
};

struct ListInput {
  std::optional<std::int32_t> limit;
  std::string start;
};

constexpr Member<ListInput> kListGlobalTablesMembers[] = {
    {"Limit",
     [](InputReader& reader, json::Value value, const Path& path, ListInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.limit));
       reader.CheckRange(path, *out.limit, 1);
       return {};
     }},
    Field<&ListInput::start, ReadGlobalTableName>("ExclusiveStartGlobalTableName"),
};

void WriteUnscaled(std::string_view name, json::ObjectWriter& object) {
  json::ObjectWriter settings(object.Name(name));
  settings.Bool("AutoScalingDisabled", true);
  settings.Name("ScalingPolicies").append("[]");
}

void AppendUnscaledReplica(const ReplicaDescription& replica, std::string& out) {
  json::ObjectWriter object(out);
  object.String("RegionName", replica.region_name);
  std::string& indexes = object.Name("GlobalSecondaryIndexes");
  json::AppendArray(replica.global_index_names, indexes, [&](const std::string& name) {
    json::ObjectWriter index(indexes);
    index.String("IndexName", name);
    index.String("IndexStatus", "ACTIVE");
    WriteUnscaled("ProvisionedReadCapacityAutoScalingSettings", index);
    WriteUnscaled("ProvisionedWriteCapacityAutoScalingSettings", index);
  });
  WriteUnscaled("ReplicaProvisionedReadCapacityAutoScalingSettings", object);
  WriteUnscaled("ReplicaProvisionedWriteCapacityAutoScalingSettings", object);
  object.String("ReplicaStatus", json::NameOf(json::kReplicaStatusNames, replica.status));
}

}  // namespace

void PrintReplicaAutoScaling(const engine::ReplicaAutoScaling& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter table(answer.Name("TableAutoScalingDescription"));
  table.String("TableName", output.table.table_name);
  table.String("TableStatus", json::NameOf(json::kTableStatusNames, output.table.status));
  std::string& replicas = table.Name("Replicas");
  json::AppendArray(output.replicas, replicas, [&](const ReplicaDescription& replica) {
    AppendUnscaledReplica(replica, replicas);
  });
}

Result<std::string> ParseCreateGlobalTableInput(const RequestBody& request) {
  PJ_ASSIGN_OR_RETURN(GlobalTableInput input, ParseInput(request, kCreateMembers));
  return std::move(input.name);
}

Result<std::string> ParseGlobalTableNameInput(const RequestBody& request) {
  PJ_ASSIGN_OR_RETURN(GlobalTableInput input, ParseInput(request, kNameMembers));
  return std::move(input.name);
}

Result<UpdateGlobalTableInput> ParseUpdateGlobalTableInput(const RequestBody& request) {
  return ParseInput(request, kUpdateGlobalTableMembers);
}

Status CheckListGlobalTablesInput(const RequestBody& request) {
  PJ_RETURN_IF_ERROR(ParseInput(request, kListGlobalTablesMembers));
  return {};
}

void PrintListGlobalTablesOutput(std::string& out) { out.append(R"({"GlobalTables":[]})"); }

}  // namespace prejoin::wire
