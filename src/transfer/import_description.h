// An import, as ImportTable asks for it and DescribeImport tells it.
#ifndef PREJOIN_TRANSFER_IMPORT_DESCRIPTION_H_
#define PREJOIN_TRANSFER_IMPORT_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/operations.h"
#include "transfer/byte_source.h"

namespace prejoin::transfer {

enum class InputFormat { kDynamoDbJson, kIon, kCsv };
enum class TransferStatus { kInProgress, kCompleted, kFailed };

struct CsvOptions {
  std::optional<std::string> delimiter;  // One character.
  std::optional<std::vector<std::string>> headers;
};

struct ImportTableInput {
  std::string bucket;
  std::string key_prefix;
  InputFormat format = InputFormat::kDynamoDbJson;
  std::optional<CsvOptions> csv;
  Compression compression = Compression::kNone;
  CreateTableInput table;
  std::optional<std::string> client_token;
  // Members that the caller wants to read again in DescribeImport and in ListImports, in its own form. Two
  // requests are equal if the first of them is.
  std::string echo;
  std::string summary_echo;
};

struct ImportDescription {
  std::string id;
  std::string arn;
  TransferStatus status = TransferStatus::kInProgress;
  std::string table_name;
  std::string table_arn;
  std::string table_id;
  std::string client_token;  // Empty: none.
  std::string echo;
  std::string summary_echo;
  std::int64_t started_ms = 0;
  std::int64_t ended_ms = 0;  // 0: not yet.
  std::int64_t processed_bytes = 0;
  std::int64_t processed_items = 0;
  std::int64_t imported_items = 0;
  std::int64_t errors = 0;
  std::string failure_code;  // Empty unless failed, as is the next.
  std::string failure_message;
};

struct ListImportsInput {
  std::optional<std::string> table_arn;
  std::optional<std::int32_t> page_size;
  std::optional<std::string> next_token;
};

struct ListImportsOutput {
  std::vector<ImportDescription> imports;
  std::optional<std::string> next_token;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_IMPORT_DESCRIPTION_H_
