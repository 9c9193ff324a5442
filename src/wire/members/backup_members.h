// Members that several requests about backups have.
#ifndef PREJOIN_WIRE_MEMBERS_BACKUP_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_BACKUP_MEMBERS_H_

#include <string>

#include "prejoin/backups.h"
#include "wire/members/input_reader.h"
#include "wire/members/table_members.h"
#include "wire/members/vector_members.h"

namespace prejoin::wire {

inline constexpr LengthLimits kBackupArnBytes = {37, 1024};

// A request that has nothing but a backup's ARN.
Result<std::string> ParseBackupArnInput(json::Value root);

// Rows that the two restores share.
template <class T>
constexpr Member<T> BillingModeOverrideMember() {
  return {
      "BillingModeOverride", [](InputReader& reader, json::Value value, const Path& path, T& out) {
        return reader.ReadEnum(value, path, json::kBillingModeNames, out.overrides.billing_mode);
      }};
}
template <class T>
constexpr Member<T> GlobalIndexOverrideMember() {
  return {"GlobalSecondaryIndexOverride",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadGlobalIndexes(reader, value, path, out.overrides.global_indexes);
          }};
}
template <class T>
constexpr Member<T> LocalIndexOverrideMember() {
  return {"LocalSecondaryIndexOverride",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadLocalIndexes(reader, value, path, out.overrides.local_indexes);
          }};
}
template <class T>
constexpr Member<T> VectorIndexOverrideMember() {
  return {"VectorIndexOverride",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadVectorIndexes(reader, value, path, out.overrides.vector_indexes);
          }};
}
template <class T>
constexpr Member<T> ProvisionedThroughputOverrideMember() {
  return {"ProvisionedThroughputOverride",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadProvisionedThroughput(reader, value, path,
                                             out.overrides.provisioned_throughput);
          }};
}
template <class T>
constexpr Member<T> OnDemandThroughputOverrideMember() {
  return {"OnDemandThroughputOverride",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadOnDemandThroughput(reader, value, path, out.overrides.on_demand_throughput);
          }};
}
template <class T>
constexpr Member<T> SseOverrideMember() {
  return {"SSESpecificationOverride",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadSseSpecification(reader, value, path, out.overrides.sse);
          }};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_BACKUP_MEMBERS_H_
