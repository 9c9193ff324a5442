#include "draft/sql/missing_keys.h"

#include <algorithm>
#include <utility>

namespace prejoin::draft {
namespace {

bool CanBeKey(const DraftEntity& entity, const std::set<std::string>& names) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    const DraftAttribute* one = entity.Find(name);
    return one != nullptr && !one->optional &&
           (one->type == "text" || one->type == "number" || one->type == "date" ||
            one->type == "time");
  });
}

}  // namespace

// A row is found by something that no other row has.
void AddMissingPrimaryKeys(const UniqueSets& unique, Draft& draft) {
  for (DraftEntity& entity : draft.entities) {
    if (!entity.KeyNames().empty()) {
      continue;
    }
    const std::set<std::string>* best = nullptr;
    if (const auto sets = unique.find(entity.name); sets != unique.end()) {
      for (const std::set<std::string>& names : sets->second) {
        if (CanBeKey(entity, names) && (best == nullptr || names.size() < best->size())) {
          best = &names;
        }
      }
    }
    std::set<std::string> all;
    for (const DraftAttribute& one : entity.attributes) {
      all.insert(one.name);
    }
    constexpr std::size_t kLinkColumns = 3;
    if (best == nullptr && all.size() <= kLinkColumns && CanBeKey(entity, all)) {
      best = &all;
    }
    if (best == nullptr) {
      DraftAttribute id;
      id.name = entity.Find("rowId") == nullptr ? "rowId" : "madeRowId";
      id.note = "made up: the table has no primary key";
      id.key = true;
      entity.attributes.insert(entity.attributes.begin(), std::move(id));
      continue;
    }
    for (const std::string& name : *best) {
      DraftAttribute* attribute = entity.Find(name);
      attribute->key = true;
      attribute->unique = attribute->unique && best->size() > 1;
    }
    entity.notes.push_back(best == &all
                               ? "The table has no primary key: all its columns are taken as one."
                               : "The table has no primary key: its unique columns are taken.");
  }
}

}  // namespace prejoin::draft
