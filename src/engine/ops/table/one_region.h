// What DynamoDB offers beyond one region and one service: replicas in other regions, their auto
// scaling, and Kinesis. There is none of it here, so these answer as AWS does for a table that has
// none of it.
#ifndef PREJOIN_ENGINE_OPS_TABLE_ONE_REGION_H_
#define PREJOIN_ENGINE_OPS_TABLE_ONE_REGION_H_

#include <string>

#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Global tables of 2017, which AWS itself refuses to make by now.
Status CreateGlobalTable();
enum class GlobalTableUpdate { kNothing, kCreateReplica, kDeleteReplica };
Status UpdateGlobalTable(const std::string& name, GlobalTableUpdate update);
Status DescribeGlobalTable(const std::string& name);
// Of reading and of changing them.
Status GlobalTableSettings(const std::string& name);
// Of reading and of changing it.
Status ReplicaAutoScaling(const std::string& table_name);

struct KinesisDestination {
  std::string table_name;
  std::string stream_arn;
};
Status EnableKinesisStreamingDestination(Engine&, const KinesisDestination&);
Status DisableKinesisStreamingDestination(Engine&, const KinesisDestination&);
Status UpdateKinesisStreamingDestination(Engine&, const KinesisDestination&);
// There are none, if the table exists.
Status DescribeKinesisStreamingDestination(Engine&, const std::string& table_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_TABLE_ONE_REGION_H_
