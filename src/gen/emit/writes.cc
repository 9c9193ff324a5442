// The function of a write: for each step, read what must be known first (the originals of copies, the item before an update that renders
// keys again), then collect actions: put, update, remove, a change of rows inside an item, the copies that change in the same
// transaction. Steps that belong together send all actions at once, others one after the other. Copies kept by a batch are refreshed
// after it.
//
// A function that reads before it writes retries: it writes under the condition that what it read still holds, and starts again if it
// does not.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gen/emit/names.h"
#include "gen/emit/package.h"
#include "gen/emit/write_inputs.h"
#include "gen/words.h"

namespace prejoin::gen::emit {
namespace {

bool NeedsTransaction(const WriteStepCode& step) {
  const auto in_transaction = [](const auto& one) {
    return one.upkeep == model::CopyUpkeep::kTransaction;
  };
  return std::ranges::any_of(step.refreshes, in_transaction) ||
         (step.kind == WriteStepCode::Kind::kPut &&
          std::ranges::any_of(step.entity->copies, in_transaction));
}

}  // namespace

// One write being written. Single thread. Borrows everything it is given.
class WriteCode : private WriteInputs {
 public:
  WriteCode(Package& package, const WriteFunction& function)
      : WriteInputs(package, function) {}

  void Write() {
    const std::string& title = function_.write->title;
    const bool many = !function_.together &&
                      std::ranges::any_of(function_.write->steps, [](const auto& step) {
                        return step.times != 1 || !step.for_each.text.empty();
                      });
    Parts parts = {{"called", function_.name},
                   {"title", (title.empty() ? function_.write->name.text : CommentText(title)) +
                                 (many ? ". Call it for each row" : "")},
                   {"titled", !title.empty()},
                   {"refusals", Refusals()}};
    Inputs(parts);
    const bool apart = !function_.together && function_.steps.size() > 1;
    const bool retries = !apart && std::ranges::any_of(function_.steps, Retries);
    if (apart) {
      BodyByStep();
    } else {
      Body();
    }
    parts.insert_or_assign("body", say(retries ? "retrying" : "once", {{"body", Statements()}}));
    to_.Emit("write", parts);
  }

  static bool Cascades(const WriteStepCode& step) { return !step.cascade.empty(); }

  static bool Retries(const WriteStepCode& step) {
    return step.reads_before() || NeedsTransaction(step) || !step.recopied.empty() ||
           std::ranges::any_of(step.cascade, [](const WriteStepCode& one) {
             return !one.locks.empty() || !one.totals.empty() || !one.beside.empty();
           });
  }

 private:
  // ---- Statements

  struct Statement {
    std::string text;
    bool call = false;  // A call that may fail, and gives nothing.
  };

  void Call(const std::string& call) { statements_.push_back({call, true}); }

