// GET /replication says what tables with replicas have yet to send to other regions; POST /replication cuts regions off.
#ifndef PREJOIN_SERVER_REPLICATION_ROUTE_H_
#define PREJOIN_SERVER_REPLICATION_ROUTE_H_

#include "engine/replication/region_group.h"
#include "server/dispatch.h"

namespace prejoin::server {

// The body of a POST is {"paused": ["eu-west-1", …]}: these regions neither send nor get writes of replicas until the next
// POST. `group` outlives `dispatch`.
void AddReplicationRoutes(Dispatch& dispatch, engine::RegionGroup& group);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_REPLICATION_ROUTE_H_
