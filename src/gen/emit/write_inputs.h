// The parameters of a write, and what it may refuse.
#ifndef PREJOIN_GEN_EMIT_WRITE_INPUTS_H_
#define PREJOIN_GEN_EMIT_WRITE_INPUTS_H_

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gen/emit/names.h"
#include "gen/emit/package.h"
#include "gen/emit/total_texts.h"

namespace prejoin::gen::emit {

// Works on one write. Borrows everything it is given. Single thread.
class WriteInputs : protected TotalTexts {
 protected:
  WriteInputs(Package& package, const WriteFunction& function)
      : TotalTexts(package, function), to_(package) {}

  // The row of each step, or its key and its changes; after a put, the copies that the caller passes, which may be absent.
  void Inputs(Parts& parts) {
    std::vector<std::string> parameters;
    std::vector<std::string> named;
    std::set<std::string> seen;
    for (const WriteStepCode& step : function_.steps) {
      if (!seen.insert(step.parameter).second) {
        continue;
      }
      if (step.many) {
        parameters.push_back(say("rows_parameter", {{"rows", RowsWords(step)}, {"type", RowType(step)}}));
      } else if (TakesRow(step)) {
        parameters.push_back(say("row_parameter", {{"row", Row(step)}, {"type", RowType(step)}}));
      } else {
        PartsOfRow(step, parameters, named);
      }
      for (Field field : step.asked) {
        if (TakesRow(step)) {
          field.name = StepMemberWords(function_, step, field.name);
          (say.Has("named_parameters") ? named : parameters)
              .push_back(to_.Each("asked_parameter", {field})[0]);
        }
      }
      for (const StoredCopy& copy : step.entity->copies) {
        Field field = copy.field;
        field.optional = true;
        field.name = GivenCopyWords(function_, copy);
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
      const bool renamed = std::ranges::any_of(
          step.renamed, [&](const auto& one) { return one.second == field.name; });
      if (renamed || std::ranges::find(step.asked, field.name, &Field::name) != step.asked.end()) {
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

  // The reasons for which the function may refuse, for a comment.
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

  std::string RowsWords(const WriteStepCode& step) const {
    return Variable(StepRowsWords(step));
  }

  Package& to_;
};

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_WRITE_INPUTS_H_
