// Members that many item operations share. Each is a row for the member table of an input that has
// the field.
#ifndef PREJOIN_WIRE_MEMBERS_ITEM_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_ITEM_MEMBERS_H_

#include "json/enum_names.h"
#include "wire/members/field.h"
#include "wire/members/input_reader.h"
#include "wire/members/item_values.h"
#include "wire/members/legacy_members.h"
#include "wire/names.h"

namespace prejoin::wire {

template <class T>
constexpr Member<T> TableNameMember() {
  return Field<&T::table_name, ReadTableName>("TableName", Presence::kRequired);
}

template <class T>
constexpr Member<T> KeyMember() {
  return {"Key",
          [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadItem(reader, value, Order::kItem, out.key);
          },
          Presence::kRequired};
}

template <class T>
constexpr Member<T> IndexNameMember() {
  return {"IndexName", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadIndexName(reader, value, path, out.index_name);
          }};
}

template <class T>
constexpr Member<T> ReturnConsumedCapacityMember() {
  return EnumField<&T::return_consumed_capacity, json::kReturnConsumedCapacityNames>(
      "ReturnConsumedCapacity");
}

template <class T>
constexpr Member<T> ReturnItemCollectionMetricsMember() {
  return EnumField<&T::return_item_collection_metrics, json::kReturnItemCollectionMetricsNames>(
      "ReturnItemCollectionMetrics");
}

template <class T>
constexpr Member<T> ReturnValuesMember() {
  return EnumField<&T::return_values, json::kReturnValuesNames>("ReturnValues");
}

// The texts of these two in the operations that AWS has re-worded; "UPDATE_NEW" and "ALL" are AWS's.
inline constexpr std::string_view kBadReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
    "ALL_NEW, UPDATE_NEW, NONE]";
inline constexpr std::string_view kBadConditionalOperator =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";

// If AWS reports nothing else, this error comes before all others.
enum class Company { kListed, kAlone };

template <Company kCompany, class E, std::size_t kCount, class Out>
Status ReadNewEnum(InputReader& reader, json::Value value, const EnumName<E> (&names)[kCount],
                   std::string_view complaint, Out& out) {
  PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
  for (const EnumName<E>& name : names) {
    if (name.name == text) {
      out = name.value;
      return {};
    }
  }
  if constexpr (kCompany == Company::kListed) {
    reader.ViolateText(std::string(complaint));
  } else {
    reader.Refuse(
        Order::kTableName,
        (reader.form().envelope ? "1 validation error detected: " : "") + std::string(complaint));
  }
  return {};
}

template <class T, Company kCompany = Company::kListed>
constexpr Member<T> NewReturnValuesMember() {
  return {"ReturnValues", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadNewEnum<kCompany>(reader, value, json::kReturnValuesNames, kBadReturnValues,
                                         out.return_values);
          }};
}

template <class T>
constexpr Member<T> NewConditionalOperatorMember() {
  return {"ConditionalOperator", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadNewEnum<Company::kAlone>(reader, value, json::kConditionalOperatorNames,
                                                kBadConditionalOperator, out.conditional_operator);
          }};
}

template <class T>
constexpr Member<T> ReturnValuesOnFailureMember() {
  return EnumField<&T::return_values_on_condition_check_failure, json::kReturnValuesOnFailureNames>(
      "ReturnValuesOnConditionCheckFailure");
}

template <class T>
constexpr Member<T> ConditionExpressionMember(Presence presence = Presence::kOptional) {
  return Field<&T::condition_expression>("ConditionExpression", presence);
}

template <class T>
constexpr Member<T> UpdateExpressionMember(Presence presence = Presence::kOptional) {
  return Field<&T::update_expression>("UpdateExpression", presence);
}

template <class T>
constexpr Member<T> FilterExpressionMember() {
  return Field<&T::filter_expression>("FilterExpression");
}

template <class T>
constexpr Member<T> ProjectionExpressionMember() {
  return Field<&T::projection_expression>("ProjectionExpression");
}

template <class T>
constexpr Member<T> ExpressionNamesMember() {
  return {"ExpressionAttributeNames",
          [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadExpressionNames(reader, value, out.expression_attribute_names);
          }};
}

template <class T>
constexpr Member<T> ExpressionValuesMember() {
  return {"ExpressionAttributeValues",
          [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadExpressionValues(reader, value, out.expression_attribute_values);
          }};
}

template <class T>
constexpr Member<T> ConsistentReadMember() {
  return Field<&T::consistent_read>("ConsistentRead");
}

template <class T>
constexpr Member<T> SelectMember() {
  return EnumField<&T::select, json::kSelectNames>("Select");
}

template <class T>
constexpr Member<T> StartKeyMember() {
  return {"ExclusiveStartKey", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadStartKey(reader, value, out.exclusive_start_key);
          }};
}

template <class T>
constexpr Member<T> AttributesToGetMember() {
  return Field<&T::attributes_to_get, ReadAttributesToGet>("AttributesToGet");
}

template <class T>
constexpr Member<T> ConditionalOperatorMember() {
  return EnumField<&T::conditional_operator, json::kConditionalOperatorNames>(
      "ConditionalOperator");
}

template <class T>
constexpr Member<T> ExpectedMember() {
  return Field<&T::expected, ReadExpected>("Expected");
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_ITEM_MEMBERS_H_
