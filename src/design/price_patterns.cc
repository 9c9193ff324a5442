// The price of answering a section, through each layout and view of its entity, and several sections by one request.
//
// A section is planned on a model that holds its entity, and what it joins to, alone. Sections whose entities share a
// partition, or one of which is kept inside the other, are planned together as well: that is the pre-join.
#include <algorithm>

#include "design/pricer.h"
#include "model/cost/cost.h"
#include "model/layout/key_shape.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"

namespace prejoin::design {
namespace {

constexpr std::size_t kJointCombinationsMax = 400;

}  // namespace

using model::Model;
using model::Pattern;
using model::Section;

std::vector<Pricer::Way> Pricer::WaysOf(const std::string& entity) const {
  std::vector<Way> ways;
  const auto found = of_entity_.find(entity);
  if (found == of_entity_.end()) {
    return ways;
  }
  for (const int layout : found->second) {
    if (!At(layout).layout.own_items) {
      continue;
    }
    ways.push_back({layout, -1});
    if (const auto views = views_of_.find(layout); views != views_of_.end()) {
      for (const int view : views->second) {
        ways.push_back({layout, view});
      }
    }
  }
  return ways;
}

void Pricer::Choose(const Way& way, DesignChoice& choice) const {
  EntityChoice& own = choice[At(way.layout).entity];
  own.layout = At(way.layout).layout;
  own.views.clear();
  if (way.view >= 0) {
    own.views.push_back(At(way.view).view);
  }
}

void Pricer::AddNeeds(const Way& way, std::vector<int>& needs) {
  needs.push_back(way.layout);
  if (way.view >= 0) {
    needs.push_back(way.view);
  }
}

bool Pricer::Price(const Pattern& part, const DesignChoice& choice, PricedAlternative& out,
                   std::size_t* requests) {
  if (Stopped()) {
    return false;
  }
  Use(choice);
  model::Expectations figures(scratch_);
  const model::Plan plan = model::PlanPattern(figures, part);
  if (!plan.served) {
    return false;
  }
  if (part.freshness != model::Freshness::kEventual && !plan.strong) {
    return false;
  }
  out.money = model::PricePattern(figures, plan, options_.prices).money_per_month;
  out.rounds = plan.estimate.rounds;
  out.requests = plan.estimate.requests;
  for (const model::SectionPlan& section : plan.sections) {
    out.untidy += Untidiness(section);
  }
  if (requests != nullptr) {
    *requests = plan.requests.size();
  }
  return true;
}

void Pricer::AddPattern(const Pattern& pattern) {
  PricedBlock block;
  block.pattern = pattern.name.text;
  std::vector<std::vector<PricedAlternative>> singles;
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    std::vector<PricedAlternative> own = Singles(PartOf(pattern, {i}));
    if (own.empty()) {
      space_.unserved.push_back(WhyNot(pattern, pattern.sections[i]));
      continue;
    }
    if (block.clients >= kBlockClientsMax) {
      // So many parts are separate blocks: they lose their pre-joins.
      space_.blocks.push_back(std::move(block));
      block = {};
      block.pattern = pattern.name.text;
    }
    for (PricedAlternative& alternative : own) {
      alternative.covers = 1u << block.clients;
      block.alternatives.push_back(std::move(alternative));
    }
    block.sections.push_back(i);
    ++block.clients;
  }
  if (block.clients > 1) {
    AddJoint(pattern, block);
  }
  Prune(block);
  if (block.clients > 0) {
    space_.blocks.push_back(std::move(block));
  }
}

std::vector<PricedAlternative> Pricer::Singles(const Pattern& part) {
  std::vector<PricedAlternative> out;
  const Section& section = part.sections[0];
  const std::string& entity = RowsOf(section);
  std::vector<DesignChoice> targets = {{}};
  std::vector<std::vector<int>> target_needs = {{}};
  for (const std::string& target : TargetsOf(section)) {
    std::vector<DesignChoice> more;
    std::vector<std::vector<int>> more_needs;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      for (const int layout : of_entity_[target]) {
        if (!At(layout).layout.own_items) {
          continue;
        }
        more.push_back(targets[t]);
        Choose({layout, -1}, more.back());
        more_needs.push_back(target_needs[t]);
        more_needs.back().push_back(layout);
      }
    }
    targets = std::move(more);
    target_needs = std::move(more_needs);
  }
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const auto add = [&](const DesignChoice& choice, std::vector<int> needs) {
      PricedAlternative alternative;
      if (!Price(part, choice, alternative)) {
        return;
      }
      needs.insert(needs.end(), target_needs[t].begin(), target_needs[t].end());
      alternative.needs = Sorted(std::move(needs));
      out.push_back(std::move(alternative));
    };
    for (const Way& way : WaysOf(entity)) {
      DesignChoice choice = targets[t];
      Choose(way, choice);
      std::vector<int> needs;
      AddNeeds(way, needs);
      add(choice, std::move(needs));
    }
    for (const auto& [inside, holder] : ListWays(entity)) {
      DesignChoice choice = targets[t];
      if (choice.contains(At(holder).entity)) {
        continue;
      }
      Choose({holder, -1}, choice);
      add(choice, {inside, holder});
    }
  }
  return out;
}

std::vector<std::pair<int, int>> Pricer::ListWays(const std::string& entity) const {
  std::vector<std::pair<int, int>> ways;
  const auto found = of_entity_.find(entity);
  if (found == of_entity_.end()) {
    return ways;
  }
  for (const int inside : found->second) {
    if (At(inside).layout.own_items) {
      continue;
    }
    for (const auto& [holder, layouts] : of_entity_) {
      for (const int other : layouts) {
        if (HasList(At(other).layout, entity)) {
          ways.emplace_back(inside, other);
        }
      }
    }
  }
  return ways;
}

