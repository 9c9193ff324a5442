// DescribeExport's request, and ListExports.
#include "base/transfer_limits.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct DescribeExportInput {
  std::string arn;
};

constexpr Member<DescribeExportInput> kDescribeExportMembers[] = {
    ArnField<&DescribeExportInput::arn, LengthLimits{37, 1024}>("ExportArn", Presence::kRequired),
};

constexpr Member<transfer::ListExportsInput> kListExportsMembers[] = {
    TransferTableArnMember<transfer::ListExportsInput>(Presence::kOptional),
    RangeField<&transfer::ListExportsInput::max_results, 1, kTransferPageMax>("MaxResults"),
    Field<&transfer::ListExportsInput::next_token>("NextToken"),
};

}  // namespace

Result<std::string> ParseDescribeExportInput(const RequestBody& request) {
  PJ_ASSIGN_OR_RETURN(DescribeExportInput input, ParseInput(request, kDescribeExportMembers));
  return std::move(input.arn);
}

Result<transfer::ListExportsInput> ParseListExportsInput(const RequestBody& request) {
  return ParseInput(request, kListExportsMembers);
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
