// Conditions and updates as plain data. The reference runs them as they are; the database under
// test gets them printed as expressions, so that nothing of its parser or evaluator is shared.
#ifndef PREJOIN_TESTS_REFERENCE_EXPRESSIONS_H_
#define PREJOIN_TESTS_REFERENCE_EXPRESSIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "prejoin/operations.h"

namespace prejoin::reference {

// The #names and :values of one request, as they are handed out.
class Placeholders {
 public:
  std::string Name(const std::string& name);
  std::string Value(const AttributeValue& value);

  std::optional<AttributeNames> names() const;
  std::optional<AttributeValues> values() const;

 private:
  AttributeNames names_;
  AttributeValues values_;
};

// `a`, `a.key` or `a[index]`.
struct Path {
  std::string attribute;
  std::optional<std::string> key;
  std::optional<std::size_t> index;
};

// Null if there is none.
const AttributeValue* Find(const Item& item, const Path& path);
std::string Print(const Path& path, Placeholders& placeholders);

struct Condition {
  enum class Kind {
    kCompare,  // path `comparator` values[0]
    kSize,     // size(path) `comparator` values[0]
    kBetween,
    kIn,
    kExists,
    kNotExists,
    kType,
    kBeginsWith,
    kContains,
    kAnd,  // children
    kOr,
    kNot,
  };
  Kind kind = Kind::kExists;
  Path path;
  std::string comparator;
  std::vector<AttributeValue> values;
  std::vector<Condition> children;
};

bool Holds(const Condition& condition, const Item& item);
std::string Print(const Condition& condition, Placeholders& placeholders);
// All top-level attributes that it looks at.
void CollectAttributes(const Condition& condition, std::vector<std::string>& names);

// One action of an update. No two actions of an update have the same target attribute.
struct Action {
  enum class Kind {
    kSet,             // target = value
    kCopy,            // target = source
    kSum,             // target = source + value
    kDifference,      // target = source - value
    kSetIfNotExists,  // target = if_not_exists(source, value)
    kAppend,          // target = list_append(source, value)
    kRemove,
    kAdd,
    kDelete,
  };
  Kind kind = Kind::kSet;
  Path target;
  Path source;
  AttributeValue value;
};
using Update = std::vector<Action>;

struct Updated {
  Item item;
  // What UPDATED_OLD and UPDATED_NEW show.
  Item touched_old;
  Item touched_new;
};

// Nullopt: the item does not allow it.
std::optional<Updated> Apply(const Update& update, const Item& old_item);
std::string Print(const Update& update, Placeholders& placeholders);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_EXPRESSIONS_H_
