// The first layout of a row is what the others are compared with, attribute by attribute: those that can be read from
// both items, under their own names or from their keys. A stale item is fixed to what the first one says, its keys
// included, which may move it.
#include "audit/second_layouts.h"

#include <algorithm>

#include "audit/fix_request.h"
#include "audit/item_check.h"
#include "model/data/item_render.h"
#include "model/plan/section_access.h"

namespace prejoin::audit {
namespace {

using model::Attribute;
using model::Model;
using model::Row;
using model::StoredAttribute;
using model::StoredKind;

bool ReadsFrom(const Model& model, const Model::Placement& layout, const std::string& attribute) {
  return model::CanRead(model, layout.layout->entity, attribute, {layout.table, nullptr});
}

// The item with the attributes of `row`, and the keys that they make.
Item Rewritten(const Model& model, const Model::Placement& layout, const Item& item,
               const Row& row) {
  Item after = item;
  for (const Attribute& attribute : model.At(layout.layout->entity).attributes) {
    const std::string& name = attribute.name.text;
    if (layout.layout->Omits(name)) {
      continue;
    }
    after.Remove(name);
    if (const AttributeValue* value = row.Find(name)) {
      after.Set(name, *value);
    }
  }
  for (const StoredAttribute& stored : layout.layout->attributes) {
    if (stored.kind != StoredKind::kTemplate) {
      continue;
    }
    const auto key = model::RenderKey(stored.key, [&](std::string_view name) {
      const AttributeValue* value = row.Find(name);
      return value != nullptr ? value : item.Find(name);
    });
    after.Remove(stored.name.text);
    if (key) {
      after.Set(stored.name.text, *key);
    }
  }
  return after;
}

// A key that cuts an attribute which only the row itself has: `{geohash first 6}` of an item without a geohash. `right` gets what it
// takes to write the key again.
void CompareCutKeys(const Model::Placement& layout, const Item& item, const Row& first, Row& right,
                    std::vector<Finding>& findings) {
  for (const StoredAttribute& stored : layout.layout->attributes) {
    const AttributeValue* value = item.Find(stored.name.text);
    if (stored.kind != StoredKind::kTemplate || value == nullptr) {
      continue;
    }
    Row known;
    for (const std::string& name : stored.key.Attributes()) {
      if (const AttributeValue* there = right.Find(name) == nullptr ? first.Find(name) : nullptr) {
        known.Set(name, *there);
      }
    }
    const auto key = model::RenderKey(stored.key, [&](std::string_view name) {
      const AttributeValue* found = known.Find(name);
      found = found != nullptr ? found : right.Find(name);
      return found != nullptr ? found : item.Find(name);
    });
    if (!key || *key == *value || known.begin() == known.end()) {
      continue;
    }
    for (const auto& [name, there] : known) {
      right.Set(name, there);
    }
    Finding& finding = findings.emplace_back();
    finding.kind = FindingKind::kStaleKey;
    finding.entity = layout.layout->entity.text;
    finding.attribute = stored.name.text;
    finding.message = stored.name.text + " is " + ShownValue(*value) + "; the " +
                      layout.layout->of.text + " itself gives " + ShownValue(*key);
  }
}

std::string Told(const AttributeValue* value) {
  return value != nullptr ? ShownValue(*value) : "nothing";
}

}  // namespace

std::vector<Finding> CompareLayout(const Model& model, const Model::Placement& layout,
                                   const Item& item, const Row& first,
                                   const std::string& stored_table) {
  std::vector<Finding> findings;
  const Model::Placement original = model.FindPlacement(layout.layout->of);
  const Row row = RowOfStored(model, layout, item);
  Row right = row;
  for (const Attribute& attribute : model.At(layout.layout->entity).attributes) {
    const std::string& name = attribute.name.text;
    if (!ReadsFrom(model, layout, name) || !ReadsFrom(model, original, name)) {
      continue;
    }
    const AttributeValue* here = row.Find(name);
    const AttributeValue* there = first.Find(name);
    if (here == nullptr ? there == nullptr : there != nullptr && *here == *there) {
      continue;
    }
    Finding& finding = findings.emplace_back();
    finding.kind = FindingKind::kDrift;
    finding.entity = layout.layout->entity.text;
    finding.attribute = name;
    finding.message = name + " is " + Told(here) + "; the " + layout.layout->of.text +
                      " itself has " + Told(there);
    right.Remove(name);
    if (there != nullptr) {
      right.Set(name, *there);
    }
  }
  if (findings.empty()) {
    CompareCutKeys(layout, item, first, right, findings);
  }
  if (findings.empty()) {
    return findings;
  }
  const Item after = Rewritten(model, layout, item, right);
  const auto old_key = KeyOf(*layout.table, item);
  const auto new_key = KeyOf(*layout.table, after);
  if (old_key) {
    findings[0].fix = new_key ? ChangeItem(stored_table, *old_key, *new_key, item, after)
                              : DeleteStored(stored_table, *old_key);
  }
  return findings;
}

std::optional<Finding> MissingInLayout(const Model& model, const Model::Placement& layout,
                                       const Row& first, const std::string& stored_table) {
  const auto key = model::RenderPrimaryKey(layout, first);
  if (!key) {
    return std::nullopt;
  }
  const model::Entity& rows = model.At(layout.layout->entity);
  const std::string& name = rows.name.text;
  const Model::Placement original = model.FindPlacement(layout.layout->of);
  Finding finding;
  finding.kind = FindingKind::kLostCopy;
  finding.entity = name;
  finding.message = "the row has no " + name + " item; its key would be " + KeyText(*key);
  const bool has_copies = std::ranges::any_of(
      layout.layout->attributes,
      [](const StoredAttribute& stored) { return stored.kind != StoredKind::kTemplate; });
  const bool all_here = std::ranges::all_of(rows.attributes, [&](const Attribute& attribute) {
    return layout.layout->Omits(attribute.name.text) ||
           ReadsFrom(model, original, attribute.name.text);
  });
  if (all_here && !has_copies) {
    const model::Dataset none;
    model::DataIndex index(none);
    finding.fix = PutNewItem(stored_table, *key, model::RenderItem(model, rows, first, index));
  }
  return finding;
}

}  // namespace prejoin::audit
