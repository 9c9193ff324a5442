// The function of a write: for each step, read what must be known first (the originals of copies, the item before an update that renders
// keys again), then collect actions: put, update, remove, a change of rows inside an item, the copies that change in the same
// transaction. Steps that belong together send all actions at once, others one after the other. Copies kept by a batch are refreshed
// behind it.
//
// A function that reads before it writes retries: it writes under the condition that what it read still holds, and starts again if it
// does not.
#include <algorithm>
#include <set>

#include "gen/emit/action_texts.h"
#include "gen/emit/names.h"
#include "gen/emit/package.h"
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

std::string FinderName(const CopyRefresh& refresh) { return "Find" + refresh.name; }

}  // namespace

// One write being written. Single thread. Borrows everything it is given.
class WriteCode : private ActionTexts {
 public:
  WriteCode(Package& package, const WriteFunction& function)
      : ActionTexts(package, function), to_(package) {}

  void Write() {
    const std::string& title = function_.write->title;
    const bool many = std::ranges::any_of(function_.write->steps,
                                          [](const auto& step) { return step.times != 1; });
    Parts parts = {{"called", function_.name},
                   {"title", (title.empty() ? function_.write->name.text : CommentText(title)) +
                                 (many ? ". Call it for each row" : "")},
                   {"titled", !title.empty()},
                   {"refusals", Refusals()}};
    const bool retries = std::ranges::any_of(function_.steps, [](const WriteStepCode& step) {
      return step.reads_before() || NeedsTransaction(step);
    });
    Inputs(parts);
    Body();
    parts.insert_or_assign("body", say(retries ? "retrying" : "once", {{"body", Statements()}}));
    to_.Emit("write", parts);
  }

  // A function that brings copies up to date, and the one that finds them.
  static void Refresh(Package& to, const WriteStepCode& step, const CopyRefresh& refresh) {
    PatternFunction find = *refresh.find;
    find.name = FinderName(refresh);
    to.Pattern(find, /*exported=*/false);
    // Copies that change in the transaction of the write need the finder only.
    if (refresh.upkeep == model::CopyUpkeep::kTransaction) {
      return;
    }
    std::vector<Field> arguments;
    for (const model::Parameter& parameter : refresh.find->parameters) {
      arguments.push_back({parameter.name, parameter.type, false, {}});
    }
    const std::vector<Field> finding = arguments;
    const auto changed = std::ranges::find(step.set, refresh.attribute, &Field::name);
    arguments.push_back(*changed);
    const EntityCode& holder = *to.program_.FindEntity(refresh.holder);
    const bool stream = refresh.upkeep == model::CopyUpkeep::kStream;
    std::vector<std::string> names;
    for (const Field& field : arguments) {
      names.push_back(field.name);
    }
    const Spelling& say = to.say;
    const auto key = [&](const char* row) { return to.RowKey(holder, row); };
    to.Emit("refresh",
            {{"called", refresh.name},
             {"finder", find.name},
             {"about", "Brings the copies of " + step.entity->name + "." + refresh.attribute +
                           " on " + refresh.holder + " items up to date."},
             {"note", stream ? "For the consumer of the table's stream." : "Safe to run again."},
             {"type", kImportMark + to.program_.TypeName(step.entity->name)},
             {"names", names},
             {"parameters", to.Each("refresh_parameter", arguments)},
             {"arguments", to.Each("refresh_argument", finding)},
             {"holder", holder.name},
             {"table", holder.table},
             {"key", key(say("refreshed_row").c_str())},
             {"stored", refresh.stored},
             {"changed", changed->name}});
  }

 private:
  // ---- What the caller gives

  // The row of each step, or its key and what changes; behind a put the copies that the caller has to give, which may be absent.
  void Inputs(Parts& parts) {
    std::vector<std::string> parameters;
    std::vector<std::string> named;
    std::set<std::string> seen;
    for (const WriteStepCode& step : function_.steps) {
      if (!seen.insert(step.parameter).second) {
        continue;
      }
      if (TakesRow(step)) {
        parameters.push_back(say("row_parameter", {{"row", Row(step)}, {"type", RowType(step)}}));
      } else {
        PartsOfRow(step, parameters, named);
      }
      for (const StoredCopy& copy : step.entity->copies) {
        Field field = copy.field;
        field.optional = true;
        field.name = copy.attribute;
        if (step.kind == Kind::kPut && copy.given()) {
          (say.Has("named_parameters") ? named : parameters)
              .push_back(to_.Each("given_copy", {field})[0]);
        }
      }
    }
    parts.insert_or_assign("parameters", parameters);
    parts.insert_or_assign("named", named);
  }

  void PartsOfRow(const WriteStepCode& step, std::vector<std::string>& parameters,
                  std::vector<std::string>& named) {
    if (say.Has("part_parameter")) {
      std::vector<std::string>& list = say.Has("named_parameters") ? named : parameters;
      for (const Field& field : step.row) {
        list.push_back(say("part_parameter",
                           Also(to_.FieldParts(field), {{"variable", Member(step, field.name)}})));
      }
      return;
    }
    std::vector<std::string> names;
    std::vector<Field> asked;
    for (const Field& field : step.row) {
      if (std::ranges::find(step.asked, field.name, &Field::name) != step.asked.end()) {
        asked.push_back(field);
      } else {
        names.push_back(field.name);
      }
    }
    const Parts parts = {{"called", function_.name},
                         {"row", Row(step)},
                         {"step", function_.steps.size() > 1 ? step.parameter : ""},
                         {"type", RowType(step)},
                         {"names", names},
                         {"asked", to_.Each("parameter_declared", asked)},
                         {"fields", to_.Each("field", step.row)}};
    to_.Emit("write_arguments", parts);
    parameters.push_back(say("parts_parameter", parts));
  }

