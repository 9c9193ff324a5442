#include "tests/gen/kept_totals.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gen/builder.h"
#include "model/data/evaluate.h"
#include "model/data/item_render.h"
#include "model/schema/join.h"

namespace prejoin::gen {
namespace {

bool KeepTotal(const model::Model& model, const std::string& parent,
               const model::StoredAttribute& stored, const model::Dataset& before,
               model::Dataset& after) {
  const std::string& child = stored.copy.entity.text;
  std::vector<std::string> from;
  std::vector<std::string> to;
  for (const model::JoinColumn& column : model::JoinColumns(
           *model.FindEntity(child), *model.FindEntity(parent))) {
    from.push_back(column.from);
    to.push_back(column.to);
  }
  const auto sums = [&](const model::Dataset& data) {
    std::map<std::string, Number> all;
    for (const model::Row& row : data.Of(child)) {
      const AttributeValue* value = row.Find(stored.copy.attribute.text);
      const Number by = stored.kind == model::StoredKind::kCount ? Number(1)
                        : value != nullptr                       ? *value->number()
                                                                 : Number(0);
      Number& sum = all[model::TupleText(row, from)];
      sum = *Number::Add(sum, by);
    }
    return all;
  };
  const auto known = [&](const model::Dataset& data, const std::string& key) {
    return std::ranges::any_of(data.Of(parent), [&](const model::Row& row) {
      return model::TupleText(row, to) == key;
    });
  };
  std::map<std::string, Number> old_sums = sums(before);
  std::map<std::string, Number> new_sums = sums(after);
  for (const auto& [key, sum] : old_sums) {
    new_sums.try_emplace(key);
  }
  for (const auto& [key, sum] : new_sums) {
    if (!(old_sums[key] == sum) && !known(before, key) && !known(after, key)) {
      return false;
    }
  }
  for (model::Row& row : after.rows[parent]) {
    row.Set(stored.name.text, AttributeValue(new_sums[model::TupleText(row, to)]));
  }
  return true;
}

}  // namespace

bool KeepTotals(const model::Model& model, const model::Dataset& before, model::Dataset& after) {
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (IsKeptTotal(stored) && !KeepTotal(model, layout.entity.text, stored, before, after)) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace prejoin::gen
