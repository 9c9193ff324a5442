// DescribeImport's request, and ListImports.
#include "base/transfer_limits.h"
#include "json/writer.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

struct DescribeImportInput {
  std::string arn;
};

constexpr Member<DescribeImportInput> kDescribeImportMembers[] = {
    {"ImportArn",
     [](InputReader& reader, json::Value value, const Path& path,
        DescribeImportInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.arn));
       reader.CheckLength(path, out.arn, out.arn.size(), {37, 1024});
       return {};
     },
     Presence::kRequired},
};

constexpr Member<transfer::ListImportsInput> kListImportsMembers[] = {
    TransferTableArnMember<transfer::ListImportsInput>(Presence::kOptional),
    {"PageSize",
     [](InputReader& reader, json::Value value, const Path& path,
        transfer::ListImportsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.page_size));
       reader.CheckRange(path, *out.page_size, 1, kTransferPageMax);
       return {};
     }},
    {"NextToken",
     [](InputReader& reader, json::Value value, const Path& path,
        transfer::ListImportsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.next_token));
       reader.CheckLength(path, *out.next_token, out.next_token->size(), {112, 1024});
       return {};
     }},
};

}  // namespace

Result<std::string> ParseDescribeImportInput(json::Value root) {
  PJ_ASSIGN_OR_RETURN(DescribeImportInput input, ParseInput(root, kDescribeImportMembers));
  return std::move(input.arn);
}

Result<transfer::ListImportsInput> ParseListImportsInput(json::Value root) {
  return ParseInput(root, kListImportsMembers);
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
