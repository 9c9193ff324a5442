#include "model/plan/access.h"

#include "model/plan/expectation.h"

namespace prejoin::model {

bool CanRead(const Model& model, const std::string& entity_name, const std::string& attribute,
             const View& view) {
  const Model::Placement placement = model.FindPlacement(entity_name);
  if (!placement) {
    return false;
  }
  const Entity* entity = model.FindEntity(entity_name);
  const Attribute* found = entity != nullptr ? entity->Find(attribute) : nullptr;
  const bool derived = found != nullptr && !found->derived_from.empty();
  if (derived && CanRead(model, entity_name, found->derived_from, view)) {
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

}  // namespace prejoin::model
