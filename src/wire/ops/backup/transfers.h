// Imports and exports as JSON. One operation, one file, as in operations.h.
#ifndef PREJOIN_WIRE_OPS_BACKUP_TRANSFERS_H_
#define PREJOIN_WIRE_OPS_BACKUP_TRANSFERS_H_

#include <string>

#include "json/reader.h"
#include "json/writer.h"
#include "prejoin/result.h"
#include "transfer/export_description.h"
#include "transfer/import_description.h"
#include "wire/enum_names.h"
#include "wire/members/time_member.h"

namespace prejoin::wire {

Result<transfer::ImportTableInput> ParseImportTableInput(json::Value root);
// Of ImportTable and DescribeImport.
void PrintImportOutput(const transfer::ImportDescription& output, std::string& out);
Result<std::string> ParseDescribeImportInput(json::Value root);  // The ARN.
Result<transfer::ListImportsInput> ParseListImportsInput(json::Value root);
void PrintListImportsOutput(const transfer::ListImportsOutput& output, std::string& out);

Result<transfer::ExportTableInput> ParseExportTableInput(json::Value root);
// Of ExportTableToPointInTime and DescribeExport.
void PrintExportOutput(const transfer::ExportDescription& output, std::string& out);
Result<std::string> ParseDescribeExportInput(json::Value root);  // The ARN.
Result<transfer::ListExportsInput> ParseListExportsInput(json::Value root);
void PrintListExportsOutput(const transfer::ListExportsOutput& output, std::string& out);

// ---- Shared by the files

inline constexpr EnumName<transfer::TransferStatus> kTransferStatusNames[] = {
    {"IN_PROGRESS", transfer::TransferStatus::kInProgress},
    {"COMPLETED", transfer::TransferStatus::kCompleted},
    {"FAILED", transfer::TransferStatus::kFailed},
};

// Name of an S3 bucket, owner, key prefix, and a client's token.
Status ReadBucketName(InputReader& reader, json::Value value, const Path& path, std::string& out);
Status ReadBucketOwner(InputReader& reader, json::Value value, const Path& path,
                       std::optional<std::string>& out);
Status ReadClientToken(InputReader& reader, json::Value value, const Path& path,
                       std::optional<std::string>& out);

template <class T>
constexpr Member<T> TransferTableArnMember(Presence presence) {
  return {"TableArn",
          [](InputReader& reader, json::Value value, const Path& path, T& out) -> Status {
            PJ_ASSIGN_OR_RETURN(const std::string_view text, reader.String(value));
            reader.CheckLength(path, text, text.size(), {1, 1024});
            out.table_arn = std::string(text);
            return {};
          },
          presence};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_BACKUP_TRANSFERS_H_
