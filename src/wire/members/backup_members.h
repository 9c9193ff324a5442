// Members that several requests about backups have.
#ifndef PREJOIN_WIRE_MEMBERS_BACKUP_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_BACKUP_MEMBERS_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "prejoin/backups.h"
#include "wire/members/field.h"
#include "wire/members/table_members.h"
#include "wire/members/vector_members.h"

namespace prejoin::wire {

inline constexpr LengthLimits kBackupArnBytes = {37, 1024};

// A request that has nothing but a backup's ARN.
Result<std::string> ParseBackupArnInput(const RequestBody& request);

// Rows that the two restores share: fields of their `overrides`.
template <auto kField, auto kRead>
struct OverrideRow {
  std::string_view name;

  // Implicit on purpose: a row is in a table of Member<T>.
  template <class T>
  constexpr operator Member<T>() const {
    return {name, [](InputReader& reader, json::Value value, const Path& path, T& out) -> Status {
              return kRead(reader, value, path, out.overrides.*kField);
            }};
  }
};

// The table of a restore: its own rows, then those of its overrides.
inline constexpr std::size_t kOverrideCount = 7;
template <class T, std::size_t kCount>
struct RestoreTable {
  Member<T> rows[kCount + kOverrideCount];
};
template <class T, std::size_t kCount>
consteval RestoreTable<T, kCount> WithOverrides(const Member<T> (&own)[kCount]) {
  const Member<T> overrides[kOverrideCount] = {
      OverrideRow<&RestoreOverrides::billing_mode, ReadOneOf<json::kBillingModeNames>{}>{
          "BillingModeOverride"},
      OverrideRow<&RestoreOverrides::global_indexes, ReadGlobalIndexes>{
          "GlobalSecondaryIndexOverride"},
      OverrideRow<&RestoreOverrides::local_indexes, ReadLocalIndexes>{
          "LocalSecondaryIndexOverride"},
      OverrideRow<&RestoreOverrides::vector_indexes, ReadVectorIndexes>{"VectorIndexOverride"},
      OverrideRow<&RestoreOverrides::provisioned_throughput, ReadProvisionedThroughput>{
          "ProvisionedThroughputOverride"},
      OverrideRow<&RestoreOverrides::on_demand_throughput, ReadOnDemandThroughput>{
          "OnDemandThroughputOverride"},
      OverrideRow<&RestoreOverrides::sse, ReadSseSpecification>{"SSESpecificationOverride"},
  };
  RestoreTable<T, kCount> table{};
  std::ranges::copy(overrides, std::ranges::copy(own, table.rows).out);
  return table;
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_BACKUP_MEMBERS_H_
