// From expression text to a bound tree, with every error a caller can make and DynamoDB's words for
// it.
#ifndef PREJOIN_EXPR_PARSE_H_
#define PREJOIN_EXPR_PARSE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expr/ast.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::expr {

// Names and values together take more than kSubstitutionBytesMax. AWS documents the limit, not its words:
// the text is ours.
Error SubstitutionTooLarge();

// The placeholders of one request, and which of them its expressions have used. Borrows the maps
// from the request; null when not given. Single thread.
class Placeholders {
 public:
  Placeholders(const AttributeNames* names, const AttributeValues* values)
      : names_(names), values_(values) {}

  // Syntax of the maps themselves: empty maps, names that do not start with # or :, invalid values.
  // `any_expression`: whether the request has an expression at all; without one, DynamoDB refuses
  // the maps.
  Status CheckSyntax(bool any_expression) const;

  // After all expressions are parsed:
  // "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}".
  Status CheckAllUsed() const;

  const AttributeNames* names() const { return names_; }
  const AttributeValues* values() const { return values_; }

  // The name or value of the placeholder, which now counts as used; null if the request does not
  // define it. A value is copied and encoded at its first use only.
  const std::string* UseName(std::string_view placeholder);
  std::shared_ptr<const BoundValue> UseValue(std::string_view placeholder);

 private:
  struct UsedValue {
    const std::string* key;
    std::shared_ptr<const BoundValue> bound;
  };

  const AttributeNames* names_;
  const AttributeValues* values_;
  // The keys point into the maps. A name used twice stands here twice, a value once.
  std::vector<const std::string*> used_names_;
  std::vector<UsedValue> used_values_;
};

enum class ConditionKind { kCondition, kFilter, kKeyCondition, kSearchCondition };

// Messages name the kind: "Invalid ConditionExpression: …", "Invalid FilterExpression: …", "Invalid
// KeyConditionExpression: …".
Result<Condition> ParseCondition(ConditionKind kind, std::string_view text,
                                 Placeholders& placeholders);
Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders);
Result<Projection> ParseProjection(std::string_view text, Placeholders& placeholders);

// For tests: `(and (= a :v) (not (< b :w)))`, `(set a.b (+ a.b :n)) (remove c[2])`, `a b.c`.
std::string Print(const Condition& condition);
std::string Print(const Update& update);
std::string Print(const Projection& projection);
std::string Print(const Path& path);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_PARSE_H_
