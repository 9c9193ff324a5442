#include "model/schema/join.h"

#include <algorithm>

namespace prejoin::model {

namespace {

// The attribute of `from` that references `key` of `to` by name; null if none does.
const Attribute* ByName(const Entity& from, const Entity& to, const std::string& key) {
  const auto found = std::ranges::find_if(from.attributes, [&](const Attribute& attribute) {
    return attribute.references && attribute.references->entity.text == to.name.text &&
           attribute.references->attribute.text == key;
  });
  return found != from.attributes.end() ? &*found : nullptr;
}

// The one attribute of `from` that references what `key` of `to` references; null if there is none or more than one. So a part of a
// key that is itself a reference, such as the tenant of a role, may be referenced where it comes from: `tenantId references
// Tenant.id` beside `roleId references Role.id`.
const Attribute* ByOrigin(const Entity& from, const Entity& to, const std::string& key) {
  const Attribute* part = to.Find(key);
  const Attribute* found = nullptr;
  for (const Attribute& attribute : from.attributes) {
    const bool same = part != nullptr && part->references && attribute.references &&
                      attribute.references->entity.text == part->references->entity.text &&
                      attribute.references->attribute.text == part->references->attribute.text;
    if (same && found != nullptr) {
      return nullptr;
    }
    found = same ? &attribute : found;
  }
  return found;
}

}  // namespace

std::vector<JoinColumn> JoinColumns(const Entity& from, const Entity& to) {
  std::vector<JoinColumn> columns;
  bool any_by_name = false;
  for (const std::string& key : to.KeyNames()) {
    const Attribute* attribute = ByName(from, to, key);
    any_by_name = any_by_name || attribute != nullptr;
    attribute = attribute != nullptr ? attribute : ByOrigin(from, to, key);
    if (attribute == nullptr) {
      return {};
    }
    columns.push_back({attribute->name.text, key});
  }
  return any_by_name ? columns : std::vector<JoinColumn>();
}

namespace {

// Attribute of the first → key of the last; empty where the middle does not lead on.
std::vector<JoinColumn> Composed(const std::vector<JoinColumn>& lower,
                                 const std::vector<JoinColumn>& upper) {
  std::vector<JoinColumn> columns;
  for (const JoinColumn& up : upper) {
    const auto found = std::ranges::find(lower, up.from, &JoinColumn::to);
    if (found == lower.end()) {
      return {};
    }
    columns.push_back({found->from, up.to});
  }
  return columns;
}

}  // namespace

std::vector<JoinColumn> JoinColumnsThrough(const Entity& from, const Entity& to,
                                           const std::vector<const Entity*>& through) {
  std::vector<JoinColumn> columns = JoinColumns(from, to);
  for (std::size_t i = 0; i < through.size() && columns.empty(); ++i) {
    const Entity& middle = *through[i];
    if (&middle == &from || &middle == &to) {
      continue;
    }
    std::vector<const Entity*> others = through;
    std::erase(others, &middle);
    columns = Composed(JoinColumns(from, middle), JoinColumnsThrough(middle, to, others));
  }
  return columns;
}

std::vector<JoinColumn> CascadeColumns(const Model& model, const WriteStep& step,
                                       const Entity& child) {
  std::vector<const Entity*> through;
  for (const Reference<Entity>& other : step.cascade) {
    through.push_back(&model.At(other));
  }
  return JoinColumnsThrough(child, model.At(step.entity), through);
}

std::set<std::string> NamesIn(const std::vector<JoinColumn>& columns) {
  std::set<std::string> names;
  for (const JoinColumn& column : columns) {
    names.insert(column.from);
  }
  return names;
}

std::set<std::string> PointingAt(const Entity& from, const Entity& to) {
  return NamesIn(JoinColumns(from, to));
}

Path OriginOf(const Model& model, const Entity& entity, const std::string& attribute) {
  const Entity* owner = &entity;
  std::string name = attribute;
  constexpr int kReferencesMax = 8;
  for (int hop = 0; hop < kReferencesMax; ++hop) {
    const Attribute* found = owner->Find(name);
    if (found == nullptr || !found->references) {
      break;
    }
    const Entity& next = model.At(found->references->entity);
    name = found->references->attribute.text;
    owner = &next;
  }
  return {*owner, {name, {}}};
}

namespace {

// The attribute of `rows` that references a key of `end`: the one that is named, or else so many before it.
const Attribute* Referencing(const Entity& rows, const Entity& end, const std::string& key,
                             const std::vector<Name>& by, int before) {
  for (const Attribute& attribute : rows.attributes) {
    const bool references = attribute.references && attribute.references->entity == end.name &&
                            attribute.references->attribute.text == key;
    const bool named = by.empty() || std::ranges::find(by, attribute.name) != by.end();
    if (references && named && before-- == 0) {
      return &attribute;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<JoinColumn> JoinColumnsOf(const Relationship& relationship, RelationshipEnd side,
                                      const Entity& rows, const Entity& end) {
  const bool many = relationship.kind == RelationshipKind::kManyToMany;
  const bool self = many && relationship.from == relationship.to;
  std::vector<Name> by = many ? std::vector<Name>() : relationship.by;
  if (self) {
    const Cardinality* each =
        side == RelationshipEnd::kFrom ? relationship.CardinalityOfFrom() : relationship.CardinalityOfTo();
    by = each != nullptr ? each->by : by;
  }
  const int before = self && by.empty() && side == RelationshipEnd::kTo ? 1 : 0;
  std::vector<JoinColumn> columns;
  for (const std::string& key : end.KeyNames()) {
    const Attribute* attribute = Referencing(rows, end, key, by, before);
    if (attribute == nullptr) {
      return JoinColumns(rows, end);
    }
    columns.push_back({attribute->name.text, key});
  }
  return columns;
}

}  // namespace prejoin::model
