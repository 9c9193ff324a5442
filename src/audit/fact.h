// The facts that cross_check.cc notes about each item, keyed by the row or the unique value that they describe.
#ifndef PREJOIN_AUDIT_FACT_H_
#define PREJOIN_AUDIT_FACT_H_

#include <string>

#include "prejoin/item.h"

namespace prejoin::audit {

// The kind of a fact, in the order in which the facts of a group arrive.
inline constexpr char kDefinition = 'a';
inline constexpr char kEmbedded = 'b';
inline constexpr char kShare = 'c';
inline constexpr char kLock = 'd';
inline constexpr char kReference = 'e';
inline constexpr char kSecond = 'f';

// Members of a fact.
inline constexpr const char* kTable = "t";
inline constexpr const char* kKey = "k";
inline constexpr const char* kValues = "v";
inline constexpr const char* kTotals = "s";
inline constexpr const char* kExpectedLists = "w";
inline constexpr const char* kList = "l";
inline constexpr const char* kFrom = "e";
inline constexpr const char* kBy = "b";
inline constexpr const char* kCopies = "c";
inline constexpr const char* kForeign = "f";
inline constexpr const char* kWhole = "i";
inline constexpr const char* kName = "n";
inline constexpr const char* kAmount = "x";
inline constexpr const char* kLockItem = "q";

inline std::string RowGroup(const std::string& entity, const std::string& tuple) {
  return std::string("r") + '\0' + entity + '\0' + tuple;
}

inline std::string UniqueGroup(const std::string& entity, const std::string& attribute,
                               const std::string& value) {
  return std::string("u") + '\0' + entity + '\0' + attribute + '\0' + value;
}

inline std::string TextOf(const Item& fact, const char* member) {
  const AttributeValue* value = fact.Find(member);
  return value != nullptr && value->string() != nullptr ? *value->string() : "";
}

inline const Item& MapOf(const Item& fact, const char* member) {
  static const Item kNone;
  const AttributeValue* value = fact.Find(member);
  return value != nullptr && value->map() != nullptr ? *value->map() : kNone;
}

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_FACT_H_
