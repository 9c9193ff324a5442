#include "model/schema/join.h"

#include <algorithm>

namespace prejoin::model {

std::vector<JoinColumn> JoinColumns(const Entity& from, const Entity& to) {
  std::vector<JoinColumn> columns;
  for (const std::string& key : to.KeyNames()) {
    bool found = false;
    for (const Attribute& attribute : from.attributes) {
      if (attribute.references && attribute.references->entity.text == to.name.text &&
          attribute.references->attribute.text == key) {
        columns.push_back({attribute.name.text, key});
        found = true;
        break;
      }
    }
    if (!found) {
      return {};
    }
  }
  return columns;
}

}  // namespace prejoin::model
