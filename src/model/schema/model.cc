#include "model/schema/model.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace prejoin::model {
namespace {

template <class T>
const T* FindNamed(const std::vector<T>& all, std::string_view name) {
  for (const T& one : all) {
    if (one.name.text == name) {
      return &one;
    }
  }
  return nullptr;
}

template <class T>
const T& DeclarationAt(const std::vector<T>& all, std::size_t place, const Reference<T>& reference) {
  if (place < all.size() && all[place].name.text == reference.text) {
    return all[place];
  }
  // An edit has moved it, or the reference comes from another model that shares it.
  const T* found = FindNamed(all, reference.text);
  PJ_CHECK(found != nullptr);
  return *found;
}

double ValueBytes(const Attribute& attribute, double size) {
  if (size <= 0) {
    return TraitsOf(attribute.type).usual_bytes;
  }
  if (IsNumber(attribute.type)) {
    return std::ceil(size / 2) + 1;
  }
  return size;
}

}  // namespace

std::string_view ComparisonName(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return "=";
    case Comparison::kLess:
      return "<";
    case Comparison::kLessOrEqual:
      return "<=";
    case Comparison::kGreater:
      return ">";
    case Comparison::kGreaterOrEqual:
      return ">=";
    case Comparison::kBetween:
      return "between";
    case Comparison::kBeginsWith:
      return "begins_with";
    case Comparison::kIn:
      return "in";
    case Comparison::kContains:
      return "contains";
    case Comparison::kExists:
      return "exists";
    case Comparison::kNotEqual:
      return "<>";
    case Comparison::kNotExists:
      return "not exists";
  }
  return "=";
}

std::string ConditionText(Comparison comparison, const std::string& name,
                          const std::vector<std::string>& values) {
  const std::string word(ComparisonName(comparison));
  switch (comparison) {
    case Comparison::kExists:
      return "attribute_exists(" + name + ")";
    case Comparison::kNotExists:
      return "attribute_not_exists(" + name + ")";
    case Comparison::kBetween:
      return name + " BETWEEN " + values[0] + " AND " + values[1];
    case Comparison::kIn: {
      std::string list;
      for (const std::string& value : values) {
        list += (list.empty() ? "" : ", ") + value;
      }
      return name + " IN (" + list + ")";
    }
    case Comparison::kBeginsWith:
    case Comparison::kContains:
      return word + "(" + name + ", " + values[0] + ")";
    default:
      return name + " " + word + " " + values[0];
  }
}

std::string_view CopyUpkeepName(CopyUpkeep upkeep) {
  switch (upkeep) {
    case CopyUpkeep::kNotStated:
      return "not stated";
    case CopyUpkeep::kNever:
      return "never";
    case CopyUpkeep::kTransaction:
      return "transaction";
    case CopyUpkeep::kStream:
      return "stream";
    case CopyUpkeep::kBatch:
      return "batch";
  }
  return "not stated";
}

const Attribute* Entity::Find(std::string_view attribute) const {
  const Attribute* found = FindNamed(attributes, attribute);
  return found != nullptr ? found : FindNamed(derived, attribute);
}

std::vector<std::string> Entity::KeyNames() const {
  std::vector<std::string> names;
  for (const Attribute& attribute : attributes) {
    if (attribute.is_key) {
      names.push_back(attribute.name.text);
    }
  }
  return names;
}

const Cardinality* Relationship::CardinalityOf(std::string_view entity) const {
  for (const Cardinality& cardinality : cardinalities) {
    if (cardinality.entity.text == entity) {
      return &cardinality;
    }
  }
  return nullptr;
}

namespace {

bool NamedBy(const Cardinality& cardinality, const std::set<std::string>& attributes) {
  return std::ranges::all_of(cardinality.by,
                             [&](const Name& name) { return attributes.contains(name.text); });
}

}  // namespace

const Cardinality* Relationship::CardinalityOf(std::string_view entity,
                                               const std::set<std::string>& attributes) const {
  for (const Cardinality& cardinality : cardinalities) {
    if (cardinality.entity.text == entity &&
        (attributes.empty() || NamedBy(cardinality, attributes))) {
      return &cardinality;
    }
  }
  return nullptr;
}

const Cardinality* Relationship::CardinalityOfFrom() const { return CardinalityOf(from.text); }

const Cardinality* Relationship::CardinalityOfTo() const {
  if (to.text != from.text || kind != RelationshipKind::kManyToMany) {
    return CardinalityOf(to.text);
  }
  return cardinalities.size() > 1 ? &cardinalities[1] : nullptr;
}

std::vector<std::string> Pattern::Parameters() const {
  std::vector<std::string> names;
  for (const Section& section : sections) {
    for (const Condition& condition : section.conditions) {
      for (const Operand& operand : condition.operands) {
        if (!operand.parameter.empty() &&
            std::find(names.begin(), names.end(), operand.parameter) == names.end()) {
          names.push_back(operand.parameter);
        }
      }
    }
  }
  return names;
}

const StoredAttribute* ItemLayout::Find(std::string_view attribute) const {
  return FindNamed(attributes, attribute);
}

bool ItemLayout::Omits(std::string_view attribute) const {
  return std::any_of(without.begin(), without.end(),
                     [&](const Name& name) { return name.text == attribute; });
}

const Index* Table::FindIndex(std::string_view index) const { return FindNamed(indexes, index); }

