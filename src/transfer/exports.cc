// ExportTableToPointInTime, DescribeExport and ListExports.
#include <algorithm>
#include <utility>

#include "base/transfer_limits.h"
#include "engine/errors.h"
#include "engine/history/history.h"
#include "engine/table/catalog.h"
#include "engine/table/resource_arn.h"
#include "transfer/export_files.h"
#include "transfer/export_job.h"
#include "transfer/transfer_checks.h"
#include "transfer/transfers.h"

namespace prejoin::transfer {
namespace {

constexpr char kExportKind[] = "export";

Error InvalidTime(const std::string& what) { return Error{ErrorCode::kInvalidExportTime, what}; }

bool IsIncremental(const ExportTableInput& input) { return input.type == ExportType::kIncremental; }

Result<std::string> TableNameOf(const Options& options, const std::string& arn) {
  if (!arn.starts_with("arn:aws:dynamodb:") || arn.find(":table/") == std::string::npos) {
    return engine::InvalidParameter("tableArn is not a valid ARN");
  }
  const auto parsed = engine::ParseResourceArn(arn);
  if (!parsed || parsed->kind != engine::ResourceKind::kTable) {
    return InvalidRequest("Table ARN is invalid.");
  }
  if (parsed->account != options.account_id) {
    return Error{ErrorCode::kAccessDenied, "Access is denied"};
  }
  if (parsed->region != options.region) {
    return Error{ErrorCode::kTableNotFound, "Table not found: " + arn};
  }
  return std::string(parsed->table);
}

Status CheckShape(const ExportTableInput& input) {
  if (!IsIncremental(input) && input.incremental) {
    return InvalidRequest(
        input.type ? "When Export Type is Full Export , Incremental Export Specification should "
                     "not be provided"
                   : "Export Type expected to be Incremental Export when incremental export "
                     "specification is provided");
  }
  if (IsIncremental(input) && !input.incremental) {
    return InvalidRequest(
        "Incremental Export Specification expected when export type is set as Incremental Export");
  }
  if (IsIncremental(input) && !input.incremental->from_ms) {
    return InvalidRequest("ExportFromTime must be provided in IncrementalExportSpecification");
  }
  if (input.sse_kms_key && input.sse_algorithm != "KMS") {
    return InvalidRequest("KMS Key Id is not supported for this encryption type");
  }
  if (input.format == ExportFormat::kIon) {
    return InvalidRequest("Prejoin does not write ION; it exports DYNAMODB_JSON.");
  }
  return {};
}

std::string Seconds(std::int64_t time_ms) {
  std::string text = PrintTime(time_ms);
  return text.substr(0, text.find('.')) + "Z";
}

Status CheckWindow(const engine::Table& table, const IncrementalSpecification& window,
                   std::int64_t now_ms) {
  if (*window.from_ms < table.description.created_ms) {
    return InvalidTime(
        "Incremental export period from time cannot be less than the table creation "
        "time : " +
        Seconds(*window.from_ms));
  }
  if (*window.to_ms > now_ms) {
    return InvalidTime(
        "Incremental export period to time cannot be greater than the current time : " +
        Seconds(*window.to_ms));
  }
  if (*window.to_ms - *window.from_ms < kIncrementalExportMsMin) {
    return InvalidTime(
        "Difference between export period from time and export period to time is less than 15 "
        "minutes");
  }
  if (*window.to_ms - *window.from_ms > kIncrementalExportMsMax) {
    return InvalidTime(
        "Difference between export period from time and export period to time is greater than 24 "
        "hours");
  }
  return {};
}

// Fills in the times that were left out.
Status CheckTimes(const engine::Table& table, ExportTableInput& input, std::int64_t now_ms) {
  if (IsIncremental(input)) {
    IncrementalSpecification& window = *input.incremental;
    window.to_ms = window.to_ms.value_or(now_ms);
    window.view = window.view.value_or(ExportView::kNewAndOldImages);
    PJ_RETURN_IF_ERROR(CheckWindow(table, window, now_ms));
  }
  if (!table.recovery) {
    return Error{ErrorCode::kPointInTimeRecoveryUnavailable,
                 "Point in time recovery is not enabled for table '" + table.name() + "'"};
  }
  const engine::RecoveryWindow window = engine::WindowOf(*table.recovery, now_ms);
  if (IsIncremental(input)) {
    if (*input.incremental->from_ms < window.earliest_ms) {
      return InvalidTime("Point in Time Recovery is not available for specified export time");
    }
    return {};
  }
  if (input.time_ms && (*input.time_ms > now_ms || *input.time_ms < window.earliest_ms)) {
    return InvalidTime("Export Time is invalid");
  }
  input.time_ms = input.time_ms.value_or(now_ms);
  return {};
}

bool SameRequest(const ExportTableInput& a, const ExportTableInput& b) {
  return a.table_arn == b.table_arn && a.bucket == b.bucket && a.bucket_owner == b.bucket_owner &&
         a.prefix == b.prefix && a.sse_algorithm == b.sse_algorithm &&
         a.sse_kms_key == b.sse_kms_key && a.format == b.format && a.type == b.type;
}

}  // namespace

Result<ExportDescription> Transfers::ExportTable(engine::RequestContext& context,
                                                 const ExportTableInput& input) {
  PJ_RETURN_IF_ERROR(exports_.Load());
  PJ_ASSIGN_OR_RETURN(const std::string table_name,
                      TableNameOf(engine_.options(), input.table_arn));
  PJ_RETURN_IF_ERROR(CheckShape(input));
  ExportDescription description;
  description.input = input;
  description.started_ms = engine_.clock().NowMs();
  description.id = NewTransferId(description.started_ms);
  description.arn = input.table_arn + "/export/" + description.id;
  const auto table = engine_.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return Error{ErrorCode::kTableNotFound, "Table not found: " + input.table_arn};
  }
  description.table_id = table->description.table_id;
  PJ_RETURN_IF_ERROR(CheckTimes(*table, description.input, description.started_ms));
  const std::int64_t token_since_ms = description.started_ms - kTransferTokenMs;
  PJ_ASSIGN_OR_RETURN(
      const auto added,
      exports_.Add(
          context, std::move(description),
          [&](const std::map<std::string, ExportDescription>& all)
              -> Result<std::optional<ExportDescription>> {
            std::size_t running = 0;
            for (const auto& [id, earlier] : all) {
              running += earlier.status == TransferStatus::kInProgress ? 1 : 0;
              if (!input.client_token || earlier.input.client_token != input.client_token ||
                  earlier.started_ms < token_since_ms) {
                continue;
              }
              if (!SameRequest(earlier.input, input)) {
                return Error{ErrorCode::kExportConflict,
                             "Export conflict: Duplicate request detected with conflicting "
                             "parameters"};
              }
              return std::optional(earlier);
            }
            if (running >= kExportsAtOnceMax) {
              return engine::LimitExceeded("Too many concurrent exports");
            }
            PJ_RETURN_IF_ERROR(buckets_.CheckRoot());
            return std::optional<ExportDescription>();
          }));
  if (added.is_new) {
    StartExport(table_name, added.description);
  }
  return added.description;
}

