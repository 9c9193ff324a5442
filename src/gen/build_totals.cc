// Sums and counts that a write keeps right, and the rows that are deleted with another one.
#include <algorithm>
#include <cstdint>

#include "gen/builder.h"
#include "model/data/item_render.h"
#include "model/layout/key_spelling.h"
#include "model/plan/expectation.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::gen {

bool IsKeptTotal(const model::StoredAttribute& stored) {
  return model::IsTotal(stored) && (stored.upkeep == model::CopyUpkeep::kTransaction ||
                                    stored.upkeep == model::CopyUpkeep::kNotStated);
}

namespace {

struct KeptTotal {
  const model::ItemLayout* layout = nullptr;
  const model::StoredAttribute* stored = nullptr;
};

std::vector<KeptTotal> TotalsOver(const model::Model& model, const std::string& entity) {
  std::vector<KeptTotal> totals;
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (IsKeptTotal(stored) && stored.copy.entity.text == entity) {
          totals.push_back({&layout, &stored});
        }
      }
    }
  }
  return totals;
}

bool Names(const std::vector<Field>& fields, const std::string& name) {
  return std::ranges::find(fields, name, &Field::name) != fields.end();
}

}  // namespace

bool Builder::IsSummed(const std::string& entity, const std::string& attribute) const {
  return std::ranges::any_of(TotalsOver(model, entity), [&](const KeptTotal& one) {
    return attribute.empty() || one.stored->copy.attribute.text == attribute;
  });
}

void Builder::AddOwnTotals(WriteStepCode& code) const {
  const model::Model::Placement placement = model.FindPlacement(code.entity->name);
  for (const model::StoredAttribute& stored : placement.layout->attributes) {
    if (!IsKeptTotal(stored)) {
      continue;
    }
    const AttributeValue none(std::int64_t{0});
    if (code.once) {
      code.constants.emplace_back(stored.name.text, none);
    } else {
      code.counted.push_back({stored.name.text, none});
      code.read_before.push_back(
          SourceIn(*code.entity->entity, stored.name.text, {placement.table, nullptr}));
    }
  }
}

std::string Builder::AddTotals(WriteStepCode& code, const std::string& except) const {
  const model::Entity& rows = *code.entity->entity;
  const model::View table = {model.FindPlacement(code.entity->name).table, nullptr};
  for (const KeptTotal& kept : TotalsOver(model, code.entity->name)) {
    const EntityCode& parent = *program.FindEntity(kept.layout->entity.text);
    if (parent.name == except) {
      continue;
    }
    for (const model::Model::Placement& one : model.LayoutsOf(parent.name)) {
      if (one.layout != kept.layout && !one.layout->Omits(kept.stored->name.text)) {
        return "`" + kept.stored->name.text + "`, which " + one.layout->entity.text +
               " holds too, has no code yet";
      }
    }
    TotalCode total;
    total.entity = parent.name;
    total.attribute = kept.stored->name.text;
    std::vector<std::string> used;
    const std::vector<model::JoinColumn> columns = model::JoinColumns(rows, *parent.entity);
    for (const Field& field : parent.identity) {
      const auto column = std::ranges::find(columns, field.name, &model::JoinColumn::to);
      if (column == columns.end() || FieldOf(rows, column->from).optional) {
        return "a " + rows.name.text + " does not always name the key of the " + parent.name +
               " whose " + total.attribute + " it changes";
      }
      total.key.push_back(RowValue(FieldOf(rows, column->from)));
      total.before.push_back(SourceIn(rows, column->from, table));
      used.push_back(column->from);
    }
    if (kept.stored->kind == model::StoredKind::kSum) {
      total.amount = SourceIn(rows, kept.stored->copy.attribute.text, table);
      used.push_back(kept.stored->copy.attribute.text);
    }
    const bool changes = std::ranges::any_of(used, [&](const std::string& name) {
      return Names(code.set, name) || Names(code.removed, name);
    });
    const bool puts = code.kind == WriteStepCode::Kind::kPut;
    const bool updates = code.kind == WriteStepCode::Kind::kUpdate;
    if (updates && !changes) {
      continue;
    }
    total.added = puts || updates;
    total.taken = !puts || !code.once;
    if (total.taken && code.find == nullptr) {
      code.read_before.insert(code.read_before.end(), total.before.begin(), total.before.end());
      if (total.amount) {
        code.read_before.push_back(*total.amount);
      }
      code.expect_key = {code.key[0].attribute};
    }
    code.totals.push_back(std::move(total));
  }
  return {};
}

LockCode Builder::LockOf(const model::Entity& entity, const std::string& attribute) {
  const model::Model::Placement placement = model.FindPlacement(entity);
  LockCode lock;
  lock.attribute = attribute;
  const model::StoredAttribute stored = model::MakeStored(
      attribute + " lock", model::LockPrefix(entity.name.text, attribute) + "{" + attribute + "}");
  lock.value = {stored.name.text,
                Call(entity, stored,
                     [&](const std::string& name) { return RowValue(FieldOf(entity, name)); }),
                false};
  for (const model::Name* key : {&placement.table->partition, &placement.table->sort}) {
    if (!key->text.empty()) {
      lock.names.push_back(key->text);
    }
  }
  lock.before = SourceIn(entity, attribute, {placement.table, nullptr});
  return lock;
}

