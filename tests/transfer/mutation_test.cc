// Whatever stands in a file, reading it ends: with its bytes, or with an error that says so.
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "tests/fuzz/mutator.h"
#include "transfer/csv_reader.h"
#include "transfer/import_job.h"
#include "transfer/line_reader.h"

namespace prejoin::transfer {
namespace {

constexpr int kRounds = 300;

std::string Gzip(const std::string& bytes) {
  uLongf size = compressBound(bytes.size()) + 100;
  std::string out(size, '\0');
  z_stream stream = {};
  deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
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
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

// Takes everything, and counts.
class CountingSink : public ItemSink {
 public:
  Status Add(Item) override {
    ++items;
    return {};
  }
  Status Remove(Item) override { return {}; }
  Status Finish() override { return {}; }
  std::int64_t items = 0;
};

TEST(FileMutation, BrokenFilesEndWithFiguresThatAddUp) {
  fuzz::Mutator mutator(20261115, {",", "\"", "\n", "{\"Item\":", "}"});
  std::string text = "PK,SK,text\n";
  for (int i = 0; i < 200; ++i) {
    text += "key" + std::to_string(i) + "," + std::to_string(i) + ",\"some, \"\"text\"\"\nhere\"\n";
  }
  const std::string sources[] = {text, Gzip(text), Zstd(text)};
  const Compression kinds[] = {Compression::kNone, Compression::kGzip, Compression::kZstd};
  const std::string path = testing::TempDir() + "mutation_" + std::to_string(getpid());
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t which = static_cast<std::size_t>(round) % 3;
    std::ofstream(path, std::ios::binary) << mutator.Mutate(sources[which]);
    for (const LineFormat format : {LineFormat::kCsv, LineFormat::kWrapped}) {
      ImportSource source;
      source.files = {{"f", path, 0}};
      source.format = format;
      source.compression = kinds[which];
      source.key_types = {{"SK", ScalarType::kNumber}};
      CountingSink sink;
      ImportProgress progress;
      ASSERT_TRUE(ImportFiles(source, sink, {}, progress)) << "round " << round;
      EXPECT_EQ(progress.imported, sink.items);
      EXPECT_EQ(progress.processed, progress.imported + progress.errors);
    }
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace prejoin::transfer