// The moments are held before the answer goes out: what is written from now on does not matter.
void Transfers::StartExport(const std::string& table_name, const ExportDescription& description) {
  auto moments = std::make_shared<HeldMoments>();
  const Status held = HoldMoments(table_name, description.input, *moments);
  jobs_.Add([this, moments = std::move(moments), held, table_name, description]() mutable {
    RunExport(table_name, held, *moments, std::move(description));
    moments.reset();
  });
}

Status Transfers::HoldMoments(const std::string& table_name, const ExportTableInput& input,
                              HeldMoments& moments) {
  if (IsIncremental(input)) {
    // A window has its beginning, not its end: the states are those just before the two times.
    // Nothing is known of the time before the first moment.
    const engine::TablePtr table = engine_.catalog().FindOrNull(table_name);
    const std::int64_t earliest_ms =
        table == nullptr || !table->recovery
            ? 0
            : engine::WindowOf(*table->recovery, engine_.clock().NowMs()).earliest_ms;
    PJ_ASSIGN_OR_RETURN(auto from,
                        engine::HoldMoment(engine_, table_name,
                                           std::max(*input.incremental->from_ms - 1, earliest_ms)));
    moments.from.emplace(std::move(from));
    PJ_ASSIGN_OR_RETURN(auto to,
                        engine::HoldMoment(engine_, table_name, *input.incremental->to_ms - 1));
    moments.to.emplace(std::move(to));
    return {};
  }
  PJ_ASSIGN_OR_RETURN(auto to, engine::HoldMoment(engine_, table_name, *input.time_ms));
  moments.to.emplace(std::move(to));
  return {};
}