// Lists that nobody keeps hold what an import once wrote.
std::string Builder::WhyNothingStores(const std::string& rows) const {
  std::string lists;
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (stored.embedded.text == rows && stored.upkeep == model::CopyUpkeep::kNever) {
          lists += (lists.empty() ? "`" : " and `") + layout.entity.text + "." + stored.name.text + "`";
        }
      }
    }
  }
  return lists.empty() ? "nothing stores " + rows
                       : "the model declares `kept by nobody` for " + lists + ", which hold the rows of " + rows;
}

std::string Builder::AddCascade(WriteStepCode& code) {
  for (const model::Name& name : code.source->cascade) {
    const EntityCode* child = program.FindEntity(name.text);
    if (child == nullptr || child->table.empty()) {
      // Rows inside the item go with it.
      const bool inside = std::ranges::any_of(
          model.FindPlacement(code.entity->name).layout->attributes,
          [&](const model::StoredAttribute& stored) { return stored.embedded == name; });
      if (inside) {
        continue;
      }
      return "nothing finds the " + name.text + " rows that go with it";
    }
    WriteStepCode step;
    step.kind = WriteStepCode::Kind::kDelete;
    step.source = code.source;
    step.entity = child;
    step.row_entity = child->name;
    step.parameter = child->name;
    step.row = child->identity;
    step.finder = child->name + " of " + code.entity->name;
    std::vector<std::string> more;
    const model::Model::Placement placement = model.FindPlacement(child->name);
    for (const model::Name& lock : placement.layout->locks) {
      more.push_back(lock.text);
    }
    const std::vector<model::Model::Placement> layouts = model.LayoutsOf(name.text);
    for (const model::Model::Placement& one : layouts) {
      for (const std::string& key : model::KeyAttributes(model, one.layout->entity, {one.table, nullptr})) {
        more.push_back(key);
      }
    }
    for (const KeptTotal& kept : TotalsOver(model, child->name)) {
      if (kept.layout->entity.text != code.entity->name) {
        more.push_back(kept.stored->copy.attribute.text);
        for (const model::JoinColumn& column : model::JoinColumns(
                 *child->entity, model.At(kept.layout->entity))) {
          more.push_back(column.from);
        }
      }
    }
    step.find = FindRows(*child, *code.entity, step.finder, more);
    if (step.find == nullptr) {
      return "no key finds the " + child->name + " rows that go with a " + code.entity->name;
    }
    for (const model::Parameter& parameter : step.find->parameters) {
      if (!Names(code.entity->identity, parameter.name)) {
        return "`" + parameter.name + "` of the " + code.entity->name +
               " is needed to find the rows that belong to it, and the write does not name it";
      }
    }
    for (const model::Name& lock : placement.layout->locks) {
      step.locks.push_back(LockOf(*child->entity, lock.text));
      step.locks.back().given_up = true;
    }
    if (std::string reason = AddTotals(step, code.entity->name); !reason.empty()) {
      return reason;
    }
    if (std::string reason = AddBeside(step, layouts); !reason.empty()) {
      return reason;
    }
    code.cascade.push_back(std::move(step));
  }
  return {};
}

const PatternFunction* Builder::FindRows(const EntityCode& holder, const EntityCode& original,
                                         const std::string& name,
                                         const std::vector<std::string>& more) {
  for (const PatternFunction& known : program.copy_patterns) {
    if (known.name == name) {
      return &known;
    }
  }
  model::Pattern question;
  question.name.text = name;
  model::Section section;
  section.entity = *holder.entity;
  for (const model::JoinColumn& column : model::JoinColumns(*holder.entity, *original.entity)) {
    model::Condition condition;
    condition.attribute.text = column.from;
    condition.operands.push_back({column.to, {}, {}});
    section.conditions.push_back(std::move(condition));
  }
  for (const Field& field : holder.fields) {
    if (Names(holder.identity, field.name) || std::ranges::find(more, field.name) != more.end()) {
      section.get.push_back({{}, {field.name, {}}});
    }
  }
  question.sections.push_back(std::move(section));
  // A Scan, where no key leads to them.
  for (const char* reason : {"", "no key finds these rows"}) {
    question.scan_reason = reason;
    program.copy_questions.push_back(question);
    PatternFunction function;
    std::string refusal;
    if (BuildPattern(program.copy_questions.back(), function, refusal)) {
      function.pages = false;
      program.copy_patterns.push_back(std::move(function));
      return &program.copy_patterns.back();
    }
    program.copy_questions.pop_back();
  }
  return nullptr;
}

}  // namespace prejoin::gen
