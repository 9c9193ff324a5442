// The price of layouts and views by themselves.
//
// An entity is priced in a model that holds it alone: what its layout costs (items written and stored), then what each
// index view adds to that. Shards come first: a key that the peak makes too hot is divided by the least power of two
// that cools it.
#include <algorithm>

#include "base/limits.h"
#include "design/pricer.h"
#include "model/cost/cost.h"
#include "model/layout/key_shape.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"
#include "model/plan/section_access.h"

namespace prejoin::design {
namespace {

constexpr int kShardsMax = 4096;
constexpr std::size_t kNeedsCombinedMax = 3;

}  // namespace

using model::Expectations;
using model::Model;
using model::Pattern;
using model::Plan;
using model::Section;

void Pricer::Use(const DesignChoice& choice) {
  scratch_.tables = AssembleTables(scratch_, choice, options_.assemble);
}

EntityChoice Pricer::PlainChoice(const std::string& entity) const {
  EntityChoice choice;
  const std::vector<Layout>& layouts = candidates_.at(entity).layouts;
  choice.layout = layouts.front();
  // Found by its own key, without anything else.
  for (const Layout& layout : layouts) {
    if (layout.own_items && layout.lists.empty() && layout.copies.empty() &&
        layout.key.sort.empty()) {
      choice.layout = layout;
    }
  }
  return choice;
}

DesignChoice Pricer::With(const std::string& entity, const EntityChoice& choice) const {
  DesignChoice all;
  if (const auto found = companions_.find(entity); found != companions_.end()) {
    for (const std::string& holder : found->second) {
      all[holder] = PlainChoice(holder);
    }
  }
  all[entity] = choice;
  return all;
}

double Pricer::Upkeep(const DesignChoice& choice) {
  if (Stopped()) {
    return 0;
  }
  Use(choice);
  Expectations figures(scratch_);
  double money = 0;
  for (const model::Write& write : scratch_.writes) {
    money += model::PriceWrite(figures, write, options_.prices).money_per_month;
  }
  for (const model::Table& table : scratch_.tables) {
    money += model::PriceStorage(figures, {&table, nullptr}, options_.prices).money_per_month;
    for (const model::Index& index : table.indexes) {
      money += model::PriceStorage(figures, {&table, &index}, options_.prices).money_per_month;
    }
  }
  return money;
}

bool Pricer::TooLarge(const std::string& entity, const DesignChoice& choice) {
  Use(choice);
  const double bytes = Expectations(scratch_).LargestItemBytes(scratch_.AtName(entity));
  return bytes < 0 || bytes > static_cast<double>(kItemBytesMax);
}

void Pricer::AddEntity(const std::string& entity, const EntityCandidates& own) {
  const int group = space_.groups++;
  DesignChoice others = With(entity, {});
  others.erase(entity);
  const double without = Upkeep(others);
  for (const Layout& layout : own.layouts) {
    PricedFacility facility;
    facility.entity = entity;
    facility.layout = layout;
    facility.group = group;
    EntityChoice choice;
    choice.layout = layout;
    double base = 0;
    if (layout.own_items) {
      if (!layout.lists.empty() && TooLarge(entity, With(entity, choice))) {
        continue;
      }
      Cool(entity, choice, nullptr);
      facility.layout = choice.layout;
      base = Upkeep(With(entity, choice));
      facility.money = base - without;
    }
    const int number = static_cast<int>(space_.facilities.size());
    space_.facilities.push_back(std::move(facility));
    of_entity_[entity].push_back(number);
    if (layout.own_items) {
      AddViews(entity, own, number, base);
    }
  }
}

void Pricer::AddViews(const std::string& entity, const EntityCandidates& own, int layout_number,
                      double base) {
  const Layout layout = space_.facilities[static_cast<std::size_t>(layout_number)].layout;
  for (const bool local : {false, true}) {
    if (local && !own.strong) {
      continue;
    }
    for (const KeyShape& shape : own.shapes) {
      if (IsPrefix(shape, layout.key) && !IsReadWithOthers(entity)) {
        continue;
      }
      if (local && shape.partition != layout.key.partition) {
        continue;
      }
      for (const std::set<std::string>& payload : Payloads(entity, layout, shape, local)) {
        PricedFacility facility;
        facility.entity = entity;
        facility.layout = layout;
        facility.is_view = true;
        facility.view = {shape, payload, local};
        if (local) {
          facility.view.key.shards = layout.key.shards;
        }
        EntityChoice choice{layout, {facility.view}};
        if (!local) {
          Cool(entity, choice, &choice.views[0]);
        }
        facility.view = choice.views[0];
        facility.money = Upkeep(With(entity, choice)) - base;
        const int number = static_cast<int>(space_.facilities.size());
        space_.facilities.push_back(std::move(facility));
        views_of_[layout_number].push_back(number);
      }
    }
  }
}

bool Pricer::IsPrefix(const KeyShape& shape, const KeyShape& key) {
  return shape.partition == key.partition && shape.sort.size() <= key.sort.size() &&
         std::equal(shape.sort.begin(), shape.sort.end(), key.sort.begin());
}

// Beside another entity's rows in an index, even the base key may be worth repeating.
bool Pricer::IsReadWithOthers(const std::string& entity) const {
  return std::ranges::any_of(scratch_.patterns, [&](const Pattern& pattern) {
    const auto is = [&](const Section& section) { return RowsOf(section) == entity; };
    return std::ranges::any_of(pattern.sections, is) && !std::ranges::all_of(pattern.sections, is);
  });
}

std::set<std::set<std::string>> Pricer::Payloads(const std::string& entity, const Layout& layout,
                                                 const KeyShape& shape, bool local) {
  std::set<std::set<std::string>> needs;
  Use(With(entity, EntityChoice{layout, {{shape, {}, local}}}));
  bool useful = false;
  for (const Pattern& pattern : scratch_.patterns) {
    for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
      if (RowsOf(pattern.sections[i]) != entity) {
        continue;
      }
      std::set<std::string> need;
      if (!NeedsThrough(pattern.sections[i], entity, need)) {
        continue;
      }
      useful = true;
      needs.insert(std::move(need));
    }
  }
  if (!useful) {
    return {};
  }
  std::set<std::string> all;
  for (const std::set<std::string>& need : needs) {
    all.insert(need.begin(), need.end());
  }
  std::set<std::set<std::string>> payloads = {{}, all};
  if (needs.size() > 2 * kNeedsCombinedMax) {
    return payloads;
  }
  const std::vector<std::set<std::string>> listed(needs.begin(), needs.end());
  for (std::uint32_t chosen = 1; chosen < 1u << listed.size(); ++chosen) {
    if (listed.size() > kNeedsCombinedMax && (chosen & (chosen - 1)) != 0) {
      continue;
    }
    std::set<std::string> together;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (chosen >> i & 1) {
        together.insert(listed[i].begin(), listed[i].end());
      }
    }
    payloads.insert(std::move(together));
  }
  return payloads;
}

