#include "wire/members/table_name_input.h"

#include "wire/members/input_reader.h"
#include "wire/names.h"

namespace prejoin::wire {
namespace {

constexpr Member<std::string> kMembers[] = {
    {"TableName", ReadTableName, Presence::kParameter},
};

}  // namespace

Result<std::string> ParseTableNameInput(const RequestBody& request) {
  return ParseInput(request, kMembers);
}

}  // namespace prejoin::wire
