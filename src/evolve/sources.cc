#include "evolve/sources.h"

#include <algorithm>

#include "audit/item_check.h"
#include "model/schema/total.h"

namespace prejoin::evolve {
namespace {

using model::Entity;
using model::ItemLayout;
using model::Model;
using model::StoredAttribute;
using model::Table;

// The first attribute that rows of `part` need and rows of `whole` lack; empty: none.
std::string Lacking(const Entity& part, const Entity& whole) {
  for (const model::Attribute& attribute : part.attributes) {
    if (!attribute.optional && whole.Find(attribute.name.text) == nullptr) {
      return attribute.name.text;
    }
  }
  return "";
}

// Sums and counts need no source: they follow from other rows.
std::set<std::string> Totals(const Model& model, const std::string& entity) {
  std::set<std::string> names;
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return names;
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (model::IsTotal(stored)) {
      names.insert(stored.name.text);
    }
  }
  return names;
}

// The old entity that a new one without a namesake is a part of.
const Entity* WholeOf(const Model& before, const Entity& part) {
  const Entity* found = nullptr;
  for (const Entity& whole : before.entities) {
    const bool has_keys = std::ranges::all_of(
        part.KeyNames(), [&](const std::string& name) { return whole.Find(name) != nullptr; });
    if (!has_keys || !Lacking(part, whole).empty()) {
      continue;
    }
    if (found == nullptr || part.name.text.starts_with(whole.name.text)) {
      found = &whole;
    }
  }
  return found;
}

}  // namespace

Result<EntitySources> FindSources(const Model& before, const Model& after) {
  EntitySources sources;
  for (const Entity& entity : after.entities) {
    const Entity* source = before.Counterpart(entity);
    if (source == nullptr) {
      source = WholeOf(before, entity);
    }
    if (source == nullptr && audit::OnlyCopied(after, entity.name.text)) {
      continue;
    }
    if (source == nullptr) {
      return ValidationError("entity " + entity.name.text +
                             " is not in the old model, and no entity there has all its "
                             "attributes, so its rows have no source");
    }
    const std::string lacking = Lacking(entity, *source);
    if (!lacking.empty() && !Totals(after, entity.name.text).contains(lacking)) {
      return ValidationError("attribute " + entity.name.text + "." + lacking +
                             " is not in the old model; make it optional, or add it to the rows "
                             "first");
    }
    sources[source->name.text].push_back(entity);
  }
  return sources;
}

std::map<std::string, std::set<std::string>> NewTotals(const Model& before, const Model& after) {
  std::map<std::string, std::set<std::string>> totals;
  for (const Table& table : after.tables) {
    for (const ItemLayout& layout : table.items) {
      const Model::Placement old = before.FindPlacement(layout.entity.text);
      for (const StoredAttribute& stored : layout.attributes) {
        if (!model::IsTotal(stored)) {
          continue;
        }
        const StoredAttribute* known = old ? old.layout->Find(stored.name.text) : nullptr;
        if (known == nullptr || !model::IsTotal(*known)) {
          totals[layout.entity.text].insert(stored.name.text);
        }
      }
    }
  }
  return totals;
}

std::set<std::string> HeldEntities(const Model& before, const Model& after,
                                   const EntitySources& sources) {
  std::set<std::string> held;
  const auto totals = NewTotals(before, after);
  for (const Table& table : after.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind == model::StoredKind::kCopy) {
          held.insert(stored.copy.entity.text);
        }
        if (!stored.embedded.text.empty()) {
          held.insert(stored.embedded.text);
        }
        for (const model::Path& path : stored.members) {
          if (!path.entity.text.empty()) {
            held.insert(path.entity.text);
          }
        }
        if (model::IsTotal(stored) && totals.contains(layout.entity.text)) {
          held.insert(layout.entity.text);
          held.insert(stored.copy.entity.text);
        }
      }
    }
  }
  for (const auto& [old_entity, new_entities] : sources) {
    if (audit::OnlyCopied(before, old_entity)) {
      for (const model::Name& name : new_entities) {
        held.insert(name.text);
      }
    }
  }
  std::set<std::string> known;
  for (const model::Entity& entity : after.entities) {
    if (held.contains(entity.name.text)) {
      known.insert(entity.name.text);
    }
  }
  return known;
}

}  // namespace prejoin::evolve
