#include "engine/partiql/statement_keys.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "engine/item/key_range.h"
#include "engine/item/keys.h"
#include "expr/functions.h"
#include "expr/key_condition.h"
#include "expr/paths.h"
#include "partiql/limits.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

using expr::Condition;
using expr::Literal;
using expr::Operand;

bool Names(const Operand& operand, std::string_view attribute) {
  const auto* path = std::get_if<expr::Path>(&operand);
  const auto* name =
      path && path->size() == 1 ? std::get_if<std::string>(&path->front().step) : nullptr;
  return name != nullptr && *name == attribute;
}

// `attribute op literal`, or the same turned around.
struct AttributeComparison {
  expr::Comparator comparator;
  const Literal* literal = nullptr;
};

expr::Comparator TurnedAround(expr::Comparator comparator) {
  switch (comparator) {
    case expr::Comparator::kEq:
    case expr::Comparator::kNe:
      return comparator;
    case expr::Comparator::kLt:
      return expr::Comparator::kGt;
    case expr::Comparator::kLe:
      return expr::Comparator::kGe;
    case expr::Comparator::kGt:
      return expr::Comparator::kLt;
    case expr::Comparator::kGe:
      return expr::Comparator::kLe;
  }
  return comparator;
}

std::optional<AttributeComparison> ComparisonOf(const Condition& condition,
                                                std::string_view attribute) {
  const auto* comparison = std::get_if<expr::Comparison>(&condition.node);
  if (comparison == nullptr) {
    return std::nullopt;
  }
  if (Names(comparison->left, attribute)) {
    if (const auto* literal = std::get_if<Literal>(&comparison->right)) {
      return AttributeComparison{comparison->comparator, literal};
    }
  } else if (Names(comparison->right, attribute)) {
    if (const auto* literal = std::get_if<Literal>(&comparison->left)) {
      return AttributeComparison{TurnedAround(comparison->comparator), literal};
    }
  }
  return std::nullopt;
}

// False if the condition allows anything but equality with certain values.
bool AddChoices(const Condition& condition, std::string_view attribute,
                std::vector<const Literal*>& choices) {
  if (const auto* either = std::get_if<expr::Or>(&condition.node)) {
    return AddChoices(*either->left, attribute, choices) &&
           AddChoices(*either->right, attribute, choices);
  }
  if (const auto* in = std::get_if<expr::In>(&condition.node)) {
    if (!Names(in->value, attribute)) {
      return false;
    }
    for (const Operand& candidate : in->candidates) {
      const auto* literal = std::get_if<Literal>(&candidate);
      if (literal == nullptr) {
        return false;
      }
      choices.push_back(literal);
    }
    return true;
  }
  const auto comparison = ComparisonOf(condition, attribute);
  if (!comparison || comparison->comparator != expr::Comparator::kEq) {
    return false;
  }
  choices.push_back(comparison->literal);
  return true;
}

Operand NameOperand(const std::string& attribute) { return expr::Path{{attribute}}; }

Condition Equality(const std::string& attribute, const Literal& literal) {
  return {expr::Comparison{expr::Comparator::kEq, NameOperand(attribute), literal}};
}

void AddTo(std::optional<Condition>& all, Condition more) {
  if (!all) {
    all = std::move(more);
    return;
  }
  all = Condition{expr::And{std::make_unique<Condition>(*std::move(all)),
                            std::make_unique<Condition>(std::move(more))}};
}

// A condition that a Query could have on its sort key, as a new tree; nullopt for others.
std::optional<Condition> RangeOn(const Condition& condition, const std::string& attribute) {
  if (const auto comparison = ComparisonOf(condition, attribute)) {
    if (comparison->comparator == expr::Comparator::kNe) {
      return std::nullopt;
    }
    return Condition{
        expr::Comparison{comparison->comparator, NameOperand(attribute), *comparison->literal}};
  }
  if (const auto* between = std::get_if<expr::Between>(&condition.node)) {
    const auto* low = std::get_if<Literal>(&between->low);
    const auto* high = std::get_if<Literal>(&between->high);
    if (low == nullptr || high == nullptr || !Names(between->value, attribute)) {
      return std::nullopt;
    }
    return Condition{expr::Between{NameOperand(attribute), *low, *high}};
  }
  const auto* call = std::get_if<expr::Call>(&condition.node);
  if (call != nullptr && call->function == expr::BeginsWith() &&
      Names(call->arguments[0], attribute)) {
    if (const auto* literal = std::get_if<Literal>(&call->arguments[1])) {
      expr::Call copy{.function = expr::BeginsWith()};
      copy.arguments.push_back(NameOperand(attribute));
      copy.arguments.emplace_back(*literal);
      return Condition{std::move(copy)};
    }
  }
  return std::nullopt;
}

