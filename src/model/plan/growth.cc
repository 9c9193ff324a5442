// The effect of a scale. Scale N is a business N times as large: every entity has N times its rows, and every pattern and
// write comes N times as often. Figures of one parent, one value or one request stay unchanged: `each Customer
// has ~10`, `distinct`, `values`, the days of a date, `limit`.
//
// So a collection keeps its size where its parent grows as fast as its rows do, and of a whole key there is one row at any
// scale. Under a constant, a status, a date, or a parent that does not grow, a collection becomes N times as large, up to
// its `at most`; what a read of it reads, returns and costs follows.
//
// An entity grows less than N times where it cannot grow so far: its count is `fixed`; its key has only so many values,
// because they are listed, counted, days, or name rows that do not grow; or its parents do not grow and bound it.
//
// Example at scale 100, with `count 12 fixed` vets and 240,000 visits: a vet has 100 × 20,000 visits, a pet as many as
// before, and the open invoices of all pets are 100 times as many.
#include <algorithm>

#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

// True if an attribute has a given number of values, however many rows there are.
bool HasOnlySoManyValues(const Attribute& attribute) {
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  const bool day = traits.moment && !traits.zoned;
  return !attribute.values.empty() || traits.distinct > 0 || attribute.distinct > 0 || day;
}

}  // namespace

double Expectations::ComputeGrowth(const Entity& entity) {
  const std::string& name = entity.name.text;
  if (entity.count_fixed) {
    return 1;
  }
  if (scale_ <= 1) {
    return scale_;  // Less than today is possible for all the others.
  }
  double keys = 1;  // Times as many as today are possible.
  bool has_key = false;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.is_key) {
      continue;
    }
    has_key = true;
    if (HasOnlySoManyValues(attribute)) {
      continue;
    }
    const Path origin = OriginOf(model_, entity, attribute.name.text);
    keys = std::min(scale_, keys * (origin.entity.text == name ? scale_ : Growth(origin.entity)));
  }
  double growth = has_key ? keys : scale_;
  for (const Relationship& relationship : model_.relationships) {
    const bool linked = relationship.through.text == name;
    const bool child = relationship.kind != RelationshipKind::kManyToMany &&
                       relationship.kind != RelationshipKind::kHierarchy &&
                       relationship.to.text == name;
    for (const Reference<Entity>& parent : {relationship.from, relationship.to}) {
      if (parent.text == name || !(linked || (child && parent == relationship.from))) {
        continue;
      }
      if (relationship.kind == RelationshipKind::kOneToOne && child) {
        growth = std::min(growth, Growth(parent));
      } else if (const Cardinality* each = relationship.CardinalityOf(parent.text);
                 each != nullptr && each->bound > 0 && each->average > 0) {
        growth = std::min(growth, Growth(parent) * std::max(1.0, each->bound / each->average));
      }
    }
  }
  return std::max(1.0, growth);
}

double Expectations::Growth(const Reference<Entity>& layout) {
  const Entity& entity = model_.RowsOf(layout);
  const std::string& name = entity.name.text;
  if (scale_ == 1) {
    return 1;
  }
  // In a circle of references nothing says that there cannot be more.
  if (!growing_.insert(name).second) {
    return scale_;
  }
  const double growth = Remember("growth " + name, [&] { return ComputeGrowth(entity); });
  growing_.erase(name);
  return growth;
}

double Expectations::GrowthOfRows(const Reference<Entity>& entity, const std::set<std::string>& bound) {
  if (scale_ == 1) {
    return 1;
  }
  if (today_ == nullptr) {
    today_ = std::make_unique<Expectations>(model_, factors_);
  }
  const double today = today_->Rows(entity, bound);
  return today > 0 ? Rows(entity, bound) / today : 1;
}

}  // namespace prejoin::model
