#include "json/writer.h"
#include "wire/answers/table_json.h"
#include "wire/members/table_members.h"
#include "wire/members/vector_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<CreateTableInput> kCreateTableMembers[] = {
    {"AttributeDefinitions",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadAttributeDefinitions(reader, value, path, out.attribute_definitions);
     },
     Presence::kRequired},
    {"TableName",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadNewTableName(reader, value, path, out.table_name);
     },
     Presence::kParameter},
    BillingModeMember<CreateTableInput>(),
    ProvisionedThroughputMember<CreateTableInput>(),
    {"KeySchema",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadKeySchema(reader, value, path, 2, out.key_schema);
     },
     Presence::kRequired},
    {"GlobalSecondaryIndexes",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadGlobalIndexes(reader, value, path, out.global_indexes);
     }},
    {"LocalSecondaryIndexes",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadLocalIndexes(reader, value, path, out.local_indexes);
     }},
    {"VectorIndexes",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadVectorIndexes(reader, value, path, out.vector_indexes);
     }},
    OnDemandThroughputMember<CreateTableInput>(),
    WarmThroughputMember<CreateTableInput>(),
    StreamSpecificationMember<CreateTableInput>(),
    SseSpecificationMember<CreateTableInput>(),
    TableClassMember<CreateTableInput>(),
    DeletionProtectionMember<CreateTableInput>(),
    {"ResourcePolicy",
     [](InputReader& reader, json::Value value, const Path&, CreateTableInput& out) {
       return reader.ReadString(value, out.resource_policy);
     }},
    RefusedMember<CreateTableInput>("GlobalTableSourceArn"),
    RefusedMember<CreateTableInput>("GlobalTableSettingsReplicationMode"),
    {"Tags", [](InputReader& reader, json::Value value, const Path& path,
                CreateTableInput& out) { return ReadTags(reader, value, path, out.tags); }},
};

}  // namespace

Result<CreateTableInput> ParseCreateTableInput(json::Value root) {
  return ParseInput(root, kCreateTableMembers);
}

void PrintCreateTableOutput(const TableDescription& output, std::string& out) {
  // AWS tells of the change to on-demand only from DescribeTable on.
  TableDescription created = output;
  created.on_demand_since_ms = 0;
  json::ObjectWriter answer(out);
  AppendTable(created, answer.Name("TableDescription"));
}

}  // namespace prejoin::wire
