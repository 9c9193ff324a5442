#include "model/plan/access.h"

#include <algorithm>

#include "model/plan/expectation.h"

namespace prejoin::model {

bool CanRead(const Model& model, const Reference<Entity>& rows, const std::string& attribute,
             const View& view) {
  const Model::Placement placement = model.FindPlacement(rows);
  if (!placement) {
    return false;
  }
  const Entity& entity = model.At(rows);
  const Attribute* found = entity.Find(attribute);
  const bool derived = found != nullptr && !found->derived_from.empty();
  if (derived && CanRead(model, rows, found->derived_from, view)) {
    return true;
  }
  if (!derived && !placement.layout->Omits(attribute) && IsProjected(view, attribute)) {
    return true;
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.kind != StoredKind::kTemplate || !IsProjected(view, stored.name.text)) {
      continue;
    }
    for (const TemplatePart& part : stored.key.parts) {
      if (part.label() == attribute && (part.gives_back() || derived)) {
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
