// The items that a row has in second layouts. A step changes them in the transaction that changes the first one; which of them, the planner
// says (model/cost/write_cost.h). Where the caller's values do not name an item, or do not say whether there is one, the row's first item is
// read before, and must be unchanged when everything is written.
#include <algorithm>
#include <set>

#include "gen/builder.h"
#include "model/cost/write_cost.h"
#include "model/plan/access.h"
#include "model/plan/expectation.h"

namespace prejoin::gen {
namespace {

using Kind = WriteStepCode::Kind;
using Place = WriteStepCode::Place;
using model::Model;

bool Has(const std::vector<Field>& fields, const std::string& name) {
  return std::ranges::find(fields, name, &Field::name) != fields.end();
}

std::set<std::string> KeysOf(const Model& model, const Model::Placement& placement) {
  return model::KeyAttributes(model, placement.layout->entity, {placement.table, nullptr});
}

// The step on one second layout. Single thread. Borrows everything it is given.
class BesideBuilder {
 public:
  BesideBuilder(Builder& builder, const WriteStepCode& code, const Model::Placement& placement)
      : builder_(builder), code_(code), placement_(placement) {}

  WriteStepCode Build() {
    other_ = code_;
    other_.beside.clear();
    other_.cascade.clear();
    other_.locks.clear();
    other_.totals.clear();
    other_.refreshes.clear();
    other_.recopied.clear();
    other_.rendered.clear();
    other_.dropped.clear();
    other_.read_before.clear();
    other_.rest.clear();
    other_.condition = {};
    other_.moves = false;
    other_.entity = builder_.program.FindLayout(placement_.layout->entity.text);
    std::erase_if(other_.counters, [&](const Counter& counter) {
      return placement_.layout->Omits(counter.attribute);
    });
    other_.key = KeyOf(placement_);
    std::set<std::string> changed;
    for (const std::vector<Field>* fields : {&code_.set, &code_.removed}) {
      for (const Field& field : *fields) {
        changed.insert(field.name);
      }
    }
    other_.place = builder_.PlaceOf(placement_, code_, changed);
    const bool is_new = code_.kind == Kind::kPut && code_.once;
    if (other_.place != Place::kGiven && !is_new) {
      for (const std::string& name : KeysOf(builder_.model, placement_)) {
        if (!Has(code_.entity->identity, name)) {
          Before(name);
        }
      }
    }
    if (code_.kind == Kind::kUpdate) {
      AddKeys();
    }
    return std::move(other_);
  }

 private:
  std::vector<KeyValue> KeyOf(const Model::Placement& placement) const {
    std::vector<KeyValue> key;
    const model::Entity& rows = builder_.model.At(placement.layout->entity);
    for (const std::string& name : builder_.program.FindTable(placement.table->name.text)->key) {
      key.push_back(
          {name, builder_.Call(rows, *placement.layout->Find(name), [&](const std::string& one) {
             return RowValue(builder_.FieldOf(rows, one));
           })});
    }
    return key;
  }

  // The value as it was, which only another second layout holds, under its own name; false if none that every row has does.
  bool Rest(const std::string& attribute) {
    WriteStepCode removal;
    removal.kind = Kind::kDelete;
    removal.entity = code_.entity;
    for (const Model::Placement& one : builder_.model.LayoutsOf(code_.entity->name)) {
      const EntityCode& layout = *builder_.program.FindLayout(one.layout->entity.text);
      if (&layout == code_.entity || !Has(layout.plain, attribute) ||
          builder_.PlaceOf(one, removal, {}) != Place::kGiven) {
        continue;
      }
      auto known = std::ranges::find(other_.rest, &layout, &WriteStepCode::Rest::layout);
      if (known == other_.rest.end()) {
        known = other_.rest.insert(known, {&layout, KeyOf(one), {}});
      }
      known->fields.push_back(builder_.FieldOf(*code_.entity->entity, attribute));
      return true;
    }
    return false;
  }

  // The value as it was. A found row has it, of all others the first item does.
  void Before(const std::string& attribute) {
    if (code_.find != nullptr ||
        std::ranges::any_of(other_.read_before, [&](const FieldSource& known) {
          return known.field.name == attribute;
        })) {
      return;
    }
    const Model::Placement first = builder_.model.FindPlacement(code_.entity->name);
    FieldSource source =
        builder_.SourceIn(*code_.entity->entity, attribute, {first.table, nullptr});
    // A delete or a put may find no item.
    source.field.optional = source.field.optional || code_.kind != Kind::kUpdate;
    other_.read_before.push_back(std::move(source));
  }

  void Need(const std::string& attribute) {
    if (!Has(code_.row, attribute) && !Has(code_.set, attribute) &&
        !Has(code_.removed, attribute)) {
      Before(attribute);
    }
  }

