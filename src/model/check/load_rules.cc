// Rules about load and copies: hot keys, copies that change, lists instead of edges, tenants.
#include <algorithm>
#include <set>

#include "model/check/checker.h"
#include "model/cost/cost.h"
#include "model/data/item_render.h"
#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

constexpr double kFastChangePerSecond = 1.0 / 3600;
constexpr double kManyCopies = 20;

const Attribute* AttributeAt(const Model& model, const Path& path) {
  const Entity* entity = model.FindEntity(path.entity.text);
  return entity != nullptr ? entity->Find(path.attribute.text) : nullptr;
}

// How often an attribute changes: as declared, or by the writes that set it.
double ChangeRate(const Model& model, const std::string& entity, const Attribute& attribute) {
  if (attribute.immutable) return 0;
  if (attribute.changes_given) return attribute.changes_per_second;
  double rate = 0;
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      const bool sets = step.entity.text == entity &&
                        std::any_of(step.set.begin(), step.set.end(),
                                    [&](const Name& name) { return name == attribute.name; });
      if (sets) rate += write.rate_per_second;
    }
  }
  return rate;
}

void CheckCopy(Checker& checker, const ItemLayout& layout, const StoredAttribute& stored) {
  const Attribute* source = AttributeAt(checker.model, stored.copy);
  if (source == nullptr || source->immutable) return;
  const Entity& holder = *checker.model.FindEntity(layout.entity.text);
  const Entity& owner = *checker.model.FindEntity(stored.copy.entity.text);
  std::set<std::string> pointing;
  for (const JoinColumn& column : JoinColumns(holder, owner)) pointing.insert(column.from);
  const double copies = ExpectedRows(checker.model, layout.entity.text, pointing);
  const double rate = ChangeRate(checker.model, stored.copy.entity.text, *source);
  const std::string what = stored.copy.entity.text + "." + stored.copy.attribute.text;
  if (stored.upkeep == CopyUpkeep::kNotStated || stored.upkeep == CopyUpkeep::kNever) {
    checker.Report("PJ213", stored.name.at,
                   "`" + stored.name.text + "` copies " + what +
                       ", which can change, and nobody keeps it right");
  }
  if (rate * static_cast<double>(checker.model.FindEntity(stored.copy.entity.text)->count > 0 ? 1
                                                                                              : 1) >
          kFastChangePerSecond &&
      copies > kManyCopies) {
    checker.Report("PJ212", stored.name.at,
                   what + " changes " + Readable(rate * 3600) +
                       " times an hour and each has about " + Readable(copies) + " copies");
  }
}

// Edges kept in lists on the ends.
void CheckEmbeddedEdges(Checker& checker, const ItemLayout& layout, const StoredAttribute& stored) {
  for (const Relationship& relationship : checker.model.relationships) {
    if (relationship.kind != RelationshipKind::kManyToMany ||
        relationship.through != stored.embedded)
      continue;
    const bool stored_as_items =
        static_cast<bool>(checker.model.FindPlacement(relationship.through.text));
    if (relationship.changes_given && relationship.changes_per_second > kFastChangePerSecond &&
        !stored_as_items) {
      checker.Report("PJ215", stored.name.at,
                     "`" + relationship.name.text + "` changes " +
                         Readable(relationship.changes_per_second * 3600) +
                         " times an hour, but is kept in the list `" + stored.name.text + "`");
    }
    const Entity& link = *checker.model.FindEntity(stored.embedded.text);
    for (const Path& path :
         EmbeddedMembers(checker.model, *checker.model.FindEntity(layout.entity.text), stored)) {
      const bool own = path.entity.text.empty() || path.entity == link.name;
      const Attribute* attribute = own ? link.Find(path.attribute.text) : nullptr;
      if (attribute == nullptr || attribute->is_key || attribute->immutable) continue;
      checker.Report("PJ216", stored.name.at,
                     "`" + link.name.text + "." + path.attribute.text +
                         "` belongs to the relationship, but is copied to `" + layout.entity.text +
                         "`");
    }
  }
}

}  // namespace

