#include "model/cost/touched_items.h"

#include <algorithm>

#include "model/plan/expectation.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {

std::set<std::string> Texts(const std::vector<Name>& names) {
  std::set<std::string> texts;
  for (const Name& name : names) {
    texts.insert(name.text);
  }
  return texts;
}

std::set<std::string> Changed(const WriteStep& step) {
  std::set<std::string> changed = Texts(step.set);
  changed.merge(Texts(step.remove));
  return changed;
}

bool Intersects(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) { return b.contains(one); });
}

bool MovesItem(const Model& model, const WriteStep& step, const Model::Placement& placement) {
  return step.kind == WriteKind::kUpdate && placement &&
         Intersects(Changed(step),
                    KeyAttributes(model, placement.layout->entity, View{placement.table, nullptr}));
}

bool IsTouched(const ItemLayout& layout, const std::set<std::string>& changed) {
  return std::ranges::any_of(changed, [&](const std::string& name) {
    if (!layout.Omits(name)) {
      return true;
    }
    return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
      const std::vector<std::string> parts = stored.key.Attributes();
      return std::ranges::find(parts, name) != parts.end();
    });
  });
}

bool TouchesLock(const Model& model, const WriteStep& step) {
  const Model::Placement placement = model.FindPlacement(step.entity);
  if (!placement || placement.layout->locks.empty()) {
    return false;
  }
  return step.kind != WriteKind::kUpdate ||
         Intersects(Changed(step), Texts(placement.layout->locks));
}

std::set<std::string> NamesOfHolder(const Model& model, const Reference<Entity>& entity,
                                    const Reference<Entity>& holder) {
  return NamesIn(JoinColumns(model.At(entity), model.RowsOf(holder)));
}

bool MovesToHolder(const Model& model, const WriteStep& step, const Reference<Entity>& holder) {
  return step.kind == WriteKind::kUpdate &&
         Intersects(Changed(step), NamesOfHolder(model, step.entity, holder));
}

void ForEachDerived(const Model& model, const WriteStep& step, DerivedVisitor visit) {
  const std::set<std::string> changed = Changed(step);
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (!IsTotal(stored) || !(stored.copy.entity == step.entity)) {
          continue;
        }
        if (step.kind == WriteKind::kUpdate && !changed.contains(stored.copy.attribute.text) &&
            !MovesToHolder(model, step, layout.entity)) {
          continue;
        }
        visit(table, layout, stored);
        for (const Model::Placement& other : model.LayoutsOf(layout.entity)) {
          if (other.layout != &layout && !other.layout->Omits(stored.name.text)) {
            visit(*other.table, *other.layout, stored);
          }
        }
      }
    }
  }
}

}  // namespace prejoin::model
