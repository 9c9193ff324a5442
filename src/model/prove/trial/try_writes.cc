#include "model/prove/trial/try_writes.h"

#include <algorithm>
#include <set>

#include "model/prove/compare_rows.h"
#include "model/prove/predictor.h"
#include "model/prove/run_plan.h"
#include "model/prove/trial/interleave.h"
#include "model/prove/trial/rows_that_go.h"
#include "model/prove/trial/transaction_limits.h"
#include "model/prove/trial/write_trial.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kTrialProblemsMax = 6;
constexpr std::size_t kAgainArgumentSets = 2;

class WriteTryer {
 public:
  WriteTryer(const Model& model, const Dataset& data, const std::vector<Plan>& plans,
             const Write& write, WriteProof& proof)
      : model_(model),
        plans_(plans),
        write_(write),
        proof_(proof),
        bound_(BindWrite(model, write, data)),
        again_(BindWrite(model, write, data, {0, true, nullptr})),
        start_(model, Possible() ? RowsNear(model, data, {&bound_, &again_}) : Dataset()) {}

  Status Run() {
    for (const std::string& fault : TransactionFaults(model_, write_)) {
      Problem(fault);
    }
    for (const std::string& fault : RowsLeftBehind(model_, write_)) {
      Problem(fault);
    }
    for (const std::string& fault : GuardsThatLag(model_, write_)) {
      Problem(fault);
    }
    CheckKnownKeys();
    CheckGuards();
    CheckUniqueUpdates();
    CheckOneToOne();
    if (!Possible()) {
      return {};  // Reported where it is run.
    }
    start_.Compute(bound_);
    WriteTrial once = start_;
    const WriteTrial::Outcome outcome = once.SendAll(bound_);
    Report("", once);
    if (outcome == WriteTrial::Outcome::kDone && proof_.problems.empty()) {
      PJ_RETURN_IF_ERROR(AskAgain(once));
    }
    WriteTrial twice = once;
    twice.SendAll(bound_);
    Report("sent twice: ", twice);
    TryReplacing();
    TryStopping();
    return {};
  }

 private:
  bool Possible() const { return bound_.impossible.empty() && again_.impossible.empty(); }

  void Problem(std::string text) {
    const bool known = std::ranges::find(proof_.problems, text) != proof_.problems.end();
    if (!known && proof_.problems.size() < kTrialProblemsMax) {
      proof_.problems.push_back(std::move(text));
    }
  }

  void Report(const std::string& when, const WriteTrial& trial) {
    for (const std::string& fault : trial.faults()) {
      Problem(fault);
    }
    if (!proof_.problems.empty() && !when.empty()) {
      return;  // Later differences follow from these problems.
    }
    for (const std::string& difference : trial.Differences()) {
      Problem(when + difference);
    }
  }

  // A condition in a later request of its own: what was written before it stays when it fails.
  void CheckGuards() {
    if (write_.together) {
      return;
    }
    for (std::size_t i = 1; i < write_.steps.size(); ++i) {
      if (!write_.steps[i].guard.empty()) {
        Problem("half of the write stays where the condition of `" +
                RequestText(write_, {i, i + 1, false}) + "` fails: it " +
                RequestText(write_, {0, 1, false}) +
                " in a request before it; add `together`, or check the condition first");
      }
    }
  }

  // The facts about the row that a caller knows: the parameters, and the content of items whose key they give.
  std::set<std::string> Known(const WriteStep& step, const Entity& entity) const {
    std::set<std::string> known;
    for (const Condition& condition : step.where) {
      if (condition.comparison == Comparison::kEqual) {
        known.insert(condition.attribute.text);
      }
    }
    for (const Model::Placement& placement : model_.LayoutsOf(step.entity.text)) {
      if (Unknown(placement, known).empty()) {
        for (const Attribute& attribute : entity.attributes) {
          if (!placement.layout->Omits(attribute.name.text)) {
            known.insert(attribute.name.text);
          }
        }
      }
    }
    return known;
  }

