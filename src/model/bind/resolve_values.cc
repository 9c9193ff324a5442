#include "model/bind/resolve_values.h"

#include <algorithm>
#include <set>
#include <string>

#include "model/syntax/quoted.h"

namespace prejoin::model {
namespace {

Entity* FindRows(ParsedModel& model, const Name& name) {
  const auto found = std::ranges::find(model.entities, name, &Entity::name);
  return found != model.entities.end() ? &*found : nullptr;
}

std::string TypeName(const Attribute& attribute) {
  return std::string(AttributeTypeName(attribute.type));
}

std::string ShortText(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return Quoted(*value.string());
  }
  if (value.number() != nullptr) {
    return value.number()->ToString();
  }
  if (value.boolean() != nullptr) {
    return *value.boolean() ? "true" : "false";
  }
  return "this value";
}

// Why nothing can be derived from the attribute in this way; empty: it can.
std::string WhyNotDerived(const Attribute& attribute, const Derivation& derivation) {
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  const std::string is = "`" + attribute.name.text + "` is " + TypeName(attribute) + ": ";
  if (derivation.moment && !traits.moment) {
    return is + "only a date or a time has a " + derivation.text;
  }
  if (derivation.text == "hour" && !traits.zoned) {
    return is + "only a time has an hour";
  }
  if (traits.stored != ValueType::kString) {
    return is + "`first` takes the beginning of a text";
  }
  return {};
}

Attribute MakeDerived(const Attribute& base, const Derivation& derivation) {
  Attribute derived;
  derived.name = {DerivedName(base.name.text, derivation), base.name.at};
  derived.type = derivation.moment ? AttributeType::kDate : AttributeType::kText;
  derived.size_avg = derivation.first;
  derived.optional = base.optional;
  derived.presence = base.presence;
  derived.group = base.group;
  derived.drift = base.drift;
  derived.derived_from = base.name.text;
  derived.derivation = derivation;
  for (const auto& [of, distinct] : base.derived_distinct) {
    if (of == derivation) {
      derived.distinct = distinct;
    }
  }
  return derived;
}

// Adds it unless it is there; false, and reported, when the attribute has no such thing.
bool AddDerived(Entity& entity, const Attribute& base, const Derivation& derivation,
                const SourceSpan& at, const NameReporter& report) {
  if (const std::string why = WhyNotDerived(base, derivation); !why.empty()) {
    report.Error(at, why, "");
    return false;
  }
  Attribute derived = MakeDerived(base, derivation);
  if (entity.Find(derived.name.text) == nullptr) {
    entity.derived.push_back(std::move(derived));
  }
  return true;
}

void DeriveInCondition(ParsedModel& model, const Name& owner, Condition& condition,
                       const NameReporter& report) {
  Entity* entity = FindRows(model, owner);
  if (!condition.derivation.given() || entity == nullptr) {
    return;
  }
  const Derivation derivation = condition.derivation;
  const Attribute* found = entity->Find(condition.attribute.text);
  condition.derivation = {};
  if (found == nullptr) {
    return;  // resolve.cc says so.
  }
  const Attribute base = *found;  // The list that it is in may grow.
  if (!AddDerived(*entity, base, derivation, condition.attribute.at, report)) {
    return;
  }
  condition.derivation = derivation;
  condition.derived_from = base.name.text;
  condition.attribute.text = DerivedName(base.name.text, derivation);
}

// A write's conditions are sent to DynamoDB, which compares stored attributes only.
void RefuseDerivation(Condition& condition, const NameReporter& report) {
  if (condition.derivation.given()) {
    report.Error(
        condition.attribute.at,
        "a condition of a write compares a whole attribute, not its " + condition.derivation.text,
        "compare `" + condition.attribute.text + "` itself, with `between` for example");
    condition.derivation = {};
  }
}

SourceSpan PlaceOf(const KeyTemplate& key, const TemplatePart& part) {
  SourceSpan at = key.at;
  at.column += part.offset;
  at.length = static_cast<int>(part.attribute.size());
  return at;
}

void ResolveDescending(const Attribute& attribute, const KeyTemplate& key, TemplatePart& part,
                       const NameReporter& report) {
  const SourceSpan at = PlaceOf(key, part);
  if (!IsNumber(attribute.type)) {
    report.Error(at,
                 "`" + part.attribute + "` is " + TypeName(attribute) +
                     ": `descending` counts a number down",
                 TraitsOf(attribute.type).moment
                     ? "keep {" + part.attribute + "} and read the key backwards: order by " +
                           part.attribute + " desc"
                     : "");
    part.argument = std::max(part.argument, 1);
    return;
  }
  const int digits = static_cast<int>(std::max(attribute.size_avg, attribute.size_max));
  if (part.argument == 0 && digits == 0) {
    report.Error(
        at, "the model does not state how many digits `" + part.attribute + "` has",
        "declare " + part.attribute + " number(6), or write {" + part.attribute + " descending 6}");
  } else if (part.argument > 0 && part.argument < digits) {
    report.Error(at,
                 "`" + part.attribute + "` has " + std::to_string(digits) +
                     " digits, which `descending " + std::to_string(part.argument) +
                     "` cannot hold",
                 "write {" + part.attribute + " descending " + std::to_string(digits) + "}");
  }
  if (part.argument == 0) {
    part.argument = std::max(digits, 1);
  }
}

void DeriveInLayout(ParsedModel& model, ItemLayout& layout, const NameReporter& report) {
  Entity* entity = FindRows(model, layout.of.text.empty() ? layout.entity : layout.of);
  if (entity == nullptr) {
    return;
  }
  for (StoredAttribute& stored : layout.attributes) {
    for (TemplatePart& part : stored.key.parts) {
      const Attribute* found = entity->Find(part.attribute);
      if (found == nullptr) {
        continue;
      }
      const Attribute attribute = *found;
      if (part.transform == TemplateTransform::kDescending) {
        ResolveDescending(attribute, stored.key, part, report);
      }
      if (part.transform == TemplateTransform::kFirst &&
          !AddDerived(*entity, attribute, part.derivation, PlaceOf(stored.key, part), report)) {
        part.transform = TemplateTransform::kNone;
      }
    }
  }
}

// ---- Values ----

// The type that a condition compares with; null: anything.
const AttributeTypeTraits* ComparedType(const Attribute& attribute, Comparison comparison) {
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  if (comparison == Comparison::kContains) {
    return traits.stored == ValueType::kList || traits.stored == ValueType::kMap
               ? nullptr
               : &TraitsOf(traits.member);
  }
  return &traits;
}

bool IsMoment(const AttributeTypeTraits& traits, const AttributeValue& value) {
  constexpr std::string_view kForm = "0000-00-00T";
  const std::string_view form = kForm.substr(0, traits.zoned ? 11 : 10);
  const std::string text = value.string() != nullptr ? *value.string() : "";
  return text.size() >= form.size() &&
         std::ranges::equal(form, text.substr(0, form.size()), [](char wanted, char c) {
           return wanted == '0' ? c >= '0' && c <= '9' : wanted == c;
         });
}

class ValueChecker {
 public:
  ValueChecker(ParsedModel& model, const NameReporter& report) : model_(model), report_(report) {}

