// ImportTable, ExportTableToPointInTime and what describes and lists them. The work is done in the
// background (import_job, export_job); what became of it is kept over restarts.
#ifndef PREJOIN_TRANSFER_TRANSFERS_H_
#define PREJOIN_TRANSFER_TRANSFERS_H_

#include <memory>
#include <optional>
#include <string>

#include "base/worker.h"
#include "engine/engine.h"
#include "engine/history/history.h"
#include "engine/table/table.h"
#include "prejoin/result.h"
#include "transfer/bucket.h"
#include "transfer/export_description.h"
#include "transfer/import_description.h"
#include "transfer/transfer_log.h"

namespace prejoin::transfer {

// Thread-safe.
class Transfers {
 public:
  // `engine` outlives this object. `bucket_root`: the directory that stands for S3; empty: none.
  Transfers(engine::Engine& engine, std::string bucket_root)
      : engine_(engine),
        buckets_(std::move(bucket_root)),
        imports_(engine, "import"),
        exports_(engine, "export") {}

  Result<ImportDescription> ImportTable(engine::RequestContext& context,
                                        const ImportTableInput& input);
  Result<ImportDescription> DescribeImport(const std::string& arn);
  Result<ListImportsOutput> ListImports(const ListImportsInput& input);

  Result<ExportDescription> ExportTable(engine::RequestContext& context,
                                        const ExportTableInput& input);
  Result<ExportDescription> DescribeExport(const std::string& arn);
  Result<ListExportsOutput> ListExports(const ListExportsInput& input);

  // Ends what runs; it is FAILED after the next start. Before the engine ends.
  void Stop() { jobs_.Stop(); }
  void DrainForTesting() { jobs_.DrainForTesting(); }

 private:
  void RunImport(const ImportTableInput& input, ImportDescription description);
  Status FillTable(const ImportTableInput& input, ImportDescription& description);

  // States of a table that an export reads: the later one, and for changes the earlier one.
  struct HeldMoments {
    std::optional<engine::HistoryHold> from;
    std::optional<engine::HistoryHold> to;
  };
  void StartExport(const std::string& table_name, const ExportDescription& description);
  Status HoldMoments(const std::string& table_name, const ExportTableInput& input,
                     HeldMoments& moments);
  void RunExport(const std::string& table_name, const Status& held, const HeldMoments& moments,
                 ExportDescription description);
  Result<std::unique_ptr<engine::Table>> CopyOfTable(const std::string& table_name) const;
  Status WriteFiles(const std::string& table_name, const HeldMoments& moments,
                    ExportDescription& description);

  engine::Engine& engine_;
  const BucketDirectory buckets_;
  TransferLog<ImportDescription> imports_;
  TransferLog<ExportDescription> exports_;
  Worker jobs_;  // Last: its thread uses everything above.
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_TRANSFERS_H_
