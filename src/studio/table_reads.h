// Reads of the server's own tables for work that runs outside of its process.
#ifndef PREJOIN_STUDIO_TABLE_READS_H_
#define PREJOIN_STUDIO_TABLE_READS_H_

#include <string>

#include "process/task_runner.h"
#include "server/backend.h"

namespace prejoin::studio {

// Passes reads on to the backend, which outlives the result, with the budget of any request, and refuses everything else: the
// caller is a process that may have been taken over by what it has read. An answer waits until what it saw is durable.
process::Call ReadsOf(server::OperationBackend& backend);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_TABLE_READS_H_
