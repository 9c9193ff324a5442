#include "json/enum_names.h"
#include "json/writer.h"
#include "wire/members/table_name_input.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr json::EnumName<TimeToLiveStatus> kTimeToLiveStatusNames[] = {
    {"ENABLING", TimeToLiveStatus::kEnabling},
    {"ENABLED", TimeToLiveStatus::kEnabled},
    {"DISABLED", TimeToLiveStatus::kDisabled},
};

}  // namespace

Result<std::string> ParseDescribeTimeToLiveInput(const RequestBody& request) {
  return ParseTableNameInput(request);
}

void PrintDescribeTimeToLiveOutput(const TimeToLiveDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter description(answer.Name("TimeToLiveDescription"));
  description.String("TimeToLiveStatus", json::NameOf(kTimeToLiveStatusNames, output.status));
  if (!output.attribute_name.empty()) {
    description.String("AttributeName", output.attribute_name);
  }
}

}  // namespace prejoin::wire
