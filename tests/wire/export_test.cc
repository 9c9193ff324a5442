// Exports through the service, on a clock that the test sets; and their way back by an import.
#include <absl/strings/escaping.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/history/history.h"
#include "engine/table/catalog.h"
#include "tests/engine/test_database.h"
#include "transfer/byte_source.h"
#include "transfer/md5.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

constexpr std::int64_t kMinuteMs = 60 * 1000;
constexpr char kArn[] = "arn:aws:dynamodb:us-east-1:123456789012:table/Music";

class ExportTest : public testing::Test {
 protected:
  ExportTest() {
    fs::create_directories(directory_.path() + "/bucket");
    Send("CreateTable", R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})");
  }

  Answer Handle(std::string_view operation, const std::string& body) {
    return service_.Handle("DynamoDB_20120810." + std::string(operation), body);
  }
  std::string Send(std::string_view operation, const std::string& body) {
    const Answer answer = Handle(operation, body);
    EXPECT_EQ(answer.status, 200) << operation << " " << body << ": " << answer.body;
    return answer.body;
  }
  std::string Refused(const std::string& rest, const std::string& arn = kArn) {
    const Answer answer = Handle("ExportTableToPointInTime", Request(rest, arn));
    EXPECT_EQ(answer.status, 400) << rest << ": " << answer.body;
    return answer.body;
  }
  static std::string Request(const std::string& rest, const std::string& arn = kArn) {
    return R"({"TableArn":")" + arn + R"(","S3Bucket":"bucket")" + rest + "}";
  }

  void EnableRecovery() {
    const auto hold = engine::HoldHistory(*engine_, "Music");
    ASSERT_TRUE(hold.has_value());
    const auto changed = engine_->catalog().Change(
        "Music",
        [&](const engine::Table* current,
            engine::SpaceAllocator&) -> Result<std::unique_ptr<engine::Table>> {
          auto next = engine::CopyOf(*current);
          next->recovery = engine::Recovery{.days = 35, .since = hold->number()};
          return next;
        });
    ASSERT_TRUE(changed.has_value());
  }
  void Put(const std::string& pk, int value) {
    Send("PutItem", R"({"TableName":"Music","Item":{"PK":{"S":")" + pk + R"("},"v":{"N":")" +
                        std::to_string(value) + R"("}}})");
  }
  void Delete(const std::string& pk) {
    Send("DeleteItem", R"({"TableName":"Music","Key":{"PK":{"S":")" + pk + R"("}}})");
  }
  std::string Seconds(std::int64_t time_ms) const {
    return std::to_string(time_ms / 1000) + "." + std::to_string(time_ms % 1000 + 1000).substr(1);
  }

  // Runs an export to its end and returns its description.
  std::string Export(const std::string& rest) {
    const std::string started = Send("ExportTableToPointInTime", Request(rest));
    service_.DrainForTesting();
    return Send("DescribeExport", R"({"ExportArn":")" + Member(started, "ExportArn") + R"("})");
  }
  static std::string Member(const std::string& json, const std::string& name) {
    const std::string mark = "\"" + name + "\":\"";
    const std::size_t at = json.find(mark);
    return at == std::string::npos
               ? ""
               : json.substr(at + mark.size(), json.find('"', at + mark.size()) - at - mark.size());
  }
  std::string File(const std::string& key) const {
    std::ifstream file(directory_.path() + "/bucket/" + key, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // All lines of the data files that the export's manifest names.
  std::vector<std::string> Lines(const std::string& described) const {
    const std::string summary = File(Member(described, "ExportManifest"));
    const std::string mark = "\"manifestFilesS3Key\": \"";
    const std::size_t at = summary.find(mark) + mark.size();
    std::istringstream manifest(File(summary.substr(at, summary.find('"', at) - at)));
    std::vector<std::string> lines;
    for (std::string entry; std::getline(manifest, entry);) {
      const std::string key = Member(entry, "dataFileS3Key");
      transfer::Md5 md5;
      md5.Add(File(key));
      EXPECT_EQ(Member(entry, "md5Checksum"), absl::Base64Escape(md5.Finish()));
      auto source = *transfer::OpenByteSource(directory_.path() + "/bucket/" + key,
                                              transfer::Compression::kGzip);
      std::string text(1 << 20, '\0');
      text.resize(*source->Read(text.data(), text.size()));
      std::istringstream data(text);
      for (std::string line; std::getline(data, line);) {
        lines.push_back(line);
      }
    }
    return lines;
  }

  TestDirectory directory_;
  FakeClock clock_;
  std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
  StoreProxy* proxy_ = new StoreProxy(*store_);  // Owned by engine_.
  std::unique_ptr<engine::Engine> engine_ =
      *engine::Engine::OpenOn(std::unique_ptr<storage::Store>(proxy_), Options{}, clock_);
  Service service_{*engine_, directory_.path()};
};

std::string Line(const std::string& pk, int value) {
  return R"({"Item":{"PK":{"S":")" + pk + R"("},"v":{"N":")" + std::to_string(value) + R"("}}})";
}

TEST_F(ExportTest, WritesAwsLayoutThatImportReads) {
  EnableRecovery();
  for (int i = 0; i < 2500; ++i) {
    Put("key" + std::to_string(i), i);
  }
  const std::string done = Export(R"(,"S3Prefix":"2023/full/")");
  EXPECT_THAT(done, HasSubstr(R"("ExportStatus":"COMPLETED")"));
  EXPECT_THAT(done, HasSubstr(R"("ItemCount":2500)"));
  EXPECT_THAT(done, HasSubstr(R"("S3SseAlgorithm":"AES256")"));
  EXPECT_THAT(done, HasSubstr(R"("ExportFormat":"DYNAMODB_JSON")"));
  const std::string manifest = Member(done, "ExportManifest");
  EXPECT_THAT(manifest, testing::MatchesRegex(
                            "2023/full/AWSDynamoDB/[0-9]{14}-[0-9a-f]{8}/manifest-summary.json"));
  const std::string folder = manifest.substr(0, manifest.rfind('/') + 1);
  for (const char* name :
       {"_started", "manifest-summary.md5", "manifest-files.json", "manifest-files.md5"}) {
    EXPECT_TRUE(fs::exists(directory_.path() + "/bucket/" + folder + name)) << name;
  }
  const std::string summary = File(manifest);
  EXPECT_THAT(summary, HasSubstr("\"version\": \"2020-06-30\""));
  EXPECT_THAT(summary, HasSubstr("\"itemCount\": 2500"));
  EXPECT_THAT(summary, HasSubstr("\"exportTime\": \"2023-11-14T22:13:20.000Z\""));
  EXPECT_THAT(summary, HasSubstr("\"s3SseKmsKeyId\": null"));
  transfer::Md5 md5;
  md5.Add(summary);
  EXPECT_EQ(File(folder + "manifest-summary.md5"), absl::Base64Escape(md5.Finish()));
  EXPECT_EQ(Lines(done).size(), 2500u);

  Send("ImportTable", R"({"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":")" + folder +
                          R"(data/"},"InputFormat":"DYNAMODB_JSON","InputCompressionType":"GZIP",
    "TableCreationParameters":{"TableName":"Copy","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}})");
  service_.DrainForTesting();
  EXPECT_EQ(Send("Scan", R"({"TableName":"Copy"})"), Send("Scan", R"({"TableName":"Music"})"));
}

