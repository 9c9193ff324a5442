// Typed inputs and outputs of every operation, named as in the DynamoDB API Reference. An optional
// member that is nullopt was not given; the database fills in DynamoDB's default.
#ifndef PREJOIN_OPERATIONS_H_
#define PREJOIN_OPERATIONS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prejoin/item.h"
#include "prejoin/result.h"
#include "prejoin/table.h"

namespace prejoin {

// ---- Shared by several operations -------------------------------------------------------------

using AttributeNames = std::map<std::string, std::string>;      // "#n" → "name"
using AttributeValues = std::map<std::string, AttributeValue>;  // ":v" → value

enum class ReturnConsumedCapacity { kNone, kTotal, kIndexes };
enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class ReturnValuesOnFailure { kNone, kAllOld };

struct CapacityUnits {
  double total = 0;
  double read = 0;  // Which of the two is set tells reads from writes.
  double write = 0;
};

struct ConsumedCapacity {
  std::string table_name;
  CapacityUnits total;
  // Filled for ReturnConsumedCapacity::kIndexes.
  std::optional<CapacityUnits> table;
  std::map<std::string, CapacityUnits> local_indexes;
  std::map<std::string, CapacityUnits> global_indexes;
  std::map<std::string, std::int64_t> vector_indexes;  // Bytes written.
};

struct ItemCollectionMetrics {
  std::string partition_key_name;
  AttributeValue partition_key;
  double size_estimate_gb_low = 0;
  double size_estimate_gb_high = 1;
};

// ---- Legacy (pre-expression) parameters --------------------------------------------------------

enum class LegacyOperator {
  kEq,
  kNe,
  kIn,
  kLe,
  kLt,
  kGe,
  kGt,
  kBetween,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
};
enum class ConditionalOperator { kAnd, kOr };

// QueryFilter, ScanFilter, KeyConditions.
struct LegacyCondition {
  LegacyOperator comparison = LegacyOperator::kEq;
  std::vector<AttributeValue> values;
};
using LegacyConditions = std::map<std::string, LegacyCondition>;

// Expected: either `comparison` with `values`, or `exists` / `value`.
struct ExpectedAttribute {
  std::optional<LegacyOperator> comparison;
  std::optional<std::vector<AttributeValue>> values;
  std::optional<bool> exists;
  std::optional<AttributeValue> value;
};
using ExpectedAttributes = std::map<std::string, ExpectedAttribute>;

enum class LegacyAction { kPut, kDelete, kAdd };
struct AttributeUpdate {
  std::optional<AttributeValue> value;
  std::optional<LegacyAction> action;  // Default kPut.
};
using AttributeUpdates = std::map<std::string, AttributeUpdate>;

// ---- Error details -----------------------------------------------------------------------------

// With ErrorCode::kConditionalCheckFailed, when ALL_OLD was asked for and there is an item.
struct ConditionFailureDetail : ErrorDetail {
  std::optional<StoredItem> item;
};

struct CancellationReason {
  std::string code;  // "None", "ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded",
                     // "TransactionConflict", "ValidationError", …
  std::string message;
  std::optional<StoredItem> item;
};

// With ErrorCode::kTransactionCanceled: one reason for each item of the request, in its order.
struct CancellationDetail : ErrorDetail {
  std::vector<CancellationReason> reasons;
};

// ---- Items -------------------------------------------------------------------------------------

struct PutItemInput {
  std::string table_name;
  Item item;
  std::optional<std::string> condition_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  std::optional<ExpectedAttributes> expected;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<ReturnValues> return_values;
  ReturnValuesOnFailure return_values_on_condition_check_failure = ReturnValuesOnFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  bool return_item_collection_metrics = false;
};

// The output of PutItem, UpdateItem and DeleteItem.
struct WriteItemOutput {
  std::optional<StoredItem> attributes;
  std::optional<ConsumedCapacity> consumed_capacity;
  std::optional<ItemCollectionMetrics> item_collection_metrics;
};
using PutItemOutput = WriteItemOutput;

struct UpdateItemInput {
  std::string table_name;
  Item key;
  std::optional<std::string> update_expression;
  std::optional<std::string> condition_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  std::optional<AttributeUpdates> attribute_updates;
  std::optional<ExpectedAttributes> expected;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<ReturnValues> return_values;
  ReturnValuesOnFailure return_values_on_condition_check_failure = ReturnValuesOnFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  bool return_item_collection_metrics = false;
};
using UpdateItemOutput = WriteItemOutput;

struct DeleteItemInput {
  std::string table_name;
  Item key;
  std::optional<std::string> condition_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  std::optional<ExpectedAttributes> expected;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<ReturnValues> return_values;
  ReturnValuesOnFailure return_values_on_condition_check_failure = ReturnValuesOnFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  bool return_item_collection_metrics = false;
};
using DeleteItemOutput = WriteItemOutput;

struct GetItemInput {
  std::string table_name;
  Item key;
  std::optional<bool> consistent_read;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<std::vector<std::string>> attributes_to_get;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct GetItemOutput {
  std::optional<StoredItem> item;
  std::optional<ConsumedCapacity> consumed_capacity;
};

enum class Select { kAllAttributes, kAllProjectedAttributes, kSpecificAttributes, kCount };

struct QueryInput {
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<std::string> key_condition_expression;
  std::optional<std::string> filter_expression;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  std::optional<LegacyConditions> key_conditions;
  std::optional<LegacyConditions> query_filter;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<Select> select;
  std::optional<std::int32_t> limit;
  std::optional<Item> exclusive_start_key;
  std::optional<bool> consistent_read;
  bool scan_index_forward = true;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ScanInput {
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<std::string> filter_expression;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  std::optional<LegacyConditions> scan_filter;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<Select> select;
  std::optional<std::int32_t> limit;
  std::optional<Item> exclusive_start_key;
  std::optional<std::int32_t> segment;
  std::optional<std::int32_t> total_segments;
  std::optional<bool> consistent_read;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The output of Query and Scan.
struct PageOutput {
  bool count_only = false;  // Select COUNT: no `items` in the answer.
  std::vector<StoredItem> items;
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  std::optional<Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed_capacity;
};
using QueryOutput = PageOutput;
using ScanOutput = PageOutput;

struct KeysAndAttributes {
  std::vector<Item> keys;
  std::optional<bool> consistent_read;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<std::vector<std::string>> attributes_to_get;
};

struct BatchGetItemInput {
  std::map<std::string, KeysAndAttributes> request_items;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchGetItemOutput {
  std::map<std::string, std::vector<StoredItem>> responses;
  std::map<std::string, KeysAndAttributes> unprocessed_keys;
  std::vector<ConsumedCapacity> consumed_capacity;  // Empty unless asked for.
};

// Exactly one of the two; both or none is an error with DynamoDB's text.
struct WriteRequest {
  std::optional<Item> put;     // The item.
  std::optional<Item> remove;  // The key.
};

struct BatchWriteItemInput {
  std::map<std::string, std::vector<WriteRequest>> request_items;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  bool return_item_collection_metrics = false;
};

struct BatchWriteItemOutput {
  std::map<std::string, std::vector<WriteRequest>> unprocessed_items;
  std::map<std::string, std::vector<ItemCollectionMetrics>> item_collection_metrics;
  std::vector<ConsumedCapacity> consumed_capacity;
};

struct TransactGet {
  std::string table_name;
  Item key;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> expression_attribute_names;
};

struct TransactGetItemsInput {
  std::vector<TransactGet> items;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactGetItemsOutput {
  std::vector<std::optional<StoredItem>> items;  // In the order of the request.
  std::vector<ConsumedCapacity> consumed_capacity;
};

enum class TransactAction { kPut, kUpdate, kDelete, kConditionCheck };

struct TransactWrite {
  TransactAction action = TransactAction::kPut;
  std::string table_name;
  Item item_or_key;  // kPut: the item. Others: the key.
  std::optional<std::string> update_expression;
  std::optional<std::string> condition_expression;
  std::optional<AttributeNames> expression_attribute_names;
  std::optional<AttributeValues> expression_attribute_values;
  ReturnValuesOnFailure return_values_on_condition_check_failure = ReturnValuesOnFailure::kNone;
};

struct TransactWriteItemsInput {
  std::vector<TransactWrite> items;
  std::optional<std::string> client_request_token;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  bool return_item_collection_metrics = false;
};

struct TransactWriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity;
  std::map<std::string, std::vector<ItemCollectionMetrics>> item_collection_metrics;
};

// ---- Tables ------------------------------------------------------------------------------------

struct CreateTableInput {
  std::string table_name;
  KeySchema key_schema;
  std::vector<AttributeDefinition> attribute_definitions;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<std::vector<IndexSpecification>> local_indexes;
  std::optional<std::vector<IndexSpecification>> global_indexes;
  std::optional<std::vector<VectorIndexSpecification>> vector_indexes;
  std::optional<StreamSpecification> stream;
  std::optional<SseSpecification> sse;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  std::optional<std::string> resource_policy;
  std::vector<Tag> tags;
};

struct GlobalIndexUpdate {
  std::optional<IndexSpecification> create;
  // Index name, new throughput.
  struct Update {
    std::string index_name;
    std::optional<ProvisionedThroughput> provisioned_throughput;
    std::optional<OnDemandThroughput> on_demand_throughput;
    std::optional<WarmThroughput> warm_throughput;
  };
  std::optional<Update> update;
  std::optional<std::string> remove;
};

struct VectorIndexUpdate {
  std::optional<VectorIndexSpecification> create;
  std::optional<std::string> remove;  // The index's name.
};

enum class MultiRegionConsistency { kEventual, kStrong };

// One change of a table's replicas in other regions.
struct ReplicaUpdate {
  struct Settings {
    std::string region_name;
    std::optional<std::string> kms_key;
    std::optional<TableClass> table_class;
    std::optional<OnDemandThroughput> on_demand_throughput;
    bool has_provisioned_throughput = false;
    friend bool operator==(const Settings&, const Settings&) = default;
  };
  std::optional<Settings> create;
  std::optional<Settings> update;
  std::optional<std::string> remove;  // The region.
  friend bool operator==(const ReplicaUpdate&, const ReplicaUpdate&) = default;
};

struct UpdateTableInput {
  std::string table_name;
  std::optional<std::vector<AttributeDefinition>> attribute_definitions;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
  std::optional<std::vector<GlobalIndexUpdate>> global_index_updates;
  std::optional<std::vector<VectorIndexUpdate>> vector_index_updates;
  std::optional<StreamSpecification> stream;
  std::optional<SseSpecification> sse;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  // The only change of its request.
  std::optional<std::vector<ReplicaUpdate>> replica_updates;
  std::optional<MultiRegionConsistency> multi_region_consistency;
};

struct ListTablesInput {
  std::optional<std::string> exclusive_start_table_name;
  std::optional<std::int32_t> limit;
};

struct ListTablesOutput {
  std::vector<std::string> table_names;
  std::optional<std::string> last_evaluated_table_name;
};

struct AccountLimits {
  std::int64_t account_max_read_capacity_units = 80'000;
  std::int64_t account_max_write_capacity_units = 80'000;
  std::int64_t table_max_read_capacity_units = 40'000;
  std::int64_t table_max_write_capacity_units = 40'000;
};

struct ListTagsOutput {
  std::vector<Tag> tags;
  std::optional<std::string> next_token;
};

}  // namespace prejoin

#endif  // PREJOIN_OPERATIONS_H_
