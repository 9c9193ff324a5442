#include <algorithm>
#include <set>

#include "draft/names.h"
#include "draft/sql/read_sql.h"

namespace prejoin::draft {

void AddRelationalPatterns(Draft& draft, const std::string& why) {
  std::set<std::string> names;
  const auto add = [&](const DraftEntity& entity, const std::vector<std::string>& columns,
                       const std::string& name, const std::string& title) {
    std::string where;
    for (const std::string& column : columns) {
      where += (where.empty() ? " where " : " and ") + column + " = :" + column;
    }
    if (!where.empty()) {
      draft.patterns.push_back(
          {UniqueName(name, names), title, {"find " + entity.name + where}, {}, false});
    }
  };
  for (const DraftEntity& entity : draft.entities) {
    add(entity, entity.KeyNames(), "Get" + entity.name, "By its key");
  }
  for (const DraftRelationship& one : draft.relationships) {
    const DraftEntity* child = draft.FindEntity(one.through.empty() ? one.to : one.through);
    for (const std::string& parent : {one.from, one.through.empty() ? "" : one.to}) {
      std::vector<std::string> columns;
      for (const DraftAttribute& attribute : child->attributes) {
        const bool named = one.by.empty() ||
                           std::find(one.by.begin(), one.by.end(), attribute.name) != one.by.end();
        if (!parent.empty() && named && attribute.references.starts_with(parent + ".")) {
          columns.push_back(attribute.name);
        }
      }
      add(*child, columns, child->name + "Of" + parent, "Those of one " + parent);
    }
  }
  if (!draft.patterns.empty()) {
    draft.patterns[0].notes.push_back("By key and by parent, because " + why +
                                      ". Keep what the application asks, and add its `rate`.");
  }
}

}  // namespace prejoin::draft