  // The attributes of the table's key that are not known.
  static std::vector<std::string> Unknown(const Model::Placement& placement,
                                          const std::set<std::string>& known) {
    std::vector<std::string> unknown;
    for (const Name* name : {&placement.table->partition, &placement.table->sort}) {
      const StoredAttribute* stored =
          name->text.empty() ? nullptr : placement.layout->Find(name->text);
      for (const std::string& part :
           stored != nullptr ? stored->key.Attributes() : std::vector<std::string>()) {
        if (!known.contains(part)) {
          unknown.push_back(part);
        }
      }
    }
    return unknown;
  }

  // An update or delete that does not know the key of its item.
  void CheckKnownKeys() {
    for (const WriteStep& step : write_.steps) {
      const Entity& entity = model_.At(step.entity);
      if (step.kind == WriteKind::kPut || step.where.empty()) {
        continue;
      }
      const std::set<std::string> known = Known(step, entity);
      for (const Model::Placement& placement : model_.LayoutsOf(step.entity.text)) {
        const std::vector<std::string> unknown = Unknown(placement, known);
        if (!unknown.empty()) {
          Problem("its parameters do not determine the key of the item: `" + unknown[0] +
                  "` is part of it; add to `where`: and " + unknown[0] + " = :" + unknown[0]);
        }
      }
    }
  }

  void CheckUniqueUpdates() {
    for (const WriteStep& step : write_.steps) {
      const Entity& entity = model_.At(step.entity);
      const Model::Placement placement = model_.FindPlacement(step.entity.text);
      if (step.kind != WriteKind::kUpdate || !placement) {
        continue;
      }
      for (const Name& name : step.set) {
        const Attribute* attribute = entity.Find(name.text);
        const std::vector<Name>& locks = placement.layout->locks;
        if (attribute == nullptr || !attribute->unique || attribute->is_key ||
            std::ranges::find(locks, name) != locks.end()) {
          continue;
        }
        Problem("nothing keeps `" + name.text + "` unique when " + write_.name.text +
                " sets it (PJ231); add to `item " + step.entity.text + "`: unique " + name.text +
                " by lock item");
      }
    }
  }

  // Two rows that point at the same row of a one-to-one relationship: the second must be refused.
  void CheckOneToOne() {
    for (const WriteStep& step : write_.steps) {
      const Entity& entity = model_.At(step.entity);
      const Model::Placement placement = model_.FindPlacement(step.entity.text);
      if (step.kind != WriteKind::kPut || !placement) {
        continue;
      }
      for (const Relationship& relationship : model_.relationships) {
        const bool second = relationship.to == step.entity;
        if (relationship.kind != RelationshipKind::kOneToOne ||
            (!second && !(relationship.from == step.entity))) {
          continue;
        }
        CheckReference(entity, placement, model_.At(second ? relationship.from : relationship.to));
      }
    }
  }

  void CheckReference(const Entity& entity, const Model::Placement& placement,
                      const Entity& target) {
    const std::vector<JoinColumn> columns = JoinColumns(entity, target);
    if (columns.empty()) {
      return;
    }
    const auto references = [&](const std::string& name) {
      return std::ranges::any_of(columns, [&](const auto& column) { return column.from == name; });
    };
    // The key is the reference, or the reference has a lock or is the item's key.
    const std::vector<std::string> keys = entity.KeyNames();
    const bool locked =
        columns.size() == 1 && std::ranges::any_of(placement.layout->locks, [&](const Name& lock) {
          return references(lock.text);
        });
    if (locked || std::ranges::all_of(keys, references)) {
      return;
    }
    Problem("a second " + entity.name.text + " for one " + target.name.text +
            " is written, and the relationship is one-to-one: make `" + columns[0].from +
            "` the key of " + entity.name.text +
            " and put it `once`, or keep it unique by lock item");
  }

