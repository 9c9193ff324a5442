// The directory that stands for S3 is never left.
#include "transfer/bucket.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace prejoin::transfer {
namespace {

namespace fs = std::filesystem;

class BucketTest : public ::testing::Test {
 protected:
  BucketTest() {
    top_ = fs::temp_directory_path() /
           ("prejoin_bucket_" +
            std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(top_);
    Write("outside/secret.json");
    Write("s3/data/in/a.json");
    Write("s3/data/in/b.json");
    Write("s3/data/in2/c.json");
    fs::create_directory_symlink(top_ / "outside", top_ / "s3/data/linked");
    fs::create_directory_symlink(top_ / "s3/data/in", top_ / "s3/data/here");
    fs::create_directory_symlink(top_ / "outside", top_ / "s3/linked-bucket");
    fs::create_symlink(top_ / "outside/secret.json", top_ / "s3/data/in/link.json");
  }
  ~BucketTest() override { fs::remove_all(top_); }

  void Write(const std::string& path) {
    fs::create_directories((top_ / path).parent_path());
    std::ofstream(top_ / path) << "{}";
  }
  std::string Keys(std::string_view bucket, std::string_view prefix) {
    const auto objects = BucketDirectory((top_ / "s3").string()).List(bucket, prefix);
    EXPECT_TRUE(objects);
    std::string keys;
    for (const ObjectFile& object : *objects) {
      keys += object.key + " ";
    }
    return keys;
  }

  fs::path top_;
};

TEST_F(BucketTest, ListsByPrefix) {
  EXPECT_EQ(Keys("data", ""), "in/a.json in/b.json in2/c.json ");
  EXPECT_EQ(Keys("data", "in"), "in/a.json in/b.json in2/c.json ");
  EXPECT_EQ(Keys("data", "in/"), "in/a.json in/b.json ");
  EXPECT_EQ(Keys("data", "in/b"), "in/b.json ");
}

TEST_F(BucketTest, ListsNothingThroughLinks) {
  EXPECT_EQ(Keys("data", "linked/"), "");
  EXPECT_EQ(Keys("data", "here/"), "");
  EXPECT_EQ(Keys("linked-bucket", ""), "");
  EXPECT_FALSE(BucketDirectory((top_ / "s3").string()).Exists("linked-bucket"));
}

// "//" once walked the whole file system.
TEST_F(BucketTest, ListsNothingOutside) {
  const std::string outside = (top_ / "outside").string();
  for (const std::string& prefix :
       {std::string("//"), std::string("/"), std::string("../"), std::string("in/../../"),
        std::string("in//a"), outside + "/", "/" + outside + "/"}) {
    EXPECT_EQ(Keys("data", prefix), "") << prefix;
  }
  EXPECT_EQ(Keys("..", ""), "");
  EXPECT_EQ(Keys("../outside", ""), "");
}

TEST_F(BucketTest, WritesNothingOutside) {
  const BucketDirectory bucket((top_ / "s3").string());
  const auto path = bucket.PathToWrite("data", "new/folder/x.json");
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_TRUE(fs::is_directory(top_ / "s3/data/new/folder"));
  for (const std::string_view key : {"linked/x.json", "linked/deep/x.json", "here/x.json",
                                     "/x.json", "a//x.json", "../x.json", "in/link.json", "in/"}) {
    EXPECT_FALSE(bucket.PathToWrite("data", key)) << key;
  }
  EXPECT_FALSE(fs::exists(top_ / "outside/deep"));
}

}  // namespace
}  // namespace prejoin::transfer
