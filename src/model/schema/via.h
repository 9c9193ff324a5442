// `find User via Follow where followerId = :user`: which attributes of the link lead to the rows.
#ifndef PREJOIN_MODEL_SCHEMA_VIA_H_
#define PREJOIN_MODEL_SCHEMA_VIA_H_

#include <algorithm>
#include <vector>

#include "model/schema/join.h"

namespace prejoin::model {

// Where a link references the entity twice, a condition binds one end and the rows are at the other.
inline std::vector<JoinColumn> ViaColumns(const Section& section, const Entity& link,
                                          const Entity& entity) {
  const auto bound = [&](const Attribute& attribute) {
    return std::ranges::any_of(section.conditions, [&](const Condition& condition) {
      return condition.comparison == Comparison::kEqual && condition.attribute == attribute.name;
    });
  };
  std::vector<JoinColumn> columns;
  for (const JoinColumn& first : JoinColumns(link, entity)) {
    const Attribute* chosen = link.Find(first.from);
    for (const Attribute& attribute : link.attributes) {
      const bool references = attribute.references &&
                              attribute.references->entity == entity.name &&
                              attribute.references->attribute.text == first.to;
      if (references && bound(*chosen) && !bound(attribute)) {
        chosen = &attribute;
      }
    }
    columns.push_back({chosen->name.text, first.to});
  }
  return columns;
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_VIA_H_
