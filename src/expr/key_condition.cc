// Key conditions in two steps: first their shape, which needs no table, then what the key schema
// asks for. An expression and the legacy KeyConditions meet in the middle, as one requirement for
// each attribute.
#include "expr/key_condition.h"

#include <algorithm>
#include <span>

#include "expr/functions.h"
#include "expr/legacy_arguments.h"

namespace prejoin::expr {
namespace {

// One comparison that a request asks of one attribute.
struct Requirement {
  std::string_view name;
  LegacyOperator comparison;
  std::vector<const AttributeValue*> values;
};
using Requirements = std::vector<Requirement>;

// An expression of the wrong shape. DynamoDB names the parameter before a reason that
// does not name it itself.
Error InvalidShape(std::string reason) {
  return ValidationError("Invalid KeyConditionExpression: " + std::move(reason));
}
Error InvalidOperator(std::string_view name) {
  return ValidationError("Invalid operator used in KeyConditionExpression: " + std::string(name));
}
Error InvalidCondition(std::string reason) {
  return ValidationError("Invalid condition in KeyConditionExpression: " + std::move(reason));
}
Error NotSupported() { return ValidationError("Query key condition not supported"); }

bool IsNested(const Operand& operand) {
  const auto* literal = std::get_if<Literal>(&operand);
  return std::holds_alternative<SizeOf>(operand) ||
         (literal != nullptr && literal->placeholder.ends_with(')'));  // size(:v), folded.
}

// One comparison: finds its attribute and its values. `operands` in the order of the text.
Result<Requirement> Require(LegacyOperator comparison,
                            const std::vector<const Operand*>& operands) {
  Requirement requirement{{}, comparison, {}};
  bool found = false;
  for (const Operand* operand : operands) {
    if (IsNested(*operand)) {
      return InvalidShape("KeyConditionExpressions cannot contain nested operations");
    }
    const auto* path = std::get_if<Path>(operand);
    if (path == nullptr) {
      requirement.values.push_back(&std::get<Literal>(*operand).value());
      continue;
    }
    if (found) {
      return InvalidCondition("Multiple attribute names used in one condition");
    }
    if (path->size() > 1) {
      return InvalidShape("KeyConditionExpressions cannot have conditions on nested attributes");
    }
    requirement.name = std::get<std::string>(path->front().step);
    found = true;
  }
  if (!found) {
    return InvalidCondition("No key attribute specified");
  }
  return requirement;
}

LegacyOperator OperatorOf(Comparator comparator) {
  switch (comparator) {
    case Comparator::kEq:
      return LegacyOperator::kEq;
    case Comparator::kNe:
      return LegacyOperator::kNe;
    case Comparator::kLt:
      return LegacyOperator::kLt;
    case Comparator::kLe:
      return LegacyOperator::kLe;
    case Comparator::kGt:
      return LegacyOperator::kGt;
    case Comparator::kGe:
      return LegacyOperator::kGe;
  }
  return LegacyOperator::kEq;
}

// :v < a is a > :v.
Comparator Mirror(Comparator comparator) {
  switch (comparator) {
    case Comparator::kLt:
      return Comparator::kGt;
    case Comparator::kLe:
      return Comparator::kGe;
    case Comparator::kGt:
      return Comparator::kLt;
    case Comparator::kGe:
      return Comparator::kLe;
    default:
      return comparator;
  }
}

// Collects the requirements of an expression, from left to right. The parser limits depth.
class Collector {
 public:
  Status operator()(const Condition& condition) { return std::visit(*this, condition.node); }

  Status operator()(const And& node) {
    PJ_RETURN_IF_ERROR((*this)(*node.left));
    return (*this)(*node.right);
  }
  Status operator()(const Or&) { return InvalidOperator("OR"); }
  Status operator()(const Not&) { return InvalidOperator("NOT"); }
  Status operator()(const In&) { return InvalidOperator("IN"); }
  Status operator()(const Comparison& node) {
    if (node.comparator == Comparator::kNe) {
      return InvalidOperator("<>");
    }
    const bool mirrored = !std::holds_alternative<Path>(node.left);
    return Add(Require(OperatorOf(mirrored ? Mirror(node.comparator) : node.comparator),
                       {&node.left, &node.right}));
  }
  Status operator()(const Between& node) {
    if (!std::holds_alternative<Path>(node.value)) {
      return InvalidCondition("BETWEEN operator must have the key attribute as its first operand");
    }
    return Add(Require(LegacyOperator::kBetween, {&node.value, &node.low, &node.high}));
  }
  Status operator()(const Call& node) {
    if (node.function != BeginsWith()) {
      return InvalidOperator(node.function->name);
    }
    if (!std::holds_alternative<Path>(node.arguments[0])) {
      return InvalidCondition(
          "begins_with operator must have the key attribute as its first operand");
    }
    return Add(Require(LegacyOperator::kBeginsWith, {&node.arguments[0], &node.arguments[1]}));
  }

  Requirements requirements;

