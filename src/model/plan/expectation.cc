#include "model/plan/expectation.h"

#include <algorithm>
#include <cmath>

#include "model/data/item_render.h"

namespace prejoin::model {
namespace {

constexpr double kUnknownCount = 1000;
constexpr double kUnknownDistinct = 10;
constexpr int kDerivationDepthMax = 6;

double CountOf(const Model& model, const std::string& name, int depth) {
  const Entity* entity = model.FindEntity(name);
  if (entity == nullptr) return 0;
  if (entity->count_given) return entity->count;
  if (depth < kDerivationDepthMax) {
    for (const Relationship& relationship : model.relationships) {
      const bool is_child =
          relationship.kind != RelationshipKind::kManyToMany && relationship.to.text == name;
      const bool is_link = relationship.through.text == name;
      if (!is_child && !is_link) continue;
      if (const Cardinality* cardinality = relationship.CardinalityOf(relationship.from.text)) {
        return cardinality->average * CountOf(model, relationship.from.text, depth + 1);
      }
      if (const Cardinality* cardinality = relationship.CardinalityOf(relationship.to.text);
          is_link && cardinality) {
        return cardinality->average * CountOf(model, relationship.to.text, depth + 1);
      }
    }
  }
  for (const Sample& sample : model.samples) {
    if (sample.entity.text == name && !sample.rows.empty())
      return static_cast<double>(sample.rows.size());
  }
  return kUnknownCount;
}

bool Covers(const std::set<std::string>& bound, const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(),
                                       [&](const auto& name) { return bound.contains(name); });
}

struct ParentShare {
  double rows;
  double bound;
  std::vector<std::string> attributes;  // Of the child, that name the parent.
};

// Children of `entity` under one fully bound parent, for each parent that `bound` names.
std::vector<ParentShare> Shares(const Model& model, const Entity& entity,
                                const std::set<std::string>& bound) {
  std::vector<ParentShare> shares;
  for (const Entity& parent : model.entities) {
    if (parent.name.text == entity.name.text) continue;
    std::vector<std::string> pointing;
    for (const JoinColumn& column : JoinColumns(entity, parent)) pointing.push_back(column.from);
    if (!Covers(bound, pointing)) continue;
    ParentShare share{
        EntityCount(model, entity.name.text) / std::max(1.0, EntityCount(model, parent.name.text)),
        0, pointing};
    for (const Relationship& relationship : model.relationships) {
      const bool child =
          relationship.to.text == entity.name.text && relationship.from.text == parent.name.text;
      const bool link =
          relationship.through.text == entity.name.text &&
          (relationship.from.text == parent.name.text || relationship.to.text == parent.name.text);
      const Cardinality* cardinality =
          child || link ? relationship.CardinalityOf(parent.name.text) : nullptr;
      if (cardinality != nullptr) share = {cardinality->average, cardinality->bound, pointing};
    }
    shares.push_back(std::move(share));
  }
  return shares;
}

double DistinctValues(const Attribute& attribute) {
  if (!attribute.values.empty()) return static_cast<double>(attribute.values.size());
  if (const double distinct = TraitsOf(attribute.type).distinct; distinct > 0) return distinct;
  return kUnknownDistinct;
}

double TemplateBytes(const Entity& entity, const KeyTemplate& key, bool largest) {
  double bytes = 0;
  for (const TemplatePart& part : key.parts) {
    if (part.is_literal()) {
      bytes += static_cast<double>(part.literal.size());
    } else if (part.transform == TemplateTransform::kPad) {
      bytes += part.argument;
    } else if (part.transform == TemplateTransform::kShard) {
      bytes += 1;
    } else if (const Attribute* attribute = entity.Find(part.attribute)) {
      bytes += largest ? MaximumValueBytes(*attribute) : AverageValueBytes(*attribute);
    }
  }
  return bytes;
}

double MemberBytes(const Model& model, const Entity& owner, const StoredAttribute& stored,
                   bool largest) {
  const Entity* embedded = model.FindEntity(stored.embedded.text);
  if (embedded == nullptr) return 0;
  double bytes = 4;
  for (const Path& path : EmbeddedMembers(model, owner, stored)) {
    const Entity* from = path.entity.text.empty() ? embedded : model.FindEntity(path.entity.text);
    const Attribute* attribute = from != nullptr ? from->Find(path.attribute.text) : nullptr;
    if (attribute == nullptr) continue;
    bytes += 1 + static_cast<double>(path.attribute.text.size()) +
             (largest ? MaximumValueBytes(*attribute) : AverageValueBytes(*attribute));
  }
  return bytes;
}

std::set<std::string> PointingAt(const Model& model, const std::string& from, const Entity& to) {
  std::set<std::string> names;
  if (const Entity* entity = model.FindEntity(from)) {
    for (const JoinColumn& column : JoinColumns(*entity, to)) names.insert(column.from);
  }
  return names;
}

// Value bytes of one stored attribute; negative when unbounded and `largest`.
double StoredBytes(const Model& model, const Entity& entity, const StoredAttribute& stored,
                   bool largest) {
  switch (stored.kind) {
    case StoredKind::kTemplate:
      return TemplateBytes(entity, stored.key, largest);
    case StoredKind::kCopy: {
      const Entity* owner = model.FindEntity(stored.copy.entity.text);
      const Attribute* attribute =
          owner != nullptr ? owner->Find(stored.copy.attribute.text) : nullptr;
      if (attribute == nullptr) return 0;
      return largest ? MaximumValueBytes(*attribute) : AverageValueBytes(*attribute);
    }
    case StoredKind::kEmbedList:
    case StoredKind::kEmbedMap: {
      const std::set<std::string> bound = PointingAt(model, stored.embedded.text, entity);
      const double rows = largest ? MostRows(model, stored.embedded.text, bound)
                                  : ExpectedRows(model, stored.embedded.text, bound);
      if (largest && rows <= 0) return -1;
      return 3 + rows * MemberBytes(model, entity, stored, largest);
    }
  }
  return 0;
}

}  // namespace

