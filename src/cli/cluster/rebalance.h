// `prejoin cluster rebalance`.
#ifndef PREJOIN_CLI_CLUSTER_REBALANCE_H_
#define PREJOIN_CLI_CLUSTER_REBALANCE_H_

#include <string>

#include "cli/verb.h"
#include "cluster/object_store.h"

namespace prejoin::cli {

// Moves the lead to the gateway `to`, or, if that is empty, to where it belongs (cluster/choose_heir.h), and
// waits until it is there.
ExitCode MoveLead(cluster::ObjectStore& objects, const std::string& to);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_CLUSTER_REBALANCE_H_
