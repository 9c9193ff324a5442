// Columns of CSV files come in any order and number.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "transfer/import_job.h"

namespace prejoin::transfer {
namespace {

class KeepingSink : public ItemSink {
 public:
  Status Add(Item item) override {
    items.push_back(std::move(item));
    return {};
  }
  Status Remove(Item) override { return {}; }
  Status Finish() override { return {}; }
  std::vector<Item> items;
};

std::vector<Item> ImportCsv(const std::string& text) {
  const std::string path = testing::TempDir() + "columns_" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << text;
  ImportSource source;
  source.files = {{"f", path, 0}};
  source.format = LineFormat::kCsv;
  source.key_types = {{"k", ScalarType::kNumber}};
  KeepingSink sink;
  ImportProgress progress;
  EXPECT_TRUE(ImportFiles(source, sink, {}, progress));
  EXPECT_EQ(progress.errors, 0);
  std::filesystem::remove(path);
  return std::move(sink.items);
}

TEST(CsvColumns, MayComeInAnyOrder) {
  const auto items = ImportCsv("z,k,a\nlast,5,first\n");
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(*items[0].Find("z"), AttributeValue("last"));
  EXPECT_EQ(*items[0].Find("a"), AttributeValue("first"));
  EXPECT_EQ(*items[0].Find("k"), AttributeValue(Number(5)));
}

TEST(CsvColumns, OfTwoWithOneNameTheLastCounts) {
  const auto items = ImportCsv("b,a,b\n1,2,3\n");
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(*items[0].Find("b"), AttributeValue("3"));
}

// Twenty thousand columns against their order took a second a row when each of them moved all others.
TEST(CsvColumns, MayBeMany) {
  constexpr int kColumns = 20'000;
  constexpr int kRows = 300;
  std::string header = "k";
  std::string row = "1";
  for (int i = kColumns; i > 0; --i) {
    header += ",c" + std::to_string(100'000 + i);
    row += ",v";
  }
  std::string text = header + "\n";
  for (int i = 0; i < kRows; ++i) {
    text += row + "\n";
  }
  const auto items = ImportCsv(text);
  ASSERT_EQ(items.size(), static_cast<std::size_t>(kRows));
  EXPECT_EQ(*items.back().Find("c100001"), AttributeValue("v"));
}

}  // namespace
}  // namespace prejoin::transfer
