// A table is changed where it is when its items can grow into the new ones: the same key attributes, labels and lock items, every
// attribute of before with the meaning it had, only indexes and attributes added or dropped (Obstacle says why not). Otherwise a new table
// is made beside it, under a suffix if the name is taken, and the old one goes at the end. In place, an item is written only if it gains
// an attribute; entries of a new index cost units without a write of ours.
//
// The application's part is derived from the writes of the new model: which items each must write in both forms until the cut-over.
#include "evolve/plan.h"

#include <algorithm>
#include <set>

#include "evolve/sources.h"
#include "model/cost/write_cost.h"
#include "model/layout/print_physical.h"
#include "model/plan/expectation.h"
#include "model/plan/plan_estimate.h"

namespace prejoin::evolve {
namespace {

using model::Index;
using model::ItemLayout;
using model::Model;
using model::StoredAttribute;
using model::Table;

constexpr double kPageBytes = 4096;  // The bytes that half a unit of a Scan reads.
constexpr int kPassesPriced = 2;

const Table* FindTable(const Model& model, const std::string& name) {
  for (const Table& table : model.tables) {
    if (table.name.text == name) {
      return &table;
    }
  }
  return nullptr;
}

const ItemLayout* FindLayout(const Table& table, const std::string& entity) {
  for (const ItemLayout& layout : table.items) {
    if (layout.entity.text == entity) {
      return &layout;
    }
  }
  return nullptr;
}

// Everything that decides what the attribute holds.
std::string MeaningOf(const StoredAttribute& stored) {
  std::string text = std::to_string(static_cast<int>(stored.kind)) + " " + stored.key.ToString() +
                     " " + stored.copy.entity.text + "." + stored.copy.attribute.text + " " +
                     stored.embedded.text + " " + stored.by.text;
  for (const model::Path& path : stored.members) {
    text += " " + path.entity.text + "." + path.attribute.text;
  }
  return text;
}

std::set<std::string> NamesOf(const std::vector<model::Name>& names) {
  std::set<std::string> out;
  for (const model::Name& name : names) {
    out.insert(name.text);
  }
  return out;
}

// Why the items of an entity cannot grow into the new ones where they are; empty: they can.
std::string LayoutObstacle(const Model& before, const Table& table, const ItemLayout& old_layout,
                           const ItemLayout& new_layout) {
  const std::string& entity = new_layout.entity.text;
  if (NamesOf(old_layout.locks) != NamesOf(new_layout.locks)) {
    return entity + " gets other lock items";
  }
  for (const StoredAttribute& stored : new_layout.attributes) {
    const std::string& name = stored.name.text;
    const bool is_key = name == table.partition.text || name == table.sort.text;
    const StoredAttribute* old = old_layout.Find(name);
    if (old != nullptr && MeaningOf(*old) == MeaningOf(stored)) {
      continue;
    }
    if (is_key) {
      return entity + " gets another key";
    }
    if (old != nullptr) {
      return name + " of " + entity + " changes its meaning";
    }
    if (before.At(old_layout.entity).Find(name) != nullptr && !old_layout.Omits(name)) {
      return name + " of " + entity + " changes its meaning";
    }
  }
  return "";
}

std::string Obstacle(const Model& before, const Table& old_table, const Table& new_table) {
  if (old_table.partition.text != new_table.partition.text ||
      old_table.sort.text != new_table.sort.text) {
    return "its key attributes have other names";
  }
  if (old_table.type_attribute.text != new_table.type_attribute.text ||
      old_table.type_upper != new_table.type_upper) {
    return "the entity type is stored in another attribute";
  }
  for (const ItemLayout& layout : old_table.items) {
    if (FindLayout(new_table, layout.entity.text) == nullptr) {
      return "items of " + layout.entity.text + " are removed from it";
    }
  }
  for (const ItemLayout& layout : new_table.items) {
    const ItemLayout* old = FindLayout(old_table, layout.entity.text);
    if (old == nullptr) {
      return "items of " + layout.entity.text + " are added to it";
    }
    const std::string obstacle = LayoutObstacle(before, new_table, *old, layout);
    if (!obstacle.empty()) {
      return obstacle;
    }
  }
  for (const std::vector<Index>* indexes : {&old_table.indexes, &new_table.indexes}) {
    for (const Index& index : *indexes) {
      const Index* old = old_table.FindIndex(index.name.text);
      const Index* now = new_table.FindIndex(index.name.text);
      const bool both = old != nullptr && now != nullptr;
      if (both && model::PrintIndex(*old) != model::PrintIndex(*now)) {
        return "index " + index.name.text + " has the same name and another definition";
      }
      if (!both && index.local) {
        return "local indexes can only be created with the table";
      }
    }
  }
  return "";
}

class Planner {
 public:
  Planner(const Model& before, const Model& after, const PlanOptions& options)
      : before_(before), options_(options) {
    plan_.after = after;
  }

