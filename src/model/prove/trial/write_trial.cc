#include "model/prove/trial/write_trial.h"

#include <algorithm>
#include <optional>
#include <set>

#include "model/cost/write_cost.h"
#include "model/data/evaluate.h"
#include "model/data/item_render.h"
#include "model/data/surroundings.h"
#include "model/prove/compare_rows.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kDifferencesMax = 3;

std::string KeptByWhom(const Model& model, const std::string& layout, const std::string& name) {
  const Model::Placement placement = model.FindPlacement(layout);
  const StoredAttribute* stored = placement ? placement.layout->Find(name) : nullptr;
  if (stored == nullptr) {
    return {};
  }
  const bool total = IsTotal(*stored);
  if (stored->kind == StoredKind::kCopy || total) {
    const std::string what = total ? " this total" : " this copy";
    switch (stored->upkeep) {
      case CopyUpkeep::kNever:
        return ": the model declares `kept by nobody`" + what;
      case CopyUpkeep::kNotStated:
        return ": the model does not say who keeps" + what;
      default:
        return {};
    }
  }
  return stored->embedded.text.empty() ? "" : ": nobody keeps these copies inside the item";
}

std::string ShortText(const AttributeValue* value) {
  if (value == nullptr) {
    return "absent";
  }
  Row row;
  row.Set("v", *value);
  const std::string text = RowText(row);
  return text.substr(4, text.size() - 5);
}

bool IsKeptLaterOn(const Model& model, const std::string& layout, const std::string& name) {
  static const WriteStep kNoStep;
  return KeeperOf(model, layout, name, kNoStep, false) == Keeper::kLater;
}

}  // namespace

std::vector<WriteRequest> RequestsOf(const Model& model, const Write& write) {
  std::vector<WriteRequest> requests;
  const std::size_t count = write.steps.size();
  const auto refreshes = [&](const WriteStep& step) {
    return std::ranges::any_of(model.tables, [&](const Table& table) {
      return std::ranges::any_of(table.items, [&](const ItemLayout& layout) {
        return std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
          return stored.kind == StoredKind::kCopy && stored.upkeep == CopyUpkeep::kNotStated &&
                 stored.copy.entity == step.entity && !(layout.entity == step.entity);
        });
      });
    });
  };
  for (std::size_t i = 0; i < count; i = requests.back().last) {
    requests.push_back({i, write.together ? count : i + 1, false});
    if (std::any_of(write.steps.begin() + static_cast<std::ptrdiff_t>(i),
                    write.steps.begin() + static_cast<std::ptrdiff_t>(requests.back().last),
                    refreshes)) {
      requests.push_back({i, requests.back().last, true});
    }
  }
  return requests;
}

std::string RequestText(const Write& write, const WriteRequest& request) {
  if (request.copies) {
    return "refreshes the copies";
  }
  std::string text;
  for (std::size_t i = request.first; i < request.last; ++i) {
    const WriteStep& step = write.steps[i];
    const char* verb = step.kind == WriteKind::kPut      ? "puts "
                       : step.kind == WriteKind::kUpdate ? "updates "
                                                         : "deletes ";
    text += (text.empty() ? "" : " and ") + (verb + step.entity.text);
  }
  return text + (request.last - request.first > 1 ? " in one transaction" : "");
}

Dataset RowsNear(const Model& model, const Dataset& data,
                 const std::vector<const BoundWrite*>& writes) {
  TouchedRows touched;
  Dataset added;
  for (const BoundWrite* write : writes) {
    for (const BoundStep& step : write->steps) {
      const Entity& entity = model.At(step.step->entity);
      for (const Row& row : step.rows) {
        const auto number = FindRow(entity, row, data);
        std::vector<Row>& rows = added.rows[entity.name.text];
        touched[entity.name.text].insert(
            number.value_or(data.Of(entity.name.text).size() + rows.size()));
        if (!number) {
          rows.push_back(row);
        }
        if (number && step.step->kind == WriteKind::kDelete) {
          for (const RowChange& change : RowsOfStep(model, step, data).changes) {
            touched[change.entity].insert(*change.number);
          }
        }
        // An update may make the row reference others: they are near it too.
        if (number && !step.values.empty()) {
          touched[entity.name.text].insert(data.Of(entity.name.text).size() + rows.size());
          rows.push_back(row);
          for (const auto& [name, value] : step.values) {
            rows.back().Set(name, value);
          }
        }
      }
    }
  }
  Dataset near;
  for (const auto& [entity, numbers] : Near(model, touched, RowsWith(data, added))) {
    for (const std::size_t number : numbers) {
      if (number < data.Of(entity).size()) {
        near.rows[entity].push_back(data.Of(entity)[number]);
      }
    }
  }
  return near;
}

// The rows may be some of many: totals are those of these rows.
WriteTrial::WriteTrial(const Model& model, Dataset data) : model_(&model), data_(std::move(data)) {
  DeriveAggregates(model, data_);
  ideal_ = RenderByKey(model, data_);
  stored_ = ideal_;
}

