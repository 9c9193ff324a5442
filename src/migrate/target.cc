#include "migrate/target.h"

#include <utility>

#include "audit/item_check.h"
#include "model/data/item_render.h"
#include "model/schema/total.h"

namespace prejoin::migrate {
namespace {

using model::ItemLayout;
using model::Model;
using model::StoredAttribute;
using model::Table;

constexpr std::size_t kRowOverheadBytes = 256;  // The memory of a row beside its values.

}  // namespace

std::string TargetName(const Table& table, const Item& key) {
  std::string text = table.name.text;
  for (const auto& [name, value] : key) {
    text += '\x03' + model::ValueText(value);
  }
  return text;
}

HeldRows::HeldRows(const Model& before, const Model& after, const evolve::EntitySources& sources)
    : after_(after),
      new_totals_(evolve::NewTotals(before, after)),
      entities_(evolve::HeldEntities(before, after, sources)),
      index_(std::make_unique<model::DataIndex>(data_)) {}

void HeldRows::Clear() {
  data_.rows.clear();
  seen_.clear();
  bytes_ = 0;
  index_ = std::make_unique<model::DataIndex>(data_);
}

void HeldRows::Add(const SourceRow& source) {
  if (!entities_.contains(source.entity.text)) {
    return;
  }
  const model::Entity& entity = after_.At(source.entity);
  const std::string tuple = model::TupleText(source.row, entity.KeyNames());
  if (!tuple.empty() && !seen_[source.entity.text].insert(tuple).second) {
    return;
  }
  bytes_ += model::PredictItemBytes(source.row) + kRowOverheadBytes;
  data_.rows[source.entity.text].push_back(source.row);
}

void HeldRows::Finish() {
  if (!new_totals_.empty()) {
    // Totals that the rows have already stay as they are: the application keeps them.
    const model::Dataset stored = data_;
    model::DeriveAggregates(after_, data_);
    for (auto& [entity, rows] : data_.rows) {
      const auto fresh = new_totals_.find(entity);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const auto& [name, value] : stored.Of(entity)[i]) {
          if (fresh == new_totals_.end() || !fresh->second.contains(name)) {
            rows[i].Set(name, value);
          }
        }
      }
    }
  }
  index_ = std::make_unique<model::DataIndex>(data_);
}

bool HeldRows::Render(const SourceRow& source, Targets& out) {
  const Model::Placement placement = after_.FindPlacement(source.entity);
  if (!placement) {
    return true;
  }
  model::Row row = source.row;
  if (const auto fresh = new_totals_.find(source.entity.text); fresh != new_totals_.end()) {
    const std::vector<std::string> keys = after_.At(source.entity).KeyNames();
    const auto& found = index_->Find(source.entity.text, keys, model::TupleText(row, keys));
    for (const std::string& name : fresh->second) {
      const AttributeValue* value = found.empty() ? nullptr : found.front()->Find(name);
      row.Set(name, value != nullptr ? *value : AttributeValue(Number(0)));
    }
  }
  if (!model::WhyNoKey(*placement.layout, row).empty()) {
    return false;
  }
  Item item = model::RenderItem(after_, after_.At(source.entity), row, *index_);
  for (const auto& [name, value] : source.extras) {
    if (item.Find(name) == nullptr) {
      item.Set(name, value);
    }
  }
  const auto key = audit::KeyOf(*placement.table, item);
  if (!key) {
    return false;
  }
  out.insert_or_assign(TargetName(*placement.table, *key),
                       Target{placement.table, source.entity.text, *key, std::move(item)});
  for (Item& lock : model::RenderLocks(placement, row)) {
    out.insert_or_assign(TargetName(*placement.table, lock),
                         Target{placement.table, "", lock, lock});
  }
  return true;
}

}  // namespace prejoin::migrate