  Result<MigrationPlan> Run() {
    if (before_.tables.empty()) {
      return ValidationError("the old model has no tables");
    }
    if (plan_.after.tables.empty()) {
      return ValidationError("the new model has no tables");
    }
    PJ_ASSIGN_OR_RETURN(const EntitySources sources, FindSources(before_, plan_.after));
    for (Table& table : plan_.after.tables) {
      PJ_RETURN_IF_ERROR(PlaceTable(table));
    }
    for (const Table& table : before_.tables) {
      const bool stays = std::ranges::any_of(plan_.tables, [&](const TablePlan& one) {
        return one.in_place && one.name == table.name.text;
      });
      if (!stays) {
        plan_.dropped.push_back(table.name.text);
      }
    }
    for (const std::string& entity : HeldEntities(before_, plan_.after, sources)) {
      plan_.held.push_back(entity);
    }
    Price();
    for (const model::Write& write : plan_.after.writes) {
      DescribeWrite(write);
    }
    return std::move(plan_);
  }

 private:
  Status PlaceTable(Table& table) {
    TablePlan one;
    const Table* old = FindTable(before_, table.name.text);
    if (old != nullptr) {
      one.why_beside = Obstacle(before_, *old, table);
      one.in_place = one.why_beside.empty();
    }
    if (old != nullptr && !one.in_place) {
      table.name.text += options_.suffix;
      if (FindTable(before_, table.name.text) != nullptr) {
        return ValidationError("the old design has a table " + table.name.text +
                               " too; choose another --suffix");
      }
    }
    one.name = table.name.text;
    if (one.in_place) {
      for (const Index& index : table.indexes) {
        if (old->FindIndex(index.name.text) == nullptr) {
          one.new_indexes.push_back(index.name.text);
        }
      }
      for (const Index& index : old->indexes) {
        if (table.FindIndex(index.name.text) == nullptr) {
          one.old_indexes.push_back(index.name.text);
        }
      }
    }
    plan_.tables.push_back(std::move(one));
    return {};
  }

  bool NewIn(const TablePlan& table, const std::string& index) const {
    return !table.in_place ||
           std::ranges::find(table.new_indexes, index) != table.new_indexes.end();
  }

  // True if the item itself is written, and not only its entries in new indexes.
  bool Changes(const TablePlan& table, const ItemLayout& layout) const {
    if (!table.in_place) {
      return true;
    }
    const ItemLayout& old = *FindLayout(*FindTable(before_, table.name), layout.entity.text);
    return std::ranges::any_of(layout.attributes,
                               [&](const StoredAttribute& stored) {
                                 return old.Find(stored.name.text) == nullptr;
                               }) ||
           std::ranges::any_of(old.without,
                               [&](const model::Name& name) { return !layout.Omits(name.text); });
  }

  void Price() {
    model::Expectations old_figures(before_);
    model::Expectations figures(plan_.after);
    double old_scan = 0;
    for (const Table& table : before_.tables) {
      for (const ItemLayout& layout : table.items) {
        const model::View base{&table, nullptr};
        old_scan += old_figures.Count(layout.entity) *
                    old_figures.EntryBytes(layout.entity, base) / kPageBytes / 2;
      }
    }
    plan_.read_units = old_scan * (plan_.held.empty() ? 1 : 2);
    plan_.pass_read_units = plan_.read_units;
    for (std::size_t i = 0; i < plan_.tables.size(); ++i) {
      const Table& table = plan_.after.tables[i];
      for (const ItemLayout& layout : table.items) {
        PriceEntity(figures, plan_.tables[i], table, layout);
      }
    }
    plan_.money = plan_.write_units * options_.prices.write_million / 1e6 +
                  (plan_.read_units + kPassesPriced * plan_.pass_read_units) *
                      options_.prices.read_million / 1e6;
    if (options_.write_units_per_second > 0) {
      plan_.seconds = plan_.write_units / options_.write_units_per_second;
    }
  }

