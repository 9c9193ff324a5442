// ImportTable, DescribeImport and ListImports.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "base/transfer_limits.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "engine/table/table_build.h"
#include "engine/table/table_checks.h"
#include "transfer/export_files.h"
#include "transfer/import_job.h"
#include "transfer/table_sink.h"
#include "transfer/transfer_checks.h"
#include "transfer/transfers.h"

namespace prejoin::transfer {
namespace {

constexpr char kImportKind[] = "import";

Status CheckInput(const ImportTableInput& input) {
  if (input.csv && input.format != InputFormat::kCsv) {
    return InvalidRequest("Unsupported InputFormatOptions for the given input format: " +
                          std::string(input.format == InputFormat::kIon ? "ION" : "DYNAMODB_JSON") +
                          ".");
  }
  if (input.format == InputFormat::kIon) {
    return InvalidRequest("Prejoin does not read ION; it imports DYNAMODB_JSON and CSV.");
  }
  return engine::CheckCreateTable(input.table);
}

// The folder for the details of broken items: beside the buckets, because there is no CloudWatch.
class ErrorFile {
 public:
  ErrorFile(const BucketDirectory& buckets, const std::string& import_id)
      : path_(buckets.root() + "/import-errors-" + import_id + ".log") {}
  ~ErrorFile() {
    if (file_ != nullptr) {
      std::fclose(file_);
    }
  }
  ErrorFile(const ErrorFile&) = delete;

  void Add(const std::string& place, const std::string& why) {
    if (lines_++ >= kImportErrorsLogged) {
      return;
    }
    if (file_ == nullptr) {
      file_ = std::fopen(path_.c_str(), "we");
    }
    if (file_ != nullptr) {
      const std::string line = place + ": " + why + "\n";
      std::fwrite(line.data(), 1, line.size(), file_);
    }
  }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  std::FILE* file_ = nullptr;
  std::size_t lines_ = 0;
};

void Fail(ImportDescription& description, std::string code, std::string message) {
  description.status = TransferStatus::kFailed;
  description.failure_code = std::move(code);
  description.failure_message = std::move(message);
}

void TakeFigures(const ImportProgress& progress, ImportDescription& description) {
  description.processed_bytes = static_cast<std::int64_t>(progress.file_bytes);
  description.processed_items = progress.processed;
  description.imported_items = progress.imported;
  description.errors = progress.errors;
}

std::string CodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kResourceInUse:
      return "TableAlreadyExists";
    case ErrorCode::kResourceNotFound:
      return "TableNotFound";
    case ErrorCode::kUnavailable:
      return "Interrupted";
    case ErrorCode::kValidation:
      return "ValidationError";
    default:
      return "InternalServerError";
  }
}

ImportSource SourceOf(const ImportTableInput& input) {
  ImportSource source;
  source.format = input.format == InputFormat::kCsv ? LineFormat::kCsv : LineFormat::kWrapped;
  source.compression = input.compression;
  source.key_types = input.table.attribute_definitions;
  if (input.csv) {
    source.headers = input.csv->headers;
    if (input.csv->delimiter) {
      source.delimiter = input.csv->delimiter->front();
    }
  }
  return source;
}

}  // namespace

