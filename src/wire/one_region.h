// Requests about replicas in other regions, their auto scaling and Kinesis
// (engine/ops/one_region.h) as JSON.
#ifndef PREJOIN_WIRE_ONE_REGION_H_
#define PREJOIN_WIRE_ONE_REGION_H_

#include <string>

#include "engine/ops/one_region.h"
#include "prejoin/result.h"
#include "wire/json_reader.h"

namespace prejoin::wire {

Result<std::string> ParseCreateGlobalTableInput(JsonValue root);  // All give the global table's
Result<std::string> ParseGlobalTableNameInput(JsonValue root);    // name.

struct UpdateGlobalTableInput {
  std::string name;
  engine::GlobalTableUpdate update = engine::GlobalTableUpdate::kNothing;
};
Result<UpdateGlobalTableInput> ParseUpdateGlobalTableInput(JsonValue root);

Status CheckListGlobalTablesInput(JsonValue root);
void PrintListGlobalTablesOutput(std::string& out);

Result<engine::KinesisDestination> ParseKinesisDestinationInput(JsonValue root);
void PrintDescribeKinesisStreamingDestinationOutput(const std::string& table_name,
                                                    std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ONE_REGION_H_
