#include "json/copy.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/members/table_members.h"
#include "wire/members/transfer_members.h"
#include "wire/members/vector_members.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

using transfer::Compression;
using transfer::CsvOptions;
using transfer::ImportTableInput;
using transfer::InputFormat;

constexpr std::size_t kKeyPrefixBytesMax = 1024;
constexpr std::size_t kHeadersMax = 255;
constexpr std::size_t kHeaderBytesMax = 65536;

constexpr EnumName<InputFormat> kInputFormatNames[] = {
    {"DYNAMODB_JSON", InputFormat::kDynamoDbJson},
    {"ION", InputFormat::kIon},
    {"CSV", InputFormat::kCsv},
};
constexpr EnumName<Compression> kCompressionNames[] = {
    {"ZSTD", Compression::kZstd},
    {"NONE", Compression::kNone},
    {"GZIP", Compression::kGzip},
};

// The parts of a request that the typed input does not need, beside it.
struct Request {
  ImportTableInput input;
  std::optional<std::string> bucket_owner;
};

constexpr Member<Request> kSourceMembers[] = {
    Field<&Request::bucket_owner, ReadBucketOwner>("S3BucketOwner"),
    {"S3Bucket",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) {
       return ReadBucketName(reader, value, path, out.input.bucket);
     },
     Presence::kRequired},
    {"S3KeyPrefix",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) -> Status {
       std::string& prefix = out.input.key_prefix;
       PJ_RETURN_IF_ERROR(reader.ReadString(value, prefix));
       reader.CheckLength(path, prefix, prefix.size(), {0, kKeyPrefixBytesMax});
       return {};
     }},
};

constexpr Member<CsvOptions> kCsvMembers[] = {
    {"Delimiter",
     [](InputReader& reader, json::Value value, const Path& path, CsvOptions& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadString(value, out.delimiter));
       const std::string& text = *out.delimiter;
       if (text.size() != 1 || std::string_view(",;:|\t ").find(text) == std::string_view::npos) {
         reader.Violate(path, text, R"(Member must satisfy regular expression pattern: [,;:|\t ])");
       }
       reader.CheckLength(path, text, text.size(), {1, 1});
       return {};
     }},
    {"HeaderList",
     [](InputReader& reader, json::Value value, const Path& path, CsvOptions& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadStrings(value, path, out.headers.emplace()));
       reader.CheckLength(path, PrintEcho(value), out.headers->size(), {1, kHeadersMax});
       for (const std::string& header : *out.headers) {
         reader.CheckLength(path, header, header.size(), {1, kHeaderBytesMax});
       }
       return {};
     }},
};

struct FormatOptions {
  std::optional<CsvOptions> csv;
};
constexpr Member<FormatOptions> kOptionMembers[] = {
    {"Csv",
     [](InputReader& reader, json::Value value, const Path& path, FormatOptions& out) -> Status {
       PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, "CsvOptions"}));
       return reader.ReadMembers(value, &path, kCsvMembers, out.csv.emplace());
     }},
};

constexpr Member<CreateTableInput> kImportedTableMembers[] = {
    Field<&CreateTableInput::table_name, ReadNewTableName>("TableName", Presence::kRequired),
    Field<&CreateTableInput::attribute_definitions, ReadAttributeDefinitions>(
        "AttributeDefinitions", Presence::kRequired),
    {"KeySchema",
     [](InputReader& reader, json::Value value, const Path& path, CreateTableInput& out) {
       return ReadKeySchema(reader, value, path, 2, out.key_schema);
     },
     Presence::kRequired},
    BillingModeMember<CreateTableInput>(),
    ProvisionedThroughputMember<CreateTableInput>(),
    OnDemandThroughputMember<CreateTableInput>(),
    SseSpecificationMember<CreateTableInput>(),
    Field<&CreateTableInput::global_indexes, ReadGlobalIndexes>("GlobalSecondaryIndexes"),
    Field<&CreateTableInput::vector_indexes, ReadVectorIndexes>("VectorIndexes"),
};

