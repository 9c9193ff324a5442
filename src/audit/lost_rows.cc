#include "audit/lost_rows.h"

#include <algorithm>
#include <map>

#include "model/data/evaluate.h"
#include "model/data/item_render.h"
#include "model/plan/planner.h"
#include "model/prove/run_plan.h"
#include "model/schema/join.h"

namespace prejoin::audit {
namespace {

using model::Dataset;
using model::Entity;
using model::Model;
using model::Plan;
using model::Row;

constexpr std::size_t kArgumentSets = 4;

Model WithoutExamples(Model model) {
  for (model::Pattern& pattern : model.patterns) {
    pattern.examples.clear();
  }
  return model;
}

std::string RowIdentity(const Row& row) {
  std::string text;
  for (const auto& [name, value] : row) {
    text += name + "\x02" + model::ValueText(value) + "\x03";
  }
  return text;
}

std::map<std::string, int> CountRows(const model::PlanRun& run) {
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < run.sections.size(); ++i) {
    for (const Row& row : run.sections[i]) {
      ++counts[std::to_string(i) + RowIdentity(row)];
    }
  }
  return counts;
}

bool Exceeds(const std::map<std::string, int>& a, const std::map<std::string, int>& b) {
  return std::ranges::any_of(a, [&](const auto& entry) {
    const auto found = b.find(entry.first);
    return entry.second > (found == b.end() ? 0 : found->second);
  });
}

// The item, and an item for each row that it points at: patterns that go through a link end there.
void LoadWorld(const Model& model, const CheckedItem& checked, const Item& item,
               model::Predictor& world) {
  for (const model::Table& table : model.tables) {
    (void)world.CreateTable(model, table);
  }
  (void)world.Load(checked.placement.table->name.text, {item});
  const Entity& entity = model.At(checked.placement.layout->entity);
  for (const Entity& other : model.entities) {
    const Model::Placement placement = model.FindPlacement(other.name.text);
    const auto columns = model::JoinColumns(entity, other);
    if (!placement || columns.empty() || &other == &entity) {
      continue;
    }
    Row target;
    for (const model::JoinColumn& column : columns) {
      if (const AttributeValue* value = checked.row.Find(column.from)) {
        target.Set(column.to, *value);
      }
    }
    if (!model::RenderPrimaryKey(placement, target)) {
      continue;
    }
    Dataset none;
    model::DataIndex index(none);
    (void)world.Load(placement.table->name.text,
                     {model::RenderItem(model, other, target, index)});
  }
}

}  // namespace

struct LossFinder::Twins {
  model::Predictor stored;
  model::Predictor mended;
};

LossFinder::LossFinder(const Model& model)
    : model_(WithoutExamples(model)), plans_(model::PlanAll(model_)) {}

std::vector<Loss> LossFinder::Compare(const CheckedItem& checked, const Item& stored) const {
  std::vector<Loss> losses;
  const model::Reference<Entity>& entity = checked.placement.layout->entity;
  // The placement as this object's model has it: plans borrow from there.
  const Model::Placement placement = model_.FindPlacement(entity);
  Dataset data;
  data.rows[model_.RowsOf(entity).name.text].push_back(checked.row);
  for (const model::StoredAttribute& attribute : placement.layout->attributes) {
    if (attribute.kind != model::StoredKind::kEmbedList &&
        attribute.kind != model::StoredKind::kEmbedMap) {
      continue;
    }
    for (Row& row : model::EmbeddedRows(model_, placement, attribute, checked.mended)) {
      data.rows[attribute.embedded.text].push_back(std::move(row));
    }
  }
  Twins twins;
  LoadWorld(model_, checked, stored, twins.stored);
  LoadWorld(model_, checked, checked.mended, twins.mended);
  for (const Plan& plan : plans_) {
    const bool reads = std::ranges::any_of(plan.sections, [&](const model::SectionPlan& section) {
      return section.item_entity == entity ||
             std::ranges::any_of(section.follow_ups, [&](const model::FollowUp& follow_up) {
               return follow_up.entity == entity;
             });
    });
    if (plan.served && reads) {
      Run(plan, data, twins, losses);
    }
  }
  return losses;
}

void LossFinder::Run(const Plan& plan, const Dataset& data, Twins& twins,
                     std::vector<Loss>& losses) const {
  for (const model::Arguments& arguments :
       model::ArgumentsToTry(model_, *plan.pattern, data, kArgumentSets)) {
    const auto given = model::RunPlan(model_, plan, arguments, twins.stored);
    const auto wanted = model::RunPlan(model_, plan, arguments, twins.mended);
    if (!given || !wanted) {
      continue;
    }
    const auto given_rows = CountRows(*given);
    const auto wanted_rows = CountRows(*wanted);
    const bool lost = Exceeds(wanted_rows, given_rows);
    const bool surplus = Exceeds(given_rows, wanted_rows);
    if (!lost && !surplus) {
      continue;
    }
    losses.push_back({plan.pattern->name.text, lost && surplus ? LossKind::kWrong
                                               : lost          ? LossKind::kLost
                                                               : LossKind::kSurplus});
    return;
  }
}

std::vector<std::string> LossFinder::PatternsReading(const std::string& entity,
                                                     const std::string& attribute) const {
  std::vector<std::string> names;
  for (const Plan& plan : plans_) {
    if (!plan.served) {
      continue;
    }
    const model::Pattern& pattern = *plan.pattern;
    bool reads = false;
    for (std::size_t i = 0; i < plan.sections.size(); ++i) {
      if (plan.sections[i].item_entity.text != entity) {
        continue;
      }
      const Model::Placement placement = model_.FindPlacement(entity);
      const model::StoredAttribute* stored = placement.layout->Find(attribute);
      for (const model::Path& path : model::SectionPaths(model_, pattern.sections[i])) {
        const bool own = path.entity.text.empty() || path.entity.text == model_.RowsOf(entity);
        reads = reads || (own && path.attribute.text == attribute);
        reads = reads || (stored != nullptr && !own && stored->copy.entity == path.entity &&
                          stored->copy.attribute == path.attribute);
      }
      const bool embedded = stored != nullptr && plan.sections[i].embedded != nullptr &&
                            plan.sections[i].embedded->name == stored->name;
      const model::View& view = plan.requests[plan.sections[i].request].view;
      for (const auto& keys : {view.PartitionKeys(), view.SortKeys()}) {
        for (const model::Name& key : keys) {
          const model::StoredAttribute* built = placement.layout->Find(key.text);
          reads = reads || key.text == attribute ||
                  (built != nullptr && std::ranges::count(built->key.Attributes(), attribute) > 0);
        }
      }
      reads = reads || embedded;
    }
    if (reads) {
      names.push_back(pattern.name.text);
    }
  }
  return names;
}

}  // namespace prejoin::audit
