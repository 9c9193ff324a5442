// A key whose attributes are bound to parameters: "STU#{:student}". Rendered for given arguments,
// compared without them.
#ifndef PREJOIN_MODEL_PLAN_KEY_EXPRESSION_H_
#define PREJOIN_MODEL_PLAN_KEY_EXPRESSION_H_

#include <optional>
#include <string>
#include <vector>

#include "model/data/evaluate.h"
#include "model/schema/key_template.h"
#include "model/schema/model.h"

namespace prejoin::model {

struct BoundPart {
  TemplatePart part;  // A literal, or what is done with the operand.
  Operand operand;
};

struct KeyExpression {
  std::vector<BoundPart> parts;
  bool natural = false;

  bool empty() const { return parts.empty(); }
  void AddLiteral(const std::string& text);
  // "STU#{:student}"; a natural key is ":student".
  std::string ToString() const;
  // Nullopt when an argument is missing or cannot be part of a key. `shard` replaces the part that
  // is a shard number.
  std::optional<AttributeValue> Render(const Arguments& arguments, int shard = -1) const;
  // The first argument that the rules of its part refuse, and why; empty: none is.
  std::string WhyRefused(const Arguments& arguments) const;
  // The literal before the first operand.
  std::string LeadingLiteral() const;
};

// Structural: same literals, same parameters.
bool SameExpression(const KeyExpression& a, const KeyExpression& b);

// Compares two keys as bytes, when that can be said without knowing the arguments: -1, 0, 1; nullopt if it
// depends on them.
std::optional<int> CompareExpressions(const KeyExpression& a, const KeyExpression& b);

// Sorts after every text that can follow a prefix.
inline constexpr const char* kHighText = "\xF4\x8F\xBF\xBF";

// ---- Order

// How the text of a template part sorts, compared with its value.
enum class TextOrder { kOther, kSame, kBackwards };

TextOrder OrderOf(const Entity& entity, const TemplatePart& part, bool natural);

// The same condition on a text that sorts backwards.
Condition Backwards(Condition condition);

// The prefix that a condition on the attribute implies: `at > :t` allows the whole day of :t.
Condition Widened(Condition condition);

// <, <=, >, >=, between, begins_with.
bool IsRange(Comparison comparison);

// True if the condition holds only for rows that have the attribute.
bool NeedsPresence(const Condition& condition);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_KEY_EXPRESSION_H_