void Transfers::RunExport(const std::string& table_name, const Status& held,
                          const HeldMoments& moments, ExportDescription description) {
  Status done = held;
  if (done) {
    done = WriteFiles(table_name, moments, description);
  }
  if (jobs_.stopping()) {
    return;  // Told at the next start, when it can be told durably.
  }
  if (!done) {
    description.status = TransferStatus::kFailed;
    if (description.failure_code.empty()) {
      description.failure_code =
          done.error().code == ErrorCode::kValidation ? "ValidationError" : "InternalServerError";
    }
    description.failure_message = done.error().message;
    description.ended_ms = engine_.clock().NowMs();
  } else {
    description.status = TransferStatus::kCompleted;
  }
  exports_.Finish(description);
}

// A copy, not the version itself: an export may take hours, and whoever changes the table waits for
// the end of its versions.
Result<std::unique_ptr<engine::Table>> Transfers::CopyOfTable(const std::string& table_name) const {
  const engine::TablePtr table = engine_.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return engine::TableNotFound(table_name);
  }
  return engine::CopyOf(*table);
}

Status Transfers::WriteFiles(const std::string& table_name, const HeldMoments& moments,
                             ExportDescription& description) {
  if (!buckets_.Exists(description.input.bucket)) {
    description.failure_code = "S3NoSuchBucket";
    return ValidationError("The specified bucket does not exist");
  }
  PJ_ASSIGN_OR_RETURN(ExportFiles files, ExportFiles::Begin(buckets_, description));
  const OnExported on_exported = [this](std::int64_t) { return !jobs_.stopping(); };
  std::int64_t bytes = 0;
  if (moments.from) {
    PJ_ASSIGN_OR_RETURN(const auto table, CopyOfTable(table_name));
    const ExportWindow window{
        .from = *moments.from, .to = *moments.to, .view = *description.input.incremental->view};
    PJ_RETURN_IF_ERROR(ExportChanges(engine_, *table, window, files, on_exported, bytes));
  } else {
    PJ_RETURN_IF_ERROR(ExportMoment(engine_, *moments.to, files, on_exported, bytes));
  }
  description.billed_bytes = bytes;
  description.ended_ms = engine_.clock().NowMs();
  return files.Finish(description);
}

Result<ExportDescription> Transfers::DescribeExport(const std::string& arn) {
  PJ_RETURN_IF_ERROR(exports_.Load());
  PJ_ASSIGN_OR_RETURN(const TransferPlace place,
                      ParseTransferArn(engine_.options(), arn, kExportKind));
  const auto found = exports_.Find(place.id);
  if (!found || found->arn != arn) {
    return Error{ErrorCode::kExportNotFound, "Export not found: Export not found: " + arn};
  }
  return *found;
}

Result<ListExportsOutput> Transfers::ListExports(const ListExportsInput& input) {
  PJ_RETURN_IF_ERROR(exports_.Load());
  PJ_ASSIGN_OR_RETURN(const auto after, ParsePageToken(kExportKind, input.next_token));
  auto page = exports_.List(
      [&](const ExportDescription& description) {
        return !input.table_arn || description.input.table_arn == *input.table_arn;
      },
      after, static_cast<std::size_t>(input.max_results.value_or(kTransferPageMax)));
  ListExportsOutput output;
  output.exports = std::move(page.transfers);
  if (page.next) {
    output.next_token = PageToken(kExportKind, *page.next);
  }
  return output;
}

}  // namespace prejoin::transfer
