#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/field.h"
#include "wire/members/table_members.h"
#include "wire/members/vector_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<CreateTableInput> kCreateTableMembers[] = {
    Field<&CreateTableInput::attribute_definitions, ReadAttributeDefinitions>(
        "AttributeDefinitions", Presence::kRequired),
    Field<&CreateTableInput::table_name, ReadCreatedTableName>("TableName", Presence::kParameter),
    BillingModeMember<CreateTableInput>(),
    ProvisionedThroughputMember<CreateTableInput>(),
    {"KeySchema",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadKeySchema(reader, value, path, 2, out.key_schema);
     },
     Presence::kRequired},
    Field<&CreateTableInput::global_indexes, ReadGlobalIndexes>("GlobalSecondaryIndexes"),
    Field<&CreateTableInput::local_indexes, ReadLocalIndexes>("LocalSecondaryIndexes"),
    Field<&CreateTableInput::vector_indexes, ReadVectorIndexes>("VectorIndexes"),
    OnDemandThroughputMember<CreateTableInput>(),
    WarmThroughputMember<CreateTableInput>(),
    StreamSpecificationMember<CreateTableInput>(),
    SseSpecificationMember<CreateTableInput>(),
    TableClassMember<CreateTableInput>(),
    DeletionProtectionMember<CreateTableInput>(),
    Field<&CreateTableInput::resource_policy>("ResourcePolicy"),
    RefusedMember<CreateTableInput>("GlobalTableSourceArn"),
    RefusedMember<CreateTableInput>("GlobalTableSettingsReplicationMode"),
    Field<&CreateTableInput::tags, ReadTags>("Tags"),
};

}  // namespace

Result<CreateTableInput> ParseCreateTableInput(const RequestBody& request) {
  return ParseInput(request, kCreateTableMembers);
}

void PrintCreateTableOutput(const TableDescription& output, std::string& out) {
  // AWS mentions the change to on-demand only from DescribeTable on.
  TableDescription created = output;
  created.on_demand_since_ms = 0;
  json::ObjectWriter answer(out);
  AppendTable(created, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
