#include "model/plan/parameters.h"

#include <algorithm>

namespace prejoin::model {
namespace {

AttributeType OperandType(const Attribute& attribute, Comparison comparison) {
  if (comparison != Comparison::kContains) {
    return attribute.type;
  }
  return TraitsOf(attribute.type).member;
}

// The conditions of a section with `via` are about the link.
Parameter Describe(const Model& model, const Section& section, const Condition& condition,
                   const std::string& name) {
  const Entity& entity = model.At(section.searched());
  Parameter parameter{name, {}, entity.name.text + "." + condition.attribute.text};
  const Attribute* attribute = entity.Find(condition.attribute.text);
  if (attribute != nullptr) {
    parameter.type = OperandType(*attribute, condition.comparison);
  }
  return parameter;
}

}  // namespace

std::vector<Parameter> ParametersOf(const Model& model, const Pattern& pattern) {
  std::vector<Parameter> parameters;
  for (const Section& section : pattern.sections) {
    for (const Condition& condition : section.conditions) {
      for (const Operand& operand : condition.operands) {
        const auto known = [&](const Parameter& one) { return one.name == operand.parameter; };
        if (operand.parameter.empty() || std::any_of(parameters.begin(), parameters.end(), known)) {
          continue;
        }
        parameters.push_back(Describe(model, section, condition, operand.parameter));
      }
    }
  }
  return parameters;
}

}  // namespace prejoin::model
