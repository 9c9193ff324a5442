#include "model/check/copy_load.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

// How often an attribute changes: as declared, or by the writes that set it.
double ChangeRate(const Model& model, const Entity& entity, const Attribute& attribute) {
  if (attribute.immutable) {
    return 0;
  }
  if (attribute.changes_given) {
    return attribute.changes_per_second;
  }
  double rate = 0;
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      const bool sets = step.entity == entity.name &&
                        std::any_of(step.set.begin(), step.set.end(),
                                    [&](const Name& name) { return name == attribute.name; });
      if (sets) {
        rate += write.rate_per_second;
      }
    }
  }
  return rate;
}

}  // namespace

bool CopyLoad::TooMuch() const {
  constexpr double kManyCopies = 20;
  return changes_per_second > kFastChangePerSecond && copies > kManyCopies;
}

CopyLoad LoadOfCopy(const Model& model, const Reference<Entity>& holder, const Path& source) {
  const Entity& owner = model.At(source.entity);
  const Attribute* attribute = owner.Find(source.attribute.text);
  return {attribute != nullptr ? ChangeRate(model, owner, *attribute) : 0,
          ExpectedRows(model, holder, PointingAt(model.At(holder), owner))};
}

bool CollectionsAreBounded(const Model& model, const Table& table) {
  return std::ranges::all_of(table.items, [&](const ItemLayout& layout) {
    std::set<std::string> bound;
    for (const std::string& name : layout.Find(table.partition.text)->key.Attributes()) {
      bound.insert(name);
    }
    const Reference<Entity>& entity = layout.entity;
    const double most = MostRows(model, entity, bound);
    if (most == 0) {
      return ExpectedRows(model, entity, bound) <= 1;
    }
    // Once in the table and once in the index.
    return 2 * most * ExpectedItemBytes(model, entity, View{&table, nullptr}) <
           static_cast<double>(kItemCollectionBytesMax);
  });
}

}  // namespace prejoin::model
