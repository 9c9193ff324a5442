// What the text of a key tells about the order of values, and conditions as they are about that text.
#ifndef PREJOIN_MODEL_PLAN_KEY_ORDER_H_
#define PREJOIN_MODEL_PLAN_KEY_ORDER_H_

#include "model/schema/model.h"

namespace prejoin::model {

// How the text of a template part sorts, compared with what it holds.
enum class TextOrder { kOther, kSame, kBackwards };

TextOrder OrderOf(const Entity& entity, const TemplatePart& part, bool natural);

// The same condition on a text that sorts backwards.
Condition Backwards(Condition condition);

// What a condition on the attribute says about its beginning: `at > :t` allows the whole day of :t.
Condition Widened(Condition condition);

// <, <=, >, >=, between, begins_with.
bool IsRange(Comparison comparison);

// Whether the condition holds only for rows that have the attribute.
bool NeedsPresence(const Condition& condition);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_KEY_ORDER_H_
