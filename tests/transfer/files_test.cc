// Reading and writing the files of imports and exports.
#include <absl/strings/escaping.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "transfer/bucket.h"
#include "transfer/byte_source.h"
#include "transfer/csv_reader.h"
#include "transfer/gzip_file.h"
#include "transfer/line_reader.h"
#include "transfer/md5.h"
#include "transfer/transfer_checks.h"
#include "transfer/transfer_codec.h"

namespace prejoin::transfer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  FilesTest() { fs::create_directories(directory_); }
  ~FilesTest() override { fs::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& bytes) {
    const fs::path path = fs::path(directory_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  static std::string ReadAll(const std::string& path, Compression compression) {
    const auto source = OpenByteSource(path, compression);
    if (!source) {
      return "error: " + source.error().message;
    }
    std::string all;
    char chunk[100];
    while (true) {
      const auto read = (*source)->Read(chunk, sizeof(chunk));
      if (!read) {
        return "error: " + read.error().message;
      }
      if (*read == 0) {
        return all;
      }
      all.append(chunk, *read);
    }
  }
  std::vector<std::string> Lines(const std::string& text, std::size_t line_bytes_max) {
    LineReader reader(*OpenByteSource(Write("lines", text), Compression::kNone), line_bytes_max);
    std::vector<std::string> lines;
    std::string line;
    while (true) {
      const LineReader::Line read = *reader.Next(line);
      if (read == LineReader::Line::kEnd) {
        return lines;
      }
      lines.push_back(read == LineReader::Line::kTooLong ? "(too long)" : line);
    }
  }
  std::vector<std::string> Records(const std::string& text, char delimiter = ',',
                                   std::size_t bytes_max = 1000) {
    CsvReader reader(*OpenByteSource(Write("csv", text), Compression::kNone), delimiter, bytes_max);
    std::vector<std::string> records;
    std::vector<std::string> fields;
    while (true) {
      const CsvReader::Record read = *reader.Next(fields);
      if (read == CsvReader::Record::kEnd) {
        return records;
      }
      std::string record;
      for (const std::string& field : fields) {
        record += "[" + field + "]";
      }
      if (read == CsvReader::Record::kBroken) {
        record = "(broken)";
      }
      if (read == CsvReader::Record::kTooLong) {
        record = "(too long)";
      }
      records.push_back(record);
    }
  }

  const std::string directory_ = testing::TempDir() + "transfer_files_" + std::to_string(getpid());
};

std::string Gzip(const std::string& bytes) {
  std::string out(bytes.size() + 1000, '\0');
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

TEST_F(FilesTest, ReadsPlainGzipAndZstd) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    text += std::to_string(i * 7919) + "\n";
  }
  EXPECT_EQ(ReadAll(Write("plain", text), Compression::kNone), text);
  EXPECT_EQ(ReadAll(Write("gzip", Gzip(text)), Compression::kGzip), text);
  EXPECT_EQ(ReadAll(Write("zstd", Zstd(text)), Compression::kZstd), text);
  EXPECT_EQ(ReadAll(Write("members", Gzip("one ") + Gzip("") + Gzip("two")), Compression::kGzip),
            "one two");
  EXPECT_EQ(ReadAll(Write("frames", Zstd("one ") + Zstd("two")), Compression::kZstd), "one two");
  EXPECT_EQ(ReadAll(Write("empty", ""), Compression::kGzip), "");
}

