// A finding of an audit, and the request that fixes it.
#ifndef PREJOIN_AUDIT_FINDING_H_
#define PREJOIN_AUDIT_FINDING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::audit {

enum class FindingKind {
  kUnknownItem,
  kMissingKey,
  kMalformedKey,
  kStaleKey,
  kSurplusKey,
  kMissingAttribute,
  kWrongAttribute,
  kOrphan,
  kDrift,
  kLostCopy,
  kWrongTotal,
  kDuplicateRow,
  kDuplicateValue,
  kMissingLock,
  kOrphanLock,
  kBrokenGuard,
};
inline constexpr std::size_t kFindingKinds =
    static_cast<std::size_t>(FindingKind::kBrokenGuard) + 1;

// "missing-key", for programs; and the same for people.
std::string_view FindingName(FindingKind kind);
std::string_view FindingTitle(FindingKind kind);

// A request of the DynamoDB API. It has a condition, so that it does nothing when the item has changed since.
struct Fix {
  std::string operation;
  std::string body;
};

struct Finding {
  FindingKind kind = FindingKind::kUnknownItem;
  std::string table;
  Item key;               // The key of the item at fault.
  std::string entity;     // Empty: unknown.
  std::string attribute;  // The attribute at fault; empty: the item as a whole.
  std::string message;
  std::vector<std::string> patterns;  // That lose the row, or give it wrong.
  std::optional<Fix> fix;             // Findings of one item share the fix of the first of them.
};

// `PK "ORG#a", SK "USER#1"`
std::string KeyText(const Item& key);
// A value for people; long ones are cut.
std::string ShownValue(const AttributeValue& value);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_FINDING_H_
