// Writing a moment of a table, or what changed between two, into files.
#ifndef PREJOIN_TRANSFER_EXPORT_JOB_H_
#define PREJOIN_TRANSFER_EXPORT_JOB_H_

#include <cstdint>
#include <functional>

#include "engine/engine.h"
#include "engine/history/history.h"
#include "engine/table/table.h"
#include "prejoin/result.h"
#include "transfer/export_files.h"

namespace prejoin::transfer {

// Every now and then, with the items so far. False: stop.
using OnExported = std::function<bool(std::int64_t items)>;

// `bytes` gets what the items are big by AWS's rules.
Status ExportMoment(engine::Engine& engine, const engine::HistoryHold& hold, ExportFiles& files,
                    const OnExported& on_exported, std::int64_t& bytes);

// `table` tells the key attributes. The holds are of one table, `from` not after `to`.
struct ExportWindow {
  const engine::HistoryHold& from;
  const engine::HistoryHold& to;
  ExportView view = ExportView::kNewAndOldImages;
};
Status ExportChanges(engine::Engine& engine, const engine::Table& table, const ExportWindow& window,
                     ExportFiles& files, const OnExported& on_exported, std::int64_t& bytes);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_EXPORT_JOB_H_
