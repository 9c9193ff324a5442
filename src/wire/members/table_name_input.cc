#include "wire/members/table_name_input.h"

#include "wire/members/input_reader.h"
#include "wire/names.h"

namespace prejoin::wire {
namespace {

constexpr Member<std::string> kMembers[] = {
    {"TableName", ReadTableName, Presence::kParameter},
};

}  // namespace

Result<std::string> ParseTableNameInput(json::Value root) { return ParseInput(root, kMembers); }

}  // namespace prejoin::wire