  // The keys that an update changes; of an item that moves all keys, and everything else that it holds.
  void AddKeys() {
    const bool whole = other_.place == Place::kMoves;
    for (const StoredKey& key : other_.entity->keys) {
      const std::vector<std::string> attributes =
          placement_.layout->Find(key.attribute)->key.Attributes();
      const auto any = [&](const std::vector<Field>& fields) {
        return std::ranges::any_of(attributes,
                                   [&](const std::string& one) { return Has(fields, one); });
      };
      const bool own =
          std::ranges::find(other_.key, key.attribute, &KeyValue::attribute) != other_.key.end();
      if (!whole && own) {
        continue;
      }
      if (any(code_.removed)) {
        other_.dropped.push_back(key);
      } else if (whole || any(code_.set)) {
        other_.rendered.push_back(code_.WithConstants(key));
        std::ranges::for_each(attributes, [&](const std::string& one) { Need(one); });
      }
    }
    const Model::Placement first = builder_.model.FindPlacement(code_.entity->name);
    for (const Field& field : other_.entity->plain) {
      const bool given = Has(code_.row, field.name) || Has(code_.set, field.name) ||
                         Has(code_.removed, field.name);
      const bool held =
          model::CanRead(builder_.model, first.layout->entity, field.name, {first.table, nullptr});
      if (whole && !given && (held || !Rest(field.name))) {
        Before(field.name);
      }
    }
  }

  Builder& builder_;
  const WriteStepCode& code_;
  const Model::Placement placement_;
  WriteStepCode other_;
};

// The reason why no write can have code for this layout; empty if writes can.
std::string WhyNot(const model::ItemLayout& layout) {
  for (const model::StoredAttribute& stored : layout.attributes) {
    if (stored.kind != model::StoredKind::kTemplate) {
      return "`" + stored.name.text + "` of " + layout.entity.text +
             ", a second layout, has no code yet";
    }
  }
  return {};
}

}  // namespace

Place Builder::PlaceOf(const Model::Placement& placement, const WriteStepCode& code,
                       const std::set<std::string>& changed) const {
  bool sparse = false;
  bool named = true;
  bool moves = false;
  for (const std::string& name : KeysOf(model, placement)) {
    sparse = sparse || FieldOf(*code.entity->entity, name).optional;
    named = named && Has(code.entity->identity, name);
    moves = moves || changed.contains(name);
  }
  if (code.kind == Kind::kUpdate) {
    return moves ? Place::kMoves : sparse || !named ? Place::kKept : Place::kGiven;
  }
  const bool is_new = code.kind == Kind::kPut && code.once;
  return sparse || (!named && !is_new) ? Place::kMoves : Place::kGiven;
}

std::string Builder::AddBeside(WriteStepCode& code, const std::vector<Model::Placement>& written) {
  const Model::Placement first = model.FindPlacement(code.entity->name);
  code.written = std::ranges::any_of(
      written, [&](const Model::Placement& one) { return one.layout == first.layout; });
  for (const Model::Placement& placement : written) {
    if (placement.layout == first.layout) {
      continue;
    }
    if (std::string reason = WhyNot(*placement.layout); !reason.empty()) {
      return reason;
    }
    code.beside.push_back(BesideBuilder(*this, code, placement).Build());
    for (const FieldSource& source : code.beside.back().read_before) {
      const std::string& name = source.field.name;
      if (!model::CanRead(model, first.layout->entity, name, {first.table, nullptr})) {
        return "`" + name + "`, which the item of " + placement.layout->entity.text +
               " needs, is only in another layout";
      }
    }
  }
  for (const WriteStepCode& other : code.beside) {
    code.read_before.insert(code.read_before.end(), other.read_before.begin(),
                            other.read_before.end());
    for (const WriteStepCode::Rest& rest : other.rest) {
      const auto known = std::ranges::find(code.rest, rest.layout, &WriteStepCode::Rest::layout);
      if (known == code.rest.end()) {
        code.rest.push_back(rest);
        continue;
      }
      for (const Field& field : rest.fields) {
        if (!Has(known->fields, field.name)) {
          known->fields.push_back(field);
        }
      }
    }
  }
  for (WriteStepCode& other : code.beside) {
    other.rest = code.rest;
  }
  return {};
}

bool Builder::IsKeptBeside(const model::WriteStep& step, const WriteStepCode& code,
                           const std::string& name) const {
  std::set<std::string> changed;
  for (const std::vector<model::Name>* names : {&step.set, &step.remove}) {
    for (const model::Name& one : *names) {
      changed.insert(one.text);
    }
  }
  return std::ranges::any_of(LayoutsWritten(model, step), [&](const Model::Placement& one) {
    const bool in_key =
        std::ranges::any_of(one.layout->attributes, [&](const model::StoredAttribute& stored) {
          const std::vector<std::string> parts = stored.key.Attributes();
          return std::ranges::find(parts, name) != parts.end();
        });
    return !one.layout->of.text.empty() &&
           (in_key || (!one.layout->Omits(name) && PlaceOf(one, code, changed) != Place::kGiven));
  });
}

}  // namespace prejoin::gen
