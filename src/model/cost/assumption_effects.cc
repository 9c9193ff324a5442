// The effect of each assumption. A bill has parts, and the load of the keys has parts; each is kept with the assumptions
// that it rests on, so that only they are computed again when one of them is ten times or a tenth of what was assumed.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/cost/cost.h"
#include "model/cost/heat.h"
#include "model/plan/planner.h"

namespace prejoin::model {
namespace {

// The parts of a bill, each with the assumptions it rests on, so that only they are computed again when one of them
// is changed.
class Bill {
 public:
  Bill(const Model& model, const Prices& prices) : model_(model), prices_(prices), figures_(model) {
    for (const Pattern& pattern : model.patterns) {
      Plan plan;
      Part part{"pattern " + pattern.name.text, 0, {}};
      part.needs = figures_.NeededBy([&] {
        plan = PlanPattern(figures_, pattern);
        part.money = PricePattern(figures_, plan, prices_).money_per_month;
      });
      plans_.push_back(std::move(plan));
      patterns_.push_back(std::move(part));
    }
    for (const Write& write : model.writes) {
      Part part{"write " + write.name.text, 0, {}};
      part.needs = figures_.NeededBy(
          [&] { part.money = PriceWrite(figures_, write, prices_).money_per_month; });
      writes_.push_back(std::move(part));
    }
    for (const Table& table : model.tables) {
      for (std::size_t i = 0; i <= table.indexes.size(); ++i) {
        const View view{&table, i > 0 ? &table.indexes[i - 1] : nullptr};
        Part part{"storage of " + view.Label(), 0, {}};
        part.needs = figures_.NeededBy(
            [&] { part.money = PriceStorage(figures_, view, prices_).money_per_month; });
        views_.emplace_back(view, std::move(part));
      }
    }
    FindHeat();
  }

  std::vector<AssumptionEffect> Effects() {
    std::vector<AssumptionEffect> effects;
    for (const Assumption& assumption : figures_.assumptions()) {
      AssumptionEffect effect{assumption, {}, 0, 0, heat_};
      const auto note = [&](const Part& part) {
        if (part.needs.contains(assumption.id)) {
          effect.users.push_back(part.name);
        }
      };
      for (const Part& part : patterns_) {
        note(part);
      }
      for (const Part& part : writes_) {
        note(part);
      }
      for (const auto& [view, part] : views_) {
        note(part);
      }
      if (heat_needs_.contains(assumption.id)) {
        effect.users.emplace_back("hottest keys");
      }
      effect.money_if_less = MoneyWith(assumption.id, 0.1, nullptr);
      effect.money_if_more = MoneyWith(assumption.id, 10, &effect.heat_if_more);
      effects.push_back(std::move(effect));
    }
    std::ranges::stable_sort(effects, std::ranges::greater(), [](const AssumptionEffect& effect) {
      return std::abs(effect.money_if_more - effect.money_if_less);
    });
    return effects;
  }

 private:
  struct Part {
    std::string name;
    double money = 0;
    std::set<std::string> needs;
  };

  // The share of a pattern or a write in the load of keys.
  struct Load {
    std::set<std::string> needs;
    std::vector<HeatPart> parts;
  };

  void FindHeat() {
    for (const Plan& plan : plans_) {
      Load load;
      load.needs = figures_.NeededBy([&] { load.parts = HeatOfPlan(figures_, plan); });
      loads_.push_back(std::move(load));
    }
    for (const Write& write : model_.writes) {
      Load load;
      load.needs = figures_.NeededBy([&] { load.parts = HeatOfWrite(figures_, write); });
      loads_.push_back(std::move(load));
    }
    for (const Load& load : loads_) {
      heat_needs_.insert(load.needs.begin(), load.needs.end());
      for (const HeatPart& part : load.parts) {
        Add(part, 1, places_[part.place]);
      }
    }
    for (const auto& [place, heat] : places_) {
      hottest_.emplace_back(Utilisation(heat), place);
    }
    std::ranges::sort(hottest_, std::ranges::greater());
    heat_ = hottest_.empty() ? 0 : hottest_.front().first;
  }

  static void Add(const HeatPart& part, double sign, Heat& heat) {
    heat.read_units_per_second += sign * part.heat.read_units_per_second;
    heat.write_units_per_second += sign * part.heat.write_units_per_second;
  }

  // Utilisation of the hottest key with other figures: only what they touch is computed again.
  double HottestWith(Expectations& figures, const std::string& id,
                     const std::map<std::size_t, Plan>& replanned) {
    std::map<std::string, Heat> changed;
    const auto change = [&](const std::vector<HeatPart>& parts, double sign) {
      for (const HeatPart& part : parts) {
        const auto known = places_.find(part.place);
        Heat& heat =
            changed.try_emplace(part.place, known != places_.end() ? known->second : Heat())
                .first->second;
        Add(part, sign, heat);
      }
    };
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const auto plan = replanned.find(i);
      if (!loads_[i].needs.contains(id) && plan == replanned.end()) {
        continue;
      }
      change(loads_[i].parts, -1);
      if (i < plans_.size()) {
        change(HeatOfPlan(figures, plan != replanned.end() ? plan->second : plans_[i]), 1);
      } else {
        change(HeatOfWrite(figures, model_.writes[i - plans_.size()]), 1);
      }
    }
    const auto same = std::ranges::find_if(
        hottest_, [&](const auto& one) { return !changed.contains(one.second); });
    double hottest = same != hottest_.end() ? same->first : 0;
    for (const auto& [place, heat] : changed) {
      hottest = std::max(hottest, Utilisation(heat));
    }
    return hottest;
  }

  double MoneyWith(const std::string& id, double factor, double* heat) {
    Expectations figures(figures_, id, factor);
    double money = 0;
    const bool heats = heat != nullptr && heat_needs_.contains(id);
    std::map<std::size_t, Plan> replanned;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      if (!patterns_[i].needs.contains(id)) {
        money += patterns_[i].money;
        continue;
      }
      Plan plan = PlanPattern(figures, model_.patterns[i]);
      money += PricePattern(figures, plan, prices_).money_per_month;
      if (heats) {
        replanned.emplace(i, std::move(plan));
      }
    }
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      money += writes_[i].needs.contains(id)
                   ? PriceWrite(figures, model_.writes[i], prices_).money_per_month
                   : writes_[i].money;
    }
    for (const auto& [view, part] : views_) {
      money += part.needs.contains(id) ? PriceStorage(figures, view, prices_).money_per_month
                                       : part.money;
    }
    if (heats) {
      *heat = HottestWith(figures, id, replanned);
    }
    return money;
  }

  const Model& model_;
  const Prices& prices_;
  Expectations figures_;
  std::vector<Plan> plans_;
  std::vector<Part> patterns_;
  std::vector<Part> writes_;
  std::vector<std::pair<View, Part>> views_;
  std::vector<Load> loads_;  // The loads of the patterns, then of the writes.
  std::map<std::string, Heat> places_;
  std::vector<std::pair<double, std::string>>
      hottest_;  // Utilisation and place, the hottest first.
  std::set<std::string> heat_needs_;
  double heat_ = 0;  // Utilisation of the hottest key.
};

}  // namespace

std::vector<AssumptionEffect> AssumptionEffects(const Model& model, const Prices& prices) {
  return Bill(model, prices).Effects();
}

}  // namespace prejoin::model
