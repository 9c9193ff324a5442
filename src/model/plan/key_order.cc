#include "model/plan/key_order.h"

#include <utility>

namespace prejoin::model {

bool IsRange(Comparison comparison) {
  return comparison == Comparison::kLess || comparison == Comparison::kLessOrEqual ||
         comparison == Comparison::kGreater || comparison == Comparison::kGreaterOrEqual ||
         comparison == Comparison::kBetween || comparison == Comparison::kBeginsWith;
}

TextOrder OrderOf(const Entity& entity, const TemplatePart& part, bool natural) {
  const Attribute* attribute = entity.Find(part.attribute);
  if (attribute == nullptr) {
    return TextOrder::kOther;
  }
  if (natural) {
    return TextOrder::kSame;
  }
  if (part.transform == TemplateTransform::kDescending) {
    return TextOrder::kBackwards;
  }
  const bool same = IsNumber(attribute->type) ? part.transform == TemplateTransform::kPad
                                              : part.transform == TemplateTransform::kNone ||
                                                    part.transform == TemplateTransform::kFirst;
  return same ? TextOrder::kSame : TextOrder::kOther;
}

Condition Backwards(Condition condition) {
  switch (condition.comparison) {
    case Comparison::kLess:
      condition.comparison = Comparison::kGreater;
      break;
    case Comparison::kLessOrEqual:
      condition.comparison = Comparison::kGreaterOrEqual;
      break;
    case Comparison::kGreater:
      condition.comparison = Comparison::kLess;
      break;
    case Comparison::kGreaterOrEqual:
      condition.comparison = Comparison::kLessOrEqual;
      break;
    case Comparison::kBetween:
      std::swap(condition.operands[0], condition.operands[1]);
      break;
    default:
      break;
  }
  return condition;
}

Condition Widened(Condition condition) {
  if (condition.comparison == Comparison::kLess) {
    condition.comparison = Comparison::kLessOrEqual;
  }
  if (condition.comparison == Comparison::kGreater) {
    condition.comparison = Comparison::kGreaterOrEqual;
  }
  return condition;
}

bool NeedsPresence(const Condition& condition) {
  return condition.comparison != Comparison::kNotExists &&
         condition.comparison != Comparison::kNotEqual;
}

}  // namespace prejoin::model