  // A put that replaces a row: with another value in whatever may have one.
  void TryReplacing() {
    const bool replaces = std::ranges::any_of(write_.steps, [](const WriteStep& step) {
      return step.kind == WriteKind::kPut && !step.once && step.times == 1 &&
             step.for_each.text.empty();
    });
    if (!replaces) {
      return;
    }
    start_.Compute(again_);
    WriteTrial trial = start_;
    trial.SendAll(again_);
    Report("sent for an existing row, with other values: ", trial);
  }

  // The program stops between two requests.
  void TryStopping() {
    const std::vector<WriteRequest> requests = RequestsOf(model_, write_);
    WriteTrial trial = start_;
    for (std::size_t i = 0; i + 1 < requests.size(); ++i) {
      if (trial.Send(bound_, requests[i]) == WriteTrial::Outcome::kRefused) {
        return;
      }
      Report("half of it stays if the program stops after it " + RequestText(write_, requests[i]) +
                 ": ",
             trial);
    }
  }

  // All patterns, on the items that the write has left.
  Status AskAgain(const WriteTrial& trial) {
    Predictor items;
    for (const Table& table : model_.tables) {
      PJ_RETURN_IF_ERROR(items.CreateTable(model_, table));
      std::vector<Item> stored;
      for (const auto& [place, placed] : trial.stored()) {
        if (placed.table == &table) {
          stored.push_back(placed.item);
        }
      }
      PJ_RETURN_IF_ERROR(items.Load(table.name.text, stored));
    }
    // The rows that were written come first: they are asked for.
    Dataset asked = trial.data();
    for (const BoundStep& step : bound_.steps) {
      std::vector<Row>& rows = asked.rows[step.step->entity.text];
      rows.insert(rows.begin(), step.rows.begin(), step.rows.end());
    }
    DataIndex index(trial.data());
    for (const Plan& plan : plans_) {
      if (!plan.served) {
        continue;
      }
      for (const Arguments& arguments :
           ArgumentsToTry(model_, *plan.pattern, asked, kAgainArgumentSets)) {
        const auto expected = EvaluatePattern(model_, *plan.pattern, arguments, index);
        if (const auto refused = RefusedKeys(plan, arguments, expected)) {
          if (!refused->empty()) {
            Problem("after it " + plan.pattern->name.text + " cannot run: " + *refused);
          }
          continue;
        }
        PJ_ASSIGN_OR_RETURN(const PlanRun run, RunPlan(model_, plan, arguments, items));
        for (std::size_t i = 0; i < expected.size(); ++i) {
          for (const std::string& problem :
               CompareRows(plan.pattern->sections[i], expected[i], run.sections[i])) {
            Problem("after it " + plan.pattern->name.text + " is wrong: " + problem);
          }
        }
      }
    }
    return {};
  }

  const Model& model_;
  const std::vector<Plan>& plans_;
  const Write& write_;
  WriteProof& proof_;
  BoundWrite bound_;
  BoundWrite again_;        // The same, for an existing row.
  const WriteTrial start_;  // The rows near both.
};

}  // namespace

Status TryWrites(const Model& model, const std::vector<Plan>& plans, const Dataset& data,
                 const std::function<bool()>& give_up, ProofReport& report) {
  for (std::size_t i = 0; i < model.writes.size() && i < report.writes.size(); ++i) {
    if (give_up && give_up()) {
      return Error{ErrorCode::kUnavailable, "the proof was given up"};
    }
    WriteProof& proof = report.writes[i];
    PJ_RETURN_IF_ERROR(WriteTryer(model, data, plans, model.writes[i], proof).Run());
    proof.right = proof.problems.empty();
    report.all_right = report.all_right && proof.right;
  }
  TryExpiry(model, data, report);
  return TryInterleavings(model, data, give_up, report);
}

}  // namespace prejoin::model
