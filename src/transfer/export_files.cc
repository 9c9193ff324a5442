#include "transfer/export_files.h"

#include <absl/strings/escaping.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

#include "base/transfer_limits.h"
#include "base/uuid.h"
#include "json/indented_writer.h"
#include "json/item_json.h"
#include "json/writer.h"

namespace prejoin::transfer {
namespace {

constexpr std::size_t kDataNameLength = 26;

bool IsIncremental(const ExportDescription& description) {
  return description.input.type == ExportType::kIncremental;
}

std::string BaseOf(const ExportDescription& description) {
  std::string base = description.input.prefix.value_or("");
  while (base.ends_with('/')) {
    base.pop_back();
  }
  return base.empty() ? "AWSDynamoDB/" : base + "/AWSDynamoDB/";
}

// Random lower-case letters and digits, as AWS names data files.
std::string NewDataName() {
  std::string name;
  for (const char c : NewUuid()) {
    if (c != '-' && name.size() < kDataNameLength) {
      name.push_back(c);
    }
  }
  return name;
}

}  // namespace

ExportFiles::ExportFiles(const BucketDirectory& buckets, const ExportDescription& description)
    : buckets_(buckets),
      bucket_(description.input.bucket),
      folder_(BaseOf(description) + description.id + "/"),
      data_folder_((IsIncremental(description) ? BaseOf(description) : folder_) + "data/") {}

Result<ExportFiles> ExportFiles::Begin(const BucketDirectory& buckets,
                                       const ExportDescription& description) {
  ExportFiles files(buckets, description);
  PJ_ASSIGN_OR_RETURN(const std::string path,
                      buckets.PathToWrite(files.bucket_, files.folder_ + "_started"));
  PJ_RETURN_IF_ERROR(WriteFile(path, ""));
  return files;
}

Status ExportFiles::AddItem(ItemView item) {
  line_.assign("{\"Item\":");
  json::AppendItem(item, line_);
  line_.append("}\n");
  return AddLine();
}

Status ExportFiles::AddChange(const ChangeLine& change) {
  line_.assign("{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"");
  line_.append(std::to_string(change.written_us)).append("\"}},\"Keys\":");
  json::AppendItem(change.keys, line_);
  if (change.old_image) {
    line_.append(",\"OldImage\":");
    json::AppendItem(*change.old_image, line_);
  }
  if (change.new_image) {
    line_.append(",\"NewImage\":");
    json::AppendItem(*change.new_image, line_);
  }
  line_.append("}\n");
  return AddLine();
}

Status ExportFiles::AddLine() {
  if (file_ == nullptr) {
    PJ_RETURN_IF_ERROR(OpenFile());
  }
  PJ_RETURN_IF_ERROR(file_->Write(line_));
  ++item_count_;
  return ++file_items_ == kExportFileItemsMax ? CloseFile() : Status();
}

Status ExportFiles::OpenFile() {
  file_key_ = data_folder_ + NewDataName() + ".json.gz";
  PJ_ASSIGN_OR_RETURN(const std::string path, buckets_.PathToWrite(bucket_, file_key_));
  PJ_ASSIGN_OR_RETURN(file_, GzipFile::Create(path));
  file_items_ = 0;
  return {};
}

Status ExportFiles::CloseFile() {
  PJ_ASSIGN_OR_RETURN(const Md5::Digest digest, file_->Finish());
  file_.reset();
  manifest_.append("{\"itemCount\":").append(std::to_string(file_items_));
  manifest_.append(",\"md5Checksum\":\"").append(absl::Base64Escape(digest));
  manifest_.append("\",\"etag\":\"")
      .append(absl::BytesToHexString(digest))
      .append("-1\",\"dataFileS3Key\":");
  json::AppendString(file_key_, manifest_);
  manifest_.append("}\n");
  return {};
}

Status ExportFiles::WriteWithChecksum(const std::string& name, const std::string& bytes) {
  PJ_ASSIGN_OR_RETURN(const std::string path,
                      buckets_.PathToWrite(bucket_, folder_ + name + ".json"));
  PJ_ASSIGN_OR_RETURN(const Md5::Digest digest, WriteFile(path, bytes));
  PJ_ASSIGN_OR_RETURN(const std::string checksum_path,
                      buckets_.PathToWrite(bucket_, folder_ + name + ".md5"));
  PJ_RETURN_IF_ERROR(WriteFile(checksum_path, absl::Base64Escape(digest)));
  return {};
}

Status ExportFiles::Finish(ExportDescription& description) {
  if (file_ == nullptr && manifest_.empty()) {
    PJ_RETURN_IF_ERROR(OpenFile());  // A table without items has an empty file, as on AWS.
  }
  if (file_ != nullptr) {
    PJ_RETURN_IF_ERROR(CloseFile());
  }
  description.item_count = item_count_;
  description.manifest_key = folder_ + "manifest-summary.json";
  PJ_RETURN_IF_ERROR(WriteWithChecksum("manifest-files", manifest_));
  return WriteWithChecksum("manifest-summary", Summary(description));
}

std::string ExportFiles::Summary(const ExportDescription& description) const {
  const ExportTableInput& input = description.input;
  json::IndentedWriter summary;
  const auto optional = [&](std::string_view name, const std::optional<std::string>& value) {
    value ? summary.Field(name, *value) : summary.Name(name).Null();
  };
  summary.BeginObject();
  summary.Field("version", IsIncremental(description) ? "2023-08-01" : "2020-06-30");
  summary.Field("exportArn", description.arn);
  summary.Field("startTime", PrintTime(description.started_ms));
  summary.Field("endTime", PrintTime(description.ended_ms));
  summary.Field("tableArn", input.table_arn);
  summary.Field("tableId", description.table_id);
  if (IsIncremental(description)) {
    summary.Field("exportFromTime", PrintTime(input.incremental->from_ms.value_or(0)));
    summary.Field("exportToTime", PrintTime(input.incremental->to_ms.value_or(0)));
  } else {
    summary.Field("exportTime", PrintTime(input.time_ms.value_or(description.started_ms)));
  }
  summary.Field("s3Bucket", bucket_);
  optional("s3Prefix", input.prefix);
  summary.Field("s3SseAlgorithm", input.sse_algorithm.value_or("AES256"));
  optional("s3SseKmsKeyId", input.sse_kms_key);
  summary.Field("manifestFilesS3Key", folder_ + "manifest-files.json");
  summary.Field("billedSizeBytes", static_cast<double>(description.billed_bytes));
  summary.Field("itemCount", static_cast<double>(description.item_count));
  summary.Field("outputFormat", "DYNAMODB_JSON");
  if (IsIncremental(description)) {
    summary.Field("outputView", input.incremental->view == ExportView::kNewImage
                                    ? "NEW_IMAGE"
                                    : "NEW_AND_OLD_IMAGES");
  }
  summary.Field("exportType", IsIncremental(description) ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
  return summary.EndObject().Finish();
}

std::string NewTransferId(std::int64_t now_ms) {
  std::array<char, 32> text;
  const int length =
      std::snprintf(text.data(), text.size(), "%014lld-", static_cast<long long>(now_ms));
  return std::string(text.data(), static_cast<std::size_t>(length)) + NewUuid().substr(0, 8);
}

std::string PrintTime(std::int64_t time_ms) {
  constexpr std::int64_t kMsPerSecond = 1000;
  const std::time_t seconds = static_cast<std::time_t>(time_ms / kMsPerSecond);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 64> text;
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 16> milliseconds;
  std::snprintf(milliseconds.data(), milliseconds.size(), ".%03dZ",
                static_cast<int>(time_ms % kMsPerSecond));
  return std::string(text.data(), length) + milliseconds.data();
}

}  // namespace prejoin::transfer