TEST_F(ExportTest, ShowsTheTableAsItWas) {
  EnableRecovery();
  Put("a", 1);
  Put("b", 1);
  const std::int64_t then = clock_.NowMs();
  clock_.Advance(5 * kMinuteMs);
  Put("a", 2);
  Delete("b");
  Put("c", 1);
  EXPECT_THAT(Lines(Export(R"(,"ExportTime":)" + Seconds(then))),
              UnorderedElementsAre(Line("a", 1), Line("b", 1)));
  EXPECT_THAT(Lines(Export("")), UnorderedElementsAre(Line("a", 2), Line("c", 1)));
}

TEST_F(ExportTest, AnEmptyTableHasAnEmptyFile) {
  EnableRecovery();
  const std::string done = Export("");
  EXPECT_THAT(done, HasSubstr(R"("ItemCount":0)"));
  EXPECT_THAT(Lines(done), ElementsAre());
}

TEST_F(ExportTest, ExportsWhatChangedInAWindow) {
  Put("untouched", 1);
  Put("updated", 1);
  Put("deleted", 1);
  clock_.Advance(kMinuteMs);
  EnableRecovery();
  clock_.Advance(kMinuteMs);
  const std::int64_t from = clock_.NowMs();
  Put("inserted", 1);
  Put("updated", 2);
  clock_.Advance(kMinuteMs);
  Put("updated", 3);
  Put("came and went", 1);
  Delete("came and went");
  Delete("deleted");
  const std::int64_t changed = clock_.NowMs();
  clock_.Advance(20 * kMinuteMs);
  const std::int64_t to = clock_.NowMs();
  Put("updated", 4);
  Put("too late", 1);
  const std::string window = R"(,"ExportType":"INCREMENTAL_EXPORT",
    "IncrementalExportSpecification":{"ExportFromTime":)" +
                             Seconds(from) + R"(,"ExportToTime":)" + Seconds(to);
  const auto metadata = [](std::int64_t time_ms) {
    return R"({"Metadata":{"WriteTimestampMicros":{"N":")" + std::to_string(time_ms * 1000) +
           R"("}},"Keys":{"PK":{"S":")";
  };
  const std::string done = Export(window + "}");
  EXPECT_THAT(done, HasSubstr(R"("ExportViewType":"NEW_AND_OLD_IMAGES")"));
  EXPECT_THAT(
      Lines(done),
      UnorderedElementsAre(
          metadata(from) + R"(inserted"}},"NewImage":{"PK":{"S":"inserted"},"v":{"N":"1"}}})",
          metadata(changed) +
              R"(updated"}},"OldImage":{"PK":{"S":"updated"},"v":{"N":"1"}},"NewImage":{"PK":{"S":"updated"},"v":{"N":"3"}}})",
          metadata(changed) + R"(deleted"}},"OldImage":{"PK":{"S":"deleted"},"v":{"N":"1"}}})"));
  const std::string summary = File(Member(done, "ExportManifest"));
  EXPECT_THAT(summary, HasSubstr("\"version\": \"2023-08-01\""));
  EXPECT_THAT(summary, HasSubstr("\"exportType\": \"INCREMENTAL_EXPORT\""));
  EXPECT_THAT(summary, HasSubstr("\"outputView\": \"NEW_AND_OLD_IMAGES\""));
  EXPECT_TRUE(fs::exists(directory_.path() + "/bucket/AWSDynamoDB/data"));
  for (const std::string& line : Lines(Export(window + R"(,"ExportViewType":"NEW_IMAGE"})"))) {
    EXPECT_THAT(line, Not(HasSubstr("OldImage")));
  }
}