void CheckHeat(Checker& checker) {
  for (const Heat& heat : EstimateHeat(checker.model, checker.plans)) {
    if (heat.utilisation <= 1) continue;
    const bool writes = heat.write_units_per_second / 1000 > heat.read_units_per_second / 3000;
    const double needed = std::max(2.0, heat.utilisation * 1.5);
    int shards = 2;
    while (shards < needed && shards < 4096) shards *= 2;
    checker.Report("PJ112", heat.at,
                   "the hottest key of " + heat.view + " takes " +
                       Readable(writes ? heat.write_units_per_second : heat.read_units_per_second) +
                       (writes ? " write" : " read") + " units per second; a partition gives " +
                       (writes ? "1,000" : "3,000"),
                   "end the key with #{shard " + std::to_string(shards) + " of …}: reads become " +
                       std::to_string(shards) + " parallel queries");
  }
}

void CheckCopies(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind == StoredKind::kCopy) CheckCopy(checker, layout, stored);
        if (stored.kind == StoredKind::kEmbedList || stored.kind == StoredKind::kEmbedMap)
          CheckEmbeddedEdges(checker, layout, stored);
      }
    }
  }
  // PJ218
  std::size_t single = 0;
  for (const Table& table : checker.model.tables) single += table.items.size() == 1 ? 1 : 0;
  const bool joins = std::any_of(checker.plans.begin(), checker.plans.end(), [](const Plan& plan) {
    return plan.requests.size() > 1 ||
           std::any_of(plan.sections.begin(), plan.sections.end(),
                       [](const SectionPlan& section) { return !section.follow_ups.empty(); });
  });
  if (single >= 2 && single == checker.model.tables.size() && joins) {
    checker.Report(
        "PJ218", checker.model.tables[1].name.at,
        "each of " + std::to_string(single) + " tables holds one entity, and patterns join them");
  }
}

void CheckTenant(Checker& checker) {
  if (!checker.model.tenant) return;
  const Path& tenant = checker.model.tenant->path;
  const auto is_tenant = [&](const Entity& entity, const std::string& name) {
    const Attribute* attribute = entity.Find(name);
    for (int hop = 0; attribute != nullptr && attribute->references && hop < 8; ++hop) {
      if (attribute->references->entity == tenant.entity &&
          attribute->references->attribute == tenant.attribute)
        return true;
      const Entity* next = checker.model.FindEntity(attribute->references->entity.text);
      attribute = next != nullptr ? next->Find(attribute->references->attribute.text) : nullptr;
    }
    return entity.name == tenant.entity && name == tenant.attribute.text;
  };
  const auto leads = [&](const Entity& entity, const KeyTemplate& key) {
    for (const TemplatePart& part : key.parts) {
      if (!part.is_literal()) return is_tenant(entity, part.attribute);
    }
    return false;
  };
  for (const Plan& plan : checker.plans) {
    for (const Request& request : plan.requests) {
      const std::string& name = plan.sections[request.sections[0]].item_entity;
      const Entity& entity = *checker.model.FindEntity(name);
      const StoredAttribute* stored =
          checker.model.FindPlacement(name).layout->Find(request.view.PartitionKeys()[0].text);
      if (stored == nullptr || leads(entity, stored->key)) continue;
      checker.Report("PJ214", plan.pattern->name.at,
                     "`" + plan.pattern->name.text + "` reads " + request.view.Label() + " by " +
                         stored->key.ToString() + ", which does not begin with the tenant " +
                         tenant.entity.text + "." + tenant.attribute.text);
    }
  }
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      const StoredAttribute* stored = layout.Find(table.partition.text);
      if (stored == nullptr || leads(*checker.model.FindEntity(layout.entity.text), stored->key))
        continue;
      checker.Report("PJ214", stored->key.at,
                     "items of `" + layout.entity.text + "` are not under their tenant's key");
    }
  }
}

}  // namespace prejoin::model
