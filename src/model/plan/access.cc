#include "model/plan/access.h"

#include <algorithm>

#include "model/plan/expectation.h"

namespace prejoin::model {

bool CanRead(const Model& model, const std::string& entity_name, const std::string& attribute,
             const View& view) {
  const Model::Placement placement = model.FindPlacement(entity_name);
  if (!placement) {
    return false;
  }
  if (!placement.layout->Omits(attribute) && IsProjected(view, attribute)) {
    return true;
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.kind != StoredKind::kTemplate || !IsProjected(view, stored.name.text)) {
      continue;
    }
    for (const TemplatePart& part : stored.key.parts) {
      const bool plain =
          part.transform == TemplateTransform::kNone || part.transform == TemplateTransform::kPad;
      if (part.attribute == attribute && plain) {
        return true;
      }
    }
  }
  return false;
}

bool ComesWith(const Entity& entity, const std::set<std::string>& names,
               const std::string& attribute) {
  const Attribute* own = entity.Find(attribute);
  return names.contains(attribute) || std::ranges::any_of(names, [&](const std::string& name) {
           const Attribute* other = entity.Find(name);
           return own != nullptr && other != nullptr && !own->group.empty() &&
                  own->group == other->group;
         });
}

}  // namespace prejoin::model