void Pricer::AddJoint(const Pattern& pattern, PricedBlock& block) {
  // Keyed by the meaning of their partition: the ways of each entity.
  std::map<std::string, std::map<std::string, std::vector<Way>>> shared;
  std::set<std::string> entities;
  for (const std::size_t i : block.sections) {
    entities.insert(RowsOf(pattern.sections[i]));
  }
  for (const std::string& entity : entities) {
    for (const Way& way : WaysOf(entity)) {
      const KeyShape& key = way.view >= 0 ? At(way.view).view.key : At(way.layout).layout.key;
      if (key.shards > 1 || (way.view >= 0 && At(way.view).view.local)) {
        continue;
      }
      shared[(way.view >= 0 ? "index " : "table ") + model::PartitionMeaning(scratch_, entity, key)]
            [entity]
                .push_back(way);
    }
  }
  for (const auto& [meaning, by_entity] : shared) {
    std::vector<std::string> names;
    for (const auto& [name, ways] : by_entity) {
      names.push_back(name);
    }
    // All of them together, and each pair.
    std::set<std::vector<std::string>> groups = {names};
    for (std::size_t a = 0; a < names.size(); ++a) {
      groups.insert({names[a]});
      for (std::size_t b = a + 1; b < names.size(); ++b) {
        groups.insert({names[a], names[b]});
      }
    }
    for (const std::vector<std::string>& group : groups) {
      AddShared(pattern, group, by_entity, block);
    }
  }
  for (const std::string& entity : entities) {
    for (const auto& [inside, holder] : ListWays(entity)) {
      if (!entities.contains(At(holder).entity)) {
        continue;
      }
      DesignChoice choice;
      Choose({holder, -1}, choice);
      TryJoint(pattern, {entity, At(holder).entity}, choice, {inside, holder}, block);
    }
  }
}

void Pricer::AddShared(const Pattern& pattern, const std::vector<std::string>& group,
                       const std::map<std::string, std::vector<Way>>& by_entity,
                       PricedBlock& block) {
  std::size_t combinations = 1;
  for (const std::string& name : group) {
    combinations = std::min(kJointCombinationsMax + 1, combinations * by_entity.at(name).size());
  }
  if (combinations > kJointCombinationsMax) {
    combinations = kJointCombinationsMax;
  }
  for (std::size_t n = 0; n < combinations; ++n) {
    DesignChoice choice;
    std::vector<int> needs;
    std::size_t rest = n;
    for (const std::string& name : group) {
      const std::vector<Way>& ways = by_entity.at(name);
      const Way& way = ways[rest % ways.size()];
      rest /= ways.size();
      Choose(way, choice);
      AddNeeds(way, needs);
    }
    TryJoint(pattern, {group.begin(), group.end()}, choice, std::move(needs), block);
  }
}

void Pricer::TryJoint(const Pattern& pattern, const std::set<std::string>& entities,
                      const DesignChoice& choice, std::vector<int> needs, PricedBlock& block) {
  std::vector<std::size_t> sections;
  std::uint32_t covers = 0;
  for (std::size_t client = 0; client < block.sections.size(); ++client) {
    const Section& section = pattern.sections[block.sections[client]];
    if (!entities.contains(RowsOf(section)) || !TargetsOf(section).empty()) {
      continue;
    }
    sections.push_back(block.sections[client]);
    covers |= 1u << client;
  }
  if (sections.size() < 2) {
    return;
  }
  PricedAlternative alternative;
  std::size_t requests = 0;
  if (!Price(PartOf(pattern, sections), choice, alternative, &requests) ||
      requests >= sections.size()) {
    return;
  }
  alternative.covers = covers;
  alternative.needs = Sorted(std::move(needs));
  block.alternatives.push_back(std::move(alternative));
}

void Pricer::Prune(PricedBlock& block) {
  std::vector<PricedAlternative>& all = block.alternatives;
  std::ranges::stable_sort(all, {}, [](const PricedAlternative& one) { return one.needs.size(); });
  std::vector<PricedAlternative> kept;
  for (PricedAlternative& one : all) {
    const bool beaten = std::ranges::any_of(kept, [&](const PricedAlternative& other) {
      return other.covers == one.covers && other.money <= one.money && other.rounds <= one.rounds &&
             other.requests <= one.requests && other.untidy <= one.untidy &&
             std::ranges::includes(one.needs, other.needs);
    });
    if (!beaten) {
      kept.push_back(std::move(one));
    }
  }
  all = std::move(kept);
}

Unserved Pricer::WhyNot(const Pattern& pattern, const Section& section) const {
  Unserved out{pattern.name.text, "", ""};
  if (section.has_or) {
    out.why = "`or` cannot be part of a key condition";
    out.instead = "write one `find` for each side, or `attribute in (:a, :b)`";
    return out;
  }
  const bool contains = std::ranges::any_of(section.conditions, [](const model::Condition& one) {
    return one.comparison == model::Comparison::kContains;
  });
  out.why = contains
                ? "`contains` looks inside a value, and keys only know whole values and prefixes"
                : "no key of `" + RowsOf(section) + "` can be made from its bound attributes";
  out.instead =
      contains
          ? "a search index beside the table (OpenSearch, fed by the stream), or an entity with "
            "one row for each word"
          : "`scan allowed because \"…\"` if it is rare, or an export for analytics";
  if (pattern.freshness != model::Freshness::kEventual) {
    out.why += ", and it asks for the newest state, which global indexes do not have";
    out.instead = "`fresh eventual`, or " + out.instead;
  }
  return out;
}

}  // namespace prejoin::design
