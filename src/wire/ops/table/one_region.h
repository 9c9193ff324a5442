// Requests about replicas in other regions, their auto scaling and Kinesis
// (engine/ops/table/one_region.h) as JSON.
#ifndef PREJOIN_WIRE_OPS_TABLE_ONE_REGION_H_
#define PREJOIN_WIRE_OPS_TABLE_ONE_REGION_H_

#include <string>

#include "engine/ops/table/one_region.h"
#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::wire {

Result<std::string> ParseCreateGlobalTableInput(json::Value root);  // All give the global table's
Result<std::string> ParseGlobalTableNameInput(json::Value root);    // name.

struct UpdateGlobalTableInput {
  std::string name;
  engine::GlobalTableUpdate update = engine::GlobalTableUpdate::kNothing;
};
Result<UpdateGlobalTableInput> ParseUpdateGlobalTableInput(json::Value root);

Status CheckListGlobalTablesInput(json::Value root);
void PrintListGlobalTablesOutput(std::string& out);

Result<engine::KinesisDestination> ParseKinesisDestinationInput(json::Value root);
void PrintDescribeKinesisStreamingDestinationOutput(const std::string& table_name,
                                                    std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_TABLE_ONE_REGION_H_
