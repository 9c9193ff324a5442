#include "model/cost/cost.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/limits.h"
#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

constexpr double kSecondsPerMonth = 30 * 86400.0;
constexpr double kStorageOverheadBytes = 100;
constexpr double kGigabyte = 1024.0 * 1024 * 1024;

std::string Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return std::string(text);
}

// Whether an update of `set` touches the key or the projected attributes of an index entry.
enum class IndexTouch { kNone, kAttributes, kKey };

IndexTouch TouchOf(const ItemLayout& layout, const View& view, const std::set<std::string>& set) {
  for (const std::vector<Name>& keys : {view.PartitionKeys(), view.SortKeys()}) {
    for (const Name& key : keys) {
      const StoredAttribute* stored = layout.Find(key.text);
      if (stored == nullptr) continue;
      for (const std::string& name : stored->key.Attributes()) {
        if (set.contains(name)) return IndexTouch::kKey;
      }
    }
  }
  for (const std::string& name : set) {
    if (!layout.Omits(name) && IsProjected(view, name)) return IndexTouch::kAttributes;
  }
  return IndexTouch::kNone;
}

// Items that hold copies of an entity's attributes: how many, and what changing one costs.
void AddCopies(const Model& model, const std::string& entity, const std::set<std::string>& set,
               WriteCost& cost) {
  const Entity& owner = *model.FindEntity(entity);
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      const Entity& holder = *model.FindEntity(layout.entity.text);
      double units = 0;
      double items = 0;
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind == StoredKind::kCopy && stored.copy.entity.text == entity &&
            set.contains(stored.copy.attribute.text)) {
          std::set<std::string> pointing;
          for (const JoinColumn& column : JoinColumns(holder, owner)) pointing.insert(column.from);
          items = std::max(items, ExpectedRows(model, holder.name.text, pointing));
        }
        for (const Path& path : stored.members) {
          if (path.entity.text != entity || !set.contains(path.attribute.text)) continue;
          const Entity& embedded = *model.FindEntity(stored.embedded.text);
          std::set<std::string> pointing;
          for (const JoinColumn& column : JoinColumns(embedded, owner))
            pointing.insert(column.from);
          items = std::max(items, ExpectedRows(model, embedded.name.text, pointing));
        }
      }
      if (items <= 0) continue;
      units = WriteUnits(ExpectedItemBytes(model, layout.entity.text, View{&table, nullptr}));
      for (const Index& index : table.indexes) {
        const View view{&table, &index};
        if (AppearsIn(model, layout.entity.text, view) &&
            index.projection == ProjectionKind::kAll) {
          units += WriteUnits(ExpectedItemBytes(model, layout.entity.text, view));
        }
      }
      cost.copies += items;
      cost.units["copies"] += items * units;
    }
  }
}

// An entity without items of its own is part of other items, which are written again.
std::vector<std::string> ItemOwners(const Model& model, const std::string& entity) {
  if (model.FindPlacement(entity)) return {entity};
  std::vector<std::string> owners;
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.embedded.text == entity) owners.push_back(layout.entity.text);
      }
    }
  }
  return owners;
}

// Units to write one item of `owner`, index by index. `set` has what an update changes.
void AddItemWrite(const Model& model, const WriteStep& step, const std::string& owner,
                  const std::set<std::string>& set, double factor, WriteCost& cost) {
  const Model::Placement placement = model.FindPlacement(owner);
  if (!placement) return;
  cost.units[""] +=
      factor * WriteUnits(ExpectedItemBytes(model, owner, View{placement.table, nullptr}));
  for (const Index& index : placement.table->indexes) {
    const View view{placement.table, &index};
    if (!AppearsIn(model, owner, view)) continue;
    const double each = factor * WriteUnits(ExpectedItemBytes(model, owner, view));
    double units = each;
    if (step.kind == WriteKind::kUpdate) {
      const IndexTouch touch = TouchOf(*placement.layout, view, set);
      units = touch == IndexTouch::kKey ? 2 * each : (touch == IndexTouch::kAttributes ? each : 0);
    }
    cost.units[index.name.text] += units;
  }
}

}  // namespace

double WriteUnits(double bytes) {
  return std::max(1.0, std::ceil(bytes / static_cast<double>(kWriteUnitBytes)));
}

Result<Prices> ParsePrices(std::string_view text) {
  Prices prices;
  int line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::size_t comment = line.find("//"); comment != std::string::npos)
      line = Trim(line.substr(0, comment));
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    const std::string name = Trim(line.substr(0, equals));
    const std::string value = equals == std::string::npos ? "" : Trim(line.substr(equals + 1));
    if (name == "currency") {
      prices.currency = value;
      continue;
    }
    double* target = name == "read_million"       ? &prices.read_million
                     : name == "write_million"    ? &prices.write_million
                     : name == "storage_gb_month" ? &prices.storage_gb_month
                                                  : nullptr;
    const auto [rest, error] =
        target != nullptr ? std::from_chars(value.data(), value.data() + value.size(), *target)
                          : std::from_chars_result{value.data(), std::errc::invalid_argument};
    if (error != std::errc() || rest != value.data() + value.size()) {
      return ValidationError(
          "prices, line " + std::to_string(line_number) + ": `" + line +
          "`; write read_million, write_million, storage_gb_month or currency = …");
    }
  }
  return prices;
}

