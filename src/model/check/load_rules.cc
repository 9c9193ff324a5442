// Rules about load and copies: hot keys, copies that change, lists instead of edges, tenants.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "model/bind/resolve.h"
#include "model/check/checker.h"
#include "model/check/copy_load.h"
#include "model/cost/cost.h"
#include "model/data/item_render.h"
#include "model/layout/layout_edits.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/syntax/figure_text.h"
#include "model/throughput/capacity.h"

namespace prejoin::model {
namespace {

constexpr std::array kLoadRules = std::to_array<Rule>({
    {"PJ112", "hot-partition", Severity::kWarning,
     "one key uses more than half of a partition's limit",
     "One partition serves at most 3,000 RCU and 1,000 WCU per second, whatever the table's "
     "capacity, and DynamoDB throttles requests beyond that. A key above half of the limit has no "
     "room for a peak.",
     "Spread the key: {shard N of attribute} at its end, read with N parallel queries."},
    {"PJ233", "cold-table", Severity::kNote,
     "a new on-demand table or index throttles at the stated peak",
     "A new on-demand table or index serves 12,000 read and 4,000 write units per second. After that it has twice its "
     "previous peak, half an hour after that peak began. Throttled indexes refuse writes of their table.",
     "Set WarmThroughput before launch, or provision the capacity."},
    {"PJ212", "fast-copies", Severity::kWarning, "copied data changes often and has many copies",
     "Each change must reach every copy, so frequent changes to many copies cost more than reading "
     "the original.",
     "Store the attribute once, and read it from there."},
    {"PJ213", "copy-upkeep", Severity::kWarning, "nothing updates a copy of data that can change",
     "The copy becomes stale, and nothing reports it.",
     "State `kept by transaction`, `kept by stream` or `kept by batch`, or declare the attribute "
     "immutable."},
    {"PJ225", "lost-copies", Severity::kWarning, "no key finds the copies that must be updated",
     "A change to the original must reach every copy. Without a key, finding them takes a Scan.",
     "Give the items that hold the copies a key made of the original's key, for example in an "
     "index."},
    {"PJ227", "many-pages", Severity::kWarning, "one result takes many requests",
     "A Query returns at most 1 MB. A result of hundreds of pages takes seconds and many RCU.",
     "Add a limit, return fewer attributes, or store a smaller item for lists."},
    {"PJ214", "tenant-isolation", Severity::kWarning, "a key does not begin with the tenant",
     "Fine-grained access control (dynamodb:LeadingKeys) can only allow partition keys that begin "
     "with the tenant.",
     "Start the partition key with the tenant."},
    {"PJ215", "list-of-many", Severity::kWarning, "a many-to-many relationship stored in lists",
     "A list cannot be read from the other side, is limited to 400 KB, and loses changes when two "
     "writers update it.",
     "Store each link as an edge item."},
    {"PJ216", "edge-data-on-endpoint", Severity::kWarning,
     "data of a relationship copied to one of its ends",
     "Only on the edge item does one write change the attribute.",
     "Keep it on the edge item, or declare it immutable."},
    {"PJ218", "relational-tables", Severity::kWarning,
     "one table for each entity, joined by the application",
     "DynamoDB cannot join tables, so every join becomes a chain of requests.",
     "Store items that are read together in one table, under a shared partition key."},
});

const Attribute* AttributeAt(const Model& model, const Path& path) {
  const Entity* entity = model.AtOrNull(path.entity);
  return entity != nullptr ? entity->Find(path.attribute.text) : nullptr;
}

void CheckCopy(Checker& checker, const ItemLayout& layout, const StoredAttribute& stored) {
  const Attribute* source = AttributeAt(checker.model, stored.copy);
  if (source == nullptr || source->immutable) {
    return;
  }
  const CopyLoad load = LoadOfCopy(checker.model, layout.entity, stored.copy);
  const std::string what = stored.copy.entity.text + "." + stored.copy.attribute.text;
  if (stored.upkeep == CopyUpkeep::kNotStated || stored.upkeep == CopyUpkeep::kNever) {
    StoredAttribute kept = stored;
    kept.upkeep = CopyUpkeep::kStream;
    checker.Report(RuleIn(kLoadRules, "PJ213"), stored.name.at,
                   "`" + stored.name.text + "` copies " + what +
                       ", which can change, and nothing updates the copy",
                   Proposal(std::vector{ReplaceStored(layout, stored, kept)}));
  }
  if (load.TooMuch()) {
    checker.Report(RuleIn(kLoadRules, "PJ212"), stored.name.at,
                   what + " changes " + RoughText(load.changes_per_second * 3600) +
                       " times an hour and each has about " + RoughText(load.copies) + " copies",
                   Proposal(std::vector{RemoveStored(layout, stored)}));
  }
}

// The list with nothing of the link but what identifies it.
StoredAttribute KeysOnly(const Model& model, const ItemLayout& layout, StoredAttribute stored,
                         const Entity& link) {
  const Entity& owner = model.At(layout.entity);
  std::vector<Path> kept;
  for (const Path& path : EmbeddedMembers(model, owner, stored)) {
    const bool own = path.entity.text.empty() || path.entity == link.name;
    const Attribute* attribute = own ? link.Find(path.attribute.text) : nullptr;
    if (attribute == nullptr || attribute->is_key || attribute->immutable) {
      kept.push_back(path);
    }
  }
  stored.members = std::move(kept);
  return stored;
}

// The list with keys only, unless a pattern reads from it what would go.
Proposal WithoutEdgeData(const Checker& checker, const ItemLayout& layout,
                         const StoredAttribute& stored, const Entity& link) {
  const StoredAttribute keys = KeysOnly(checker.model, layout, stored, link);
  Model changed = checker.model;
  for (Table& table : changed.tables) {
    for (ItemLayout& one : table.items) {
      if (one.entity == layout.entity) {
        std::ranges::replace_if(
            one.attributes, [&](const StoredAttribute& old) { return old.name == stored.name; },
            keys);
      }
    }
  }
  const bool lost = std::ranges::any_of(checker.plans, [&](const Plan& plan) {
    return plan.served && !PlanPattern(changed, *plan.pattern).served;
  });
  return lost ? Proposal() : Proposal(std::vector{ReplaceStored(layout, stored, keys)});
}

// Edges kept in lists on the ends.
void CheckEmbeddedEdges(Checker& checker, const ItemLayout& layout, const StoredAttribute& stored) {
  for (const Relationship& relationship : checker.model.relationships) {
    if (relationship.kind != RelationshipKind::kManyToMany ||
        relationship.through != stored.embedded) {
      continue;
    }
    const bool stored_as_items =
        static_cast<bool>(checker.model.FindPlacement(relationship.through));
    if (relationship.changes_given && relationship.changes_per_second > kFastChangePerSecond &&
        !stored_as_items) {
      checker.Report(RuleIn(kLoadRules, "PJ215"), stored.name.at,
                     "`" + relationship.name.text + "` changes " +
                         RoughText(relationship.changes_per_second * 3600) +
                         " times an hour, but is stored in the list `" + stored.name.text + "`",
                     ProposeItem(checker.model, checker.model.At(stored.embedded)));
    }
    const Entity& link = checker.model.At(stored.embedded);
    for (const Path& path :
         EmbeddedMembers(checker.model, checker.model.At(layout.entity), stored)) {
      const bool own = path.entity.text.empty() || path.entity == link.name;
      const Attribute* attribute = own ? link.Find(path.attribute.text) : nullptr;
      if (attribute == nullptr || attribute->is_key || attribute->immutable) {
        continue;
      }
      checker.Report(RuleIn(kLoadRules, "PJ216"), stored.name.at,
                     "`" + link.name.text + "." + path.attribute.text +
                         "` belongs to the relationship, but is copied to `" + layout.entity.text +
                         "`",
                     WithoutEdgeData(checker, layout, stored, link));
    }
  }
}

// A key that takes half of a partition has no room for a peak that the file does not state, nor for growth.
constexpr double kPartitionShareMax = 0.5;

int ShardsThatCool(double utilisation) {
  constexpr int kShardsMax = 4096;
  int shards = 2;
  while (shards < kShardsMax && utilisation / shards > kPartitionShareMax) {
    shards *= 2;
  }
  return shards;
}

bool IsGlobalIndex(const Model& model, const std::string& view) {
  return std::ranges::any_of(model.tables, [&](const Table& table) {
    return std::ranges::any_of(table.indexes, [&](const Index& index) {
      return !index.local && View{&table, &index}.Label() == view;
    });
  });
}

// PJ233
void CheckLaunch(Checker& checker) {
  Expectations figures(checker.model);
  for (const CapacityNeed& need : PlanCapacity(figures, checker.plans, Prices()).needs) {
    if (!OutgrowsNewTable(need)) {
      continue;
    }
    const bool writes = need.writes.peak > kNewTableWriteUnits;
    const std::string peak = FigureText(std::ceil(writes ? need.writes.peak : need.reads.peak));
    const std::string units = writes ? " write units" : " read units";
    checker.Report(RuleIn(kLoadRules, "PJ233"), need.at,
                   need.view + " gets " + peak + units + " per second at peak load, and a new on-demand " +
                       (need.is_index ? "index" : "table") + " serves " +
                       (writes ? "4,000" : "12,000"),
                   Suggestion("set its WarmThroughput to " + peak + units +
                              " per second before launch; `prejoin simulate` shows the first hour"));
  }
}

void CheckHeat(Checker& checker) {
  for (const Heat& heat : EstimateHeat(checker.model, checker.plans)) {
    if (heat.utilisation <= kPartitionShareMax) {
      continue;
    }
    const bool writes = heat.write_units_per_second / 1000 > heat.read_units_per_second / 3000;
    const std::string shards = std::to_string(ShardsThatCool(heat.utilisation));
    checker.Report(
        RuleIn(kLoadRules, "PJ112"), heat.at,
        "the hottest key of " + heat.view + " takes " +
            RoughText(writes ? heat.write_units_per_second : heat.read_units_per_second) +
            (writes ? " WCU" : " RCU") + " per second at peak load, " +
            RoughText(heat.utilisation * 100) + "% of the " + (writes ? "1,000" : "3,000") +
            " that one partition serves" +
            (writes && IsGlobalIndex(checker.model, heat.view)
                 ? "; while an index throttles, DynamoDB refuses the writes of its table"
                 : ""),
        Suggestion("end the key with #{shard " + shards + " of …}: reads become " + shards +
                   " parallel queries. Adaptive capacity moves a hot key to a partition of its "
                   "own, which has the same limit"));
  }
}

// The keys that a pattern would need that asks for the copies of one original.
Proposal KeysForCopies(const Model& model, const CopyPlan& plan) {
  const Entity& holder = model.At(plan.holder);
  Pattern finds;
  finds.name.text = "copies of " + plan.entity.text;
  Section section;
  section.entity = holder;
  for (const JoinColumn& column : JoinColumns(holder, model.At(plan.entity))) {
    Condition condition;
    condition.attribute.text = column.from;
    condition.operands.push_back({column.from, {}, {}});
    section.conditions.push_back(std::move(condition));
  }
  for (const std::string& key : holder.KeyNames()) {
    Path path;
    path.attribute.text = key;
    section.get.push_back(std::move(path));
  }
  finds.sections.push_back(std::move(section));
  Model asked = model;
  asked.patterns.push_back(finds);
  return ProposeChange(asked, asked.patterns.back());
}

// PJ225
void CheckLostCopies(Checker& checker) {
  for (const CopyPlan& plan : PlanCopies(checker.model)) {
    if (!plan.found_by.empty() || plan.upkeep == CopyUpkeep::kNever ||
        plan.upkeep == CopyUpkeep::kNotStated) {
      continue;
    }
    const StoredAttribute* stored =
        checker.model.FindPlacement(plan.holder).layout->Find(plan.stored);
    checker.Report(RuleIn(kLoadRules, "PJ225"), stored->name.at,
                   "no key finds the copies of " + plan.entity.text + "." + plan.attribute +
                       " on `" + plan.holder.text + "`",
                   KeysForCopies(checker.model, plan));
  }
}

// PJ227
void CheckPages(Checker& checker) {
  constexpr double kManyRequests = 100;
  for (const Plan& plan : checker.plans) {
    // A pattern that allows a Scan has accepted its pages.
    if (plan.served && plan.pattern->scan_reason.empty() &&
        plan.estimate.requests > kManyRequests) {
      checker.Report(RuleIn(kLoadRules, "PJ227"), plan.pattern->name.at,
                     "`" + plan.pattern->name.text + "` takes about " +
                         FigureText(std::ceil(plan.estimate.requests)) + " requests and " +
                         FigureText(std::ceil(plan.estimate.read_units)) + " RCU for each result");
    }
  }
}

void CheckCopies(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind == StoredKind::kCopy) {
          CheckCopy(checker, layout, stored);
        }
        if (stored.kind == StoredKind::kEmbedList || stored.kind == StoredKind::kEmbedMap) {
          CheckEmbeddedEdges(checker, layout, stored);
        }
      }
    }
  }
  CheckLostCopies(checker);
  // PJ218
  std::size_t single = 0;
  for (const Table& table : checker.model.tables) {
    single += table.items.size() == 1 ? 1 : 0;
  }
  const bool joins = std::any_of(checker.plans.begin(), checker.plans.end(), [](const Plan& plan) {
    return plan.requests.size() > 1 ||
           std::any_of(plan.sections.begin(), plan.sections.end(),
                       [](const SectionPlan& section) { return !section.follow_ups.empty(); });
  });
  if (single >= 2 && single == checker.model.tables.size() && joins) {
    checker.Report(
        RuleIn(kLoadRules, "PJ218"), checker.model.tables[1].name.at,
        "each of " + std::to_string(single) + " tables holds one entity, and patterns join them");
  }
}