constexpr Member<Request> kImportTableMembers[] = {
    {"ClientToken",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) {
       return ReadClientToken(reader, value, path, out.input.client_token);
     }},
    {"S3BucketSource",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) -> Status {
       PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, "S3BucketSource"}));
       return reader.ReadMembers(value, &path, kSourceMembers, out);
     },
     Presence::kRequired},
    {"InputFormat",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) {
       return reader.ReadEnum(value, path, kInputFormatNames, out.input.format);
     },
     Presence::kRequired},
    {"InputFormatOptions",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "InputFormatOptions"}));
       FormatOptions options;
       PJ_RETURN_IF_ERROR(reader.ReadMembers(value, &path, kOptionMembers, options));
       out.input.csv = std::move(options.csv);
       return {};
     }},
    {"InputCompressionType",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) {
       return reader.ReadEnum(value, path, kCompressionNames, out.input.compression);
     }},
    {"TableCreationParameters",
     [](InputReader& reader, json::Value value, const Path& path, Request& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "TableCreationParameters"}));
       return reader.ReadMembers(value, &path, kImportedTableMembers, out.input.table);
     },
     Presence::kRequired},
};

// Members of an answer, without braces: what the request said, and AWS's defaults.
void MakeEchoes(json::Value root, const Request& request, ImportTableInput& input) {
  std::string summary;
  {
    json::ObjectWriter object(summary);
    {
      json::ObjectWriter source(object.Name("S3BucketSource"));
      if (request.bucket_owner) {
        source.String("S3BucketOwner", *request.bucket_owner);
      }
      source.String("S3Bucket", input.bucket);
      if (!input.key_prefix.empty()) {
        source.String("S3KeyPrefix", input.key_prefix);
      }
    }
    object.String("InputFormat", json::NameOf(kInputFormatNames, input.format));
  }
  std::string rest;
  {
    json::ObjectWriter object(rest);
    object.String("InputCompressionType", json::NameOf(kCompressionNames, input.compression));
    if (input.client_token) {
      object.String("ClientToken", *input.client_token);
    }
    for (const auto& [name, value] : root.fields()) {
      if ((name == "InputFormatOptions" || name == "TableCreationParameters") && !value.is_null()) {
        json::AppendCopy(value, object.Name(name));
      }
    }
  }
  input.summary_echo = summary.substr(1, summary.size() - 2);
  input.echo = input.summary_echo + "," + rest.substr(1, rest.size() - 2);
}

}  // namespace

Result<ImportTableInput> ParseImportTableInput(const RequestBody& body) {
  PJ_ASSIGN_OR_RETURN(Request request, ParseInput(body, kImportTableMembers));
  MakeEchoes(body.root, request, request.input);
  return std::move(request.input);
}

void PrintImportOutput(const transfer::ImportDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::ObjectWriter description(answer.Name("ImportTableDescription"));
  description.String("ImportArn", output.arn);
  description.String("ImportStatus", json::NameOf(kTransferStatusNames, output.status));
  description.String("TableArn", output.table_arn);
  if (!output.table_id.empty()) {
    description.String("TableId", output.table_id);
  }
  description.Time("StartTime", output.started_ms);
  if (output.ended_ms != 0) {
    description.Time("EndTime", output.ended_ms);
  }
  description.Integer("ErrorCount", output.errors);
  description.Integer("ProcessedSizeBytes", output.processed_bytes);
  description.Integer("ProcessedItemCount", output.processed_items);
  description.Integer("ImportedItemCount", output.imported_items);
  if (!output.failure_code.empty()) {
    description.String("FailureCode", output.failure_code);
    description.String("FailureMessage", output.failure_message);
  }
  out.append(",").append(output.echo);
}

}  // namespace prejoin::wire