// The equalities of one partition, and of the sort key's parts from the left.
std::optional<Condition> EqualParts(const KeyAttributes& keys, const Conjuncts& conjuncts,
                                    const std::vector<const Literal*>& partition,
                                    std::size_t& parts) {
  std::optional<Condition> all;
  for (parts = 0; parts < keys.size(); ++parts) {
    const Literal* literal =
        parts < partition.size() ? partition[parts] : EqualTo(conjuncts, keys[parts].name);
    if (literal == nullptr) {
      break;
    }
    AddTo(all, Equality(keys[parts].name, *literal));
  }
  return all;
}

// The part of a partition that all conditions on the first open sort key part leave over.
Result<storage::Range> PartitionRange(std::uint32_t space, const KeyAttributes& keys,
                                      const Conjuncts& conjuncts,
                                      const std::vector<const Literal*>& partition) {
  std::size_t parts = 0;
  const std::optional<Condition> equal = EqualParts(keys, conjuncts, partition, parts);
  PJ_ASSIGN_OR_RETURN(const expr::KeyCondition whole, ExtractKeyCondition(*equal, keys));
  for (const expr::KeyTerm& term : whole.terms) {
    PJ_RETURN_IF_ERROR(CheckNotEmpty(term.attribute_name, term.value));
  }
  storage::Range range = KeyRange(space, keys, whole);
  if (parts == keys.size()) {
    return range;
  }
  for (const Condition* conjunct : conjuncts) {
    std::optional<Condition> part = RangeOn(*conjunct, keys[parts].name);
    if (!part) {
      continue;
    }
    std::size_t again = 0;
    std::optional<Condition> narrowed = EqualParts(keys, conjuncts, partition, again);
    AddTo(narrowed, *std::move(part));
    PJ_ASSIGN_OR_RETURN(const expr::KeyCondition condition, ExtractKeyCondition(*narrowed, keys));
    const storage::Range narrow = KeyRange(space, keys, condition);
    range.begin = std::max(range.begin, narrow.begin);
    range.end = std::min(range.end, narrow.end);
  }
  return range;
}

// All combinations of one choice for each HASH attribute.
using AskedPartitions = std::vector<std::vector<const Literal*>>;

Result<AskedPartitions> PartitionsOf(const KeyAttributes& keys, const Conjuncts& conjuncts) {
  AskedPartitions partitions = {{}};
  for (const auto& key : keys) {
    if (key.key_type != KeyType::kHash) {
      break;
    }
    const auto choices = ChoicesOf(conjuncts, key.name);
    AskedPartitions longer;
    for (const auto& partition : partitions) {
      for (const Literal* choice : choices) {
        longer.push_back(partition);
        longer.back().push_back(choice);
      }
    }
    partitions = std::move(longer);
    if (partitions.size() > partiql::kPartitionsMax) {
      return ValidationError("Too many values of the partition key in the WHERE clause: " +
                             std::to_string(partitions.size()) + " with a maximum of 50");
    }
  }
  return partitions;
}

void AddAlternatives(const Condition& condition, Conjuncts& alternatives) {
  if (const auto* either = std::get_if<expr::Or>(&condition.node)) {
    AddAlternatives(*either->left, alternatives);
    AddAlternatives(*either->right, alternatives);
  } else {
    alternatives.push_back(&condition);
  }
}

// One alternative, read for a key with a sort key.
struct Alternative {
  const Literal* partition = nullptr;
  bool sort_key = false;
  bool other = false;
};

// A negated condition on the sort key selects no range, but it is not a condition on another attribute either.
bool OnlyNames(const Condition& condition, const KeyAttributes& keys) {
  bool only = true;
  expr::ForEachPath(condition, [&](const expr::Path& path) {
    only = only && std::ranges::any_of(keys, [&](const expr::KeyAttribute& key) {
             return key.name == expr::TopLevelName(path);
           });
  });
  return only;
}

