// An export, as ExportTableToPointInTime asks for it and DescribeExport tells it.
#ifndef PREJOIN_TRANSFER_EXPORT_DESCRIPTION_H_
#define PREJOIN_TRANSFER_EXPORT_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transfer/import_description.h"

namespace prejoin::transfer {

enum class ExportFormat { kDynamoDbJson, kIon };
enum class ExportType { kFull, kIncremental };
enum class ExportView { kNewImage, kNewAndOldImages };

struct IncrementalSpecification {
  std::optional<std::int64_t> from_ms;
  std::optional<std::int64_t> to_ms;
  std::optional<ExportView> view;
};

struct ExportTableInput {
  std::string table_arn;
  std::string bucket;
  std::optional<std::string> bucket_owner;
  std::optional<std::string> prefix;
  std::optional<std::string> sse_algorithm;  // "AES256" or "KMS".
  std::optional<std::string> sse_kms_key;
  std::optional<ExportFormat> format;
  std::optional<ExportType> type;
  std::optional<std::int64_t> time_ms;
  std::optional<IncrementalSpecification> incremental;
  std::optional<std::string> client_token;
};

struct ExportDescription {
  std::string id;
  std::string arn;
  TransferStatus status = TransferStatus::kInProgress;
  // As asked for; times and view that were left out are filled in.
  ExportTableInput input;
  std::string table_id;
  std::int64_t started_ms = 0;
  std::int64_t ended_ms = 0;  // 0: not yet.
  std::string manifest_key;   // Empty until completed.
  std::int64_t item_count = 0;
  std::int64_t billed_bytes = 0;
  std::string failure_code;  // Empty unless failed, as is the next.
  std::string failure_message;
};

struct ListExportsInput {
  std::optional<std::string> table_arn;
  std::optional<std::int32_t> max_results;
  std::optional<std::string> next_token;
};

struct ListExportsOutput {
  std::vector<ExportDescription> exports;
  std::optional<std::string> next_token;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_EXPORT_DESCRIPTION_H_
