#include "model/prove/trial/row_changes.h"

#include <algorithm>

#include "model/data/evaluate.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

Row UpdatedRow(const BoundStep& bound, Row row) {
  for (const auto& [name, value] : bound.values) {
    row.Set(name, value);
  }
  for (const Increment& increment : bound.step->increments) {
    const Number by(static_cast<std::int64_t>(increment.by));
    const AttributeValue* old_value = row.Find(increment.attribute.text);
    const Number old_number =
        old_value != nullptr && old_value->number() != nullptr ? *old_value->number() : Number(0);
    if (auto sum = Number::Add(old_number, by)) {
      row.Set(increment.attribute.text, AttributeValue(*sum));
    }
  }
  for (const Name& name : bound.step->remove) {
    row.Remove(name.text);
  }
  return row;
}

// The rows that go with a deleted one.
void AddCascade(const Model& model, const BoundStep& bound, const Row& row, const Dataset& data,
                std::vector<RowChange>& changes) {
  for (const Reference<Entity>& name : bound.step->cascade) {
    const Entity& child = model.At(name);
    std::vector<std::string> from;
    std::vector<std::string> to;
    for (const JoinColumn& column : CascadeColumns(model, *bound.step, child)) {
      from.push_back(column.from);
      to.push_back(column.to);
    }
    const std::string parent = TupleText(row, to);
    const std::vector<Row>& children = data.Of(name.text);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!parent.empty() && TupleText(children[i], from) == parent) {
        changes.push_back({name.text, i, std::nullopt});
      }
    }
  }
}

bool IsTaken(const Entity& entity, const Row& row, std::optional<std::size_t> own,
             const Dataset& data) {
  const std::vector<Row>& rows = data.Of(entity.name.text);
  return std::ranges::any_of(entity.attributes, [&](const Attribute& attribute) {
    const AttributeValue* value =
        attribute.unique && !attribute.is_key ? row.Find(attribute.name.text) : nullptr;
    for (std::size_t i = 0; value != nullptr && i < rows.size(); ++i) {
      const AttributeValue* other = rows[i].Find(attribute.name.text);
      if (i != own && other != nullptr && *other == *value) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace

std::optional<std::size_t> FindRow(const Entity& entity, const Row& key, const Dataset& data) {
  const std::vector<std::string> keys = entity.KeyNames();
  const std::string wanted = TupleText(key, keys);
  const std::vector<Row>& rows = data.Of(entity.name.text);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (TupleText(rows[i], keys) == wanted) {
      return i;
    }
  }
  return std::nullopt;
}

StepRows RowsOfStep(const Model& model, const BoundStep& bound, const Dataset& data) {
  StepRows out;
  const Entity& entity = model.At(bound.step->entity);
  const std::string& name = entity.name.text;
  for (const Row& row : bound.rows) {
    const std::optional<std::size_t> number = FindRow(entity, row, data);
    if (bound.step->kind == WriteKind::kPut) {
      out.refused = out.refused || (bound.step->once && number) ||
                    IsTaken(entity, row, number, data);
      Row stored = row;
      DeriveValues(entity, stored);
      out.changes.push_back({name, number, std::move(stored)});
      continue;
    }
    const bool update = bound.step->kind == WriteKind::kUpdate;
    if (!number) {
      out.refused = update || !bound.guard.empty();
      continue;
    }
    const Row& stored = data.Of(name)[*number];
    out.refused = !std::ranges::all_of(bound.guard, [&](const Condition& condition) {
      return ConditionHolds(condition, stored, {});
    });
    if (update) {
      Row after = UpdatedRow(bound, stored);
      DeriveValues(entity, after);
      out.refused = out.refused || IsTaken(entity, after, number, data);
      out.changes.push_back({name, number, std::move(after)});
    } else {
      out.changes.push_back({name, number, std::nullopt});
      AddCascade(model, bound, stored, data, out.changes);
    }
  }
  if (out.refused) {
    out.changes.clear();
  }
  return out;
}

RowUndo ApplyChanges(const std::vector<RowChange>& changes, Dataset& data) {
  RowUndo undo;
  for (const RowChange& change : changes) {
    std::vector<Row>& rows = data.rows[change.entity];
    if (!change.number) {
      continue;
    }
    Row& row = rows[*change.number];
    if (!change.row) {
      undo.gone[change.entity].try_emplace(*change.number, row);
      continue;
    }
    undo.updated[change.entity].try_emplace(*change.number, row);
    row = *change.row;
  }
  for (const auto& [entity, removed] : undo.gone) {
    std::vector<Row>& rows = data.rows[entity];
    for (auto one = removed.rbegin(); one != removed.rend(); ++one) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(one->first));
    }
  }
  for (const RowChange& change : changes) {
    if (change.number || !change.row) {
      continue;
    }
    data.rows[change.entity].push_back(*change.row);
    ++undo.added[change.entity];
  }
  return undo;
}

void TakeBackChanges(const RowUndo& undo, Dataset& data) {
  for (const auto& [entity, count] : undo.added) {
    std::vector<Row>& rows = data.rows[entity];
    rows.erase(rows.end() - static_cast<std::ptrdiff_t>(count), rows.end());
  }
  for (const auto& [entity, removed] : undo.gone) {
    std::vector<Row>& rows = data.rows[entity];
    for (const auto& [number, row] : removed) {
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(number), row);
    }
  }
  for (const auto& [entity, updated] : undo.updated) {
    for (const auto& [number, row] : updated) {
      data.rows[entity][number] = row;
    }
  }
}

}  // namespace prejoin::model