WriteCost EstimateStep(const Model& model, const WriteStep& step, bool together) {
  WriteCost cost;
  std::set<std::string> set;
  for (const Name& name : step.set) set.insert(name.text);
  for (const std::string& owner : ItemOwners(model, step.entity.text))
    AddItemWrite(model, step, owner, set, together ? 2 : 1, cost);
  if (step.kind == WriteKind::kUpdate) AddCopies(model, step.entity.text, set, cost);
  for (const auto& [view, units] : cost.units) cost.total_units += units;
  return cost;
}

double CollectionSize::Bytes(double factor) const {
  double count = items * factor;
  if (items_most > 0) count = std::min(count, std::max(items, items_most));
  return count * item_bytes;
}

std::vector<CollectionSize> EstimateSizes(const Model& model) {
  std::vector<CollectionSize> sizes;
  for (const Table& table : model.tables) {
    std::vector<View> views = {{&table, nullptr}};
    for (const Index& index : table.indexes) views.push_back({&table, &index});
    for (const View& view : views) {
      for (const ItemLayout& layout : table.items) {
        if (!AppearsIn(model, layout.entity.text, view)) continue;
        CollectionSize size{view.Label(), layout.entity.text, "", 0, 0, 0};
        std::set<std::string> bound;
        double shards = 1;
        for (const Name& key : view.PartitionKeys()) {
          const KeyTemplate& key_template = layout.Find(key.text)->key;
          size.key += (size.key.empty() ? "" : " + ") + key_template.ToString();
          // A shard does not fix its attribute: it holds its part of all values.
          for (const TemplatePart& part : key_template.parts) {
            if (part.transform == TemplateTransform::kShard) shards *= part.argument;
            if (!part.is_literal() && part.transform != TemplateTransform::kShard)
              bound.insert(part.attribute);
          }
        }
        size.items = ExpectedRows(model, layout.entity.text, bound) / shards;
        // All of the most may fall into one shard.
        size.items_most = MostRows(model, layout.entity.text, bound);
        size.item_bytes = ExpectedItemBytes(model, layout.entity.text, view);
        sizes.push_back(std::move(size));
      }
    }
  }
  return sizes;
}

CostReport EstimateCost(const Model& model, const std::vector<Plan>& plans, const Prices& prices,
                        double scale) {
  CostReport report;
  for (const Plan& plan : plans) {
    PatternCost cost{plan.pattern->name.text, plan.served, plan.estimate, 0, 0};
    cost.units_per_second = plan.estimate.read_units * plan.pattern->rate_per_second * scale;
    cost.money_per_month = cost.units_per_second * kSecondsPerMonth / 1e6 * prices.read_million;
    report.money_per_month += cost.money_per_month;
    report.patterns.push_back(std::move(cost));
  }
  for (const Write& write : model.writes) {
    WriteCost total;
    total.name = write.name.text;
    for (const WriteStep& step : write.steps) {
      const WriteCost one = EstimateStep(model, step, write.together);
      for (const auto& [view, units] : one.units) total.units[view] += units;
      total.copies += one.copies;
      total.total_units += one.total_units;
    }
    total.units_per_second = total.total_units * write.rate_per_second * scale;
    total.money_per_month = total.units_per_second * kSecondsPerMonth / 1e6 * prices.write_million;
    report.money_per_month += total.money_per_month;
    report.writes.push_back(std::move(total));
  }
  for (const Table& table : model.tables) {
    std::vector<View> views = {{&table, nullptr}};
    for (const Index& index : table.indexes) views.push_back({&table, &index});
    for (const View& view : views) {
      StorageCost storage{view.Label(), 0, 0, 0};
      for (const ItemLayout& layout : table.items) {
        if (!AppearsIn(model, layout.entity.text, view)) continue;
        const double count = scale * EntityCount(model, layout.entity.text);
        storage.items += count;
        storage.bytes +=
            count * (ExpectedItemBytes(model, layout.entity.text, view) + kStorageOverheadBytes);
      }
      storage.money_per_month = storage.bytes / kGigabyte * prices.storage_gb_month;
      report.money_per_month += storage.money_per_month;
      report.storage.push_back(std::move(storage));
    }
  }
  report.heat = EstimateHeat(model, plans, scale);
  report.sizes = EstimateSizes(model);
  report.copies = PlanCopies(model);
  report.scale = scale;
  return report;
}

}  // namespace prejoin::model
