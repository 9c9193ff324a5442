// DescribeExport's request, and ListExports.
#include "base/transfer_limits.h"
#include "json/writer.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct DescribeExportInput {
  std::string arn;
};

constexpr Member<DescribeExportInput> kDescribeExportMembers[] = {
    {"ExportArn",
     [](InputReader& reader, json::Value value, const Path& path,
        DescribeExportInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.arn));
       reader.CheckLength(path, out.arn, out.arn.size(), {37, 1024});
       return {};
     },
     Presence::kRequired},
};

constexpr Member<transfer::ListExportsInput> kListExportsMembers[] = {
    TransferTableArnMember<transfer::ListExportsInput>(Presence::kOptional),
    {"MaxResults",
     [](InputReader& reader, json::Value value, const Path& path,
        transfer::ListExportsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.max_results));
       reader.CheckRange(path, *out.max_results, 1, kTransferPageMax);
       return {};
     }},
    {"NextToken",
     [](InputReader& reader, json::Value value, const Path&, transfer::ListExportsInput& out) {
       return reader.ReadString(value, out.next_token);
     }},
};

}  // namespace

Result<std::string> ParseDescribeExportInput(json::Value root) {
  PJ_ASSIGN_OR_RETURN(DescribeExportInput input, ParseInput(root, kDescribeExportMembers));
  return std::move(input.arn);
}

Result<transfer::ListExportsInput> ParseListExportsInput(json::Value root) {
  return ParseInput(root, kListExportsMembers);
}

void PrintListExportsOutput(const transfer::ListExportsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(
      output.exports, answer.Name("ExportSummaries"),
      [&](const transfer::ExportDescription& exported) {
        json::ObjectWriter summary(out);
        summary.String("ExportArn", exported.arn);
        summary.String("ExportStatus", json::NameOf(kTransferStatusNames, exported.status));
        summary.String("ExportType", exported.input.type == transfer::ExportType::kIncremental
                                         ? "INCREMENTAL_EXPORT"
                                         : "FULL_EXPORT");
      });
  if (output.next_token) {
    answer.String("NextToken", *output.next_token);
  }
}

}  // namespace prejoin::wire
