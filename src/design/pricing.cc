#include "design/pricing.h"

#include <algorithm>
#include <memory>

#include "design/pricer.h"
#include "model/cost/cost.h"
#include "model/plan/expectation.h"
#include "model/plan/planner.h"

namespace prejoin::design {
namespace {

using model::Model;
using model::Pattern;

// The logical half without the parts that pricing never reads.
Model Lean(const Model& logical) {
  Model lean = logical;
  for (model::Sample& sample : lean.samples) {
    const std::size_t rows = sample.rows.size();
    sample.rows.clear();
    sample.rows.resize(rows);
    sample.columns.clear();
  }
  return lean;
}

// Not more indexes than a table may have.
bool FitsTable(const Model& model) {
  return std::ranges::all_of(model.tables, [](const model::Table& table) {
    const auto local = static_cast<std::size_t>(std::ranges::count_if(
        table.indexes, [](const model::Index& index) { return index.local; }));
    return local <= kLocalIndexesMax && table.indexes.size() - local <= kGlobalIndexesMax;
  });
}

}  // namespace

Pricer::Pricer(const Model& logical, const Candidates& candidates, const PricingOptions& options)
    : candidates_(candidates), options_(options), scratch_(Lean(logical)) {
  FindCompanions();
}

PricedSpace Pricer::Run() {
  std::size_t done = 0;
  for (const auto& [entity, own] : candidates_) {
    if (options_.progress) {
      options_.progress(done++, candidates_.size() + scratch_.patterns.size());
    }
    if (!options_.left_out.contains(entity)) {
      AddEntity(entity, own);
    }
  }
  for (const auto& [entity, own] : candidates_) {
    AddStored(entity, own);
  }
  for (const Pattern& pattern : scratch_.patterns) {
    if (options_.progress) {
      options_.progress(done++, candidates_.size() + scratch_.patterns.size());
    }
    AddPattern(pattern);
  }
  pricing_ = false;
  return std::move(space_);
}

bool Pricer::Stopped() {
  // Once there is a space, it can be evaluated whatever the time.
  if (pricing_ && space_.complete && options_.stop && options_.stop()) {
    space_.complete = false;
  }
  return pricing_ && !space_.complete;
}

void Pricer::FindCompanions() {
  for (const auto& [holder, kept] : options_.assemble.maintained) {
    for (const model::StoredAttribute& stored : kept) {
      companions_[stored.copy.entity.text].insert(holder);
    }
  }
}

const PricedFacility& Pricer::At(int number) const {
  return space_.facilities[static_cast<std::size_t>(number)];
}

bool Pricer::HasList(const Layout& layout, const std::string& entity) {
  return std::ranges::any_of(layout.lists,
                             [&](const ListChoice& list) { return list.entity == entity; });
}

std::vector<int> Pricer::Sorted(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// A row's key begins with its parent, or else with its first attribute: lines of an order are not kept by their number.
bool Pricer::IsTurnedRound(const std::string& name, const Layout& layout) const {
  const model::Entity& entity = scratch_.AtName(name);
  const std::vector<std::string> keys = entity.KeyNames();
  const auto points = [&](const std::string& key) {
    return entity.Find(key)->references.has_value();
  };
  if (!layout.own_items || layout.key.partition.empty()) {
    return false;
  }
  const std::string& first = layout.key.partition[0];
  if (std::ranges::find(keys, first) == keys.end()) {
    return false;
  }
  return std::ranges::any_of(keys, points) ? !points(first) : first != keys[0];
}

TrueCost Pricer::Evaluate(const DesignChoice& choice,
                          const std::vector<const PricedBlock*>& blocks) {
  TrueCost out;
  // Rows live in a list or as items, not in both: nobody would keep the list right.
  for (const auto& [holder, own] : choice) {
    for (const ListChoice& list : own.layout.lists) {
      const auto rows = choice.find(list.entity);
      if (rows != choice.end() && rows->second.layout.own_items) {
        out.served = false;
      }
    }
  }
  if (!out.served) {
    return out;
  }
  DesignChoice companions;
  for (const auto& [entity, own] : choice) {
    if (const auto found = companions_.find(entity); found != companions_.end()) {
      for (const std::string& holder : found->second) {
        if (!choice.contains(holder)) {
          companions[holder] = PlainChoice(holder);
        }
      }
    }
  }
  DesignChoice all = choice;
  all.insert(companions.begin(), companions.end());
  // In this order: plans are made with the last one.
  const double already = companions.empty() ? 0 : Upkeep(companions);
  out.money = Upkeep(all) - already;
  out.upkeep = out.money;
  out.served = FitsTable(scratch_);
  model::Expectations figures(scratch_);
  for (const PricedBlock* block : blocks) {
    if (block->pattern.empty()) {
      continue;
    }
    const Pattern part = PartOf(*scratch_.FindPattern(block->pattern), block->sections);
    const model::Plan plan = model::PlanPattern(figures, part);
    const bool strong = part.freshness == model::Freshness::kEventual || plan.strong;
    out.served = out.served && plan.served && strong;
    if (!out.served) {
      break;
    }
    out.money += model::PricePattern(figures, plan, options_.prices).money_per_month;
    out.rounds += plan.estimate.rounds;
    out.requests += plan.estimate.requests;
    for (const model::SectionPlan& section : plan.sections) {
      out.untidy += Untidiness(section);
    }
  }
  for (const auto& [entity, own] : choice) {
    out.views += static_cast<double>(own.views.size());
    out.extras += static_cast<double>(own.layout.lists.size() + own.layout.copies.size());
    if (IsTurnedRound(entity, own.layout)) {
      out.untidy += 0.1;
    }
  }
  return out;
}

PricedSpace PriceSpace(const Model& logical, const Candidates& candidates,
                       const PricingOptions& options) {
  const auto pricer = std::make_shared<Pricer>(logical, candidates, options);
  PricedSpace space = pricer->Run();
  space.evaluate = [pricer](const DesignChoice& choice,
                            const std::vector<const PricedBlock*>& blocks) {
    return pricer->Evaluate(choice, blocks);
  };
  return space;
}

}  // namespace prejoin::design
