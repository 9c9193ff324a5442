#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/field.h"
#include "wire/members/table_members.h"
#include "wire/members/vector_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

using IndexUpdate = GlobalIndexUpdate::Update;

constexpr Member<IndexUpdate> kIndexUpdateMembers[] = {
    {"IndexName",
     [](InputReader& reader, json::Value value, const Path& path, IndexUpdate& out) {
       return ReadIndexName(reader, value, path, out.index_name);
     },
     Presence::kRequired},
    ProvisionedThroughputMember<IndexUpdate>(),
    OnDemandThroughputMember<IndexUpdate>(),
    WarmThroughputMember<IndexUpdate>(),
};

constexpr Member<std::string> kIndexDeleteMembers[] = {
    {"IndexName", ReadIndexName<std::string>, Presence::kRequired},
};

constexpr Member<GlobalIndexUpdate> kGlobalIndexUpdateMembers[] = {
    {"Update",
     [](InputReader& reader, json::Value value, const Path& path,
        GlobalIndexUpdate& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "UpdateGlobalSecondaryIndexAction"}));
       return reader.ReadMembers(value, &path, kIndexUpdateMembers, out.update.emplace());
     }},
    {"Create",
     [](InputReader& reader, json::Value value, const Path& path,
        GlobalIndexUpdate& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "CreateGlobalSecondaryIndexAction"}));
       return ReadGlobalIndex(reader, value, path, out.create.emplace());
     }},
    {"Delete",
     [](InputReader& reader, json::Value value, const Path& path,
        GlobalIndexUpdate& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "DeleteGlobalSecondaryIndexAction"}));
       return reader.ReadMembers(value, &path, kIndexDeleteMembers, out.remove.emplace());
     }},
};

Status ReadIndexUpdates(InputReader& reader, json::Value value, const Path& path,
                        UpdateTableInput& out) {
  auto& updates = out.global_index_updates.emplace();
  return reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
    PJ_RETURN_IF_ERROR(
        json::CheckObject(element, {Shape::Kind::kStructureElement, "GlobalSecondaryIndexUpdate"}));
    return reader.ReadMembers(element, &at, kGlobalIndexUpdateMembers, updates.emplace_back());
  });
}

using ReplicaSettings = ReplicaUpdate::Settings;

// AWS knows it for tables of the older kind of capacity only, so what it says does not matter.
constexpr Member<ReplicaSettings> kReplicaThroughputMembers[] = {
    {"ReadCapacityUnits",
     [](InputReader& reader, json::Value value, const Path& path, ReplicaSettings& out) -> Status {
       std::int64_t units = 0;
       PJ_RETURN_IF_ERROR(reader.ReadInt64(value, units));
       reader.CheckRange(path, units, 1);
       out.has_provisioned_throughput = true;
       return {};
     }},
};

constexpr Member<OnDemandThroughput> kReplicaOnDemandMembers[] = {
    Field<&OnDemandThroughput::max_read_request_units>("MaxReadRequestUnits"),
};

constexpr Member<ReplicaSettings> kReplicaMembers[] = {
    Field<&ReplicaSettings::region_name>("RegionName", Presence::kRequired),
    Field<&ReplicaSettings::kms_key>("KMSMasterKeyId"),
    {"ProvisionedThroughputOverride",
     [](InputReader& reader, json::Value value, const Path& path, ReplicaSettings& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "ProvisionedThroughputOverride"}));
       return reader.ReadMembers(value, &path, kReplicaThroughputMembers, out);
     }},
    StructureField<&ReplicaSettings::on_demand_throughput, kReplicaOnDemandMembers>(
        "OnDemandThroughputOverride"),
    RefusedMember<ReplicaSettings>("GlobalSecondaryIndexes"),
    EnumField<&ReplicaSettings::table_class, json::kTableClassNames>("TableClassOverride"),
};

