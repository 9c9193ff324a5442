#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/time_member.h"
#include "wire/members/transfer_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

using transfer::ExportFormat;
using transfer::ExportTableInput;
using transfer::ExportType;
using transfer::ExportView;
using transfer::IncrementalSpecification;

constexpr std::size_t kPrefixBytesMax = 1024;

constexpr EnumName<ExportFormat> kFormatNames[] = {
    {"DYNAMODB_JSON", ExportFormat::kDynamoDbJson},
    {"ION", ExportFormat::kIon},
};
constexpr EnumName<ExportType> kTypeNames[] = {
    {"FULL_EXPORT", ExportType::kFull},
    {"INCREMENTAL_EXPORT", ExportType::kIncremental},
};
constexpr EnumName<ExportView> kViewNames[] = {
    {"NEW_IMAGE", ExportView::kNewImage},
    {"NEW_AND_OLD_IMAGES", ExportView::kNewAndOldImages},
};
constexpr EnumName<std::string_view> kSseNames[] = {{"AES256", "AES256"}, {"KMS", "KMS"}};

constexpr Member<IncrementalSpecification> kIncrementalMembers[] = {
    {"ExportFromTime", [](InputReader&, json::Value value, const Path&,
                          IncrementalSpecification& out) { return ReadTime(value, out.from_ms); }},
    {"ExportToTime", [](InputReader&, json::Value value, const Path&,
                        IncrementalSpecification& out) { return ReadTime(value, out.to_ms); }},
    EnumField<&IncrementalSpecification::view, kViewNames>("ExportViewType"),
};

constexpr Member<ExportTableInput> kExportTableToPointInTimeMembers[] = {
    TransferTableArnMember<ExportTableInput>(Presence::kRequired),
    RefusedMember<ExportTableInput>("FilterSpecification"),
    {"ExportTime", [](InputReader&, json::Value value, const Path&,
                      ExportTableInput& out) { return ReadTime(value, out.time_ms); }},
    Field<&ExportTableInput::client_token, ReadClientToken>("ClientToken"),
    Field<&ExportTableInput::bucket, ReadBucketName>("S3Bucket", Presence::kRequired),
    Field<&ExportTableInput::bucket_owner, ReadBucketOwner>("S3BucketOwner"),
    TextField<&ExportTableInput::prefix, LengthLimits{0, kPrefixBytesMax}>("S3Prefix"),
    EnumField<&ExportTableInput::sse_algorithm, kSseNames>("S3SseAlgorithm"),
    TextField<&ExportTableInput::sse_kms_key, LengthLimits{1, 2048}>("S3SseKmsKeyId"),
    EnumField<&ExportTableInput::format, kFormatNames>("ExportFormat"),
    EnumField<&ExportTableInput::type, kTypeNames>("ExportType"),
    StructureField<&ExportTableInput::incremental, kIncrementalMembers>(
        "IncrementalExportSpecification"),
};

void WriteOptional(std::string_view name, const std::optional<std::string>& value,
                   json::ObjectWriter& object) {
  if (value) {
    object.String(name, *value);
  }
}

void WriteInput(const ExportTableInput& input, json::ObjectWriter& object) {
  object.String("TableArn", input.table_arn);
  if (input.time_ms) {
    object.Time("ExportTime", *input.time_ms);
  }
  WriteOptional("ClientToken", input.client_token, object);
  object.String("S3Bucket", input.bucket);
  WriteOptional("S3BucketOwner", input.bucket_owner, object);
  WriteOptional("S3Prefix", input.prefix, object);
  object.String("S3SseAlgorithm", input.sse_algorithm.value_or("AES256"));
  WriteOptional("S3SseKmsKeyId", input.sse_kms_key, object);
  object.String("ExportFormat", "DYNAMODB_JSON");
  if (input.type) {
    object.String("ExportType", json::NameOf(kTypeNames, *input.type));
  }
  if (input.incremental) {
    json::ObjectWriter incremental(object.Name("IncrementalExportSpecification"));
    incremental.Time("ExportFromTime", input.incremental->from_ms.value_or(0));
    incremental.Time("ExportToTime", input.incremental->to_ms.value_or(0));
    incremental.String(
        "ExportViewType",
        json::NameOf(kViewNames, input.incremental->view.value_or(ExportView::kNewAndOldImages)));
  }
}

}  // namespace

Result<ExportTableInput> ParseExportTableInput(const RequestBody& request) {
  return ParseInput(request, kExportTableToPointInTimeMembers);
}

void PrintExportOutput(const transfer::ExportDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter description(answer.Name("ExportDescription"));
  description.String("ExportArn", output.arn);
  description.String("ExportStatus", json::NameOf(kTransferStatusNames, output.status));
  description.Time("StartTime", output.started_ms);
  description.String("TableId", output.table_id);
  WriteInput(output.input, description);
  if (output.ended_ms != 0) {
    description.Time("EndTime", output.ended_ms);
  }
  if (output.status == transfer::TransferStatus::kCompleted) {
    description.String("ExportManifest", output.manifest_key);
    description.Integer("BilledSizeBytes", output.billed_bytes);
    description.Integer("ItemCount", output.item_count);
  }
  if (!output.failure_code.empty()) {
    description.String("FailureCode", output.failure_code);
    description.String("FailureMessage", output.failure_message);
  }
}

}  // namespace prejoin::wire
