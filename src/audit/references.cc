#include "audit/references.h"

#include <utility>

namespace prejoin::audit {

using model::Entity;
using model::JoinColumn;
using model::Row;

std::vector<std::vector<JoinColumn>> ReferencesTo(const Entity& from, const Entity& to) {
  std::vector<std::vector<JoinColumn>> ways;
  std::vector<JoinColumn> first = model::JoinColumns(from, to);
  if (first.empty()) {
    return ways;
  }
  ways.push_back(std::move(first));
  // With a key of several attributes, nothing says which of the further references belong together.
  if (ways[0].size() > 1) {
    return ways;
  }
  for (const model::Attribute& attribute : from.attributes) {
    const bool another = attribute.references && attribute.references->entity == to.name &&
                         attribute.references->attribute.text == ways[0][0].to &&
                         attribute.name.text != ways[0][0].from;
    if (another) {
      ways.push_back({{attribute.name.text, ways[0][0].to}});
    }
  }
  return ways;
}

std::string TargetTuple(const Row& row, const Entity& to, const std::vector<JoinColumn>& columns) {
  Row target;
  for (const JoinColumn& column : columns) {
    const AttributeValue* value = row.Find(column.from);
    if (value == nullptr) {
      return {};
    }
    target.Set(column.to, *value);
  }
  return model::TupleText(target, to.KeyNames());
}

AttributeValue ExpectedLists(const model::Model& model, const Entity& entity, const Row& row,
                             const std::vector<ListPlace>& lists) {
  AttributeValue::List expected;
  for (const ListPlace& list : lists) {
    const Entity& parent = model.At(list.parent);
    const auto columns = model::JoinColumns(entity, parent);
    if (!columns.empty() && !TargetTuple(row, parent, columns).empty()) {
      expected.emplace_back(parent.name.text + "." + list.attribute);
    }
  }
  return AttributeValue(std::move(expected));
}

}  // namespace prejoin::audit
