// Members that many item operations share. Each is a row for the member table of an input that has
// the field.
#ifndef PREJOIN_WIRE_MEMBERS_ITEM_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_ITEM_MEMBERS_H_

#include "json/enum_names.h"
#include "wire/members/input_reader.h"
#include "wire/members/item_values.h"
#include "wire/members/legacy_members.h"
#include "wire/names.h"

namespace prejoin::wire {

template <class T>
constexpr Member<T> TableNameMember() {
  return {"TableName",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadTableName(reader, value, path, out.table_name);
          },
          Presence::kRequired};
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
  return {"ReturnConsumedCapacity",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kReturnConsumedCapacityNames,
                                   out.return_consumed_capacity);
          }};
}

template <class T>
constexpr Member<T> ReturnItemCollectionMetricsMember() {
  return {"ReturnItemCollectionMetrics",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kReturnItemCollectionMetricsNames,
                                   out.return_item_collection_metrics);
          }};
}

template <class T>
constexpr Member<T> ReturnValuesMember() {
  return {"ReturnValues", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kReturnValuesNames, out.return_values);
          }};
}

// The texts of these two in the operations that AWS has re-worded; "UPDATE_NEW" and "ALL" are AWS's.
inline constexpr std::string_view kBadReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
    "ALL_NEW, UPDATE_NEW, NONE]";
inline constexpr std::string_view kBadConditionalOperator =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";

// Where AWS tells of nothing else, the complaint comes before all others.
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
  return {"ReturnValuesOnConditionCheckFailure",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kReturnValuesOnFailureNames,
                                   out.return_values_on_condition_check_failure);
          }};
}

template <class T>
constexpr Member<T> ConditionExpressionMember(Presence presence = Presence::kOptional) {
  return {"ConditionExpression",
          [](InputReader& reader, json::Value value, const Path&, T& out) {
            return reader.ReadString(value, out.condition_expression);
          },
          presence};
}

template <class T>
constexpr Member<T> UpdateExpressionMember(Presence presence = Presence::kOptional) {
  return {"UpdateExpression",
          [](InputReader& reader, json::Value value, const Path&, T& out) {
            return reader.ReadString(value, out.update_expression);
          },
          presence};
}

template <class T>
constexpr Member<T> FilterExpressionMember() {
  return {"FilterExpression", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return reader.ReadString(value, out.filter_expression);
          }};
}

template <class T>
constexpr Member<T> ProjectionExpressionMember() {
  return {"ProjectionExpression", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return reader.ReadString(value, out.projection_expression);
          }};
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
  return {"ConsistentRead", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return reader.ReadBool(value, out.consistent_read);
          }};
}

template <class T>
constexpr Member<T> SelectMember() {
  return {"Select", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kSelectNames, out.select);
          }};
}

template <class T>
constexpr Member<T> StartKeyMember() {
  return {"ExclusiveStartKey", [](InputReader& reader, json::Value value, const Path&, T& out) {
            return ReadStartKey(reader, value, out.exclusive_start_key);
          }};
}

template <class T>
constexpr Member<T> AttributesToGetMember() {
  return {"AttributesToGet", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadAttributesToGet(reader, value, path, out.attributes_to_get);
          }};
}

template <class T>
constexpr Member<T> ConditionalOperatorMember() {
  return {"ConditionalOperator",
          [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return reader.ReadEnum(value, path, json::kConditionalOperatorNames,
                                   out.conditional_operator);
          }};
}

template <class T>
constexpr Member<T> ExpectedMember() {
  return {"Expected", [](InputReader& reader, json::Value value, const Path& path, T& out) {
            return ReadExpected(reader, value, path, out.expected);
          }};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_ITEM_MEMBERS_H_