void WriteTrial::Expire(const Entity& entity, const Row& row, const std::string& ttl) {
  const auto number = FindRow(entity, row, data_);
  if (!number) {
    return;
  }
  for (const Model::Placement& placement : model_->LayoutsOf(entity.name.text)) {
    const auto key = RenderPrimaryKey(placement, data_.Of(entity.name.text)[*number]);
    const auto found = key ? stored_.find(ItemPlace(*placement.table, *key)) : stored_.end();
    const AttributeValue* time = found != stored_.end() ? found->second.item.Find(ttl) : nullptr;
    if (time != nullptr && time->number() != nullptr) {
      stored_.erase(found);
    }
  }
  ApplyChanges({{entity.name.text, *number, std::nullopt}}, data_);
  DeriveAggregates(*model_, data_);
  ideal_ = RenderByKey(*model_, data_);
  RefreshLater();
}

void WriteTrial::Compute(BoundWrite& bound) const {
  const auto sets_total = [&](const BoundStep& step, const Name& name) {
    const Model::Placement placement = model_->FindPlacement(step.step->entity.text);
    const StoredAttribute* stored = placement ? placement.layout->Find(name.text) : nullptr;
    return stored != nullptr && IsTotal(*stored) && step.values.Find(name.text) != nullptr;
  };
  const bool any = std::ranges::any_of(bound.steps, [&](const BoundStep& step) {
    return std::ranges::any_of(step.step->set,
                               [&](const Name& name) { return sets_total(step, name); });
  });
  if (!any) {
    return;
  }
  Dataset after = data_;
  for (const BoundStep& step : bound.steps) {
    ApplyChanges(RowsOfStep(*model_, step, after).changes, after);
  }
  DeriveAggregates(*model_, after);
  for (BoundStep& step : bound.steps) {
    const Entity& entity = model_->At(step.step->entity);
    for (const Name& name : step.step->set) {
      const auto number =
          sets_total(step, name) ? FindRow(entity, step.rows[0], after) : std::nullopt;
      const AttributeValue* value =
          number ? after.Of(entity.name.text)[*number].Find(name.text) : nullptr;
      if (value != nullptr) {
        step.values.Set(name.text, *value);
      }
    }
  }
}

// On the items: `once`, the row that an update needs, and the condition.
bool WriteTrial::MayApply(const BoundStep& bound, const std::vector<ItemAction>& actions) const {
  for (const ItemAction& action : actions) {
    if (action.once && stored_.contains(action.place)) {
      return false;
    }
  }
  if (bound.step->kind == WriteKind::kPut || !model_->FindPlacement(bound.step->entity.text)) {
    return true;
  }
  const Entity& entity = model_->At(bound.step->entity);
  const auto number = FindRow(entity, bound.rows[0], data_);
  if (!number) {
    return bound.step->kind == WriteKind::kDelete && bound.guard.empty();
  }
  Row known = data_.Of(entity.name.text)[*number];
  for (const Model::Placement& placement : model_->LayoutsOf(entity.name.text)) {
    const auto key = RenderPrimaryKey(placement, known);
    const auto found = key ? stored_.find(ItemPlace(*placement.table, *key)) : stored_.end();
    if (found == stored_.end()) {
      continue;
    }
    for (const Attribute& attribute : entity.attributes) {
      if (const AttributeValue* value = found->second.item.Find(attribute.name.text)) {
        known.Set(attribute.name.text, *value);
      }
    }
  }
  return std::ranges::all_of(bound.guard, [&](const Condition& condition) {
    return ConditionHolds(condition, known, {});
  });
}

void WriteTrial::Apply(const ItemAction& action) {
  ++changes_;
  if (action.kind == ItemAction::Kind::kDelete) {
    stored_.erase(action.place);
    return;
  }
  if (action.kind == ItemAction::Kind::kPut) {
    stored_.insert_or_assign(action.place, action.item);
    return;
  }
  const auto found = stored_.find(action.place);
  if (found == stored_.end()) {
    return;
  }
  Item& item = found->second.item;
  for (const auto& [name, value] : action.set) {
    if (value) {
      item.Set(name, *value);
    } else {
      item.Remove(name);
    }
  }
  for (const auto& [name, by] : action.add) {
    const AttributeValue* old_value = item.Find(name);
    const Number from =
        old_value != nullptr && old_value->number() != nullptr ? *old_value->number() : Number(0);
    if (const auto sum = Number::Add(from, by)) {
      item.Set(name, AttributeValue(*sum));
    }
  }
}

// DynamoDB refuses a transaction with two actions on one item. A value that follows from several rows (a total) is one action.
void WriteTrial::CheckTwice(const BoundStep& bound, const std::vector<ItemAction>& actions) {
  std::set<std::string> places;
  for (const ItemAction& action : actions) {
    if (!action.own || !places.insert(action.place).second) {
      continue;
    }
    const auto before = std::ranges::find(in_transaction_, action.place,
                                          &std::pair<std::string, std::string>::first);
    if (before != in_transaction_.end()) {
      faults_.push_back("the transaction writes one item of " + bound.step->entity.text +
                        " twice, which DynamoDB refuses: make it one update, or name two rows by "
                        "two parameters");
    }
  }
  for (const std::string& place : places) {
    in_transaction_.emplace_back(place, bound.step->entity.text);
  }
}