TEST_F(FilesTest, RefusesBrokenCompression) {
  const std::string gzip = Gzip(std::string(10'000, 'x') + "end");
  EXPECT_THAT(ReadAll(Write("cut", gzip.substr(0, gzip.size() - 9)), Compression::kGzip),
              HasSubstr("cut off"));
  EXPECT_THAT(ReadAll(Write("no", "{\"Item\":{}}"), Compression::kGzip),
              HasSubstr("not gzip data"));
  EXPECT_THAT(ReadAll(Write("no", "{\"Item\":{}}"), Compression::kZstd),
              HasSubstr("not zstd data"));
  const std::string zstd = Zstd(std::string(10'000, 'x'));
  EXPECT_THAT(ReadAll(Write("cut", zstd.substr(0, zstd.size() - 1)), Compression::kZstd),
              HasSubstr("cut off"));
  EXPECT_THAT(ReadAll(directory_ + "/missing", Compression::kNone), HasSubstr("No such file"));
}

TEST_F(FilesTest, SplitsLines) {
  EXPECT_THAT(Lines("a\nbc\r\n\nlast", 100), ElementsAre("a", "bc", "", "last"));
  EXPECT_THAT(Lines("", 100), ElementsAre());
  EXPECT_THAT(Lines("1234\n12345\n12\n", 4), ElementsAre("1234", "(too long)", "12"));
  const std::string long_line(200'000, 'x');  // Longer than the reader's buffer.
  EXPECT_THAT(Lines(long_line + "\nb\n", 300'000), ElementsAre(long_line, "b"));
}

TEST_F(FilesTest, ReadsCsvRecords) {
  EXPECT_THAT(Records("a,b\n1,2\r\n\n,\n"), ElementsAre("[a][b]", "[1][2]", "[][]"));
  EXPECT_THAT(Records("\"a,\"\"b\"\"\n\",c"), ElementsAre("[a,\"b\"\n][c]"));
  EXPECT_THAT(Records("a|b,c\n", '|'), ElementsAre("[a][b,c]"));
  EXPECT_THAT(Records("it\"s,fine\n"), ElementsAre("[it\"s][fine]"));
  EXPECT_THAT(Records("\"a\"b,c\nd\n"), ElementsAre("(broken)", "[d]"));
  EXPECT_THAT(Records("\"never closed"), ElementsAre("(broken)"));
  EXPECT_THAT(Records("1234\n12345\n1,3\n", ',', 4), ElementsAre("[1234]", "(too long)", "[1][3]"));
}

TEST_F(FilesTest, ListsObjectsByPrefix) {
  Write("s3/bucket/data/1.json", "x");
  Write("s3/bucket/data/sub/2.json", "yy");
  Write("s3/bucket/data2/x.json", "");
  Write("s3/bucket/other", "");
  fs::create_symlink("/etc/passwd", directory_ + "/s3/bucket/data/link");
  const BucketDirectory buckets(directory_ + "/s3");
  const auto keys = [&](std::string_view prefix) {
    const auto files = buckets.List("bucket", prefix);
    std::vector<std::string> found;
    for (const ObjectFile& file : *files) {
      found.push_back(file.key);
    }
    return found;
  };
  EXPECT_THAT(keys("data"), ElementsAre("data/1.json", "data/sub/2.json", "data2/x.json"));
  EXPECT_THAT(keys("data/"), ElementsAre("data/1.json", "data/sub/2.json"));
  EXPECT_THAT(keys("data/1.json"), ElementsAre("data/1.json"));
  EXPECT_THAT(keys("nothing/"), ElementsAre());
  EXPECT_THAT(keys("../"), ElementsAre()) << "never outside";
  EXPECT_EQ(keys("").size(), 4u);
  EXPECT_FALSE(buckets.Exists(".."));
  EXPECT_FALSE(buckets.Exists("nothing"));
  EXPECT_FALSE(buckets.PathToWrite("bucket", "a/../../b").has_value());
  EXPECT_FALSE(buckets.PathToWrite("bucket", "").has_value());
  EXPECT_TRUE(buckets.PathToWrite("bucket", "new/folder/file").has_value());
  EXPECT_FALSE(BucketDirectory("").Exists("bucket"));
}

TEST_F(FilesTest, WritesGzipWithTheChecksumOfTheFile) {
  const std::string path = directory_ + "/out.gz";
  auto file = *GzipFile::Create(path);
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    ASSERT_TRUE(file->Write(line));
    text += line;
  }
  const Md5::Digest digest = *file->Finish();
  EXPECT_EQ(ReadAll(path, Compression::kGzip), text);
  Md5 md5;
  md5.Add(ReadAll(path, Compression::kNone));
  EXPECT_EQ(absl::BytesToHexString(md5.Finish()), absl::BytesToHexString(digest));
}

std::string Md5Of(std::string_view text) {
  Md5 md5;
  md5.Add(text);
  return absl::BytesToHexString(md5.Finish());
}

// The test suite of RFC 1321.
TEST(Md5, MatchesTheRfc) {
  EXPECT_EQ(Md5Of(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(Md5Of("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Md5Of("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(
      Md5Of("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
      "57edf4a22be3c955ac49da2e2107b67a");
  Md5 md5;
  md5.Add("abc");
  EXPECT_EQ(absl::Base64Escape(md5.Finish()), "kAFQmDzST7DWlj99KOF/cg==");
}

TEST(TransferCodec, BringsDescriptionsBack) {
  ExportDescription exported;
  exported.id = "01-a";
  exported.status = TransferStatus::kFailed;
  exported.input.table_arn = "arn";
  exported.input.bucket = "b";
  exported.input.type = ExportType::kIncremental;
  exported.input.incremental = {.from_ms = 5, .to_ms = 6, .view = ExportView::kNewImage};
  exported.item_count = 7;
  exported.failure_code = "S3NoSuchBucket";
  ExportDescription again;
  ASSERT_TRUE(Decode(Encode(exported), again));
  EXPECT_EQ(Encode(again), Encode(exported));
  EXPECT_EQ(again.input.incremental->from_ms, 5);
  EXPECT_EQ(again.status, TransferStatus::kFailed);
  EXPECT_FALSE(again.input.prefix.has_value());
  ImportDescription import;
  import.id = "02-b";
  import.echo = "\"a\":1";
  import.imported_items = 9;
  ImportDescription import_again;
  ASSERT_TRUE(Decode(Encode(import), import_again));
  EXPECT_EQ(Encode(import_again), Encode(import));
  EXPECT_FALSE(Decode("nonsense", import_again));
}

TEST(TransferChecks, TokensBelongToTheirList) {
  const std::string token = PageToken("import", "01693685827463-2d8752fd");
  EXPECT_GE(token.size(), 112u) << "clients check it";
  EXPECT_EQ(token.size() % 16, 0u);
  EXPECT_EQ(**ParsePageToken("import", token), "01693685827463-2d8752fd");
  EXPECT_FALSE(ParsePageToken("export", token));
  EXPECT_FALSE(ParsePageToken("import", "xyz"));
  EXPECT_FALSE(*ParsePageToken("import", std::nullopt));
}

TEST(TransferChecks, ArnsAreTakenApart) {
  const Options options;
  const std::string table = "arn:aws:dynamodb:us-east-1:123456789012:table/Music";
  EXPECT_EQ(ParseTransferArn(options, table + "/import/01-a", "import")->id, "01-a");
  EXPECT_EQ(ParseTransferArn(options, table, "import").error().message, "Invalid Import ARN");
  EXPECT_EQ(ParseTransferArn(options, table + "/import/01-a", "export").error().message,
            "Invalid Export ARN");
  EXPECT_EQ(ParseTransferArn(
                options, "arn:aws:dynamodb:us-east-1:999999999999:table/Music/export/1", "export")
                .error()
                .code,
            ErrorCode::kAccessDenied);
  EXPECT_EQ(ParseTransferArn(
                options, "arn:aws:dynamodb:eu-west-1:123456789012:table/Music/export/1", "export")
                .error()
                .message,
            "Export not found: Invalid export arn");
}

}  // namespace
}  // namespace prejoin::transfer
