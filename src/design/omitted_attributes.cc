#include "design/omitted_attributes.h"

#include <set>
#include <string>

#include "model/layout/key_shape.h"

namespace prejoin::design {
namespace {

// The attributes that conditions of writes read: DynamoDB evaluates them on the item, and cannot look into a key.
std::set<std::string> GuardAttributes(const model::Model& model, const std::string& entity) {
  std::set<std::string> names;
  for (const model::Write& write : model.writes) {
    for (const model::WriteStep& step : write.steps) {
      for (const model::Condition& condition : step.guard) {
        if (step.entity.text == entity) {
          names.insert(model::BaseName(condition.attribute.text));
        }
      }
    }
  }
  return names;
}

}  // namespace

void OmitSpelledAttributes(const model::Model& model, const EntityChoice& choice,
                           const model::Table& table, model::ItemLayout& layout) {
  const model::Entity& entity = model.At(layout.entity);
  const std::set<std::string> guarded = GuardAttributes(model, layout.entity.text);
  std::set<std::string> spelled;
  // An index that projects an attribute needs it as such, unless the table's key brings it along.
  std::set<std::string> projected;
  for (const IndexView& view : choice.views) {
    projected.insert(view.payload.begin(), view.payload.end());
  }
  for (const model::StoredAttribute& stored : layout.attributes) {
    if (stored.kind != model::StoredKind::kTemplate || stored.key.natural) {
      continue;
    }
    const bool base =
        stored.name.text == table.partition.text || stored.name.text == table.sort.text;
    std::set<std::string> plain;
    bool always = true;
    for (const model::TemplatePart& part : stored.key.parts) {
      if (part.is_literal()) {
        continue;
      }
      const model::Attribute* attribute = entity.Find(part.attribute);
      always = always && attribute != nullptr && !attribute->optional;
      if (attribute != nullptr && part.transform == model::TemplateTransform::kNone &&
          model::IsReadBack(*attribute) && (base || !projected.contains(part.attribute))) {
        plain.insert(part.attribute);
      }
    }
    if (always) {
      spelled.merge(plain);
    }
  }
  for (const model::Attribute& attribute : entity.attributes) {
    const std::string& name = attribute.name.text;
    if (layout.Find(name) == nullptr && spelled.contains(name) && !guarded.contains(name)) {
      layout.without.push_back(attribute.name);
    }
  }
}

}  // namespace prejoin::design