const TemplatePart* FirstVariable(const KeyTemplate& key) {
  const auto found =
      std::ranges::find_if(key.parts, [](const TemplatePart& part) { return !part.is_literal(); });
  return found != key.parts.end() ? &*found : nullptr;
}

// The literal before the tenant in its own partition key: "ORG#".
std::string TenantLiteral(const Model& model) {
  const Path& tenant = model.tenant->path;
  const Model::Placement placement = model.FindPlacement(tenant.entity.text);
  const StoredAttribute* stored =
      placement ? placement.layout->Find(placement.table->partition.text) : nullptr;
  const TemplatePart* first = stored != nullptr ? FirstVariable(stored->key) : nullptr;
  const bool leads = first != nullptr && first->label() == tenant.attribute.text;
  return leads ? stored->key.LeadingLiteral() : "";
}

// What to do where the key begins with what is meant as the tenant and only the file does not say that it is: "ORG#{orgId}" with an
// orgId that references nothing. Empty where it begins with something else.
Suggestion SayItIsTheTenant(const Model& model, const Entity& entity, const KeyTemplate& key) {
  const Path& tenant = model.tenant->path;
  const Attribute* id = model.At(tenant.entity).Find(tenant.attribute.text);
  const TemplatePart* first = FirstVariable(key);
  const Attribute* attribute = first != nullptr ? entity.Find(first->label()) : nullptr;
  if (id == nullptr || attribute == nullptr || attribute->references ||
      attribute->type != id->type) {
    return {};
  }
  const std::string literal = TenantLiteral(model);
  if (literal.empty() || key.LeadingLiteral() != literal) {
    return {};
  }
  return Suggestion("The key begins as the tenant's own does. If `" + attribute->name.text +
                    "` is the tenant, say so in `entity " + entity.name.text + "`: `" +
                    attribute->name.text + " references " + tenant.entity.text + "." +
                    tenant.attribute.text + "`.");
}