Alternative Describe(const KeyAttributes& keys, const Conjuncts& common, const Condition& branch) {
  Conjuncts own = ConjunctsOf(&branch);
  Alternative alternative;
  for (const Condition* conjunct : own) {
    alternative.other = alternative.other || !OnlyNames(*conjunct, keys);
  }
  own.insert(own.end(), common.begin(), common.end());
  alternative.partition = EqualTo(own, keys[0].name);
  alternative.sort_key = std::ranges::any_of(
      own, [&](const Condition* conjunct) { return RangeOn(*conjunct, keys[1].name).has_value(); });
  return alternative;
}

bool Overlap(const Alternative& part, const Alternative& any) {
  return part.partition != nullptr && any.partition != nullptr && part.sort_key && !any.sort_key &&
         any.other && part.partition->value() == any.partition->value();
}

}  // namespace

Status CheckAlternatives(const KeyAttributes& keys, const Condition* where) {
  if (keys.size() != 2) {
    return {};
  }
  const Conjuncts conjuncts = ConjunctsOf(where);
  for (const Condition* conjunct : conjuncts) {
    if (!std::holds_alternative<expr::Or>(conjunct->node)) {
      continue;
    }
    Conjuncts common = conjuncts;
    std::erase(common, conjunct);
    Conjuncts branches;
    AddAlternatives(*conjunct, branches);
    std::vector<Alternative> alternatives;
    for (const Condition* branch : branches) {
      alternatives.push_back(Describe(keys, common, *branch));
    }
    for (const Alternative& part : alternatives) {
      if (std::ranges::any_of(alternatives,
                              [&](const Alternative& any) { return Overlap(part, any); })) {
        return ValidationError(
            "Overlapping conditions with range keys are not supported in where clause");
      }
    }
  }
  return {};
}

Conjuncts ConjunctsOf(const Condition* where) {
  Conjuncts open;
  Conjuncts conjuncts;
  if (where != nullptr) {
    open.push_back(where);
  }
  while (!open.empty()) {
    const Condition* condition = open.back();
    open.pop_back();
    if (const auto* both = std::get_if<expr::And>(&condition->node)) {
      open.push_back(both->right.get());
      open.push_back(both->left.get());
    } else {
      conjuncts.push_back(condition);
    }
  }
  return conjuncts;
}

const Literal* EqualTo(const Conjuncts& conjuncts, std::string_view attribute) {
  for (const Condition* conjunct : conjuncts) {
    const auto comparison = ComparisonOf(*conjunct, attribute);
    if (comparison && comparison->comparator == expr::Comparator::kEq) {
      return comparison->literal;
    }
  }
  return nullptr;
}

std::vector<const Literal*> ChoicesOf(const Conjuncts& conjuncts, std::string_view attribute) {
  if (const Literal* literal = EqualTo(conjuncts, attribute)) {
    return {literal};
  }
  for (const Condition* conjunct : conjuncts) {
    std::vector<const Literal*> choices;
    if (AddChoices(*conjunct, attribute, choices)) {
      return choices;
    }
  }
  return {};
}

Result<std::vector<storage::Range>> KeyRangesOf(std::uint32_t space, const KeyAttributes& keys,
                                                const Condition* where) {
  const Conjuncts conjuncts = ConjunctsOf(where);
  PJ_ASSIGN_OR_RETURN(AskedPartitions partitions, PartitionsOf(keys, conjuncts));
  // A value named twice is read once; ascending by value, as ORDER BY on the partition key wants.
  std::vector<std::pair<std::string, storage::Range>> sorted;
  for (const auto& partition : partitions) {
    PJ_ASSIGN_OR_RETURN(storage::Range range, PartitionRange(space, keys, conjuncts, partition));
    std::string order;
    for (const Literal* literal : partition) {
      AppendKeyValue(literal->value(), order);
    }
    sorted.emplace_back(std::move(order), std::move(range));
  }
  std::ranges::sort(sorted, {}, &std::pair<std::string, storage::Range>::first);
  std::vector<storage::Range> ranges;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i].first != sorted[i - 1].first) {
      ranges.push_back(std::move(sorted[i].second));
    }
  }
  return ranges;
}

}  // namespace prejoin::engine
