// Promises of a write are about rows, so they are tried on rows.
//
//   once     a second row with the same key, and everything else different, must be refused. A guard on the item's key
//            is not enough when that key holds more than what identifies the row.
//   put      two rows never become one item: a put that would replace another row's item is wrong.
//   unique   a row under another key with a value that is taken must be refused: by the table's own key, or by a lock
//            item in the same transaction.
//   if       a row for which the condition does not hold must be refused.
//
// Whatever should have been refused and was not is taken back, so that the next step starts from what the model says.
#include "model/prove/prove_writes.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "model/cost/write_cost.h"
#include "model/data/evaluate.h"
#include "model/data/item_render.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kRenderAllRowsMax = 2'000;

class WriteProver {
 public:
  WriteProver(const Model& model, const Write& write, Dataset& data, Backend& backend,
              Predictor& predictor)
      : model_(model), write_(write), data_(data), backend_(backend), predictor_(predictor) {
    proof_.name = write.name.text;
    proof_.title = write.title;
  }

  Result<WriteProof> Run(bool compare_units) {
    std::vector<ItemWrite> all;
    const BoundWrite bound = BindWrite(model_, write_, data_);
    if (!bound.impossible.empty()) {
      Problem(bound.impossible);
    }
    for (std::size_t i = 0; i < write_.steps.size() && bound.impossible.empty(); ++i) {
      const WriteStep& step = write_.steps[i];
      const WriteEffect effect = EffectOfStep(model_, bound.steps[i], data_, Scope());
      if (!effect.impossible.empty()) {
        Problem(effect.impossible);
        continue;
      }
      if (effect.writes.empty() && !model_.FindPlacement(step.entity.text) &&
          step.kind == WriteKind::kPut) {
        proof_.skipped = "every row that could hold a new " + step.entity.text + " has one";
        break;
      }
      if (!effect.replaced.empty()) {
        Problem("a new row of " + effect.replaced +
                " replaces the item of another row: the table's key does not tell them apart");
      }
      PJ_RETURN_IF_ERROR(TryWhatMustBeRefused(bound.steps[i]));
      if (write_.together) {
        all.insert(all.end(), effect.writes.begin(), effect.writes.end());
      } else {
        PJ_RETURN_IF_ERROR(RunStep(step, effect.writes));
      }
      undo_.push_back(ApplyChanges(effect.rows, data_));
      written_.insert(written_.end(), effect.writes.begin(), effect.writes.end());
    }
    if (write_.together && !all.empty()) {
      PJ_RETURN_IF_ERROR(RunTogether(all));
    }
    if (!proof_.skipped.empty()) {
      TakeBackRows();
      proof_.right = proof_.problems.empty();
      return std::move(proof_);
    }
    PJ_RETURN_IF_ERROR(ReadBack());
    proof_.items_written = written_.size();
    if (written_.empty() && proof_.problems.empty()) {
      Problem("not proved: it wrote nothing");
    }
    if (compare_units && std::abs(proof_.predicted_units - proof_.measured_units) > 1e-6) {
      Problem("predicted " + std::to_string(proof_.predicted_units) + " write units, measured " +
              std::to_string(proof_.measured_units));
    }
    // Each write is proved on the same data.
    PJ_RETURN_IF_ERROR(TakeBackAll());
    proof_.right = proof_.problems.empty();
    return std::move(proof_);
  }

 private:
  void Problem(std::string text) { proof_.problems.push_back(std::move(text)); }

  // With many rows, only those that the write can touch are rendered.
  WriteScope Scope() const {
    return data_.size() <= kRenderAllRowsMax ? WriteScope::kAll : WriteScope::kNear;
  }

  Status TryWhatMustBeRefused(const BoundStep& bound) {
    const WriteStep& step = *bound.step;
    const Entity& entity = model_.At(step.entity);
    if (data_.Of(step.entity.text).empty() || !model_.FindPlacement(step.entity.text)) {
      return {};
    }
    if (step.kind == WriteKind::kPut) {
      if (step.once) {
        PJ_RETURN_IF_ERROR(TrySameKey(step, entity));
      }
      for (const Attribute& attribute : entity.attributes) {
        if (attribute.unique && !attribute.is_key) {
          PJ_RETURN_IF_ERROR(TrySameValue(step, entity, attribute));
        }
      }
    }
    if (!step.guard.empty() && step.kind != WriteKind::kPut) {
      PJ_RETURN_IF_ERROR(TryWithoutCondition(bound));
    }
    return {};
  }