  void Run() {
    for (Entity& entity : model_.entities) {
      for (const Attribute& attribute : entity.attributes) {
        CheckList(attribute);
      }
    }
    for (Pattern& pattern : model_.patterns) {
      for (Section& section : pattern.sections) {
        CheckConditions(section.searched(),
                        section.conditions);
      }
    }
    for (Write& write : model_.writes) {
      for (WriteStep& step : write.steps) {
        CheckConditions(step.entity, step.where);
        CheckConditions(step.entity, step.guard);
        CheckStep(step);
      }
    }
  }

 private:
  static const char* HowToWrite(const Attribute& attribute) {
    if (IsNumber(attribute.type)) {
      return "numbers are written without quotes";
    }
    return IsBool(attribute.type) ? "write true or false"
                                  : "text, dates and times are written in double quotes";
  }

  void WrongType(const SourceSpan& at, const Attribute& attribute,
                 const AttributeValue& value) const {
    report_.Error(at,
                  "`" + attribute.name.text + "` is " + TypeName(attribute) + ", " +
                      ShortText(value) + " is not",
                  HowToWrite(attribute));
  }

  void CheckList(const Attribute& attribute) const {
    for (const AttributeValue& value : attribute.values) {
      if (value.type() != TraitsOf(attribute.type).stored) {
        WrongType(attribute.name.at, attribute, value);
        return;
      }
    }
    for (const Attribute& member : attribute.members) {
      CheckList(member);
    }
    for (const auto& [derivation, distinct] : attribute.derived_distinct) {
      const std::string why = WhyNotDerived(attribute, derivation);
      if (!why.empty()) {
        report_.Error(attribute.name.at, why, "");
      }
    }
  }

  // Outside of a closed list.
  void CheckListed(const SourceSpan& at, const Attribute& attribute,
                   const AttributeValue& value) const {
    if (attribute.values.empty() ||
        std::ranges::find(attribute.values, value) != attribute.values.end()) {
      return;
    }
    std::string list;
    for (const AttributeValue& one : attribute.values) {
      list += (list.empty() ? "" : ", ") + ShortText(one);
    }
    report_.Error(at, ShortText(value) + " is none of the values of `" + attribute.name.text + "`",
                  "its values are " + list);
  }

  void CheckConditions(const Name& owner, std::vector<Condition>& conditions) const {
    const Entity* entity = model_.FindEntity(owner.text);
    for (Condition& condition : conditions) {
      const Attribute* attribute =
          entity != nullptr ? entity->Find(condition.attribute.text) : nullptr;
      if (attribute == nullptr) {
        continue;
      }
      const AttributeTypeTraits* type = ComparedType(*attribute, condition.comparison);
      const bool whole = condition.comparison == Comparison::kEqual ||
                         condition.comparison == Comparison::kNotEqual ||
                         condition.comparison == Comparison::kIn;
      for (const Operand& operand : condition.operands) {
        if (!operand.parameter.empty() || type == nullptr) {
          continue;
        }
        if (operand.literal.type() != type->stored && operand.literal.type() != type->written) {
          WrongType(operand.at, *attribute, operand.literal);
        } else if (whole) {
          CheckListed(operand.at, *attribute, operand.literal);
        }
      }
    }
  }