double EntityCount(const Model& model, const std::string& entity) {
  return CountOf(model, entity, 0);
}

double ExpectedRows(const Model& model, const std::string& name,
                    const std::set<std::string>& bound) {
  const Entity* entity = model.FindEntity(name);
  if (entity == nullptr) return 0;
  if (Covers(bound, entity->KeyNames())) return 1;
  double rows = EntityCount(model, name);
  std::set<std::string> explained;
  for (const ParentShare& share : Shares(model, *entity, bound)) {
    rows = std::min(rows, share.rows);
    explained.insert(share.attributes.begin(), share.attributes.end());
  }
  for (const std::string& attribute_name : bound) {
    const Attribute* attribute = entity->Find(attribute_name);
    if (attribute == nullptr || explained.contains(attribute_name)) continue;
    if (attribute->unique) return std::min(rows, 1.0);
    rows /= DistinctValues(*attribute);
  }
  return std::max(rows, 1e-3);
}

double MostRows(const Model& model, const std::string& name, const std::set<std::string>& bound) {
  const Entity* entity = model.FindEntity(name);
  if (entity == nullptr) return 0;
  if (Covers(bound, entity->KeyNames())) return 1;
  double most = 0;
  for (const ParentShare& share : Shares(model, *entity, bound)) {
    if (share.bound > 0) most = most == 0 ? share.bound : std::min(most, share.bound);
  }
  return most;
}

bool AppearsIn(const Model& model, const std::string& entity, const View& view) {
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement || placement.table != view.table) return false;
  for (const std::vector<Name>& keys : {view.PartitionKeys(), view.SortKeys()}) {
    for (const Name& key : keys) {
      if (placement.layout->Find(key.text) == nullptr) return false;
    }
  }
  return true;
}

bool IsProjected(const View& view, const std::string& attribute) {
  if (view.index == nullptr || view.index->projection == ProjectionKind::kAll) return true;
  const auto is = [&](const Name& name) { return name.text == attribute; };
  for (const std::vector<Name>& keys : {view.PartitionKeys(), view.SortKeys()}) {
    if (std::any_of(keys.begin(), keys.end(), is)) return true;
  }
  if (is(view.table->partition) || is(view.table->sort)) return true;
  return view.index->projection == ProjectionKind::kInclude &&
         std::any_of(view.index->include.begin(), view.index->include.end(), is);
}

double ExpectedItemBytes(const Model& model, const std::string& name, const View& view) {
  const Entity* entity = model.FindEntity(name);
  const Model::Placement placement = model.FindPlacement(name);
  if (entity == nullptr || !placement) return 0;
  double bytes = 0;
  for (const Attribute& attribute : entity->attributes) {
    const std::string& stored = attribute.name.text;
    if (placement.layout->Omits(stored) || placement.layout->Find(stored) != nullptr ||
        !IsProjected(view, stored))
      continue;
    bytes += static_cast<double>(stored.size()) + AverageValueBytes(attribute);
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (!IsProjected(view, stored.name.text)) continue;
    bytes +=
        static_cast<double>(stored.name.text.size()) + StoredBytes(model, *entity, stored, false);
  }
  const std::string& type = placement.table->type_attribute.text;
  if (!type.empty() && IsProjected(view, type))
    bytes += static_cast<double>(type.size() + name.size());
  return bytes;
}

double LargestItemBytes(const Model& model, const std::string& name) {
  const Entity* entity = model.FindEntity(name);
  const Model::Placement placement = model.FindPlacement(name);
  if (entity == nullptr || !placement) return 0;
  double bytes = 0;
  for (const Attribute& attribute : entity->attributes) {
    bytes += static_cast<double>(attribute.name.text.size()) + MaximumValueBytes(attribute);
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    const double value = StoredBytes(model, *entity, stored, true);
    if (value < 0) return -1;
    bytes += static_cast<double>(stored.name.text.size()) + value;
  }
  return bytes;
}

}  // namespace prejoin::model
