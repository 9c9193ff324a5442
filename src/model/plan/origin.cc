#include "model/plan/expectation.h"

namespace prejoin::model {

std::string OriginOf(const Model& model, const Entity& entity, const std::string& attribute) {
  const Entity* owner = &entity;
  std::string name = attribute;
  constexpr int kReferencesMax = 8;
  for (int hop = 0; hop < kReferencesMax; ++hop) {
    const Attribute* found = owner->Find(name);
    if (found == nullptr || !found->references) {
      break;
    }
    const Entity* next = model.FindEntity(found->references->entity.text);
    if (next == nullptr) {
      break;
    }
    name = found->references->attribute.text;
    owner = next;
  }
  return owner->name.text + "." + name;
}

}  // namespace prejoin::model