void CheckTenant(Checker& checker) {
  if (!checker.model.tenant) {
    return;
  }
  const Path& tenant = checker.model.tenant->path;
  const auto is_tenant = [&](const Entity& entity, const std::string& name) {
    const Attribute* attribute = entity.Find(name);
    for (int hop = 0; attribute != nullptr && attribute->references && hop < 8; ++hop) {
      if (attribute->references->entity == tenant.entity &&
          attribute->references->attribute == tenant.attribute) {
        return true;
      }
      const Entity& next = checker.model.At(attribute->references->entity);
      attribute = next.Find(attribute->references->attribute.text);
    }
    return entity.name == tenant.entity && name == tenant.attribute.text;
  };
  const auto leads = [&](const Entity& entity, const KeyTemplate& key) {
    for (const TemplatePart& part : key.parts) {
      if (!part.is_literal()) {
        return is_tenant(entity, part.label());
      }
    }
    return false;
  };
  for (const Plan& plan : checker.plans) {
    for (const Request& request : plan.requests) {
      const Reference<Entity>& name = plan.sections[request.sections[0]].item_entity;
      const Entity& entity = checker.model.At(name);
      const StoredAttribute* stored =
          checker.model.FindPlacement(name).layout->Find(request.view.PartitionKeys()[0].text);
      if (stored == nullptr || leads(entity, stored->key)) {
        continue;
      }
      checker.Report(RuleIn(kLoadRules, "PJ214"), plan.pattern->name.at,
                     "`" + plan.pattern->name.text + "` reads " + request.view.Label() + " by " +
                         stored->key.ToString() + ", which does not begin with the tenant " +
                         tenant.entity.text + "." + tenant.attribute.text,
                     SayItIsTheTenant(checker.model, entity, stored->key));
    }
  }
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      const StoredAttribute* stored = layout.Find(table.partition.text);
      if (stored == nullptr || leads(checker.model.At(layout.entity), stored->key)) {
        continue;
      }
      checker.Report(RuleIn(kLoadRules, "PJ214"), stored->key.at,
                     "items of `" + layout.entity.text +
                         "` have a partition key that does not begin with their tenant",
                     SayItIsTheTenant(checker.model, checker.model.At(layout.entity), stored->key));
    }
  }
}

void CheckLoad(Checker& checker) {
  CheckHeat(checker);
  CheckLaunch(checker);
  CheckCopies(checker);
  CheckTenant(checker);
  CheckPages(checker);
}

}  // namespace

constinit const RuleFamily kLoadFamily = {kLoadRules, CheckLoad};

}  // namespace prejoin::model
