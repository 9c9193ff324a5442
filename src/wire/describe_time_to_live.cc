#include "wire/enum_names.h"
#include "wire/json_writer.h"
#include "wire/operations.h"
#include "wire/table_name_input.h"

namespace prejoin::wire {
namespace {

constexpr EnumName<TimeToLiveStatus> kTimeToLiveStatusNames[] = {
    {"ENABLING", TimeToLiveStatus::kEnabling},
    {"ENABLED", TimeToLiveStatus::kEnabled},
    {"DISABLED", TimeToLiveStatus::kDisabled},
};

}  // namespace

Result<std::string> ParseDescribeTimeToLiveInput(JsonValue root) {
  return ParseTableNameInput(root);
}

void PrintDescribeTimeToLiveOutput(const TimeToLiveDescription& output, std::string& out) {
  ObjectWriter answer(out);
  ObjectWriter description(answer.Name("TimeToLiveDescription"));
  description.String("TimeToLiveStatus", NameOf(kTimeToLiveStatusNames, output.status));
  if (!output.attribute_name.empty()) {
    description.String("AttributeName", output.attribute_name);
  }
}

}  // namespace prejoin::wire
