#include "model/plan/range_shares.h"

#include <algorithm>

#include "model/schema/join.h"

namespace prejoin::model {

std::set<std::string> PartitionAttributes(const View& view, const ItemLayout& layout) {
  std::set<std::string> bound;
  for (const Name& key : view.PartitionKeys()) {
    const StoredAttribute* stored = layout.Find(key.text);
    for (std::size_t i = 0; stored != nullptr && i < stored->key.parts.size(); ++i) {
      const TemplatePart& part = stored->key.parts[i];
      if (!part.is_literal() && part.transform != TemplateTransform::kShard) {
        bound.insert(part.label());
      }
    }
  }
  return bound;
}

double ShareWithOperand(Expectations& figures, const Pattern& pattern, const Request& request,
                        const RowsOfPartition& rows, const std::string& attribute,
                        const Operand& operand) {
  const Model& model = figures.model();
  const Entity& owner = model.RowsOf(rows.entity);
  if (operand.parameter.empty() || owner.Find(attribute) == nullptr) {
    return 0;
  }
  const std::string origin = OriginText(model, owner, attribute);
  for (const std::size_t i : request.sections) {
    const Section& section = pattern.sections[i];
    const Entity& wanted = model.At(section.searched());
    for (const Condition& condition : section.conditions) {
      if (condition.comparison == Comparison::kEqual &&
          condition.operands[0].parameter == operand.parameter &&
          OriginText(model, wanted, condition.attribute.text) == origin) {
        std::set<std::string> named = rows.bound;
        named.insert(attribute);
        const double all = figures.Rows(rows.entity, rows.bound);
        return all > 0 ? std::min(1.0, figures.Rows(rows.entity, named) / all) : 0;
      }
    }
  }
  return 0;
}

double PartsOfRange(Expectations& figures, const Section& section,
                    const std::vector<std::string>& filters, const std::string& attribute) {
  const Reference<Entity>& entity = section.searched();
  const Entity& owner = figures.model().At(entity);
  double parts = 1;
  for (const Condition& condition : section.conditions) {
    const std::string& name = condition.attribute.text;
    const Attribute* part = owner.Find(name);
    if (condition.comparison == Comparison::kEqual && std::ranges::count(filters, name) > 0 &&
        part != nullptr && part->derived_from == attribute) {
      parts = std::max(parts, figures.Distinct(entity, name));
    }
  }
  return parts;
}

}  // namespace prejoin::model