constexpr Member<std::string> kDeletedReplicaMembers[] = {
    {"RegionName",
     [](InputReader& reader, json::Value value, const Path&, std::string& out) {
       return reader.ReadString(value, out);
     },
     Presence::kRequired},
};

template <auto kField>
Status ReadReplica(InputReader& reader, json::Value value, const Path& path, ReplicaUpdate& out) {
  PJ_RETURN_IF_ERROR(
      json::CheckObject(value, {Shape::Kind::kStructure, "ReplicationGroupMemberAction"}));
  out.*kField = ReplicaUpdate::Settings();  // clang 14 finds no emplace() for a type whose members have defaults inside of another.
  return reader.ReadMembers(value, &path, kReplicaMembers, *(out.*kField));
}

constexpr Member<ReplicaUpdate> kReplicaUpdateMembers[] = {
    {"Create", ReadReplica<&ReplicaUpdate::create>},
    {"Update", ReadReplica<&ReplicaUpdate::update>},
    {"Delete",
     [](InputReader& reader, json::Value value, const Path& path, ReplicaUpdate& out) -> Status {
       PJ_RETURN_IF_ERROR(json::CheckObject(
           value, {Shape::Kind::kStructure, "DeleteReplicationGroupMemberAction"}));
       return reader.ReadMembers(value, &path, kDeletedReplicaMembers, out.remove.emplace());
     }},
    RefusedMember<ReplicaUpdate>("Disassociate"),
};

Status ReadReplicaUpdates(InputReader& reader, json::Value value, const Path& path,
                          UpdateTableInput& out) {
  auto& updates = out.replica_updates.emplace();
  const Status read =
      reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
        PJ_RETURN_IF_ERROR(
            json::CheckObject(element, {Shape::Kind::kStructureElement, "ReplicationGroupUpdate"}));
        return reader.ReadMembers(element, &at, kReplicaUpdateMembers, updates.emplace_back());
      });
  if (read && updates.empty()) {
    reader.CheckLength(path, "[]", 0, {1});
  }
  return read;
}

constexpr EnumName<MultiRegionConsistency> kConsistencyNames[] = {
    {"EVENTUAL", MultiRegionConsistency::kEventual},
    {"STRONG", MultiRegionConsistency::kStrong},
};

constexpr Member<UpdateTableInput> kUpdateTableMembers[] = {
    Field<&UpdateTableInput::table_name, ReadTableName>("TableName", Presence::kParameter),
    Field<&UpdateTableInput::attribute_definitions, ReadAttributeDefinitions>(
        "AttributeDefinitions"),
    ProvisionedThroughputMember<UpdateTableInput>(),
    BillingModeMember<UpdateTableInput>(),
    {"GlobalSecondaryIndexUpdates", ReadIndexUpdates},
    Field<&UpdateTableInput::vector_index_updates, ReadVectorIndexUpdates>("VectorIndexUpdates"),
    OnDemandThroughputMember<UpdateTableInput>(),
    WarmThroughputMember<UpdateTableInput>(),
    StreamSpecificationMember<UpdateTableInput>(),
    SseSpecificationMember<UpdateTableInput>(),
    TableClassMember<UpdateTableInput>(),
    DeletionProtectionMember<UpdateTableInput>(),
    RefusedMember<UpdateTableInput>("DisassociationProtectionEnabled"),
    {"ReplicaUpdates", ReadReplicaUpdates},
    EnumField<&UpdateTableInput::multi_region_consistency, kConsistencyNames>(
        "MultiRegionConsistency"),
    RefusedMember<UpdateTableInput>("GlobalTableWitnessUpdates"),
    RefusedMember<UpdateTableInput>("GlobalTableSettingsReplicationMode"),
};

}  // namespace

Result<UpdateTableInput> ParseUpdateTableInput(const RequestBody& request) {
  return ParseInput(request, kUpdateTableMembers);
}

void PrintUpdateTableOutput(const TableDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  AppendTable(output, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