bool Pricer::NeedsThrough(const Section& section, const std::string& entity,
                          std::set<std::string>& need) const {
  for (const model::Access& access : model::FindAccesses(WithTargets(section), section, {})) {
    if (access.request.view.index == nullptr || access.plan.embedded != nullptr ||
        access.plan.item_entity.text != entity) {
      continue;
    }
    for (const model::FollowUp& follow_up : access.plan.follow_ups) {
      if (follow_up.kind == model::FollowUpKind::kFetchItem) {
        need.insert(follow_up.reasons.begin(), follow_up.reasons.end());
      }
    }
    NeedCopies(section, entity, need);
    return true;
  }
  return false;
}

void Pricer::NeedCopies(const Section& section, const std::string& entity,
                        std::set<std::string>& need) const {
  const model::Model::Placement placement = scratch_.FindPlacement(entity);
  for (const model::Path& path : section.get) {
    for (const model::StoredAttribute& stored : placement.layout->attributes) {
      if (stored.kind == model::StoredKind::kCopy && stored.copy.entity == path.entity &&
          stored.copy.attribute == path.attribute) {
        need.insert(stored.name.text);
      }
    }
  }
}

const Model& Pricer::WithTargets(const Section& section) const {
  target_scratch_ = scratch_;
  for (const std::string& target : TargetsOf(section)) {
    if (target_scratch_.FindPlacement(target)) {
      continue;
    }
    DesignChoice choice;
    choice[target] = PlainChoice(target);
    for (model::Table& table : AssembleTables(scratch_, choice, options_.assemble)) {
      table.name.text = target;
      target_scratch_.tables.push_back(std::move(table));
    }
  }
  return target_scratch_;
}

void Pricer::Cool(const std::string& entity, EntityChoice& choice, IndexView* view) {
  KeyShape& key = view != nullptr ? view->key : choice.layout.key;
  const std::string attribute = ShardAttribute(entity, key);
  if (attribute.empty()) {
    return;
  }
  Use(With(entity, choice));
  Expectations figures(scratch_);
  std::vector<Pattern> parts;
  for (const Pattern& pattern : scratch_.patterns) {
    for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
      if (RowsOf(pattern.sections[i]) == entity) {
        parts.push_back(PartOf(pattern, {i}));
      }
    }
  }
  std::vector<Plan> plans;
  for (const Pattern& part : parts) {
    plans.push_back(model::PlanPattern(figures, part));
  }
  const model::Table& table = scratch_.tables[0];
  const std::string label =
      model::View{&table, view != nullptr ? &table.indexes[0] : nullptr}.Label();
  const std::string text =
      scratch_.FindPlacement(entity).layout->Find(options_.assemble.partition_name)->key.ToString();
  double utilisation = 0;
  for (const model::Heat& heat : model::EstimateHeat(figures, plans)) {
    // No other entity has entries in the index.
    if (heat.view == label && (view != nullptr || heat.key == text)) {
      utilisation = std::max(utilisation, heat.utilisation);
    }
  }
  while (key.shards * options_.heat_max < utilisation && key.shards < kShardsMax) {
    key.shards *= 2;
  }
  if (key.shards > 1) {
    key.shard_of = attribute;
  }
}

std::string Pricer::ShardAttribute(const std::string& entity, const KeyShape& key) const {
  const std::vector<std::string> keys =
      model::InKeyOrder(scratch_, entity, scratch_.AtName(entity).KeyNames());
  for (auto name = keys.rbegin(); name != keys.rend(); ++name) {
    if (std::ranges::find(key.partition, *name) == key.partition.end()) {
      return *name;
    }
  }
  return "";
}

void Pricer::AddStored(const std::string& entity, const EntityCandidates& own) {
  const bool optional =
      std::ranges::any_of(own.layouts, [](const Layout& layout) { return !layout.own_items; });
  if (!optional || options_.left_out.contains(entity)) {
    return;
  }
  PricedBlock block;
  block.clients = 1;
  for (const int number : of_entity_[entity]) {
    if (At(number).layout.own_items) {
      block.alternatives.push_back({1, {number}, 0, 0, 0, 0});
      continue;
    }
    for (const auto& [holder, layouts] : of_entity_) {
      for (const int other : layouts) {
        if (HasList(At(other).layout, entity)) {
          block.alternatives.push_back({1, Sorted({number, other}), 0, 0, 0, 0});
        }
      }
    }
  }
  space_.blocks.push_back(std::move(block));
}

}  // namespace prejoin::design
