#include "model/cost/cost.h"

#include <algorithm>
#include <set>

#include "model/plan/plan_estimate.h"
#include "model/plan/planner.h"
#include "model/plan/skew/skew_cases.h"

namespace prejoin::model {
namespace {

constexpr double kStorageOverheadBytes = 100;

// The peak is asked for only where the price depends on it: it may have to be assumed.
template <class Peak>
double PeakUnits(const Prices& prices, double units, const Peak& peak) {
  const bool needed = prices.mode == CapacityMode::kProvisioned && prices.utilisation <= 0;
  return needed ? units * peak() : 0;
}

}  // namespace

PatternCost PricePattern(Expectations& figures, const Plan& plan, const Prices& prices) {
  PatternCost cost{plan.pattern->name.text, plan.served, plan.estimate, 0, 0};
  cost.units_per_second =
      plan.estimate.read_units * plan.pattern->rate_per_second * figures.scale();
  cost.money_per_month = prices.ReadMoney(
      cost.units_per_second,
      PeakUnits(prices, plan.estimate.read_units, [&] { return figures.PeakOf(*plan.pattern); }));
  return cost;
}

WriteCost PriceWrite(Expectations& figures, const Write& write, const Prices& prices) {
  WriteCost cost = EstimateWrite(figures, write);
  cost.units_per_second = cost.total_units * write.rate_per_second * figures.scale();
  cost.money_per_month =
      prices.WriteMoney(cost.units_per_second,
                        PeakUnits(prices, cost.total_units, [&] { return figures.PeakOf(write); }));
  // Copies are found before they are written.
  const double finds = cost.find_units * write.rate_per_second * figures.scale();
  cost.money_per_month += prices.ReadMoney(
      finds, PeakUnits(prices, cost.find_units, [&] { return figures.PeakOf(write); }));
  const bool streamed = std::ranges::any_of(figures.model().tables, [](const Table& table) {
    return std::ranges::any_of(table.items, [](const ItemLayout& layout) {
      return std::ranges::any_of(layout.attributes, [](const StoredAttribute& stored) {
        return stored.upkeep == CopyUpkeep::kStream;
      });
    });
  });
  constexpr double kSecondsPerMonth = 30 * 86400.0;
  if (streamed) {
    cost.money_per_month +=
        prices.stream_100k * write.rate_per_second * figures.scale() * kSecondsPerMonth / 1e5;
  }
  return cost;
}

StorageCost PriceStorage(Expectations& figures, const View& view, const Prices& prices) {
  StorageCost storage{view.Label(), 0, 0, 0};
  for (const ItemLayout& layout : view.table->items) {
    const Reference<Entity>& entity = layout.entity;
    if (!AppearsIn(figures.model(), entity, view)) {
      continue;
    }
    const double count = figures.Count(entity) * figures.PresenceIn(entity, view);
    storage.items += count;
    storage.bytes += count * (figures.EntryBytes(entity, view) + kStorageOverheadBytes);
    if (view.index == nullptr) {
      const LockItems locks = LockItemsOf(figures, *view.table, layout);
      storage.items += locks.count;
      storage.bytes += locks.bytes + locks.count * kStorageOverheadBytes;
    }
  }
  storage.money_per_month = prices.StorageMoney(storage.bytes);
  return storage;
}

namespace {

// Items under the most used key, when `items` are there on average; 0 where all are alike.
double LargestOf(Expectations& figures, const Reference<Entity>& entity,
                 const std::set<std::string>& bound, double items) {
  const std::vector<SkewedKey> keys = figures.SkewsOf(entity, bound);
  if (keys.empty()) {
    return 0;
  }
  const double average = figures.Rows(entity, bound);
  return average > 0
             ? items * RowsInCase(figures, SkewCasesOf(keys)[0], entity, bound) / average
             : 0;
}

}  // namespace

std::vector<CollectionSize> EstimateSizes(Expectations& figures) {
  std::vector<CollectionSize> sizes;
  for (const Table& table : figures.model().tables) {
    for (const View& view : ViewsOf(table)) {
      for (const ItemLayout& layout : table.items) {
        const Reference<Entity>& entity = layout.entity;
        if (!AppearsIn(figures.model(), entity, view)) {
          continue;
        }
        CollectionSize size;
        size.view = view.Label();
        size.entity = entity.text;
        std::set<std::string> bound;
        double shards = 1;
        for (const Name& key : view.PartitionKeys()) {
          const KeyTemplate& key_template = layout.Find(key.text)->key;
          size.key += (size.key.empty() ? "" : " + ") + key_template.ToString();
          for (const TemplatePart& part : key_template.parts) {
            if (part.transform == TemplateTransform::kShard) {
              shards *= part.argument;
            } else if (!part.is_literal()) {
              bound.insert(part.label());
            }
          }
        }
        // A shard holds its part of the rest of the key; in the worst case, all of the maximum is in one.
        size.items = figures.Rows(entity, bound) * figures.PresenceIn(entity, view, bound) / shards;
        size.items_most = figures.Most(entity, bound);
        size.items_largest = LargestOf(figures, entity, bound, size.items);
        size.item_bytes = figures.EntryBytes(entity, view);
        size.bytes[0] = size.items * size.item_bytes;
        sizes.push_back(std::move(size));
      }
    }
  }
  return sizes;
}

namespace {

std::vector<CollectionSize> SizesAsDataGrows(Expectations& figures) {
  std::vector<CollectionSize> sizes = EstimateSizes(figures);
  for (std::size_t i = 1; i < kSizeScales.size(); ++i) {
    Expectations larger(figures.model(), {}, figures.scale() * kSizeScales[i]);
    const std::vector<CollectionSize> grown = EstimateSizes(larger);
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      sizes[j].bytes[i] = grown[j].bytes[0];
    }
  }
  return sizes;
}

}  // namespace

void PriceCopies(const Prices& prices, CopyPlan& plan) {
  if (plan.upkeep == CopyUpkeep::kNever) {
    return;
  }
  const double changes = plan.unwritten_per_second;
  plan.money_per_month = prices.WriteMoney(plan.units * changes, plan.units * changes) +
                         prices.ReadMoney(plan.find_units * changes, plan.find_units * changes);
}

CostReport EstimateCost(Expectations& figures, const std::vector<Plan>& plans,
                        const Prices& prices) {
  CostReport report;
  for (const Plan& plan : plans) {
    report.patterns.push_back(PricePattern(figures, plan, prices));
    report.money_per_month += report.patterns.back().money_per_month;
  }
  for (const Write& write : figures.model().writes) {
    report.writes.push_back(PriceWrite(figures, write, prices));
    report.money_per_month += report.writes.back().money_per_month;
  }
  for (const Table& table : figures.model().tables) {
    for (const View& view : ViewsOf(table)) {
      report.storage.push_back(PriceStorage(figures, view, prices));
      report.money_per_month += report.storage.back().money_per_month;
    }
  }
  report.heat = EstimateHeat(figures, plans);
  report.sizes = SizesAsDataGrows(figures);
  report.copies = PlanCopies(figures);
  for (CopyPlan& plan : report.copies) {
    PriceCopies(prices, plan);
    report.money_per_month += plan.money_per_month;
  }
  report.scale = figures.scale();
  return report;
}

CostReport EstimateCost(const Model& model, const std::vector<Plan>& plans, const Prices& prices) {
  Expectations figures(model);
  return EstimateCost(figures, plans, prices);
}

}  // namespace prejoin::model