bool Index::HasKey(std::string_view attribute) const {
  const auto is = [&](const Name& key) { return key.text == attribute; };
  return std::ranges::any_of(partition, is) || std::ranges::any_of(sort, is);
}

bool Table::HasKey(std::string_view attribute) const {
  return partition.text == attribute || sort.text == attribute ||
         std::ranges::any_of(indexes, [&](const Index& index) { return index.HasKey(attribute); });
}

const Entity* ParsedModel::FindEntity(std::string_view name) const {
  const Entity* entity = FindNamed(entities, name);
  return entity != nullptr ? entity : FindNamed(second_layouts, name);
}
const Relationship* ParsedModel::FindRelationship(std::string_view name) const {
  return FindNamed(relationships, name);
}
const Pattern* ParsedModel::FindPattern(std::string_view name) const {
  return FindNamed(patterns, name);
}
const Write* ParsedModel::FindWrite(std::string_view name) const { return FindNamed(writes, name); }

const Entity& Model::At(const Reference<Entity>& entity) const {
  const std::size_t place = entity.place();
  const bool first = place < entities.size();
  const std::vector<Entity>& all = first ? entities : second_layouts;
  return DeclarationAt(all, first ? place : place - entities.size(), entity);
}
const Relationship& Model::At(const Reference<Relationship>& relationship) const {
  return DeclarationAt(relationships, relationship.place(), relationship);
}
const Write& Model::At(const Reference<Write>& write) const {
  return DeclarationAt(writes, write.place(), write);
}

Placement ParsedModel::FindPlacement(std::string_view entity) const {
  for (const Table& table : tables) {
    for (const ItemLayout& layout : table.items) {
      if (layout.entity.text == entity) {
        return {&table, &layout};
      }
    }
  }
  return {};
}

std::vector<Placement> ParsedModel::LayoutsOf(std::string_view entity) const {
  std::vector<Placement> layouts;
  if (const Placement first = FindPlacement(entity)) {
    layouts.push_back(first);
  }
  for (const Table& table : tables) {
    for (const ItemLayout& layout : table.items) {
      if (!entity.empty() && layout.of.text == entity) {
        layouts.push_back({&table, &layout});
      }
    }
  }
  return layouts;
}

const std::string& Model::RowsOf(const std::string& name) const {
  const Entity* second = FindNamed(second_layouts, name);
  return second != nullptr ? second->rows_of.text : name;
}

double AverageValueBytes(const Attribute& attribute) {
  if (!attribute.members.empty() && attribute.size_avg <= 0) {
    constexpr double kMapBytes = 3;
    double bytes = kMapBytes;
    for (const Attribute& member : attribute.members) {
      const double share = member.optional ? member.presence.value_or(1) : 1;
      bytes +=
          share * (static_cast<double>(member.name.text.size()) + AverageValueBytes(member) + 1);
    }
    // One element, where nothing says how many there are.
    return attribute.type == AttributeType::kList ? bytes + kMapBytes + 1 : bytes;
  }
  return ValueBytes(attribute, attribute.size_avg);
}

std::string MemberFault(const Attribute& attribute, const AttributeValue& value) {
  if (attribute.members.empty()) {
    return {};
  }
  if (value.list() != nullptr) {
    for (const AttributeValue& element : *value.list()) {
      if (std::string fault = MemberFault(attribute, element); !fault.empty()) {
        return fault;
      }
    }
    return {};
  }
  const std::string& name = attribute.name.text;
  if (value.map() == nullptr) {
    return name + " holds something that is no map";
  }
  for (const Attribute& member : attribute.members) {
    const std::string path = name + "." + member.name.text;
    const AttributeValue* found = value.map()->Find(member.name.text);
    if (found == nullptr) {
      if (!member.optional) {
        return path + " is missing";
      }
      continue;
    }
    const AttributeTypeTraits& traits = TraitsOf(member.type);
    if (found->type() != traits.stored && found->type() != traits.written) {
      return path + " is not " + std::string(traits.word);
    }
    if (!member.values.empty() && std::ranges::find(member.values, *found) == member.values.end()) {
      return path + " is none of its values";
    }
    std::string inner = MemberFault(member, *found);
    if (!inner.empty()) {
      return name + "." + inner;
    }
  }
  for (const auto& entry : *value.map()) {
    const std::string& key = entry.first;
    const bool known = std::ranges::any_of(
        attribute.members, [&](const Attribute& member) { return member.name.text == key; });
    if (!known) {
      return name + "." + key + " is not declared";
    }
  }
  return {};
}

std::optional<double> ShareOfValue(const Attribute& attribute, const AttributeValue& value) {
  if (attribute.values.empty()) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(attribute.values, value);
  if (found == attribute.values.end()) {
    return 0;
  }
  const auto number = static_cast<std::size_t>(found - attribute.values.begin());
  return attribute.shares.empty() ? 1 / static_cast<double>(attribute.values.size())
                                  : attribute.shares[number];
}

std::optional<double> ShareOfOneValue(const Attribute& attribute) {
  if (attribute.shares.empty()) {
    return std::nullopt;
  }
  double sum = 0;
  for (const double share : attribute.shares) {
    sum += share * share;
  }
  return sum;
}

double MaximumValueBytes(const Attribute& attribute) {
  if (attribute.size_max > 0) {
    return ValueBytes(attribute, attribute.size_max);
  }
  return AverageValueBytes(attribute);
}

}  // namespace prejoin::model
