#include "engine/input_checks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/backup_limits.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "engine/errors.h"
#include "partiql/limits.h"

namespace prejoin::engine {
namespace {

// ---- Values -------------------------------------------------------------------------------------

Status CheckText(std::string_view text) {
  return IsUtf8(text) ? Status() : Status(InvalidParameter("A string is not valid UTF-8"));
}

// Compares through a sorted copy of pointers: a set may fill an item.
template <class Member>
Status CheckMembers(const std::vector<Member>& members, const char* what) {
  if (members.empty()) {
    return InvalidParameter(std::string("An ") + what + " set  may not be empty");
  }
  std::vector<const Member*> sorted;
  sorted.reserve(members.size());
  for (const Member& member : members) {
    sorted.push_back(&member);
  }
  std::ranges::sort(sorted, [](const Member* a, const Member* b) { return *a < *b; });
  const auto same = [](const Member* a, const Member* b) { return *a == *b; };
  return std::ranges::adjacent_find(sorted, same) == sorted.end()
             ? Status()
             : Status(InvalidParameter("Input collection contains duplicates"));
}

Status CheckValues(const Item& item, int depth = 1);

// `depth` is how many lists and maps are around the value, its item included: a value of an expression, which has none, may be one level
// deeper. Recursion ends at the nesting limit.
Status CheckValue(const AttributeValue& value, int depth) {
  if ((value.list() || value.map()) && depth >= kNestingDepthMax) {
    return ValidationError(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
        "beyond supported limit");
  }
  if (const auto* text = value.string()) {
    return CheckText(*text);
  }
  if (const auto* map = value.map()) {
    return CheckValues(*map, depth + 1);
  }
  if (const auto* list = value.list()) {
    for (const AttributeValue& element : *list) {
      PJ_RETURN_IF_ERROR(CheckValue(element, depth + 1));
    }
  }
  if (const auto* members = value.string_set()) {
    for (const std::string& member : *members) {
      PJ_RETURN_IF_ERROR(CheckText(member));
    }
    return CheckMembers(*members, "string");
  }
  if (const auto* members = value.number_set()) {
    return CheckMembers(*members, "number");
  }
  if (const auto* members = value.binary_set()) {
    return CheckMembers(*members, "binary");
  }
  return {};
}

Status CheckValues(const Item& item, int depth) {
  for (const auto& [name, value] : item) {
    PJ_RETURN_IF_ERROR(CheckText(name));
    PJ_RETURN_IF_ERROR(CheckValue(value, depth));
  }
  return {};
}

Status CheckValues(const std::optional<Item>& item) { return item ? CheckValues(*item) : Status(); }

Status CheckValues(const std::optional<AttributeValues>& values) {
  if (values) {
    for (const auto& [placeholder, value] : *values) {
      PJ_RETURN_IF_ERROR(CheckValue(value, 0));
    }
  }
  return {};
}

Status CheckValues(const std::vector<AttributeValue>& values) {
  for (const AttributeValue& value : values) {
    PJ_RETURN_IF_ERROR(CheckValue(value, 0));
  }
  return {};
}

Status CheckStatement(const std::string& statement,
                      const std::optional<std::vector<AttributeValue>>& parameters) {
  PJ_RETURN_IF_ERROR(CheckText(statement));
  if (statement.empty() || statement.size() > partiql::kStatementBytesMax) {
    return ValidationError("A statement must have 1 to 8192 bytes");
  }
  return parameters ? CheckValues(*parameters) : Status();
}

Status CheckStatements(const std::vector<PartiqlStatement>& statements) {
  for (const PartiqlStatement& statement : statements) {
    PJ_RETURN_IF_ERROR(CheckStatement(statement.statement, statement.parameters));
  }
  return {};
}

Status CheckValues(const std::optional<LegacyConditions>& conditions) {
  if (conditions) {
    for (const auto& [name, condition] : *conditions) {
      PJ_RETURN_IF_ERROR(CheckValues(condition.values));
    }
  }
  return {};
}

Status CheckValues(const std::optional<ExpectedAttributes>& expected) {
  if (expected) {
    for (const auto& [name, attribute] : *expected) {
      if (attribute.value) {
        PJ_RETURN_IF_ERROR(CheckValue(*attribute.value, 0));
      }
      if (attribute.values) {
        PJ_RETURN_IF_ERROR(CheckValues(*attribute.values));
      }
    }
  }
  return {};
}

// ---- Requests -----------------------------------------------------------------------------------

struct Bounds {
  std::int64_t low;
  std::int64_t high;
};

Status CheckRange(std::optional<std::int32_t> number, const char* name, Bounds bounds) {
  if (!number || (*number >= bounds.low && *number <= bounds.high)) {
    return {};
  }
  return InvalidParameter(std::string(name) + " must be between " + std::to_string(bounds.low) +
                          " and " + std::to_string(bounds.high));
}

constexpr std::size_t kTableNameBytesMax = 255;

Status CheckCount(std::size_t count, const char* what, std::size_t most) {
  if (count >= 1 && count <= most) {
    return {};
  }
  return InvalidParameter(std::string(what) + " must have between 1 and " + std::to_string(most) +
                          " members");
}

constexpr Bounds kLimitBounds = {1, INT32_MAX};

}  // namespace

Status CheckInput(const PutItemInput& input) {
  PJ_RETURN_IF_ERROR(CheckValues(input.item));
  PJ_RETURN_IF_ERROR(CheckValues(input.expected));
  return CheckValues(input.expression_attribute_values);
}

Status CheckInput(const GetItemInput& input) { return CheckValues(input.key); }

Status CheckInput(const UpdateItemInput& input) {
  PJ_RETURN_IF_ERROR(CheckValues(input.key));
  PJ_RETURN_IF_ERROR(CheckValues(input.expected));
  if (input.attribute_updates) {
    for (const auto& [name, update] : *input.attribute_updates) {
      PJ_RETURN_IF_ERROR(CheckText(name));
      if (update.value) {
        PJ_RETURN_IF_ERROR(CheckValue(*update.value, 0));
      }
    }
  }
  return CheckValues(input.expression_attribute_values);
}

Status CheckInput(const DeleteItemInput& input) {
  PJ_RETURN_IF_ERROR(CheckValues(input.key));
  PJ_RETURN_IF_ERROR(CheckValues(input.expected));
  return CheckValues(input.expression_attribute_values);
}

Status CheckInput(const QueryInput& input) {
  PJ_RETURN_IF_ERROR(CheckRange(input.limit, "Limit", kLimitBounds));
  PJ_RETURN_IF_ERROR(CheckValues(input.exclusive_start_key));
  PJ_RETURN_IF_ERROR(CheckValues(input.key_conditions));
  PJ_RETURN_IF_ERROR(CheckValues(input.query_filter));
  return CheckValues(input.expression_attribute_values);
}

Status CheckInput(const ScanInput& input) {
  PJ_RETURN_IF_ERROR(CheckRange(input.limit, "Limit", kLimitBounds));
  PJ_RETURN_IF_ERROR(CheckRange(input.total_segments, "TotalSegments", {1, kScanSegmentsMax}));
  PJ_RETURN_IF_ERROR(CheckRange(input.segment, "Segment", {0, kScanSegmentsMax - 1}));
  PJ_RETURN_IF_ERROR(CheckValues(input.exclusive_start_key));
  PJ_RETURN_IF_ERROR(CheckValues(input.scan_filter));
  return CheckValues(input.expression_attribute_values);
}

Status CheckInput(const BatchGetItemInput& input) {
  std::size_t count = 0;
  for (const auto& [table_name, request] : input.request_items) {
    PJ_RETURN_IF_ERROR(CheckCount(request.keys.size(), "Keys", kBatchGetKeysMax));
    count += request.keys.size();
    for (const Item& key : request.keys) {
      PJ_RETURN_IF_ERROR(CheckValues(key));
    }
  }
  return CheckCount(count, "RequestItems", kBatchGetKeysMax);
}

Status CheckInput(const BatchWriteItemInput& input) {
  std::size_t count = 0;
  for (const auto& [table_name, requests] : input.request_items) {
    PJ_RETURN_IF_ERROR(CheckCount(requests.size(), "WriteRequests", kBatchWriteItemsMax));
    count += requests.size();
    for (const WriteRequest& request : requests) {
      if (request.put.has_value() == request.remove.has_value()) {
        return ValidationError(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
      }
      PJ_RETURN_IF_ERROR(CheckValues(request.put));
      PJ_RETURN_IF_ERROR(CheckValues(request.remove));
    }
  }
  return CheckCount(count, "RequestItems", kBatchWriteItemsMax);
}

Status CheckInput(const TransactGetItemsInput& input) {
  for (const TransactGet& get : input.items) {
    PJ_RETURN_IF_ERROR(CheckValues(get.key));
  }
  return CheckCount(input.items.size(), "TransactItems", kTransactionItemsMax);
}

Status CheckInput(const TransactWriteItemsInput& input) {
  constexpr std::size_t kTokenBytesMax = 36;
  for (const TransactWrite& write : input.items) {
    PJ_RETURN_IF_ERROR(CheckValues(write.item_or_key));
    PJ_RETURN_IF_ERROR(CheckValues(write.expression_attribute_values));
    if (write.action == TransactAction::kConditionCheck && !write.condition_expression) {
      return InvalidParameter("A ConditionCheck must have a ConditionExpression");
    }
  }
  if (input.client_request_token) {
    PJ_RETURN_IF_ERROR(
        CheckCount(input.client_request_token->size(), "ClientRequestToken", kTokenBytesMax));
  }
  return CheckCount(input.items.size(), "TransactItems", kTransactionItemsMax);
}

Status CheckInput(const ExecuteStatementInput& input) {
  if (input.limit && *input.limit < 1) {
    return ValidationError("Limit must be greater than or equal to 1");
  }
  return CheckStatement(input.statement, input.parameters);
}

Status CheckInput(const BatchExecuteStatementInput& input) {
  if (input.statements.empty() || input.statements.size() > partiql::kBatchStatementsMax) {
    return ValidationError("Statements must have 1 to 25 members");
  }
  return CheckStatements(input.statements);
}

Status CheckInput(const ExecuteTransactionInput& input) {
  if (input.statements.empty() || input.statements.size() > kTransactionItemsMax) {
    return ValidationError("TransactStatements must have 1 to 100 members");
  }
  return CheckStatements(input.statements);
}

Status CheckInput(const CreateTableInput& input) {
  constexpr std::size_t kKeyPartsMax = 2;
  PJ_RETURN_IF_ERROR(CheckCount(input.key_schema.size(), "KeySchema", kKeyPartsMax));
  if (input.local_indexes) {
    for (const IndexSpecification& index : *input.local_indexes) {
      PJ_RETURN_IF_ERROR(CheckCount(index.key_schema.size(), "KeySchema", kKeyPartsMax));
    }
  }
  return {};
}

Status CheckInput(const ListTablesInput& input) {
  return CheckRange(input.limit, "Limit", {1, 100});
}

Status CheckInput(const UpdateTimeToLiveInput& input) {
  constexpr std::size_t kAttributeNameBytesMax = 255;
  return CheckCount(input.specification.attribute_name.size(), "AttributeName",
                    kAttributeNameBytesMax);
}

Status CheckInput(const ListStreamsInput& input) {
  return CheckRange(input.limit, "Limit", {1, 100});
}

Status CheckInput(const DescribeStreamInput& input) {
  return CheckRange(input.limit, "Limit", {1, 100});
}

Status CheckInput(const CreateBackupInput& input) {
  constexpr std::size_t kBackupNameBytesMax = 255;
  return CheckCount(input.backup_name.size(), "BackupName", kBackupNameBytesMax);
}

Status CheckInput(const ListBackupsInput& input) {
  return CheckRange(input.limit, "Limit", {1, 100});
}

Status CheckInput(const UpdateContinuousBackupsInput& input) {
  return CheckRange(input.recovery_period_days, "RecoveryPeriodInDays", {1, kRecoveryDaysMax});
}

Status CheckInput(const RestoreTableFromBackupInput& input) {
  return CheckCount(input.target_table_name.size(), "TargetTableName", kTableNameBytesMax);
}

Status CheckInput(const RestoreTableToPointInTimeInput& input) {
  return CheckCount(input.target_table_name.size(), "TargetTableName", kTableNameBytesMax);
}

Status CheckInput(const GetRecordsInput& input) {
  return CheckRange(input.limit, "Limit", {1, kStreamRecordsMax});
}

}  // namespace prejoin::engine