  std::string Statements() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const bool last = i + 1 == statements_.size();
      lines.push_back(statements_[i].call
                          ? say("call", {{"value", statements_[i].text}, {"last", last}})
                          : statements_[i].text);
    }
    const bool returned = !statements_.empty() && statements_.back().call;
    if (std::string end = say.Maybe("end", {{"returned", returned}}); !end.empty()) {
      lines.push_back(std::move(end));
    }
    return Join(lines, "\n");
  }

  // The body of a loop.
  std::string Body(const std::vector<Statement>& statements) const {
    std::vector<std::string> lines;
    for (const Statement& one : statements) {
      lines.push_back(one.call ? say("call", {{"value", one.text}, {"last", false}}) : one.text);
    }
    return Join(lines, "\n");
  }

  struct Action {
    std::string text;
    bool list = false;       // Several actions in one.
    std::string alone = {};  // The statement that does the same, if it is the only action.
  };

  void Send(const std::vector<Action>& actions) {
    if (actions.size() == 1 && !actions[0].alone.empty()) {
      Call(actions[0].alone);
      return;
    }
    std::vector<std::string> all;
    std::vector<std::string> ones;
    std::vector<std::string> lists;
    for (const Action& action : actions) {
      all.push_back(action.list ? say("spread", {{"list", action.text}}) : action.text);
      (action.list ? lists : ones).push_back(action.text);
    }
    if (!actions.empty()) {
      Call(say("send", {{"actions", all}, {"ones", ones}, {"lists", lists}}));
    }
  }

  void Body() {
    std::vector<Action> actions;
    if (function_.collects()) {
      statements_.push_back({say("collect_begin")});
    }
    for (const WriteStepCode& step : function_.steps) {
      Step(step, actions);
    }
    if (function_.collects()) {
      Call(say("collect_end", {{"groups", !function_.together && Cascades(function_.steps[0])}}));
    } else {
      Send(actions);
    }
    for (const WriteStepCode& step : function_.steps) {
      RefreshLater(step);
    }
  }

  // Each step is written, and tried again, on its own.
  void BodyByStep() {
    int retried = 0;
    for (const WriteStepCode& step : function_.steps) {
      const std::vector<Statement> before = std::exchange(statements_, {});
      std::vector<Action> actions;
      const bool collects = !step.totals.empty() || !step.cascade.empty();
      if (collects) {
        statements_.push_back({say("collect_begin")});
      }
      originals_.clear();
      if (collects) {
        Collected(step);
        Call(say("collect_end", {{"groups", Cascades(step)}}));
      } else {
        Prepare(step, actions);
        Actions(step, actions);
        Send(actions);
      }
      RefreshLater(step);
      std::vector<Statement> after = before;
      if (Retries(step) || collects) {
        const std::string number = ++retried == 1 ? "" : std::to_string(retried);
        const Parts parts = {{"body", Statements()}, {"number", number}};
        after.push_back({say("retried", parts), say.Has("retried_is_call")});
      } else {
        after.insert(after.end(), statements_.begin(), statements_.end());
      }
      statements_ = std::move(after);
    }
  }

  void Step(const WriteStepCode& step, std::vector<Action>& actions) {
    if (function_.collects()) {
      Collected(step);
      return;
    }
    Prepare(step, actions);
    Actions(step, actions);
  }

  // The actions of a step join those that were collected before, row by row where there are several.
  void Collected(const WriteStepCode& step) {
    for (const WriteStepCode& child : step.cascade) {
      Found(step, child);
    }
    std::vector<Statement> outer;
    if (step.many) {
      outer = std::exchange(statements_, {});
      originals_.clear();
    }
    std::vector<Action> actions;
    Prepare(step, actions);
    Actions(step, actions);
    Collect(actions);
    Totals(step);
    if (step.many) {
      outer.push_back({say("loop", {{"rows", RowsWords(step)}, {"row", Row(step)}, {"body", Body(statements_)}})});
      statements_ = std::move(outer);
      originals_.clear();
    }
  }

  // The rows that go with a deleted one.
  void Found(const WriteStepCode& step, const WriteStepCode& child) {
    std::vector<Statement> outer = std::exchange(statements_, {});
    std::vector<Action> actions;
    Actions(child, actions);
    Collect(actions);
    Totals(child);
    std::vector<std::string> arguments;
    std::vector<std::string> values;
    for (const model::Parameter& parameter : child.find->parameters) {
      values.push_back(Member(step, parameter.name));
      arguments.push_back(
          say("finder_argument", {{"attribute", parameter.name}, {"value", values.back()}}));
    }
    const Parts parts = {{"finder", child.finder},   {"row", Row(step)}, {"each", Row(child)},
                         {"arguments", arguments},   {"values", values},
                         {"found", FoundWords(child)}};
    if (say.Has("find_copies")) {
      outer.push_back({say("find_copies", parts)});
    }
    outer.push_back({say("loop_found", Also(parts, {{"body", Body(statements_)}}))});
    statements_ = std::move(outer);
  }

  static std::string FoundWords(const WriteStepCode& child) {
    return Plural(child.entity->name) + " with it";
  }

  void Collect(const std::vector<Action>& actions) {
    for (const Action& action : actions) {
      statements_.push_back({say(action.list ? "collect_all" : "collect", {{"action", action.text}})});
    }
  }

  // The amounts that the row no longer adds to totals, and those that it does.
  void Totals(const WriteStepCode& step) {
    std::vector<std::string> taken;
    std::vector<std::string> added;
    for (const TotalCode& total : step.totals) {
      if (total.taken) {
        taken.push_back(TakenText(step, total));
      }
      if (std::string text = total.added ? AddedText(step, total) : ""; !text.empty()) {
        added.push_back(std::move(text));
      }
    }
    const bool sure = step.find != nullptr || step.kind == Kind::kUpdate;
    if (!sure && !taken.empty()) {
      taken = {say("if_there", {{"before", before_}, {"body", Join(taken, "\n")}})};
    }
    for (const std::vector<std::string>* texts : {&taken, &added}) {
      for (const std::string& text : *texts) {
        statements_.push_back({text});
      }
    }
  }

  // Reads what must be known first.
  void Prepare(const WriteStepCode& step, std::vector<Action>& actions) {
    same_.clear();
    check_of_.clear();
    if (step.kind == Kind::kPut) {
      for (const StoredCopy& copy : step.entity->copies) {
        Original(step, copy, actions);
      }
    }
    if (step.reads_before()) {
      ReadBefore(step);
    }
    for (const StoredCopy& copy : step.recopied) {
      Original(step, copy, actions);
    }
  }

  void ReadBefore(const WriteStepCode& step) {
    if (++read_before_ > 1) {
      before_ = "before" + std::to_string(read_before_);
    }
    statements_.push_back({say("read_before", {{"before", before_},
                                               {"table", step.entity->table},
                                               {"key", OwnKey(step)},
                                               {"entity_name", step.entity->name},
                                               {"deletes", step.kind != Kind::kUpdate || !step.condition.tests.empty()}})});
    rest_.clear();
    for (const WriteStepCode::Rest& rest : step.rest) {
      rest_.push_back("before" + std::to_string(++read_before_));
      statements_.push_back({say("read_before", {{"before", rest_.back()},
                                                 {"table", rest.layout->table},
                                                 {"key", KeyOf(step, rest.key, When::kBefore)},
                                                 {"entity_name", step.entity->name},
                                                 {"deletes", true}})});
    }
    if (!step.condition.tests.empty()) {
      const Parts parts = {{"entity_name", step.entity->name}, {"tests", TestTexts(step)}};
      if (say.Has("demand_is_call")) {
        Call(say("demand", parts));
      } else {
        statements_.push_back({say("demand", parts)});
      }
    }
    for (const Counter& counter : step.counted) {
      const auto before = std::ranges::find(
          step.read_before, counter.attribute,
          [](const FieldSource& source) { return source.field.name; });
      statements_.push_back(
          {say("counted", {{"variable", CountedName(step, counter.attribute)},
                           {"value", in_.Source("stored", *before, before_, /*loose=*/true)},
                           {"by", in_.Literal(counter.by)}})});
    }
  }

  void Original(const WriteStepCode& step, const StoredCopy& copy, std::vector<Action>& actions) {
    if (copy.given()) {
      return;
    }
    const Parts parts = {{"entity", to_.program_.CodeName(copy.original.entity)},
                         {"original", OriginalWords(to_.program_, copy.original.entity)},
                         {"entity_name", copy.original.entity},
                         {"table", copy.original.table},
                         {"key", KeyOf(step, copy.original.key)},
                         {"attribute", copy.original_attribute},
                         {"value", OriginalText(copy)}};
    if (originals_.insert(copy.original.entity).second) {
      statements_.push_back({say("read_original", parts)});
    }
    if (copy.upkeep != model::CopyUpkeep::kTransaction) {
      return;
    }
    // One action looks at all that is copied from one item.
    std::vector<std::string>& same = same_[copy.original.entity];
    same.push_back(RowPair(copy.original_attribute, OriginalText(copy)));
    const std::string text = say("unchanged", Also(parts, {{"same", Changes(same)}}));
    if (same.size() == 1) {
      check_of_[copy.original.entity] = actions.size();
      actions.push_back({text});
    } else {
      actions[check_of_[copy.original.entity]].text = text;
    }
  }

  // The parts of every action: whose item it is and where.
  Parts Head(const WriteStepCode& step) const {
    return {{"entity", to_.program_.CodeName(step.entity->name)},
            {"entity_name", step.entity->name},
            {"table", step.entity->table},
            {"row", Row(step)}};
  }

  // The action as a statement of its own, where a language has one and nothing but its key is demanded of the stored item.
  std::string Alone(const WriteStepCode& step, const char* entry, const Parts& parts) {
    const bool plain = step.condition.expression.empty() && ExpectedText(step).empty();
    return plain ? say.Maybe(entry, parts) : "";
  }

  void Actions(const WriteStepCode& step, std::vector<Action>& actions) {
    Parts parts = Head(step);
    std::string row;
    if (!step.written) {
      if (step.reads_before()) {
        actions.push_back({say("unchanged", Also(parts, {{"key", OwnKey(step)}, {"same", ExpectedText(step)}}))});
      }
    } else if (step.kind == Kind::kPut) {
      std::vector<std::string> copies;
      for (const StoredCopy& copy : step.entity->copies) {
        copies.push_back(
            say("copy_argument", {{"attribute", copy.attribute}, {"value", OriginalText(copy)}}));
      }
      parts.insert_or_assign("guard", step.once ? Quoted(step.key[0].attribute) : "");
      parts.insert_or_assign("expected", ExpectedText(step));
      row = RowWith(step);
      parts.insert_or_assign("row", row);
      parts.insert_or_assign("copies", copies);
      actions.push_back({Conditional(step, say("put", parts)), false, Alone(step, "put_alone", parts)});
    } else if (step.moves) {
      parts.insert_or_assign("key", OwnKey(step));
      parts.insert_or_assign("new_key", KeyOf(step, step.key));
      parts.insert_or_assign("before", before_);
      parts.insert_or_assign("changes", ChangesText(step));
      actions.push_back({say("move", parts), true});
    } else if (step.kind == Kind::kUpdate || step.kind == Kind::kDelete) {
      parts.insert_or_assign("key", OwnKey(step));
      parts.insert_or_assign("expected", ExpectedText(step));
      const bool update = step.kind == Kind::kUpdate;
      if (update) {
        parts.insert_or_assign("changes", ChangesText(step));
      }
      actions.push_back({Conditional(step, say(update ? "update" : "remove", parts)), false,
                         update ? "" : Alone(step, "remove_alone", parts)});
    } else {
      Inside(step, actions);
    }
    for (const WriteStepCode& other : step.beside) {
      BesideAction made = BesideActionOf(other, row);
      actions.push_back({std::move(made.text), made.list});
    }
    for (const WriteStepCode::Rest& rest : step.rest) {
      if (std::ranges::find(step.beside, rest.layout, &WriteStepCode::entity) == step.beside.end()) {
        const Parts other = {{"entity_name", step.entity->name},
                             {"table", rest.layout->table},
                             {"key", KeyOf(step, rest.key, When::kBefore)},
                             {"same", RestOf(step, *rest.layout)}};
        actions.push_back({say("unchanged", other)});
      }
    }
    // After the item itself: if it has changed meanwhile, that is what went wrong.
    for (const LockCode& lock : step.locks) {
      actions.push_back({LockAction(step, lock), true});
    }
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep == model::CopyUpkeep::kTransaction) {
        RefreshTogether(step, refresh, actions);
      }
    }
  }

  // Returns the row with the values that the write states.
  std::string RowWith(const WriteStepCode& step) {
    std::vector<std::string> values;
    std::vector<std::string> all;
    for (const Field& field : step.entity->fields) {
      const bool fixed = step.IsConstant(field.name) || Has(step.lacks, field.name) ||
                         IsCounted(step, field.name);
      const std::string value = NewMember(step, field.name, /*bare=*/true);
      all.push_back(value);
      if (fixed) {
        values.push_back(say("fixed_value", Also(to_.FieldParts(field),
                                                 {{"row", Row(step)},
                                                  {"value", value},
                                                  {"nothing", value == Nothing()}})));
      }
    }
    if (values.empty()) {
      return Row(step);
    }
    const Parts parts = {
        {"row", Row(step)}, {"type", RowType(step)}, {"values", values}, {"all", all}};
    if (say.Has("fix_row")) {
      statements_.push_back({say("fix_row", parts)});
    }
    return say("row_with", parts);
  }

  // ---- Copies elsewhere

  Parts RefreshParts(const WriteStepCode& step, const CopyRefresh& refresh) const {
    std::vector<std::string> arguments;
    std::vector<std::string> values;
    for (const model::Parameter& parameter : refresh.find->parameters) {
      values.push_back(Member(step, parameter.name));
      arguments.push_back(
          say("finder_argument", {{"attribute", parameter.name}, {"value", values.back()}}));
    }
    const EntityCode& holder = *to_.program_.FindEntity(refresh.holder);
    PatternFunction find = *refresh.find;
    find.name = say.Has("pattern_name") ? say("pattern_name", {{"called", FinderName(refresh)}})
                                        : FinderName(refresh);
    const std::string value = NewMember(step, refresh.attribute);
    const bool fixed = step.IsConstant(refresh.attribute) || IsCounted(step, refresh.attribute) ||
                       step.renamed.contains(refresh.attribute);
    return {
        {"called", refresh.name},
        {"finder", FinderName(refresh)},
        {"found", CopiesWords(refresh)},
        {"found_type", find.sections[0].entity_rows ? to_.program_.TypeName(find.sections[0].entity)
                                                    : RowTypeName(find, 0)},
        {"row", Row(step)},
        {"fixed", fixed ? RowPair(refresh.attribute, value) : ""},
        {"arguments", arguments},
        {"values", values},
        {"changed_value", value},
        {"changed", say("finder_argument", {{"attribute", refresh.attribute}, {"value", value}})},
        {"holder", holder.name},
        {"table", holder.table},
        {"key", to_.RowKey(holder, "row")},
        {"changes", Changes({Change(refresh.stored, value)})}};
  }

  // The updates of all copies, among other actions.
  void RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh,
                       std::vector<Action>& actions) {
    const Parts parts = RefreshParts(step, refresh);
    if (say.Has("find_copies")) {
      statements_.push_back({say("find_copies", parts)});
    }
    actions.push_back({say("update_copies", parts), true});
  }

  void RefreshLater(const WriteStepCode& step) {
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep != model::CopyUpkeep::kTransaction &&
          refresh.upkeep != model::CopyUpkeep::kStream) {
        const std::string call = say("refresh_call", RefreshParts(step, refresh));
        if (step.many) {
          const std::string body = say("call", {{"value", call}, {"last", false}});
          statements_.push_back(
              {say("loop", {{"rows", RowsWords(step)}, {"row", Row(step)}, {"body", body}})});
        } else {
          Call(call);
        }
      }
    }
  }

  // ---- Rows inside an item

  static std::vector<Field> Changed(const WriteStepCode& step) {
    std::vector<Field> fields = step.set;
    fields.insert(fields.end(), step.removed.begin(), step.removed.end());
    return fields;
  }

  void Inside(const WriteStepCode& step, std::vector<Action>& actions) {
    const std::vector<std::string> row =
        MemberTexts(step, step.kind == Kind::kUpdateIn ? Changed(step) : step.members);
    const Parts parts = Also(Head(step), {{"key", KeyOf(step, step.key)}, {"expected", ""}});
    if (step.in.map) {
      actions.push_back(
          {say("update", Also(parts, {{"changes", MapChanges(step, Changes(row))}}))});
      return;
    }
    std::vector<std::string> names;
    for (const Field& field : step.member_keys) {
      names.push_back(field.name);
    }
    const std::vector<std::string> key = MemberTexts(step, step.member_keys);
    const char* entry = step.kind == Kind::kPutIn      ? "with_row"
                        : step.kind == Kind::kDeleteIn ? "without_row"
                                                       : "with_changes";
    const std::string change = say(entry, {{"row", Changes(row)},
                                           {"pairs", row},
                                           {"key", Changes(key)},
                                           {"key_pairs", key},
                                           {"names", QuotedAll(names)}});
    Call(say("rewrite_list", Also(parts, {{"attribute", step.in.attribute}, {"change", change}})));
  }

  std::set<std::string> originals_;
  // For the current step, by original: the values that must be unchanged, and the action that checks them.
  std::map<std::string, std::vector<std::string>> same_;
  std::map<std::string, std::size_t> check_of_;
  int read_before_ = 0;  // Steps so far.
  std::vector<Statement> statements_;
};

void Package::Writes() {
  section_ = "writes";
  std::set<std::string> seen;
  for (const WriteFunction& function : program_.writes) {
    for (const WriteStepCode& step : function.steps) {
      for (const CopyRefresh& refresh : step.refreshes) {
        if (function.refusal.empty() && seen.insert(refresh.name).second) {
          Refresh(step, refresh);
        }
      }
      for (const WriteStepCode& child : step.cascade) {
        if (function.refusal.empty() && seen.insert(child.finder).second) {
          PatternFunction find = *child.find;
          find.name = child.finder;
          Pattern(find, /*exported=*/false);
        }
      }
    }
  }
  for (const WriteFunction& function : program_.writes) {
    if (function.refusal.empty()) {
      WriteCode(*this, function).Write();
    } else {
      Emit("refused", {{"reason", CommentText("No function for " + function.write->name.text +
                                              ": " + function.refusal + ".")}});
    }
  }
}

}  // namespace prejoin::gen::emit