  // The key of an existing row, with everything else different that may differ.
  Status TrySameKey(const WriteStep& step, const Entity& entity) {
    Row row = data_.Of(entity.name.text).front();
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.is_key || attribute.immutable || row.Find(attribute.name.text) == nullptr) {
        continue;
      }
      row.Set(attribute.name.text, DifferentValue(attribute, row.Find(attribute.name.text)));
    }
    return MustBeRefused(step, row, "a second " + entity.name.text + " with the same key",
                         "the guard is on the item's key, which holds more than the row's key");
  }

  Status TrySameValue(const WriteStep& step, const Entity& entity, const Attribute& attribute) {
    const std::vector<Row>& rows = data_.Of(entity.name.text);
    const auto taken = std::ranges::find_if(
        rows, [&](const Row& row) { return row.Find(attribute.name.text) != nullptr; });
    if (taken == rows.end()) {
      return {};
    }
    Row row = FreshRow(model_, entity, data_, {});
    row.Set(attribute.name.text, *taken->Find(attribute.name.text));
    return MustBeRefused(
        step, row, "a second " + entity.name.text + " with the same " + attribute.name.text,
        "nothing keeps `" + attribute.name.text + "` unique (PJ231); add to `item " +
            entity.name.text + "`: unique " + attribute.name.text + " by lock item");
  }

  // Sends the requests that the write makes for this row.
  Status MustBeRefused(const WriteStep& step, const Row& row, const std::string& what,
                       const std::string& why) {
    std::vector<ItemWrite> writes;
    DataIndex index(data_);
    const Model::Placement placement = model_.FindPlacement(step.entity.text);
    for (const Model::Placement& layout : model_.LayoutsOf(step.entity.text)) {
      const auto key = RenderPrimaryKey(layout, row);
      if (!key && layout.layout->of.text.empty()) {
        return {};
      }
      if (!key) {
        continue;
      }
      writes.push_back({layout.table->name.text,
                        *key,
                        std::nullopt,
                        RenderItem(model_, model_.At(layout.layout->entity), row, index),
                        step.once,
                        false,
                        {}});
    }
    for (Item& lock : RenderLocks(placement, row)) {
      Item lock_key = lock;
      writes.push_back({placement.table->name.text,
                        std::move(lock_key),
                        std::nullopt,
                        std::move(lock),
                        true,
                        false,
                        {}});
    }
    PJ_ASSIGN_OR_RETURN(const bool refused, WasRefused(writes));
    if (refused) {
      proof_.guarded = true;
      proof_.shown.push_back(what + " was refused");
      return {};
    }
    Problem(what + " was written: " + why);
    return TakeBack(writes);
  }

  Result<bool> WasRefused(const std::vector<ItemWrite>& writes) {
    if (writes.size() == 1) {
      PJ_ASSIGN_OR_RETURN(const WriteAnswer answer, backend_.Write(writes[0]));
      return answer.refused;
    }
    const Result<WriteAnswer> answer = backend_.WriteTogether(writes);
    if (!answer.has_value() && answer.error().code == ErrorCode::kUnknownOperation) {
      return true;
    }
    if (!answer.has_value()) {
      return answer.error();
    }
    return answer->refused;
  }

  // The predictor holds what the model says should be there.
  Status TakeBack(const std::vector<ItemWrite>& writes) {
    for (const ItemWrite& write : writes) {
      PJ_ASSIGN_OR_RETURN(const ReadAnswer was, predictor_.Get(write.table, write.key, true));
      ItemWrite back{write.table, write.key, std::nullopt, std::nullopt, false, false, {}};
      if (!was.items.empty()) {
        back.new_item = was.items[0];
      }
      PJ_RETURN_IF_ERROR(backend_.Write(back));
    }
    return {};
  }

  void TakeBackRows() {
    for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo) {
      TakeBackChanges(*undo, data_);
    }
    undo_.clear();
  }

  Status TakeBackAll() {
    for (auto write = written_.rbegin(); write != written_.rend(); ++write) {
      const ItemWrite back{write->table, write->key, std::nullopt, write->old_item, false,
                           false,        {}};
      PJ_RETURN_IF_ERROR(predictor_.Write(back));
      PJ_RETURN_IF_ERROR(backend_.Write(back));
    }
    TakeBackRows();
    return {};
  }

  // A row for which `if …` does not hold.
  Status TryWithoutCondition(const BoundStep& bound) {
    const WriteStep& step = *bound.step;
    const std::vector<Row>& rows = data_.Of(step.entity.text);
    std::vector<Condition> literal;
    for (const Condition& condition : step.guard) {
      const bool free = std::ranges::any_of(
          condition.operands, [](const Operand& operand) { return !operand.parameter.empty(); });
      if (!free) {
        literal.push_back(condition);
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool holds = std::ranges::all_of(literal, [&](const Condition& condition) {
        return ConditionHolds(condition, rows[i], {});
      });
      if (holds) {
        continue;
      }
      BoundStep unguarded = bound;
      unguarded.rows = {rows[i]};
      unguarded.guard.clear();
      // Other values than those it sets: a row that is done already cannot show that the condition refuses it.
      for (const Attribute& attribute : model_.At(step.entity).attributes) {
        const std::string& name = attribute.name.text;
        if (unguarded.values.Find(name) != nullptr) {
          unguarded.values.Set(name, DifferentValue(attribute, rows[i].Find(name)));
        }
      }
      WriteEffect effect = EffectOfStep(model_, unguarded, data_, Scope());
      std::erase_if(effect.writes, [](const ItemWrite& write) { return write.guard.empty(); });
      if (effect.writes.empty()) {
        return {};
      }
      PJ_ASSIGN_OR_RETURN(const bool refused, WasRefused({effect.writes[0]}));
      if (refused) {
        proof_.guarded = true;
        proof_.shown.push_back("a row of " + step.entity.text +
                               " for which the condition does not hold was left alone");
        return {};
      }
      Problem("a row of " + step.entity.text +
              " for which the condition does not hold was written");
      return TakeBack({effect.writes[0]});
    }
    return {};
  }

  Status RunStep(const WriteStep& step, const std::vector<ItemWrite>& writes) {
    if (!NeedsTransaction(model_, step).empty() && writes.size() > 1) {
      return RunTogether(writes);
    }
    return RunEach(writes);
  }

  Status RunEach(const std::vector<ItemWrite>& writes) {
    for (const ItemWrite& write : writes) {
      PJ_ASSIGN_OR_RETURN(const WriteAnswer predicted, predictor_.Write(write));
      PJ_ASSIGN_OR_RETURN(const WriteAnswer measured, backend_.Write(write));
      Add(predicted, measured);
    }
    return {};
  }

  // Two steps that touch one item are one action of a transaction, which may name an item only once.
  static std::vector<ItemWrite> Merged(const std::vector<ItemWrite>& writes) {
    std::vector<ItemWrite> merged;
    for (const ItemWrite& write : writes) {
      const auto same = std::ranges::find_if(merged, [&](const ItemWrite& one) {
        return one.table == write.table && one.key == write.key;
      });
      if (same == merged.end()) {
        merged.push_back(write);
        continue;
      }
      same->new_item = write.new_item;
      same->once = same->once && write.once;
      same->later = same->later && write.later;
      same->partial = same->old_item.has_value() && same->new_item.has_value();
      same->guard.insert(same->guard.end(), write.guard.begin(), write.guard.end());
    }
    // A change that two steps take back from each other is no write; try_writes.h reports the steps.
    std::erase_if(merged, [](const ItemWrite& one) { return one.old_item == one.new_item; });
    return merged;
  }

  // One transaction, and after it what a stream or a batch does.
  Status RunTogether(const std::vector<ItemWrite>& all) {
    std::vector<ItemWrite> writes;
    std::vector<ItemWrite> later;
    for (const ItemWrite& write : Merged(all)) {
      (write.later ? later : writes).push_back(write);
    }
    const bool plain = writes.empty() || (writes.size() == 1 && !write_.together);
    PJ_RETURN_IF_ERROR(plain ? RunEach(writes) : RunTransaction(writes));
    return proof_.skipped.empty() ? RunEach(later) : Status();
  }

  Status RunTransaction(const std::vector<ItemWrite>& writes) {
    if (writes.size() > kTransactionItemsMax) {
      Problem(std::to_string(writes.size()) + " items change together; a transaction holds 100");
      return {};
    }
    const Result<WriteAnswer> measured = backend_.WriteTogether(writes);
    if (!measured.has_value() && measured.error().code == ErrorCode::kUnknownOperation) {
      proof_.skipped = "this endpoint has no transactions";
      return {};
    }
    if (!measured.has_value()) {
      return measured.error();
    }
    PJ_ASSIGN_OR_RETURN(const WriteAnswer predicted, predictor_.WriteTogether(writes));
    Add(predicted, *measured);
    return {};
  }

  void Add(const WriteAnswer& predicted, const WriteAnswer& measured) {
    if (measured.refused) {
      Problem("the write was refused");
    }
    proof_.predicted_units += predicted.write_units;
    proof_.measured_units += measured.write_units;
  }

  // The stored items must be those that the new rows render to. Later steps have the last word.
  Status ReadBack() {
    for (auto write = written_.begin(); write != written_.end(); ++write) {
      const bool later = std::any_of(write + 1, written_.end(), [&](const ItemWrite& other) {
        return other.table == write->table && other.key == write->key;
      });
      if (later) {
        continue;
      }
      PJ_ASSIGN_OR_RETURN(const ReadAnswer stored,
                          backend_.Get(write->table, write->key, /*consistent=*/true));
      const bool same = write->new_item
                            ? stored.items.size() == 1 && stored.items[0] == *write->new_item
                            : stored.items.empty();
      if (!same) {
        Problem("an item is not as it should be after the write");
      }
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
  std::vector<RowUndo> undo_;  // The undo records of the steps so far.
};

}  // namespace

Result<WriteProof> ProveWrite(const Model& model, const Write& write, Dataset& data,
                              Backend& backend, Predictor& predictor, bool compare_units) {
  return WriteProver(model, write, data, backend, predictor).Run(compare_units);
}

}  // namespace prejoin::model
