// New tables from the past of others.
//
// A restored table is made at once and says from where it is to be filled (Table::restoring); the
// background thread fills it through the same transactions as any write, in the order of stored
// keys, which are the source's after the space. So after a stop it continues at the last item there
// is. Until it is whole, item operations do not find the table.
#ifndef PREJOIN_ENGINE_HISTORY_RESTORE_H_
#define PREJOIN_ENGINE_HISTORY_RESTORE_H_

#include <string>

#include "engine/engine.h"
#include "engine/history/history.h"
#include "engine/table/table.h"
#include "prejoin/backups.h"
#include "prejoin/result.h"

namespace prejoin::engine {

struct RestoreRequest {
  std::string target_table_name;
  TablePtr definition;  // The new table gets its keys, indexes and settings.
  RestoreOverrides overrides;
  RestoreSummary summary;
};

// `hold` is the moment to restore. kTableAlreadyExists, kLimitExceeded, kValidation.
Result<TableDescription> BeginRestore(Engine& engine, RequestContext& context,
                                      const RestoreRequest& request, const HistoryHold& hold);

// At start: continues with a restore that a stop interrupted.
void ResumeRestore(Engine& engine, std::string table_name);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_RESTORE_H_
