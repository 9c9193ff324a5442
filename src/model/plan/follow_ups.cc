// Fetches what a view does not hold.
//
//   of the row itself          from the item of an index entry, or from another layout of the entity
//   of a row it references     from a copy in the item; else from that row's item
//
// Whatever is fetched must be found by a key that can be made from what is at hand, because it is one BatchGetItem.
#include "model/plan/follow_ups.h"

#include <algorithm>

#include "model/data/item_render.h"
#include "model/plan/expectation.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

// The primary key of `entity` can be made from its key attributes alone.
bool FoundByKey(const Model& model, const Entity& entity) {
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return false;
  }
  const std::vector<std::string> keys = entity.KeyNames();
  for (const Name* name : {&placement.table->partition, &placement.table->sort}) {
    if (name->text.empty()) {
      continue;
    }
    const StoredAttribute* stored = placement.layout->Find(name->text);
    if (stored == nullptr) {
      return false;
    }
    for (const std::string& attribute : stored->key.Attributes()) {
      if (std::find(keys.begin(), keys.end(), attribute) == keys.end()) {
        return false;
      }
    }
  }
  return true;
}

// True if a copy can differ from its original when an answer must show what was written: a write changes the original, and a stream, a
// batch or a later request follows.
bool MayLag(const Model& model, const StoredAttribute& copy, const Freshly& fresh) {
  if (!fresh.strong || copy.upkeep == CopyUpkeep::kTransaction) {
    return false;
  }
  return std::ranges::any_of(model.writes, [&](const Write& write) {
    return (fresh.write.empty() || write.name.text == fresh.write) &&
           std::ranges::any_of(write.steps, [&](const WriteStep& step) {
             const auto is = [&](const Name& name) { return name == copy.copy.attribute; };
             return step.entity == copy.copy.entity && step.kind == WriteKind::kUpdate &&
                    (std::ranges::any_of(step.set, is) || std::ranges::any_of(step.remove, is));
           });
  });
}

bool HasCopy(const Model& model, const Reference<Entity>& entity, const Path& path,
             const View& view, const Freshly& fresh) {
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return false;
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.kind == StoredKind::kCopy && stored.copy.entity == path.entity &&
        stored.copy.attribute == path.attribute) {
      return IsProjected(view, stored.name.text) && !MayLag(model, stored, fresh);
    }
  }
  return false;
}

// The attributes that the key of the entity's item is made of: they can be more than what identifies a row.
std::vector<JoinColumn> KeyColumns(const Model& model, const Entity& entity) {
  std::set<std::string> names =
      KeyAttributes(model, entity, View{model.FindPlacement(entity).table, nullptr});
  for (const std::string& key : entity.KeyNames()) {
    names.insert(key);
  }
  std::vector<JoinColumn> columns;
  for (const std::string& name : names) {
    columns.push_back({name, name});
  }
  return columns;
}

// The layout that an attribute missing in the entry is fetched from: the item itself, or another one whose key can be
// made from the entry.
const Entity* LayoutToFetch(const Model& model, const Entity& entity, const View& view,
                            const std::string& attribute) {
  const auto holds = [&](const Model::Placement& placement) {
    return CanRead(model, placement.layout->entity, attribute, View{placement.table, nullptr});
  };
  if (view.index != nullptr && holds(model.FindPlacement(entity))) {
    return &entity;
  }
  for (const Model::Placement& placement : model.LayoutsOf(model.RowsOf(entity))) {
    const Entity& rows = model.At(placement.layout->entity);
    if (&rows == &entity || !holds(placement)) {
      continue;
    }
    const std::vector<JoinColumn> columns = KeyColumns(model, rows);
    // Every row must be there.
    if (std::ranges::all_of(columns, [&](const JoinColumn& column) {
          const Attribute* key = rows.Find(column.from);
          return CanRead(model, entity, column.from, view) && key != nullptr && !key->optional;
        })) {
      return &rows;
    }
  }
  return nullptr;
}

}  // namespace

FollowUp& AddFollowUp(SectionPlan& plan, FollowUpKind kind, const Reference<Entity>& entity,
                      std::vector<JoinColumn> columns) {
  for (FollowUp& one : plan.follow_ups) {
    if (one.kind == kind && one.entity == entity) {
      return one;
    }
  }
  plan.follow_ups.push_back({kind, entity, std::move(columns), {}, false});
  return plan.follow_ups.back();
}

const Entity* LayoutWith(const Model& model, const Entity& entity,
                         const std::set<std::string>& attributes) {
  for (const Model::Placement& placement : model.LayoutsOf(entity)) {
    const Entity& rows = model.At(placement.layout->entity);
    const View base{placement.table, nullptr};
    if (FoundByKey(model, rows) && std::ranges::all_of(attributes, [&](const std::string& name) {
          return CanRead(model, rows, name, base);
        })) {
      return &rows;
    }
  }
  return nullptr;
}

bool EmbeddedHas(const Model& model, const Access& access, const Section& section,
                 const Entity& entity) {
  const Entity& owner = model.At(access.plan.item_entity);
  std::set<std::string> has;
  for (const Path& path : EmbeddedMembers(model, owner, *access.plan.embedded)) {
    has.insert(AnswerName(section, path));
  }
  for (const JoinColumn& column : JoinColumns(entity, owner)) {
    has.insert(column.from);
  }
  if (access.plan.embedded->kind == StoredKind::kEmbedMap) {
    has.insert(access.plan.embedded->by.text);
  }
  for (const Path& path : SectionPaths(model, section)) {
    if (!has.contains(AnswerName(section, path))) {
      return false;
    }
  }
  return std::all_of(
      section.conditions.begin(), section.conditions.end(),
      [&](const Condition& condition) { return has.contains(condition.attribute.text); });
}

bool AddFollowUps(const Model& model, const Section& section, const Entity& entity,
                  const std::vector<Path>& paths, const Freshly& fresh, Access& access) {
  const View& view = access.request.view;
  std::set<std::string> own(access.plan.filters.begin(), access.plan.filters.end());
  if (!access.ordered || access.request.shards > 1 || !access.request.in_operands.empty()) {
    for (const OrderKey& key : section.order) {
      own.insert(key.attribute.text);
    }
  }
  for (const Path& path : paths) {
    if (path.entity.text.empty() || path.entity == model.RowsOf(entity).name) {
      own.insert(path.attribute.text);
      continue;
    }
    const Entity& other = model.At(path.entity);
    const std::vector<JoinColumn> columns = JoinColumns(entity, other);
    for (const JoinColumn& column : columns) {
      own.insert(column.from);
    }
    const bool is_key = std::any_of(columns.begin(), columns.end(), [&](const JoinColumn& column) {
      return column.to == path.attribute.text;
    });
    if (is_key || HasCopy(model, entity, path, view, fresh)) {
      continue;
    }
    const Entity* holder = LayoutWith(model, other, {path.attribute.text});
    if (holder == nullptr) {
      return false;
    }
    AddFollowUp(access.plan, FollowUpKind::kJoin, *holder, columns)
        .reasons.push_back(path.attribute.text);
  }
  for (const std::string& attribute : own) {
    if (CanRead(model, entity, attribute, view)) {
      continue;
    }
    const Entity* holder = LayoutToFetch(model, entity, view, attribute);
    if (holder == nullptr) {
      return false;
    }
    FollowUp& fetch =
        AddFollowUp(access.plan, FollowUpKind::kFetchItem, *holder, KeyColumns(model, *holder));
    fetch.reasons.push_back(attribute);
    fetch.other_layout = holder != &entity;
  }
  return true;
}

}  // namespace prejoin::model
