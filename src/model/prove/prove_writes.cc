#include "model/prove/prove_writes.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/limits.h"
#include "model/data/item_changes.h"
#include "model/data/item_render.h"
#include "model/data/surroundings.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kRenderAllRowsMax = 2'000;

// Another value of the same type, of the same size where that is possible.
AttributeValue Different(const Attribute& attribute, const AttributeValue* value) {
  if (!attribute.values.empty()) {
    for (const AttributeValue& one : attribute.values) {
      if (value == nullptr || !(one == *value)) return one;
    }
  }
  return AnotherValue(attribute.type, value);
}

// A row that is not in the data yet: a copy of the last one under another key. A key that points at
// other rows points at rows that are there, if any pair of them is free.
Row FreshRow(const Entity& entity, const Dataset& data) {
  const std::vector<Row>& rows = data.Of(entity.name.text);
  const std::vector<std::string> keys = entity.KeyNames();
  Row row = rows.empty() ? Row() : rows.back();
  std::set<std::string> taken;
  for (const Row& one : rows) taken.insert(TupleText(one, keys));
  const Attribute* last_key = nullptr;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.is_key) continue;
    if (last_key == nullptr || !attribute.references || last_key->references) last_key = &attribute;
  }
  if (last_key == nullptr) return row;
  if (last_key->references) {
    Row linked = row;
    for (const Row& target : data.Of(last_key->references->entity.text)) {
      const AttributeValue* value = target.Find(last_key->references->attribute.text);
      if (value == nullptr) continue;
      linked.Set(last_key->name.text, *value);
      if (!taken.contains(TupleText(linked, keys))) return linked;
    }
  }
  for (int i = 0; taken.contains(TupleText(row, keys)) && i < 100; ++i)
    row.Set(last_key->name.text, Different(*last_key, row.Find(last_key->name.text)));
  return row;
}

ItemWrite ToWrite(const ItemChange& change, bool once, bool partial) {
  return {change.table->name.text,
          change.key,
          change.before,
          change.after,
          once,
          partial && change.before && change.after};
}

class WriteProver {
 public:
  WriteProver(const Model& model, const Write& write, Dataset& data, Backend& backend,
              Predictor& predictor)
      : model_(model), write_(write), data_(data), backend_(backend), predictor_(predictor) {
    proof_.name = write.name.text;
    proof_.title = write.title;
  }

  Result<WriteProof> Run(bool compare_units) {
    const Dataset before = data_;
    std::vector<ItemWrite> all;
    for (const WriteStep& step : write_.steps) {
      // With many rows, only those that the write can touch are rendered.
      const WriteEffect effect =
          EffectOfStep(model_, step, data_,
                       data_.size() <= kRenderAllRowsMax ? WriteScope::kAll : WriteScope::kNear);
      if (!effect.possible) {
        Problem("there is no row of " + step.entity.text + " to work on: add some to the sample");
        continue;
      }
      PJ_RETURN_IF_ERROR(ProveGuard(step));
      if (write_.together) {
        all.insert(all.end(), effect.writes.begin(), effect.writes.end());
      } else {
        for (const ItemWrite& one : effect.writes) PJ_RETURN_IF_ERROR(RunOne(one));
      }
      Apply(step, effect);
      written_.insert(written_.end(), effect.writes.begin(), effect.writes.end());
    }
    if (write_.together && !all.empty()) PJ_RETURN_IF_ERROR(RunTogether(all));
    if (!proof_.skipped.empty()) {
      data_ = before;
      proof_.right = proof_.problems.empty();
      return std::move(proof_);
    }
    PJ_RETURN_IF_ERROR(ReadBack());
    proof_.items_written = written_.size();
    if (compare_units && std::abs(proof_.predicted_units - proof_.measured_units) > 1e-6) {
      Problem("predicted " + std::to_string(proof_.predicted_units) + " write units, measured " +
              std::to_string(proof_.measured_units));
    }
    proof_.right = proof_.problems.empty();
    return std::move(proof_);
  }

 private:
  void Problem(std::string text) { proof_.problems.push_back(std::move(text)); }

  // Brings the data into step with what was written.
  void Apply(const WriteStep& step, const WriteEffect& effect) {
    std::vector<Row>& rows = data_.rows[step.entity.text];
    const std::vector<Row>& after = effect.after.Of(step.entity.text);
    switch (step.kind) {
      case WriteKind::kPut:
        rows.push_back(after.back());
        break;
      case WriteKind::kUpdate:
        rows.front() = after.front();
        break;
      case WriteKind::kDelete:
        rows.pop_back();
        break;
    }
  }