  std::string RowType(const WriteStepCode& step) const {
    return kImportMark + to_.program_.TypeName(step.row_entity);
  }

  // How the function may refuse, for a comment.
  std::vector<std::string> Refusals() const {
    std::set<std::string> lines;
    const auto add = [&](const char* entry, const Parts& parts) {
      if (say.Has(entry)) {
        lines.insert(say(entry, parts));
      }
    };
    for (const WriteStepCode& step : function_.steps) {
      const Parts parts = {{"row_entity", step.row_entity}, {"entity_name", step.entity->name}};
      if (step.kind == Kind::kPut && step.once) {
        add("refusal_exists", parts);
      }
      for (const LockCode& lock : step.locks) {
        if (lock.taken) {
          add("refusal_taken", Also(parts, {{"attribute", lock.attribute}}));
        }
      }
      if (!step.condition.expression.empty()) {
        add("refusal_condition", parts);
      } else if (step.kind == Kind::kUpdate || step.kind == Kind::kPutIn ||
                 step.kind == Kind::kUpdateIn) {
        add("refusal_missing", parts);
      }
    }
    return {lines.begin(), lines.end()};
  }

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

  struct Action {
    std::string text;
    bool list = false;  // Several actions in one.
  };

  void Send(const std::vector<Action>& actions) {
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
    for (const WriteStepCode& step : function_.steps) {
      if (!function_.together) {
        actions.clear();
      }
      Prepare(step, actions);
      Actions(step, actions);
      if (!function_.together) {
        Send(actions);
        RefreshLater(step);
      }
    }
    if (function_.together) {
      Send(actions);
      for (const WriteStepCode& step : function_.steps) {
        RefreshLater(step);
      }
    }
  }

  // Reads what must be known first.
  void Prepare(const WriteStepCode& step, std::vector<Action>& actions) {
    if (step.kind == Kind::kPut) {
      for (const StoredCopy& copy : step.entity->copies) {
        Original(step, copy, actions);
      }
    }
    if (!step.reads_before()) {
      return;
    }
    if (++read_before_ > 1) {
      before_ = "before" + std::to_string(read_before_);
    }
    statements_.push_back({say("read_before", {{"before", before_},
                                               {"table", step.entity->table},
                                               {"key", OwnKey(step)},
                                               {"entity_name", step.entity->name},
                                               {"deletes", step.kind != Kind::kUpdate}})});
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
    if (copy.upkeep == model::CopyUpkeep::kTransaction) {
      actions.push_back({say("unchanged", parts)});
    }
  }

  std::string OriginalText(const StoredCopy& copy) const {
    return say(copy.given() ? "copy_given" : "original_value",
               {{"attribute", copy.given() ? copy.attribute : copy.original_attribute},
                {"original", OriginalWords(to_.program_, copy.original.entity)}});
  }

  // The parts of every action: whose item it is and where.
  Parts Head(const WriteStepCode& step) const {
    return {{"entity", to_.program_.CodeName(step.entity->name)},
            {"entity_name", step.entity->name},
            {"table", step.entity->table},
            {"row", Row(step)}};
  }

  void Actions(const WriteStepCode& step, std::vector<Action>& actions) {
    Parts parts = Head(step);
    if (step.kind == Kind::kPut) {
      std::vector<std::string> copies;
      for (const StoredCopy& copy : step.entity->copies) {
        copies.push_back(
            say("copy_argument", {{"attribute", copy.attribute}, {"value", OriginalText(copy)}}));
      }
      parts.insert_or_assign("guard", step.once ? Quoted(step.key[0].attribute) : "");
      parts.insert_or_assign("expected", ExpectedText(step));
      actions.push_back({say("put", Also(std::move(parts), {{"copies", copies}}))});
    } else if (step.kind == Kind::kUpdate || step.kind == Kind::kDelete) {
      parts.insert_or_assign("key", OwnKey(step));
      parts.insert_or_assign("expected", ExpectedText(step));
      const bool update = step.kind == Kind::kUpdate;
      if (update) {
        parts.insert_or_assign("changes", ChangesText(step));
      }
      actions.push_back({Conditional(step, say(update ? "update" : "remove", parts))});
    } else {
      Inside(step, actions);
    }
    // Behind the item itself: if it has changed meanwhile, that is what went wrong.
    for (const LockCode& lock : step.locks) {
      actions.push_back({LockAction(step, lock), true});
    }
    for (const CopyRefresh& refresh : step.refreshes) {
      if (refresh.upkeep == model::CopyUpkeep::kTransaction) {
        RefreshTogether(step, refresh, actions);
      }
    }
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
    const std::string value = Member(step, refresh.attribute);
    return {
        {"called", refresh.name},
        {"finder", FinderName(refresh)},
        {"found", CopiesWords(refresh)},
        {"found_type", find.sections[0].entity_rows ? to_.program_.TypeName(find.sections[0].entity)
                                                    : RowTypeName(find, 0)},
        {"row", Row(step)},
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
        Call(say("refresh_call", RefreshParts(step, refresh)));
      }
    }
  }

  // ---- Rows inside an item

  void Inside(const WriteStepCode& step, std::vector<Action>& actions) {
    const std::vector<std::string> row =
        MemberTexts(step, step.kind == Kind::kUpdateIn ? step.set : step.members);
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

  Package& to_;
  std::set<std::string> originals_;
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
          WriteCode::Refresh(*this, step, refresh);
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
