// Reading the parts from which CreateTable and UpdateTable describe tables and indexes.
#ifndef PREJOIN_WIRE_MEMBERS_TABLE_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_TABLE_MEMBERS_H_

#include <optional>
#include <vector>

#include "json/enum_names.h"
#include "prejoin/table.h"
#include "wire/members/field.h"
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
  return EnumField<&T::billing_mode, json::kBillingModeNames>("BillingMode");
}
template <class T>
constexpr Member<T> ProvisionedThroughputMember() {
  return Field<&T::provisioned_throughput, ReadProvisionedThroughput>("ProvisionedThroughput");
}
template <class T>
constexpr Member<T> OnDemandThroughputMember() {
  return Field<&T::on_demand_throughput, ReadOnDemandThroughput>("OnDemandThroughput");
}
template <class T>
constexpr Member<T> WarmThroughputMember() {
  return Field<&T::warm_throughput, ReadWarmThroughput>("WarmThroughput");
}
template <class T>
constexpr Member<T> StreamSpecificationMember() {
  return Field<&T::stream, ReadStreamSpecification>("StreamSpecification");
}
template <class T>
constexpr Member<T> SseSpecificationMember() {
  return Field<&T::sse, ReadSseSpecification>("SSESpecification");
}
template <class T>
constexpr Member<T> TableClassMember() {
  return EnumField<&T::table_class, json::kTableClassNames>("TableClass");
}
template <class T>
constexpr Member<T> DeletionProtectionMember() {
  return Field<&T::deletion_protection>("DeletionProtectionEnabled");
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_TABLE_MEMBERS_H_
