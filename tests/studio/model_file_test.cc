#include "studio/model_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/syntax/source_size.h"
#include "studio/refusal.h"
#include "tests/studio/json_path.h"
#include "tests/studio/studio_server.h"

namespace prejoin::studio {
namespace {

class Folder {
 public:
  Folder() {
    std::string path = std::filesystem::temp_directory_path() / "model_file_XXXXXX";
    path_ = mkdtemp(path.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  std::string Read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(path_ / name).rdbuf();
    return text.str();
  }
  std::filesystem::path path() const { return path_; }

 private:
  std::filesystem::path path_;
};

int StatusOf(const Error& error) {
  const auto* detail = dynamic_cast<const RefusalDetail*>(error.detail.get());
  return detail == nullptr ? 0 : detail->status;
}

TEST(ModelFile, SavesOverTheVersionThatWasRead) {
  const Folder folder;
  const auto file = ModelFile::Open(folder.Write("a.prejoin", "one"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->name(), "a.prejoin");
  const auto first = (*file)->Read();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->source, "one");
  EXPECT_TRUE(first->writable);
  const auto second = (*file)->Save("two", first->version);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(folder.Read("a.prejoin"), "two");
  EXPECT_EQ((*file)->Read()->version, *second);
  EXPECT_NE(*second, first->version);
}

TEST(ModelFile, RefusesToOverwriteWhatSomeoneElseWrote) {
  const Folder folder;
  const auto file = ModelFile::Open(folder.Write("a.prejoin", "one"));
  const std::string version = (*file)->Read()->version;
  folder.Write("a.prejoin", "theirs");
  const auto saved = (*file)->Save("mine", version);
  ASSERT_FALSE(saved);
  EXPECT_EQ(StatusOf(saved.error()), 409);
  EXPECT_EQ(folder.Read("a.prejoin"), "theirs");
}

TEST(ModelFile, KeepsPermissionsAndLinksAndLeavesNothingBehind) {
  const Folder folder;
  const std::string target = folder.Write("real.prejoin", "one");
  chmod(target.c_str(), 0640);
  std::filesystem::create_symlink(target, folder.path() / "link.prejoin");
  const auto file = ModelFile::Open(folder.path() / "link.prejoin");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->name(), "link.prejoin");
  ASSERT_TRUE((*file)->Save("two", (*file)->Read()->version));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.prejoin"));
  EXPECT_EQ(folder.Read("real.prejoin"), "two");
  struct stat now {};
  ASSERT_EQ(stat(target.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0640u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    files += entry.exists() ? 1 : 0;
  }
  EXPECT_EQ(files, 2u);
}

TEST(ModelFile, CannotBeOpenedIfMissingADirectoryOrTooLarge) {
  const Folder folder;
  EXPECT_FALSE(ModelFile::Open(folder.path() / "gone.prejoin"));
  EXPECT_FALSE(ModelFile::Open(folder.path()));
  EXPECT_TRUE(ModelFile::Open(folder.Write("fits", std::string(model::kSourceBytesMax, ' '))));
  EXPECT_FALSE(
      ModelFile::Open(folder.Write("large", std::string(model::kSourceBytesMax + 1, ' '))));
}

TEST_F(StudioTest, SavesTheModelFileOverHttp) {
  const Folder folder;
  const auto file = ModelFile::Open(folder.Write("a.prejoin", "one"));
  Start(file->get());
  const auto read = Get("/model/source");
  EXPECT_EQ(At(read.body, "source"), "one");
  EXPECT_EQ(At(read.body, "file"), "a.prejoin");
  EXPECT_EQ(At(read.body, "writable"), "true");
  const std::string version = ",\"version\":" + Quoted(At(read.body, "version"));
  const auto saved = PostModel("/model/source", "two", version);
  EXPECT_EQ(saved.status, 200);
  EXPECT_EQ(folder.Read("a.prejoin"), "two");
  const auto late = PostModel("/model/source", "three", version);
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(At(late.body, "error.code"), "FileChanged");
  EXPECT_EQ(PostModel("/model/source", "three").status, 400) << "without a version";
  EXPECT_EQ(folder.Read("a.prejoin"), "two");
  running.reset();
}

TEST_F(StudioTest, HasNothingToSaveToWithoutAFile) {
  Start();
  const auto read = Get("/model/source");
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(At(read.body, "file"), "null");
  EXPECT_EQ(At(read.body, "writable"), "false");
  EXPECT_EQ(PostModel("/model/source", "x", ",\"version\":\"\"").status, 403);
}

}  // namespace
}  // namespace prejoin::studio