 private:
  Status Add(Result<Requirement> requirement) {
    PJ_RETURN_IF_ERROR(requirement);
    if (std::ranges::find(requirements, requirement->name, &Requirement::name) !=
        requirements.end()) {
      return InvalidShape("KeyConditionExpressions must only contain one condition per key");
    }
    requirements.push_back(*std::move(requirement));
    return {};
  }
};

std::optional<KeyOperator> KeyOperatorOf(LegacyOperator comparison) {
  switch (comparison) {
    case LegacyOperator::kEq:
      return KeyOperator::kEq;
    case LegacyOperator::kLt:
      return KeyOperator::kLt;
    case LegacyOperator::kLe:
      return KeyOperator::kLe;
    case LegacyOperator::kGt:
      return KeyOperator::kGt;
    case LegacyOperator::kGe:
      return KeyOperator::kGe;
    case LegacyOperator::kBetween:
      return KeyOperator::kBetween;
    case LegacyOperator::kBeginsWith:
      return KeyOperator::kBeginsWith;
    default:
      return std::nullopt;
  }
}

Result<KeyTerm> MakeTerm(const KeyAttribute& key, const Requirement& requirement) {
  const auto op = KeyOperatorOf(requirement.comparison);
  if (!op.has_value()) {
    return ValidationError("Attempted conditional constraint is not an indexable operation");
  }
  const ValueType type = ValueTypeOf(key.type);
  if (!std::ranges::all_of(requirement.values,
                           [type](const AttributeValue* v) { return v->type() == type; })) {
    return ValidationError(
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type");
  }
  if (key.key_type == KeyType::kHash && op != KeyOperator::kEq) {
    return NotSupported();
  }
  KeyTerm term{key.name, *op, *requirement.values[0], {}};
  if (op == KeyOperator::kBetween) {
    term.high = *requirement.values[1];
  }
  return term;
}

Status CheckCount(const Requirements& requirements, const std::vector<KeyAttribute>& schema) {
  if (requirements.empty()) {
    return ValidationError("Conditions can be of length 1 or 2 only");
  }
  if (requirements.size() > schema.size()) {
    return ValidationError("The number of query conditions (" +
                           std::to_string(requirements.size()) +
                           ") exceeds the number of key attributes defined in the schema (" +
                           std::to_string(schema.size()) + ")");
  }
  return {};
}

const Requirement* Find(const Requirements& requirements, const std::string& name) {
  const auto found = std::ranges::find(requirements, name, &Requirement::name);
  return found == requirements.end() ? nullptr : &*found;
}

// The attributes of `keys` that must be compared for equality and are not, as DynamoDB lists them.
std::string ListUnequal(std::span<const KeyAttribute> keys, const Requirements& requirements) {
  std::string names;
  for (const KeyAttribute& key : keys) {
    const Requirement* found = Find(requirements, key.name);
    if (found == nullptr || found->comparison != LegacyOperator::kEq) {
      names += (names.empty() ? "" : ", ") + key.name;
    }
  }
  return names;
}

// A key of several HASH or several RANGE attributes has its own error texts for missing ones.
Status CheckMultiAttributeKey(const Requirements& requirements,
                              std::span<const KeyAttribute> schema) {
  const auto range_begin = std::ranges::find(schema, KeyType::kRange, &KeyAttribute::key_type);
  const std::span<const KeyAttribute> hash(schema.begin(), range_begin);
  std::span<const KeyAttribute> range(range_begin, schema.end());
  if (const std::string names = ListUnequal(hash, requirements);
      hash.size() > 1 && !names.empty()) {
    return ValidationError("HASH key attributes " + names +
                           " must have equality conditions specified in the query");
  }
  while (!range.empty() && Find(requirements, range.back().name) == nullptr) {
    range = range.first(range.size() - 1);
  }
  if (range.size() < 2) {
    return {};
  }
  const std::string names = ListUnequal(range.first(range.size() - 1), requirements);
  if (names.empty()) {
    return {};
  }
  return ValidationError("RANGE key attributes " + names +
                         " must have equality conditions specified in the query because a "
                         "condition is present on key attribute " +
                         range.back().name);
}

Result<KeyCondition> Match(const Requirements& requirements,
                           const std::vector<KeyAttribute>& schema) {
  PJ_RETURN_IF_ERROR(CheckCount(requirements, schema));
  PJ_RETURN_IF_ERROR(CheckMultiAttributeKey(requirements, schema));
  KeyCondition condition;
  for (const KeyAttribute& key : schema) {
    const Requirement* found = Find(requirements, key.name);
    if (found == nullptr) {
      // A sort key attribute may be left out only if nothing else is asked for.
      if (key.key_type == KeyType::kHash || condition.terms.size() < requirements.size()) {
        return ValidationError("Query condition missed key schema element: " + key.name);
      }
      break;
    }
    PJ_ASSIGN_OR_RETURN(KeyTerm term, MakeTerm(key, *found));
    condition.terms.push_back(std::move(term));
  }
  return condition;
}

}  // namespace

Status CheckKeyCondition(const Condition& condition) { return Collector()(condition); }

Result<KeyCondition> ExtractKeyCondition(const Condition& condition,
                                         const std::vector<KeyAttribute>& schema) {
  Collector collector;
  PJ_RETURN_IF_ERROR(collector(condition));
  return Match(collector.requirements, schema);
}

Status CheckKeyConditions(const LegacyConditions& conditions) {
  if (conditions.empty()) {
    return ValidationError("Conditions can be of length 1 or 2 only");
  }
  for (const auto& [name, condition] : conditions) {
    PJ_RETURN_IF_ERROR(CheckArguments(condition.comparison, condition.values));
  }
  return {};
}

Result<KeyCondition> ExtractKeyCondition(const LegacyConditions& conditions,
                                         const std::vector<KeyAttribute>& schema) {
  PJ_RETURN_IF_ERROR(CheckKeyConditions(conditions));
  Requirements requirements;
  for (const auto& [name, condition] : conditions) {
    Requirement requirement{name, condition.comparison, {}};
    for (const AttributeValue& value : condition.values) {
      requirement.values.push_back(&value);
    }
    requirements.push_back(std::move(requirement));
  }
  return Match(requirements, schema);
}

}  // namespace prejoin::expr