Result<ImportDescription> Transfers::ImportTable(engine::RequestContext& context,
                                                 const ImportTableInput& input) {
  PJ_RETURN_IF_ERROR(imports_.Load());
  PJ_RETURN_IF_ERROR(CheckInput(input));
  ImportDescription description;
  description.started_ms = engine_.clock().NowMs();
  description.id = NewTransferId(description.started_ms);
  description.table_name = input.table.table_name;
  description.table_arn = engine::TableArn(engine_.options(), input.table.table_name);
  description.arn = description.table_arn + "/import/" + description.id;
  description.client_token = input.client_token.value_or("");
  description.echo = input.echo;
  description.summary_echo = input.summary_echo;
  const std::int64_t token_since_ms = description.started_ms - kTransferTokenMs;
  PJ_ASSIGN_OR_RETURN(
      const auto added,
      imports_.Add(
          context, std::move(description),
          [&](const std::map<std::string, ImportDescription>& all)
              -> Result<std::optional<ImportDescription>> {
            std::size_t running = 0;
            for (const auto& [id, earlier] : all) {
              running += earlier.status == TransferStatus::kInProgress ? 1 : 0;
              if (!input.client_token || earlier.client_token != *input.client_token ||
                  earlier.started_ms < token_since_ms) {
                continue;
              }
              if (earlier.echo != input.echo) {
                return Error{ErrorCode::kImportConflict,
                             "Import conflict: Duplicate request detected with conflicting "
                             "parameters"};
              }
              return std::optional(earlier);
            }
            if (engine_.catalog().FindOrNull(input.table.table_name) != nullptr) {
              return engine::ResourceInUse("Table already exists: " + input.table.table_name);
            }
            if (running >= kImportsAtOnceMax) {
              return engine::LimitExceeded("Too many concurrent imports");
            }
            PJ_RETURN_IF_ERROR(buckets_.CheckRoot());
            return std::optional<ImportDescription>();
          }));
  if (added.is_new) {
    jobs_.Add([this, input, description = added.description] { RunImport(input, description); });
  }
  return added.description;
}

void Transfers::RunImport(const ImportTableInput& input, ImportDescription description) {
  const Status filled = FillTable(input, description);
  if (jobs_.stopping()) {
    return;  // Told at the next start, when it can be told durably.
  }
  if (!filled) {
    Fail(description, CodeOf(filled.error().code), filled.error().message);
  } else if (description.failure_code.empty()) {
    description.status = TransferStatus::kCompleted;
  }
  description.ended_ms = engine_.clock().NowMs();
  imports_.Finish(description);
}

Status Transfers::FillTable(const ImportTableInput& input, ImportDescription& description) {
  if (!buckets_.Exists(input.bucket)) {
    Fail(description, "S3NoSuchBucket", "The specified bucket does not exist");
    return {};
  }
  ImportSource source = SourceOf(input);
  PJ_ASSIGN_OR_RETURN(source.files, buckets_.List(input.bucket, input.key_prefix));
  engine::RequestContext context;
  PJ_ASSIGN_OR_RETURN(const TableDescription table,
                      engine::CreateTable(engine_, context, input.table));
  description.table_id = table.table_id;
  ErrorFile errors(buckets_, description.id);
  const ImportCallbacks callbacks{
      .on_progress =
          [&](const ImportProgress& progress) {
            TakeFigures(progress, description);
            imports_.Note(description);
            return !jobs_.stopping();
          },
      .on_error = [&](const std::string& place,
                      const std::string& why) { errors.Add(place, why); }};
  TableSink sink(engine_, input.table.table_name, table.table_id);
  ImportProgress progress;
  const Status imported = ImportFiles(source, sink, callbacks, progress);
  TakeFigures(progress, description);
  PJ_RETURN_IF_ERROR(imported);
  if (progress.errors > 0) {
    Fail(description, "ItemValidationError",
         "Some of the items failed validation checks and were not imported. Please check " +
             errors.path() + " for more details.");
  }
  return {};
}

Result<ImportDescription> Transfers::DescribeImport(const std::string& arn) {
  PJ_RETURN_IF_ERROR(imports_.Load());
  PJ_ASSIGN_OR_RETURN(const TransferPlace place,
                      ParseTransferArn(engine_.options(), arn, kImportKind));
  const auto found = imports_.Find(place.id);
  if (!found || found->arn != arn) {
    return Error{ErrorCode::kImportNotFound, "Import not found: Import not found: " + arn};
  }
  return *found;
}

Result<ListImportsOutput> Transfers::ListImports(const ListImportsInput& input) {
  PJ_RETURN_IF_ERROR(imports_.Load());
  PJ_ASSIGN_OR_RETURN(const auto after, ParsePageToken(kImportKind, input.next_token));
  auto page = imports_.List(
      [&](const ImportDescription& description) {
        return !input.table_arn || description.table_arn == *input.table_arn;
      },
      after, static_cast<std::size_t>(input.page_size.value_or(kTransferPageMax)));
  ListImportsOutput output;
  output.imports = std::move(page.transfers);
  if (page.next) {
    output.next_token = PageToken(kImportKind, *page.next);
  }
  return output;
}

}  // namespace prejoin::transfer