// An export may take hours. Whoever builds an index meanwhile waits until nobody works with the
// table as it was before: the export must not be one of those.
TEST_F(ExportTest, HoldsUpNobodyWhoChangesTheTable) {
  EnableRecovery();
  clock_.Advance(kMinuteMs);
  const std::int64_t from = clock_.NowMs();
  Put("inserted", 1);
  clock_.Advance(20 * kMinuteMs);
  const std::int64_t to = clock_.NowMs();
  const std::thread::id here = std::this_thread::get_id();
  int changes = 0;
  proxy_->before_visit = [&] {
    if (std::this_thread::get_id() == here || changes > 0) {
      return;
    }
    ++changes;
    const auto change = engine_->catalog().Change(
        "Music", [](const engine::Table* current, engine::SpaceAllocator&) {
          return Result<std::unique_ptr<engine::Table>>(engine::CopyOf(*current));
        });
    ASSERT_TRUE(change.has_value());
    // Whoever asks how the export is doing lets go of the table; an export that held it would wait for itself here.
    for (const auto& retired : change->old_retired) {
      EXPECT_EQ(retired.wait_for(std::chrono::seconds(10)), std::future_status::ready);
    }
  };
  const std::string done = Export(R"(,"ExportType":"INCREMENTAL_EXPORT",
    "IncrementalExportSpecification":{"ExportFromTime":)" +
                                  Seconds(from) + R"(,"ExportToTime":)" + Seconds(to) + "}");
  EXPECT_THAT(done, HasSubstr(R"("ExportStatus":"COMPLETED")"));
  EXPECT_EQ(Lines(done).size(), 1u);
  EXPECT_EQ(changes, 1);
}

