// Settings of a table besides its schema: Contributor Insights and resource policies.
#ifndef PREJOIN_TABLE_SETTINGS_H_
#define PREJOIN_TABLE_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/item.h"

namespace prejoin {

// ---- Contributor Insights: the most used keys of a table or global index

enum class InsightsMode { kAccessedAndThrottledKeys, kThrottledKeys };
enum class InsightsAction { kEnable, kDisable };
enum class InsightsStatus { kEnabling, kEnabled, kDisabling, kDisabled };

struct UpdateContributorInsightsInput {
  std::string table_name;
  std::optional<std::string> index_name;
  InsightsAction action = InsightsAction::kEnable;
  std::optional<InsightsMode> mode;
};

struct DescribeContributorInsightsInput {
  std::string table_name;
  std::optional<std::string> index_name;
};

struct InsightsDescription {
  std::string table_name;
  std::optional<std::string> index_name;
  InsightsStatus status = InsightsStatus::kDisabled;
  // The next three are left out where insights were never enabled.
  std::optional<InsightsMode> mode;
  std::optional<std::int64_t> updated_ms;
  std::vector<std::string> rules;  // By AWS's names; empty when disabled.
};

struct ListContributorInsightsInput {
  std::optional<std::string> table_name;
  std::optional<std::string> next_token;
  std::optional<std::int32_t> max_results;
};

struct ListContributorInsightsOutput {
  std::vector<InsightsDescription> summaries;
  std::optional<std::string> next_token;
};

// A key and how often items with it were read or written. The true count is between
// `count - error_max` and `count`.
struct KeyAccessCount {
  Item key;
  std::uint64_t count = 0;
  std::uint64_t error_max = 0;
};

// The figures counted since insights were enabled or the database was opened, most used first.
struct InsightsReport {
  std::string table_name;
  std::optional<std::string> index_name;
  std::vector<KeyAccessCount> partition_keys;
  std::vector<KeyAccessCount> keys;  // Partition and sort key; empty without a sort key.
};

// ---- Resource policies

struct ResourcePolicy {
  std::string document;
  std::string revision_id;
};

struct PutResourcePolicyInput {
  std::string arn;  // The ARN of the table or stream.
  std::string policy;
  std::optional<std::string> expected_revision_id;
};

struct DeleteResourcePolicyInput {
  std::string arn;
  std::optional<std::string> expected_revision_id;
};

}  // namespace prejoin

#endif  // PREJOIN_TABLE_SETTINGS_H_