  // `put … once`: a row that exists must be refused.
  Status ProveGuard(const WriteStep& step) {
    if (!step.once || data_.Of(step.entity.text).empty() || !model_.FindPlacement(step.entity.text))
      return {};
    DataIndex index(data_);
    const Row& row = data_.Of(step.entity.text).front();
    Item item = RenderItem(model_, step.entity.text, row, index);
    const auto key = RenderPrimaryKey(model_.FindPlacement(step.entity.text), row);
    if (!key) return {};
    const ItemWrite write{model_.FindPlacement(step.entity.text).table->name.text,
                          *key,
                          std::nullopt,
                          std::move(item),
                          true,
                          false};
    PJ_ASSIGN_OR_RETURN(const WriteAnswer real, backend_.Write(write));
    if (!real.refused)
      Problem("a second " + step.entity.text +
              " with the same key was written: the guard does not hold");
    proof_.guarded = real.refused;
    return {};
  }

  Status RunOne(const ItemWrite& write) {
    PJ_ASSIGN_OR_RETURN(const WriteAnswer predicted, predictor_.Write(write));
    PJ_ASSIGN_OR_RETURN(const WriteAnswer measured, backend_.Write(write));
    Add(predicted, measured);
    return {};
  }

  Status RunTogether(const std::vector<ItemWrite>& writes) {
    if (writes.size() > kTransactionItemsMax) {
      Problem(std::to_string(writes.size()) + " items change together; a transaction holds 100");
      return {};
    }
    const Result<WriteAnswer> measured = backend_.WriteTogether(writes);
    if (!measured.has_value() && measured.error().code == ErrorCode::kUnknownOperation) {
      proof_.skipped = "this endpoint has no transactions";
      return {};
    }
    if (!measured.has_value()) return measured.error();
    PJ_ASSIGN_OR_RETURN(const WriteAnswer predicted, predictor_.WriteTogether(writes));
    Add(predicted, *measured);
    return {};
  }

  void Add(const WriteAnswer& predicted, const WriteAnswer& measured) {
    if (measured.refused) Problem("the write was refused");
    proof_.predicted_units += predicted.write_units;
    proof_.measured_units += measured.write_units;
  }

  // What is stored must be what the new rows render to.
  Status ReadBack() {
    for (const ItemWrite& write : written_) {
      PJ_ASSIGN_OR_RETURN(const ReadAnswer stored,
                          backend_.Get(write.table, write.key, /*consistent=*/true));
      const bool same = write.new_item
                            ? stored.items.size() == 1 && stored.items[0] == *write.new_item
                            : stored.items.empty();
      if (!same) Problem("an item is not as it should be after the write");
    }
    return {};
  }

  const Model& model_;
  const Write& write_;
  Dataset& data_;
  Backend& backend_;
  Predictor& predictor_;
  WriteProof proof_;
  std::vector<ItemWrite> written_;
};

}  // namespace

WriteEffect EffectOfStep(const Model& model, const WriteStep& step, const Dataset& data,
                         WriteScope scope) {
  WriteEffect effect;
  const Entity* entity = model.FindEntity(step.entity.text);
  const std::string& name = step.entity.text;
  if (entity == nullptr || data.Of(name).empty()) return effect;
  const bool put = step.kind == WriteKind::kPut;
  const Row fresh = put ? FreshRow(*entity, data) : Row();
  Dataset before;
  if (scope == WriteScope::kAll) {
    before = data;
  } else if (put) {
    // What surrounds the new row, as if it were there.
    Dataset with = data;
    with.rows[name].push_back(fresh);
    before = Surroundings(model, name, with);
    before.rows[name].pop_back();
  } else {
    before = Surroundings(model, name, data);
  }
  effect.after = before;
  std::vector<Row>& rows = effect.after.rows[name];
  if (put) rows.push_back(fresh);
  if (step.kind == WriteKind::kDelete) rows.pop_back();
  for (const Name& set : step.set) {
    if (const Attribute* attribute = entity->Find(set.text))
      rows.front().Set(set.text, Different(*attribute, rows.front().Find(set.text)));
  }
  effect.possible = true;
  for (const ItemChange& change : ChangesBetween(model, before, effect.after)) {
    const bool own = change.entity == name;
    effect.writes.push_back(ToWrite(change, step.once && own && !change.before,
                                    step.kind == WriteKind::kUpdate || !own));
  }
  return effect;
}

Result<WriteProof> ProveWrite(const Model& model, const Write& write, Dataset& data,
                              Backend& backend, Predictor& predictor, bool compare_units) {
  return WriteProver(model, write, data, backend, predictor).Run(compare_units);
}

}  // namespace prejoin::model