// Nobody is told of an end that a power failure could take back.
TEST_F(ExportTest, HasEndedWhenItsEndIsDurable) {
  EnableRecovery();
  std::string meanwhile;
  proxy_->before_wait_durable = [&]() -> Status {
    meanwhile = Send("ListExports", "{}");
    return {};
  };
  EXPECT_THAT(Export(""), HasSubstr(R"("ExportStatus":"COMPLETED")"));
  EXPECT_THAT(meanwhile, HasSubstr(R"("ExportStatus":"IN_PROGRESS")"));
  proxy_->before_wait_durable = [] { return Status(Error{ErrorCode::kIo, "disk full"}); };
  EXPECT_THAT(Export(""), HasSubstr(R"("ExportStatus":"FAILED")"));
}

TEST_F(ExportTest, RefusesWhatCannotBe) {
  EXPECT_THAT(Refused(""), HasSubstr("PointInTimeRecoveryUnavailableException"));
  EXPECT_THAT(Refused(""), HasSubstr("Point in time recovery is not enabled for table 'Music'"));
  clock_.Advance(kMinuteMs);
  EnableRecovery();
  clock_.Advance(16 * kMinuteMs);
  const std::int64_t now = clock_.NowMs();
  EXPECT_THAT(Refused(R"(,"ExportTime":)" + Seconds(now + 5000)),
              HasSubstr("Export Time is invalid"));
  EXPECT_THAT(Refused(R"(,"ExportTime":)" + Seconds(now - 17 * kMinuteMs)),
              HasSubstr("InvalidExportTimeException"));
  EXPECT_THAT(Refused(R"(,"ExportFormat":"ION")"), HasSubstr("ION"));
  EXPECT_THAT(Refused(R"(,"S3SseKmsKeyId":"key")"),
              HasSubstr("KMS Key Id is not supported for this encryption type"));
  EXPECT_THAT(Refused("", "Music"), HasSubstr("tableArn is not a valid ARN"));
  EXPECT_THAT(Refused("", std::string(kArn) + "/index/i"), HasSubstr("Table ARN is invalid."));
  EXPECT_THAT(Refused("", std::string(kArn) + "2"), HasSubstr("TableNotFoundException"));
  EXPECT_THAT(Refused("", "arn:aws:dynamodb:us-east-1:999999999999:table/Music"),
              HasSubstr("AccessDeniedException"));
  const auto window = [&](std::int64_t from_ms, std::int64_t to_ms) {
    return Refused(
        R"(,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{"ExportFromTime":)" +
        Seconds(from_ms) + R"(,"ExportToTime":)" + Seconds(to_ms) + "}");
  };
  EXPECT_THAT(window(now - 15 * kMinuteMs + 1, now), HasSubstr("is less than 15 minutes"));
  EXPECT_THAT(window(now - 60 * kMinuteMs, now),
              HasSubstr("cannot be less than the table creation"));
  EXPECT_THAT(window(now - 15 * kMinuteMs, now + 1000),
              HasSubstr("cannot be greater than the current time"));
  EXPECT_THAT(window(now - 17 * kMinuteMs, now), HasSubstr("InvalidExportTimeException"));
  EXPECT_THAT(Refused(R"(,"ExportType":"INCREMENTAL_EXPORT")"),
              HasSubstr("Incremental Export Specification expected"));
  EXPECT_THAT(Refused(R"(,"IncrementalExportSpecification":{})"),
              HasSubstr("Export Type expected to be Incremental Export"));
  EXPECT_THAT(Refused(R"(,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{})"),
              HasSubstr("ExportFromTime must be provided"));
  EXPECT_THAT(
      Handle("DescribeExport", R"({"ExportArn":")" + std::string(kArn) + R"(/export/1"})").body,
      HasSubstr("ExportNotFoundException"));
}

