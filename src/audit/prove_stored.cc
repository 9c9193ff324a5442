#include "audit/prove_stored.h"

#include <set>

#include "audit/item_check.h"
#include "model/plan/section_access.h"
#include "model/schema/join.h"

namespace prejoin::audit {
namespace {

using model::Dataset;
using model::Entity;
using model::Model;
using model::Row;
using model::StoredAttribute;
using model::StoredKind;

class RowCollector {
 public:
  explicit RowCollector(const Model& model) : model_(model), checker_(model) {}

  void Add(const model::Table& table, const Item& item) {
    const CheckedItem checked = checker_.Check(table, item);
    if (!checked.placement) {
      return;
    }
    if (!checked.placement.layout->of.text.empty()) {
      KeepPart(checked);
      return;
    }
    Keep(model_.At(checked.placement.layout->entity), checked.row);
    for (const StoredAttribute& stored : checked.placement.layout->attributes) {
      if (stored.kind != StoredKind::kEmbedList && stored.kind != StoredKind::kEmbedMap) {
        continue;
      }
      if (model_.FindPlacement(stored.embedded)) {
        continue;
      }
      for (const Row& row : model::EmbeddedRows(model_, checked.placement, stored, item)) {
        Keep(model_.At(stored.embedded), row);
      }
    }
    AddCopied(checked, item);
  }

  Dataset Take() {
    for (const Entity& entity : model_.entities) {
      const auto found = parts_.find(entity.name.text);
      if (found == parts_.end()) {
        continue;
      }
      const auto& parts = found->second;
      const std::vector<std::string> keys = entity.KeyNames();
      for (Row& row : data_.rows[entity.name.text]) {
        const auto part = parts.find(model::TupleText(row, keys));
        if (part == parts.end()) {
          continue;
        }
        for (const auto& [attribute, value] : part->second) {
          row.Set(attribute, value);
        }
      }
    }
    model::DeriveAggregates(model_, data_);
    return std::move(data_);
  }

 private:
  // The part that the first layout leaves to this one; all else is only a copy of the first.
  void KeepPart(const CheckedItem& checked) {
    const Entity& rows = model_.At(checked.placement.layout->of);
    const Model::Placement first = model_.FindPlacement(rows);
    const std::string tuple = model::TupleText(checked.row, rows.KeyNames());
    if (tuple.empty()) {
      return;
    }
    for (const auto& [attribute, value] : checked.row) {
      if (!model::CanRead(model_, rows, attribute, {first.table, nullptr})) {
        parts_[rows.name.text][tuple].Set(attribute, value);
      }
    }
  }

  // Rows of entities that only copies mention.
  void AddCopied(const CheckedItem& checked, const Item& item) {
    const Entity& entity = model_.At(checked.placement.layout->entity);
    for (const Entity& to : model_.entities) {
      const auto columns = model::JoinColumns(entity, to);
      if (columns.empty() || !OnlyCopied(model_, to.name.text)) {
        continue;
      }
      Row row;
      for (const model::JoinColumn& column : columns) {
        if (const AttributeValue* value = checked.row.Find(column.from)) {
          row.Set(column.to, *value);
        }
      }
      for (const StoredAttribute& stored : checked.placement.layout->attributes) {
        const AttributeValue* value = item.Find(stored.name.text);
        if (stored.kind == StoredKind::kCopy && stored.copy.entity == to.name && value != nullptr) {
          row.Set(stored.copy.attribute.text, *value);
        }
      }
      if (row.size() > columns.size()) {
        Keep(to, row);
      }
    }
  }

  void Keep(const Entity& entity, const Row& row) {
    const std::string& name = entity.name.text;
    const std::string tuple = model::TupleText(row, entity.KeyNames());
    if (!tuple.empty() && !seen_[name].insert(tuple).second) {
      return;
    }
    Row own;
    for (const model::Attribute& attribute : entity.attributes) {
      if (const AttributeValue* value = row.Find(attribute.name.text)) {
        own.Set(attribute.name.text, *value);
      }
    }
    data_.rows[name].push_back(std::move(own));
  }

  const Model& model_;
  ItemChecker checker_;
  Dataset data_;
  std::map<std::string, std::set<std::string>> seen_;
  std::map<std::string, std::map<std::string, Row>> parts_;  // Keyed by entity and the row's key.
};

}  // namespace

Dataset RowsOfItems(const Model& model, const std::vector<model::TableItems>& stored) {
  RowCollector rows(model);
  for (const model::TableItems& table : stored) {
    for (const Item& item : table.items) {
      rows.Add(*table.table, item);
    }
  }
  return rows.Take();
}

Result<model::ProofReport> ProveStored(const Model& model,
                                       const std::vector<model::TableItems>& stored,
                                       model::Backend& backend, model::ProveOptions options) {
  Auditor auditor(model, {});
  for (const model::TableItems& table : stored) {
    for (const Item& item : table.items) {
      PJ_RETURN_IF_ERROR(auditor.Add(*table.table, item));
    }
  }
  PJ_ASSIGN_OR_RETURN(const AuditReport audit, auditor.Finish());
  Model proved = model;
  for (model::Pattern& pattern : proved.patterns) {
    pattern.examples.clear();
  }
  options.stored = &stored;
  // Writes are proved on items that are right to begin with.
  options.writes = false;
  PJ_ASSIGN_OR_RETURN(model::ProofReport report,
                      model::Prove(proved, RowsOfItems(model, stored), backend, options));
  for (const Finding& finding : audit.findings) {
    report.stored_problems.push_back(finding.table + " " + KeyText(finding.key) + ": " +
                                     finding.message);
  }
  report.all_right = report.all_right && audit.Total() == 0;
  return report;
}

}  // namespace prejoin::audit
