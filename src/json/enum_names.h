// DynamoDB's spelling of its enumerations. The order is that in which its messages list them.
#ifndef PREJOIN_JSON_ENUM_NAMES_H_
#define PREJOIN_JSON_ENUM_NAMES_H_

#include <cstddef>
#include <string_view>

#include "base/check.h"
#include "prejoin/operations.h"
#include "prejoin/table.h"

namespace prejoin::json {

template <class E>
struct EnumName {
  std::string_view name;
  E value;
};

inline constexpr EnumName<ReturnConsumedCapacity> kReturnConsumedCapacityNames[] = {
    {"INDEXES", ReturnConsumedCapacity::kIndexes},
    {"TOTAL", ReturnConsumedCapacity::kTotal},
    {"NONE", ReturnConsumedCapacity::kNone},
};
inline constexpr EnumName<bool> kReturnItemCollectionMetricsNames[] = {
    {"SIZE", true},
    {"NONE", false},
};
inline constexpr EnumName<ReturnValues> kReturnValuesNames[] = {
    {"ALL_NEW", ReturnValues::kAllNew},         {"UPDATED_OLD", ReturnValues::kUpdatedOld},
    {"ALL_OLD", ReturnValues::kAllOld},         {"NONE", ReturnValues::kNone},
    {"UPDATED_NEW", ReturnValues::kUpdatedNew},
};
inline constexpr EnumName<ReturnValuesOnFailure> kReturnValuesOnFailureNames[] = {
    {"ALL_OLD", ReturnValuesOnFailure::kAllOld},
    {"NONE", ReturnValuesOnFailure::kNone},
};
inline constexpr EnumName<ConditionalOperator> kConditionalOperatorNames[] = {
    {"OR", ConditionalOperator::kOr},
    {"AND", ConditionalOperator::kAnd},
};
inline constexpr EnumName<Select> kSelectNames[] = {
    {"SPECIFIC_ATTRIBUTES", Select::kSpecificAttributes},
    {"COUNT", Select::kCount},
    {"ALL_ATTRIBUTES", Select::kAllAttributes},
    {"ALL_PROJECTED_ATTRIBUTES", Select::kAllProjectedAttributes},
};
inline constexpr EnumName<LegacyOperator> kLegacyOperatorNames[] = {
    {"IN", LegacyOperator::kIn},
    {"NULL", LegacyOperator::kNull},
    {"BETWEEN", LegacyOperator::kBetween},
    {"LT", LegacyOperator::kLt},
    {"NOT_CONTAINS", LegacyOperator::kNotContains},
    {"EQ", LegacyOperator::kEq},
    {"GT", LegacyOperator::kGt},
    {"NOT_NULL", LegacyOperator::kNotNull},
    {"NE", LegacyOperator::kNe},
    {"LE", LegacyOperator::kLe},
    {"BEGINS_WITH", LegacyOperator::kBeginsWith},
    {"GE", LegacyOperator::kGe},
    {"CONTAINS", LegacyOperator::kContains},
};
inline constexpr EnumName<LegacyAction> kLegacyActionNames[] = {
    {"ADD", LegacyAction::kAdd},
    {"DELETE", LegacyAction::kDelete},
    {"PUT", LegacyAction::kPut},
};

inline constexpr EnumName<KeyType> kKeyTypeNames[] = {
    {"HASH", KeyType::kHash},
    {"RANGE", KeyType::kRange},
};
inline constexpr EnumName<ScalarType> kScalarTypeNames[] = {
    {"B", ScalarType::kBinary},
    {"N", ScalarType::kNumber},
    {"S", ScalarType::kString},
};
inline constexpr EnumName<BillingMode> kBillingModeNames[] = {
    {"PROVISIONED", BillingMode::kProvisioned},
    {"PAY_PER_REQUEST", BillingMode::kPayPerRequest},
};
inline constexpr EnumName<ProjectionType> kProjectionTypeNames[] = {
    {"ALL", ProjectionType::kAll},
    {"INCLUDE", ProjectionType::kInclude},
    {"KEYS_ONLY", ProjectionType::kKeysOnly},
};
inline constexpr EnumName<TableClass> kTableClassNames[] = {
    {"STANDARD", TableClass::kStandard},
    {"STANDARD_INFREQUENT_ACCESS", TableClass::kStandardInfrequentAccess},
};
inline constexpr EnumName<StreamViewType> kStreamViewTypeNames[] = {
    {"NEW_IMAGE", StreamViewType::kNewImage},
    {"OLD_IMAGE", StreamViewType::kOldImage},
    {"NEW_AND_OLD_IMAGES", StreamViewType::kNewAndOldImages},
    {"KEYS_ONLY", StreamViewType::kKeysOnly},
};
inline constexpr EnumName<TableStatus> kTableStatusNames[] = {
    {"CREATING", TableStatus::kCreating},
    {"ACTIVE", TableStatus::kActive},
    {"UPDATING", TableStatus::kUpdating},
    {"DELETING", TableStatus::kDeleting},
};
inline constexpr EnumName<ReplicaStatus> kReplicaStatusNames[] = {
    {"CREATING", ReplicaStatus::kCreating},
    {"ACTIVE", ReplicaStatus::kActive},
    {"DELETING", ReplicaStatus::kDeleting},
};
inline constexpr EnumName<IndexStatus> kIndexStatusNames[] = {
    {"CREATING", IndexStatus::kCreating},
    {"ACTIVE", IndexStatus::kActive},
    {"UPDATING", IndexStatus::kUpdating},
    {"DELETING", IndexStatus::kDeleting},
};

inline constexpr EnumName<VectorDistance> kVectorDistanceNames[] = {
    {"COSINE", VectorDistance::kCosine},
    {"EUCLIDEAN", VectorDistance::kEuclidean},
    {"DOT_PRODUCT", VectorDistance::kDotProduct},
};
inline constexpr EnumName<SearchSchemaType> kSearchSchemaTypeNames[] = {
    {"HASH", SearchSchemaType::kHash},
    {"INLINE_FILTER", SearchSchemaType::kInlineFilter},
};

template <class E, std::size_t kCount>
std::string_view NameOf(const EnumName<E> (&names)[kCount], E value) {
  for (const EnumName<E>& name : names) {
    if (name.value == value) {
      return name.name;
    }
  }
  CheckFailed(__FILE__, __LINE__, "every enumerator has a name");
}

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_ENUM_NAMES_H_
