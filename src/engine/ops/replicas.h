// Replicas of tables in other regions: members, settings, and the steps of other operations that they need
// (docs/adr/0040-global-tables.md). Where `changes` is named, the caller holds Regions::changes().
#ifndef PREJOIN_ENGINE_OPS_REPLICAS_H_
#define PREJOIN_ENGINE_OPS_REPLICAS_H_

#include <optional>
#include <set>
#include <string>

#include "engine/engine.h"
#include "engine/table/table.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// UpdateTable with ReplicaUpdates.
Result<TableDescription> UpdateReplicas(Engine& engine, RequestContext& context,
                                        const UpdateTableInput& input);

// True if SettleReplicas has something to do.
bool NeedsSettling(Engine& engine, const Table& table);
// Does for the replicas of the table what is left to do: makes those that were asked for, passes settings on, drops those
// that are gone, and ends the filling of the table itself. What fails is left for the next call. `changes`.
Status SettleReplicas(Engine& engine, const std::string& table_name);

// Refuses a change of the table's settings while its replicas are not settled. `changes`.
Status CheckSettled(Engine& engine, const std::string& table_name);
// Refuses to delete a table that must stay as long as its replicas do. `changes`.
Status CheckLeaving(Engine& engine, const Table& table);
// True if replicas have yet to get writes of the table.
bool HasUnsentWrites(Engine& engine, const Table& table);

// Settings of the request that replicas have to take over, as ReplicaTarget::owed has them.
std::set<std::string> SharedSettings(const UpdateTableInput& input);

// ---- The parts of other operations that change one region only

// In create_table.cc: a table that is CREATING until its replicas have filled it.
Result<TableDescription> CreateReplica(Engine& engine, RequestContext& context,
                                       const CreateTableInput& input,
                                       const Replication& replication);
// In update_table.cc.
Result<TableDescription> UpdateOneTable(Engine& engine, RequestContext& context,
                                        const UpdateTableInput& input, bool passes_on);
// In update_time_to_live.cc: whatever the table has. Nullopt: nothing expires.
Status SetTimeToLive(Engine& engine, RequestContext& context, const std::string& table_name,
                     const std::optional<std::string>& attribute_name);
// In delete_table.cc. `changes`.
Result<TableDescription> DeleteReplica(Engine& engine, RequestContext& context,
                                       const std::string& table_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_REPLICAS_H_
