#include "model/plan/key_expression.h"

#include <algorithm>

#include "model/syntax/quoted.h"

namespace prejoin::model {
namespace {

std::string OperandName(const Operand& operand) {
  if (!operand.parameter.empty()) {
    return ":" + operand.parameter;
  }
  if (operand.literal.string() != nullptr) {
    return Quoted(*operand.literal.string());
  }
  if (operand.literal.number() != nullptr) {
    return operand.literal.number()->ToString();
  }
  return ValueText(operand.literal);
}

// The text in the key where the pattern names the value itself.
std::optional<std::string> ConstantText(const BoundPart& bound) {
  if (!bound.operand.parameter.empty()) {
    return std::nullopt;
  }
  return RenderPart(bound.part, bound.operand.literal);
}

bool SameBound(const BoundPart& a, const BoundPart& b) {
  return a.part.literal == b.part.literal && a.part.is_literal() == b.part.is_literal() &&
         a.part.transform == b.part.transform && a.part.argument == b.part.argument &&
         a.part.derivation == b.part.derivation &&
         (a.part.is_literal() || OperandName(a.operand) == OperandName(b.operand));
}

}  // namespace

void KeyExpression::AddLiteral(const std::string& text) {
  if (text.empty()) {
    return;
  }
  if (!parts.empty() && parts.back().part.is_literal()) {
    parts.back().part.literal += text;
    return;
  }
  BoundPart bound;
  bound.part.literal = text;
  parts.push_back(std::move(bound));
}

std::string KeyExpression::ToString() const {
  if (natural) {
    return parts.empty() ? "" : OperandName(parts[0].operand);
  }
  std::string out = "\"";
  for (const BoundPart& bound : parts) {
    if (bound.part.is_literal()) {
      std::string text = bound.part.literal;
      if (text.ends_with(kHighText)) {
        text.replace(text.size() - std::string_view(kHighText).size(), std::string::npos, "…");
      }
      out += Escaped(text);
    } else if (bound.part.transform == TemplateTransform::kShard &&
               bound.operand.parameter.empty()) {
      out += "{0…" + std::to_string(bound.part.argument - 1) + "}";
    } else if (const auto constant = ConstantText(bound)) {
      out += Escaped(*constant);
    } else {
      std::string name = OperandName(bound.operand);
      if (bound.part.transform == TemplateTransform::kPad) {
        name += " pad " + std::to_string(bound.part.argument);
      }
      if (bound.part.transform == TemplateTransform::kLower) {
        name += " lower";
      }
      if (bound.part.transform == TemplateTransform::kUpper) {
        name += " upper";
      }
      if (bound.part.transform == TemplateTransform::kFirst) {
        name += " " + bound.part.derivation.text;
      }
      if (bound.part.transform == TemplateTransform::kDescending) {
        name += " descending " + std::to_string(bound.part.argument);
      }
      if (bound.part.transform == TemplateTransform::kShard) {
        name = "shard " + std::to_string(bound.part.argument) + " of " + name;
      }
      out += "{" + name + "}";
    }
  }
  return out + "\"";
}

std::optional<AttributeValue> KeyExpression::Render(const Arguments& arguments, int shard) const {
  if (natural) {
    const AttributeValue* value =
        parts.empty() ? nullptr : OperandValue(parts[0].operand, arguments);
    return value != nullptr ? std::optional<AttributeValue>(*value) : std::nullopt;
  }
  std::string out;
  for (const BoundPart& bound : parts) {
    if (bound.part.is_literal()) {
      out += bound.part.literal;
      continue;
    }
    if (bound.part.transform == TemplateTransform::kShard && shard >= 0) {
      out += std::to_string(shard);
      continue;
    }
    const AttributeValue* value = OperandValue(bound.operand, arguments);
    if (value == nullptr) {
      return std::nullopt;
    }
    const std::optional<std::string> text = RenderPart(bound.part, *value);
    if (!text) {
      return std::nullopt;
    }
    out += *text;
  }
  return AttributeValue(std::move(out));
}

std::string KeyExpression::WhyRefused(const Arguments& arguments) const {
  for (const BoundPart& bound : parts) {
    if (natural || bound.part.is_literal()) {
      continue;
    }
    KeyTemplate one;
    one.parts.push_back(bound.part);
    const std::string why =
        WhyNoKey(one, [&](std::string_view) { return OperandValue(bound.operand, arguments); });
    if (!why.empty()) {
      return why;
    }
  }
  return {};
}

std::string KeyExpression::LeadingLiteral() const {
  return !parts.empty() && parts[0].part.is_literal() ? parts[0].part.literal : "";
}

bool SameExpression(const KeyExpression& a, const KeyExpression& b) {
  return a.natural == b.natural && a.parts.size() == b.parts.size() &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), SameBound);
}

std::optional<int> CompareExpressions(const KeyExpression& a, const KeyExpression& b) {
  if (a.natural || b.natural) {
    return std::nullopt;
  }
  std::size_t i = 0;
  std::string rest_a;
  std::string rest_b;
  while (i < a.parts.size() && i < b.parts.size() && SameBound(a.parts[i], b.parts[i])) {
    ++i;
  }
  if (i == a.parts.size() && i == b.parts.size()) {
    return 0;
  }
  if (i == a.parts.size()) {
    return -1;
  }
  if (i == b.parts.size()) {
    return 1;
  }
  if (!a.parts[i].part.is_literal() || !b.parts[i].part.is_literal()) {
    return std::nullopt;
  }
  rest_a = a.parts[i].part.literal;
  rest_b = b.parts[i].part.literal;
  const std::size_t common = std::min(rest_a.size(), rest_b.size());
  const int order = rest_a.compare(0, common, rest_b, 0, common);
  if (order != 0) {
    return order < 0 ? -1 : 1;
  }
  // One literal is the beginning of the other: whether more follows decides.
  if (rest_a.size() == rest_b.size()) {
    if (i + 1 == a.parts.size()) {
      return -1;
    }
    if (i + 1 == b.parts.size()) {
      return 1;
    }
    return std::nullopt;
  }
  if (rest_a.size() < rest_b.size() && i + 1 == a.parts.size()) {
    return -1;
  }
  if (rest_b.size() < rest_a.size() && i + 1 == b.parts.size()) {
    return 1;
  }
  return std::nullopt;
}

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