  void CheckStep(WriteStep& step) const {
    const Entity* entity = model_.FindEntity(step.entity.text);
    if (entity == nullptr) {
      return;
    }
    for (Setting& setting : step.values) {
      const Attribute* attribute = entity->Find(setting.attribute.text);
      if (attribute != nullptr && setting.value.parameter.empty()) {
        CheckLiteral(*attribute, setting.value);
      }
    }
    CheckTwice(step);
    for (const Name& name : step.with) {
      CheckWith(*entity, step, name);
    }
    for (const Name& name : step.without) {
      const Attribute* attribute = report_.Attribute(*entity, name);
      if (attribute != nullptr && !attribute->optional) {
        report_.Error(name.at, "every `" + entity->name.text + "` has `" + name.text + "`",
                      "declare it optional");
      }
      if (std::ranges::find(step.with, name) != step.with.end()) {
        report_.Error(name.at, "a new row cannot be with and without `" + name.text + "`",
                      "remove one of them");
      }
    }
  }

  void CheckWith(const Entity& entity, const WriteStep& step, const Name& name) const {
    const Attribute* attribute = report_.Attribute(entity, name);
    if (attribute == nullptr) {
      return;
    }
    const bool has_value =
        std::ranges::find(step.values, name, &Setting::attribute) != step.values.end();
    if (attribute->is_key && has_value) {
      report_.Error(name.at,
                    "`" + name.text + "` is part of the key of `" + entity.name.text +
                        "`: each new row has its own",
                    "leave it out");
    } else if (!attribute->optional && !has_value) {
      report_.Error(
          name.at, "every `" + entity.name.text + "` has `" + name.text + "`",
          "leave it out, give it a value (" + name.text + " = …), or declare it optional");
    } else if (attribute->unique && has_value) {
      const auto value = std::ranges::find(step.values, name, &Setting::attribute);
      if (value->value.parameter.empty()) {
        report_.Error(name.at,
                      "`" + name.text + "` is unique, and this gives all new rows one value",
                      "write a parameter: " + name.text + " = :" + name.text);
      }
    }
  }

  void CheckTwice(const WriteStep& step) const {
    std::set<std::string> seen;
    for (const std::vector<Name>* names : {&step.set, &step.with, &step.remove}) {
      for (const Name& name : *names) {
        if (!seen.insert(name.text).second) {
          report_.Error(name.at, "`" + name.text + "` is written twice in one step", "remove one");
        }
      }
    }
  }

  void CheckLiteral(const Attribute& attribute, Operand& operand) const {
    std::optional<AttributeValue> converted = ConvertWritten(attribute.type, operand.literal);
    const AttributeTypeTraits& traits = TraitsOf(attribute.type);
    if (!converted) {
      WrongType(operand.at, attribute, operand.literal);
      return;
    }
    if (traits.moment && !IsMoment(traits, *converted)) {
      report_.Error(operand.at, ShortText(*converted) + " is no " + TypeName(attribute),
                    traits.zoned ? "write \"2026-01-31T12:00:00Z\"" : "write \"2026-01-31\"");
      return;
    }
    operand.literal = *std::move(converted);
    CheckListed(operand.at, attribute, operand.literal);
    if (const std::string fault = MemberFault(attribute, operand.literal); !fault.empty()) {
      report_.Error(operand.at, fault, "write the members that the entity declares");
    }
  }

  ParsedModel& model_;
  const NameReporter& report_;
};

}  // namespace

void DeriveAttributes(ParsedModel& model, const NameReporter& report) {
  for (Entity& entity : model.entities) {
    const std::vector<Attribute> attributes = entity.attributes;
    for (const Attribute& attribute : attributes) {
      for (const auto& [derivation, distinct] : attribute.derived_distinct) {
        if (WhyNotDerived(attribute, derivation).empty()) {
          AddDerived(entity, attribute, derivation, attribute.name.at, report);
        }
      }
    }
  }
  for (Pattern& pattern : model.patterns) {
    for (Section& section : pattern.sections) {
      for (Condition& condition : section.conditions) {
        DeriveInCondition(model, section.searched(), condition,
                          report);
      }
    }
  }
  for (Write& write : model.writes) {
    for (WriteStep& step : write.steps) {
      for (std::vector<Condition>* conditions : {&step.where, &step.guard}) {
        for (Condition& condition : *conditions) {
          RefuseDerivation(condition, report);
        }
      }
    }
  }
  for (Table& table : model.tables) {
    for (ItemLayout& layout : table.items) {
      DeriveInLayout(model, layout, report);
    }
  }
}

void ResolveValues(ParsedModel& model, const NameReporter& report) { ValueChecker(model, report).Run(); }

}  // namespace prejoin::model
