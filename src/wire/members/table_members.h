// Reading the parts from which CreateTable and UpdateTable describe tables and indexes.
#ifndef PREJOIN_WIRE_MEMBERS_TABLE_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_TABLE_MEMBERS_H_

#include <optional>
#include <vector>

#include "json/enum_names.h"
#include "prejoin/table.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

Status ReadAttributeDefinitions(InputReader& reader, json::Value value, const Path& path,
                                std::vector<AttributeDefinition>& out);
Status ReadKeySchema(InputReader& reader, json::Value value, const Path& path,
                     std::size_t parts_max, KeySchema& out);
Status ReadProvisionedThroughput(InputReader& reader, json::Value value, const Path& path,
                                 std::optional<ProvisionedThroughput>& out);
Status ReadOnDemandThroughput(InputReader& reader, json::Value value, const Path& path,
                              std::optional<OnDemandThroughput>& out);
Status ReadWarmThroughput(InputReader& reader, json::Value value, const Path& path,
                          std::optional<WarmThroughput>& out);
Status ReadStreamSpecification(InputReader& reader, json::Value value, const Path& path,
                               std::optional<StreamSpecification>& out);
Status ReadSseSpecification(InputReader& reader, json::Value value, const Path& path,
                            std::optional<SseSpecification>& out);
Status ReadTags(InputReader& reader, json::Value value, const Path& path, std::vector<Tag>& out);

Status ReadLocalIndexes(InputReader& reader, json::Value value, const Path& path,
                        std::optional<std::vector<IndexSpecification>>& out);
Status ReadGlobalIndexes(InputReader& reader, json::Value value, const Path& path,
                         std::optional<std::vector<IndexSpecification>>& out);
// The `Create` of an UpdateTable; its type is already checked.
Status ReadGlobalIndex(InputReader& reader, json::Value value, const Path& path,
                       IndexSpecification& out);

Status ReadProjection(InputReader& reader, json::Value value, const Path& path,
                      std::optional<Projection>& out);

// Rows that CreateTable and UpdateTable share.
template <class T>
constexpr Member<T> BillingModeMember() {
  return {"BillingMode", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kBillingModeNames, out.billing_mode);
          }};
}
template <class T>
constexpr Member<T> ProvisionedThroughputMember() {
  return {"ProvisionedThroughput",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadProvisionedThroughput(reader, value, path, out.provisioned_throughput);
          }};
}
template <class T>
constexpr Member<T> OnDemandThroughputMember() {
  return {"OnDemandThroughput",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadOnDemandThroughput(reader, value, path, out.on_demand_throughput);
          }};
}
template <class T>
constexpr Member<T> WarmThroughputMember() {
  return {"WarmThroughput", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadWarmThroughput(reader, value, path, out.warm_throughput);
          }};
}
template <class T>
constexpr Member<T> StreamSpecificationMember() {
  return {"StreamSpecification",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadStreamSpecification(reader, value, path, out.stream);
          }};
}
template <class T>
constexpr Member<T> SseSpecificationMember() {
  return {"SSESpecification", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadSseSpecification(reader, value, path, out.sse);
          }};
}
template <class T>
constexpr Member<T> TableClassMember() {
  return {"TableClass", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kTableClassNames, out.table_class);
          }};
}
template <class T>
constexpr Member<T> DeletionProtectionMember() {
  return {"DeletionProtectionEnabled",
          [](InputReader& reader, json::Value value, const Path&, T& out) {
            return reader.ReadBool(value, out.deletion_protection);
          }};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_TABLE_MEMBERS_H_
