// Rules about writes: keys that move, puts that overwrite, counters that drift.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "model/check/checker.h"
#include "model/cost/write_cost.h"
#include "model/layout/layout_edits.h"
#include "model/plan/expectation.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr std::array kWriteRules = std::to_array<Rule>({
    {"PJ228", "moving-key", Severity::kWarning, "an update changes the table's key",
     "DynamoDB cannot change the key of an item: the write deletes the old item and puts a new one "
     "in a transaction, at four times the WCU.",
     "Keep changing attributes out of the table's key; an index can sort by them."},
    {"PJ229", "overwriting-put", Severity::kWarning,
     "a put can overwrite what another write has set",
     "A second put of the same row replaces the whole item: a grade, a status or a counter that "
     "was set in the meantime is lost.",
     "Add `once` to the put, or update the row instead."},
    {"PJ232", "counter-apart", Severity::kWarning,
     "a row and the counter that counts it are written by separate requests",
     "A failure between the two requests leaves the counter wrong, and nothing corrects it.",
     "Add `together` to the write: one transaction, at twice the write units."},
});

// PJ228
void CheckMovingKeys(Checker& checker) {
  for (const Write& write : checker.model.writes) {
    for (const WriteStep& step : write.steps) {
      if (MovesAnItem(checker.model, step)) {
        checker.Report(
            RuleIn(kWriteRules, "PJ228"), step.entity.at,
            "`" + write.name.text + "` changes the key of its item: it becomes a delete and a put");
      }
    }
  }
}

// True if `once` on the item guards the row: the table's key holds nothing but the row's own.
bool KeyIsTheRows(const Model& model, const Entity& rows) {
  return std::ranges::any_of(model.LayoutsOf(rows), [&](const Model::Placement& placement) {
    const std::set<std::string> names =
        KeyAttributes(model, placement.layout->entity, View{placement.table, nullptr});
    return std::ranges::all_of(names, [&](const std::string& name) {
      const Attribute* attribute = rows.Find(name);
      return attribute != nullptr && attribute->is_key;
    });
  });
}

// PJ229: an entity that one write puts without a condition, and another one changes.
void CheckOverwritingPuts(Checker& checker) {
  std::map<std::string, const Write*> changed;
  for (const Write& write : checker.model.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.kind == WriteKind::kUpdate) {
        changed.try_emplace(step.entity.text, &write);
      }
    }
  }
  for (const Write& write : checker.model.writes) {
    for (const WriteStep& step : write.steps) {
      const auto found = changed.find(step.entity.text);
      if (step.kind != WriteKind::kPut || step.once || found == changed.end() ||
          !KeyIsTheRows(checker.model, checker.model.At(step.entity))) {
        continue;
      }
      const std::string line = "put " + step.entity.text;
      const bool plain = step.times == 1 && step.for_each.text.empty();
      checker.Report(RuleIn(kWriteRules, "PJ229"), step.entity.at,
                     "`" + write.name.text + "` puts a row of `" + step.entity.text +
                         "` that may exist already, and loses what `" + found->second->name.text +
                         "` has set",
                     plain ? Proposal(std::vector{ReplaceIn("write " + write.name.text,
                                                            step.entity.at, line, line + " once")})
                           : Proposal());
    }
  }
}

// PJ232
void CheckCountersApart(Checker& checker) {
  for (const Write& write : checker.model.writes) {
    if (write.together) {
      continue;
    }
    for (const WriteStep& counts : write.steps) {
      const Entity& counter = checker.model.At(counts.entity);
      if (counts.kind != WriteKind::kUpdate || counts.increments.empty()) {
        continue;
      }
      const auto counted = std::ranges::find_if(write.steps, [&](const WriteStep& step) {
        const Entity& rows = checker.model.At(step.entity);
        return step.kind != WriteKind::kUpdate && !JoinColumns(rows, counter).empty();
      });
      if (counted == write.steps.end()) {
        continue;
      }
      const bool bounded = std::ranges::all_of(
          write.steps, [](const WriteStep& step) { return step.for_each.text.empty(); });
      const LineEdit together = AddTo("write " + write.name.text, write.name.at, {"together"});
      checker.Report(RuleIn(kWriteRules, "PJ232"), counts.entity.at,
                     "`" + write.name.text + "` " +
                         (counted->kind == WriteKind::kPut ? "puts" : "deletes") + " a row of `" +
                         counted->entity.text + "` and changes `" + counts.entity.text + "." +
                         counts.increments.front().attribute.text + "` in separate requests",
                     bounded ? Proposal(std::vector{together}) : Proposal());
    }
  }
}

void CheckWrites(Checker& checker) {
  CheckMovingKeys(checker);
  CheckOverwritingPuts(checker);
  CheckCountersApart(checker);
}

}  // namespace

constinit const RuleFamily kWriteFamily = {kWriteRules, CheckWrites};

}  // namespace prejoin::model