WriteTrial::Outcome WriteTrial::SendStep(const BoundWrite& write, const BoundStep& bound) {
  const StepRows rows = RowsOfStep(*model_, bound, data_);
  Dataset after = data_;
  ApplyChanges(rows.changes, after);
  DeriveAggregates(*model_, after);
  ItemsByKey ideal = RenderByKey(*model_, after);
  // A step that rows refuse is sent all the same: the items must refuse it too.
  StepActions actions =
      ActionsOfStep(*model_, bound, rows.changes, data_, {ideal_, ideal}, stored_);
  const bool applies = !rows.refused && MayApply(bound, actions.request);
  if (!rows.refused && !applies) {
    faults_.push_back("a row of " + bound.step->entity.text +
                      " was refused although no such row exists: the item of another row has "
                      "its key");
  }
  if (!applies) {
    return Outcome::kRefused;
  }
  CheckTwice(bound, actions.request);
  for (const ItemAction& action : actions.request) {
    Apply(action);
  }
  std::vector<ItemAction>& waiting = waiting_[&write];
  waiting.insert(waiting.end(), actions.after.begin(), actions.after.end());
  data_ = std::move(after);
  ideal_ = std::move(ideal);
  return Outcome::kDone;
}

WriteTrial::Outcome WriteTrial::Send(const BoundWrite& bound, const WriteRequest& request) {
  in_transaction_.clear();
  if (request.copies) {
    for (const ItemAction& action : waiting_[&bound]) {
      Apply(action);
    }
    waiting_.erase(&bound);
    return Outcome::kDone;
  }
  // One step changes nothing when it is refused.
  const std::optional<WriteTrial> before =
      request.last - request.first > 1 ? std::optional<WriteTrial>(*this) : std::nullopt;
  for (std::size_t i = request.first; i < request.last; ++i) {
    if (SendStep(bound, bound.steps[i]) == Outcome::kDone) {
      continue;
    }
    if (before) {
      std::vector<std::string> faults = std::move(faults_);
      *this = *before;
      faults_ = std::move(faults);
    }
    return Outcome::kRefused;
  }
  RefreshLater();
  return Outcome::kDone;
}

WriteTrial::Outcome WriteTrial::SendAll(const BoundWrite& bound) {
  for (const WriteRequest& request : RequestsOf(*model_, *bound.write)) {
    if (Send(bound, request) == Outcome::kRefused) {
      return Outcome::kRefused;
    }
  }
  return Outcome::kDone;
}

// Attributes that a stream or a batch keeps are right in the end.
void WriteTrial::RefreshLater() {
  for (auto& [place, placed] : stored_) {
    const auto ideal = ideal_.find(place);
    if (ideal == ideal_.end() || IsLock(placed.entity)) {
      continue;
    }
    std::vector<std::string> gone;
    for (const auto& [name, value] : placed.item) {
      if (ideal->second.item.Find(name) == nullptr && IsKeptLaterOn(*model_, placed.entity, name)) {
        gone.push_back(name);
      }
    }
    for (const std::string& name : gone) {
      placed.item.Remove(name);
    }
    for (const auto& [name, value] : ideal->second.item) {
      const AttributeValue* now = placed.item.Find(name);
      if ((now == nullptr || !(*now == value)) && IsKeptLaterOn(*model_, placed.entity, name)) {
        placed.item.Set(name, value);
      }
    }
  }
}

std::vector<std::string> WriteTrial::Differences() const {
  std::vector<std::string> out;
  const auto add = [&](std::string text) {
    if (out.size() < kDifferencesMax) {
      out.push_back(std::move(text));
    }
  };
  for (const auto& [place, placed] : stored_) {
    const auto ideal = ideal_.find(place);
    if (ideal == ideal_.end()) {
      add("the item " + RowText(placed.key) + " of " + placed.entity +
          " stays, although no row makes it any more");
      continue;
    }
    std::set<std::string> names;
    for (const Item* item : {&placed.item, &ideal->second.item}) {
      for (const auto& [name, value] : *item) {
        names.insert(name);
      }
    }
    for (const std::string& name : names) {
      const AttributeValue* now = placed.item.Find(name);
      const AttributeValue* right = ideal->second.item.Find(name);
      if (now != nullptr && right != nullptr && *now == *right) {
        continue;
      }
      add("`" + name + "` of the " + placed.entity + " " + RowText(placed.key) + " is " +
          ShortText(now) + " and should be " + ShortText(right) +
          KeptByWhom(*model_, placed.entity, name));
    }
  }
  for (const auto& [place, ideal] : ideal_) {
    if (!stored_.contains(place)) {
      add("the item " + RowText(ideal.key) + " of " + ideal.entity + " is missing");
    }
  }
  return out;
}

}  // namespace prejoin::model
