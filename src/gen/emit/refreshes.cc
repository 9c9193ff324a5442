// The functions that bring copies up to date, and those that find them.
#include <algorithm>

#include "gen/emit/names.h"
#include "gen/emit/package.h"

namespace prejoin::gen::emit {

void Package::Refresh(const WriteStepCode& step, const CopyRefresh& refresh) {
  PatternFunction find = *refresh.find;
  find.name = FinderName(refresh);
  Pattern(find, /*exported=*/false);
  // Copies that change in the transaction of the write need the finder only.
  if (refresh.upkeep == model::CopyUpkeep::kTransaction) {
    return;
  }
  std::vector<Field> arguments;
  for (const model::Parameter& parameter : refresh.find->parameters) {
    arguments.push_back({parameter.name, parameter.type, false, {}});
  }
  const std::vector<Field> finding = arguments;
  const bool set = std::ranges::find(step.set, refresh.attribute, &Field::name) != step.set.end();
  const std::vector<Field>& fields = step.kind == WriteStepCode::Kind::kPut ? step.entity->fields
                                     : set                                  ? step.set
                                                                            : step.removed;
  const auto changed = std::ranges::find(fields, refresh.attribute, &Field::name);
  arguments.push_back(*changed);
  const EntityCode& holder = *program_.FindEntity(refresh.holder);
  const bool stream = refresh.upkeep == model::CopyUpkeep::kStream;
  std::vector<std::string> names;
  for (const Field& field : arguments) {
    names.push_back(field.name);
  }
  Emit("refresh",
       {{"called", refresh.name},
        {"finder", find.name},
        {"about", "Brings the copies of " + step.entity->name + "." + refresh.attribute + " on " +
                      refresh.holder + " items up to date."},
        {"note", stream ? "For the consumer of the table's stream." : "Safe to run again."},
        {"type", kImportMark + program_.TypeName(step.entity->name)},
        {"names", names},
        {"parameters", Each("refresh_parameter", arguments)},
        {"arguments", Each("refresh_argument", finding)},
        {"holder", holder.name},
        {"table", holder.table},
        {"key", RowKey(holder, say("refreshed_row"))},
        {"stored", refresh.stored},
        {"changed", changed->name}});
}

}  // namespace prejoin::gen::emit