// Without a directory for S3 everything else is checked first, and the answer says how to get one.
TEST_F(ExportTest, NeedsADirectoryLast) {
  const Service bare(*engine_);
  const auto refused = [&](std::string_view operation, const std::string& body) {
    const Answer answer = bare.Handle("DynamoDB_20120810." + std::string(operation), body);
    EXPECT_EQ(answer.status, 400) << answer.body;
    return answer.body;
  };
  const std::string way = "Start it with: prejoin serve --s3 DIR";
  EXPECT_THAT(refused("ExportTableToPointInTime", Request("", std::string(kArn) + "2")),
              HasSubstr("TableNotFoundException"));
  EXPECT_THAT(refused("ExportTableToPointInTime", Request("")),
              HasSubstr("PointInTimeRecoveryUnavailableException"));
  EnableRecovery();
  EXPECT_THAT(refused("ExportTableToPointInTime", Request("")), HasSubstr(way));
  const auto import_as = [&](const std::string& name, const std::string& key_type) {
    return refused("ImportTable", R"({"S3BucketSource":{"S3Bucket":"bucket"},
      "InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":")" +
                                      name + R"(","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":")" +
                                      key_type + R"("}]}})");
  };
  EXPECT_THAT(import_as("Other", "RANGE"), HasSubstr("Invalid KeySchema"));
  EXPECT_THAT(import_as("Music", "HASH"), HasSubstr("ResourceInUseException"));
  EXPECT_THAT(import_as("Other", "HASH"), HasSubstr(way));
}

TEST_F(ExportTest, TokensListsAndMissingBuckets) {
  EnableRecovery();
  const std::string first = Send("ExportTableToPointInTime", Request(R"(,"ClientToken":"token")"));
  const std::string arn = Member(first, "ExportArn");
  EXPECT_EQ(
      Member(Send("ExportTableToPointInTime", Request(R"(,"ClientToken":"token")")), "ExportArn"),
      arn);
  EXPECT_THAT(Refused(R"(,"ClientToken":"token","S3Prefix":"other")"),
              HasSubstr("ExportConflictException"));
  clock_.Advance(1);
  const std::string missing =
      Member(Send("ExportTableToPointInTime",
                  R"({"TableArn":")" + std::string(kArn) + R"(","S3Bucket":"no-such-bucket"})"),
             "ExportArn");
  service_.DrainForTesting();
  EXPECT_THAT(Send("DescribeExport", R"({"ExportArn":")" + missing + R"("})"),
              HasSubstr(R"("FailureCode":"S3NoSuchBucket")"));
  EXPECT_EQ(Send("ListExports", R"({"TableArn":")" + std::string(kArn) + R"("})"),
            R"({"ExportSummaries":[{"ExportArn":")" + missing +
                R"(","ExportStatus":"FAILED","ExportType":"FULL_EXPORT"},{"ExportArn":")" + arn +
                R"(","ExportStatus":"COMPLETED","ExportType":"FULL_EXPORT"}]})");
  const std::string page = Send("ListExports", R"({"MaxResults":1})");
  EXPECT_THAT(
      Send("ListExports", R"({"MaxResults":1,"NextToken":")" + Member(page, "NextToken") + R"("})"),
      HasSubstr(arn));
}

}  // namespace
}  // namespace prejoin::wire
