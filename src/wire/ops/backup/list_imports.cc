// DescribeImport's request, and ListImports.
#include "base/transfer_limits.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct DescribeImportInput {
  std::string arn;
};

constexpr Member<DescribeImportInput> kDescribeImportMembers[] = {
    ArnField<&DescribeImportInput::arn, LengthLimits{37, 1024}>("ImportArn", Presence::kRequired),
};

constexpr Member<transfer::ListImportsInput> kListImportsMembers[] = {
    TransferTableArnMember<transfer::ListImportsInput>(Presence::kOptional),
    RangeField<&transfer::ListImportsInput::page_size, 1, kTransferPageMax>("PageSize"),
    TextField<&transfer::ListImportsInput::next_token, LengthLimits{112, 1024}>("NextToken"),
};

}  // namespace

Result<std::string> ParseDescribeImportInput(const RequestBody& request) {
  PJ_ASSIGN_OR_RETURN(DescribeImportInput input, ParseInput(request, kDescribeImportMembers));
  return std::move(input.arn);
}

Result<transfer::ListImportsInput> ParseListImportsInput(const RequestBody& request) {
  return ParseInput(request, kListImportsMembers);
}

void PrintListImportsOutput(const transfer::ListImportsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.imports, answer.Name("ImportSummaryList"),
                    [&](const transfer::ImportDescription& import) {
                      json::ObjectWriter summary(out);
                      summary.String("ImportArn", import.arn);
                      summary.String("ImportStatus",
                                     json::NameOf(kTransferStatusNames, import.status));
                      summary.String("TableArn", import.table_arn);
                      summary.Time("StartTime", import.started_ms);
                      if (import.ended_ms != 0) {
                        summary.Time("EndTime", import.ended_ms);
                      }
                      out.append(",").append(import.summary_echo);
                    });
  if (output.next_token) {
    answer.String("NextToken", *output.next_token);
  }
}

}  // namespace prejoin::wire