  void PriceEntity(model::Expectations& figures, const TablePlan& table_plan, const Table& table,
                   const ItemLayout& layout) {
    const model::Reference<model::Entity>& entity = layout.entity;
    const model::View base{&table, nullptr};
    const double bytes = figures.EntryBytes(entity, base);
    const bool changes = Changes(table_plan, layout);
    double units = changes ? model::WriteUnits(bytes) : 0;
    for (const Index& index : table.indexes) {
      const model::View view{&table, &index};
      const bool written = NewIn(table_plan, index.name.text) ||
                           (changes && index.projection == model::ProjectionKind::kAll);
      if (written && model::AppearsIn(plan_.after, entity, view)) {
        units +=
            model::WriteUnits(figures.EntryBytes(entity, view)) * figures.PresenceIn(entity, view);
      }
    }
    if (!table_plan.in_place) {
      units += static_cast<double>(layout.locks.size());
    }
    const double items = figures.Count(entity);
    plan_.pass_read_units += items * (model::ReadUnits(bytes, true) +
                                      (table_plan.in_place ? 0 : bytes / kPageBytes / 2));
    if (units <= 0) {
      return;
    }
    plan_.backfills.push_back({entity.text, table.name.text, items, items * units});
    plan_.write_units += items * units;
  }

  static std::string PlaceText(const Model& model, const std::string& entity) {
    const Model::Placement placement = model.FindPlacement(entity);
    if (placement) {
      std::string text = placement.table->name.text + " (";
      for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
        const StoredAttribute* stored = placement.layout->Find(name->text);
        if (stored == nullptr) {
          continue;
        }
        text += (text.ends_with("(") ? "" : ", ") + name->text + " = " + stored->key.ToString();
      }
      return text + ")";
    }
    for (const Table& table : model.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          if (stored.embedded.text == entity) {
            return stored.name.text + " inside " + layout.entity.text + " of " + table.name.text;
          }
        }
      }
    }
    return "";
  }

  // Items of other rows that copy what the step writes.
  static std::vector<std::string> CopiesOf(const Model& model, const std::string& entity) {
    std::vector<std::string> copies;
    for (const Table& table : model.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          if (stored.kind == model::StoredKind::kCopy && stored.copy.entity.text == entity &&
              stored.upkeep != model::CopyUpkeep::kNever) {
            copies.push_back(layout.entity.text + "." + stored.name.text);
          }
        }
      }
    }
    return copies;
  }

  void DescribeWrite(const model::Write& write) {
    for (const model::WriteStep& step : write.steps) {
      const std::string& entity = step.entity.text;
      const std::string old_place = PlaceText(before_, entity);
      const std::string new_place = PlaceText(plan_.after, entity);
      if (new_place.empty() || old_place == new_place) {
        continue;
      }
      const char* verb = step.kind == model::WriteKind::kPut      ? "put "
                         : step.kind == model::WriteKind::kUpdate ? "update "
                                                                  : "delete ";
      std::string line = write.name.text + ": " + verb + entity + " in " +
                         (old_place.empty() ? "the old items" : old_place) + ", then in " +
                         new_place;
      for (const std::string& copy : CopiesOf(plan_.after, entity)) {
        if (step.kind == model::WriteKind::kUpdate) {
          line += ", and the copy " + copy;
        }
      }
      if (std::ranges::find(plan_.dual_writes, line) == plan_.dual_writes.end()) {
        plan_.dual_writes.push_back(std::move(line));
      }
    }
  }

  const Model& before_;
  const PlanOptions& options_;
  MigrationPlan plan_;
};

}  // namespace

Result<MigrationPlan> PlanMigration(const Model& before, const Model& after,
                                    const PlanOptions& options) {
  for (const Model* model : {&before, &after}) {
    if (!model->second_layouts.empty()) {
      return ValidationError("`item " + model->second_layouts[0].name.text + " of " +
                             model->second_layouts[0].rows_of.text +
                             "`: rows with more than one item layout cannot be migrated yet");
    }
  }
  return Planner(before, after, options).Run();
}

}  // namespace prejoin::evolve
