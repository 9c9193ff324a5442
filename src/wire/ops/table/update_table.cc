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
    RefusedMember<UpdateTableInput>("ReplicaUpdates"),
    RefusedMember<UpdateTableInput>("MultiRegionConsistency"),
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
