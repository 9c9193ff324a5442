// The sandbox cannot be taken back, so each case runs in a process of its own.
#include "process/sandbox.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <thread>

namespace prejoin::process {
namespace {

namespace fs = std::filesystem;

constexpr int kNotSupported = 77;

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "prejoin-sandbox-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    fs::create_directory(inside());
    fs::create_directory(outside());
    ASSERT_TRUE(Write(outside() / "old"));
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path inside() const { return root_ / "inside"; }
  fs::path outside() const { return root_ / "outside"; }

  static bool Write(const fs::path& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written = file >= 0 && write(file, "x", 1) == 1;
    if (file >= 0) {
      close(file);
    }
    return written;
  }

  // Whether `holds` is true in a process that may write only in `place`. Skips where the kernel has
  // no Landlock.
  bool HoldsWhenConfinedTo(const fs::path& place, const std::function<bool()>& holds) {
    const pid_t child = fork();
    if (child == 0) {
      const auto confined = ConfineWritesTo({place.string()});
      if (!confined) {
        _exit(2);
      }
      _exit(*confined == Confinement::kNotSupported ? kNotSupported : holds() ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    supported_ = WEXITSTATUS(status) != kNotSupported;
    return WEXITSTATUS(status) == 0;
  }

  fs::path root_;
  bool supported_ = true;
};

TEST_F(SandboxTest, WritesCreatesRenamesAndDeletesInside) {
  const bool held = HoldsWhenConfinedTo(inside(), [this] {
    std::error_code failed;
    fs::create_directory(inside() / "folder", failed);
    return !failed && Write(inside() / "a") &&
           rename((inside() / "a").c_str(), (inside() / "folder/b").c_str()) == 0 &&
           unlink((inside() / "folder/b").c_str()) == 0;
  });
  if (!supported_) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  EXPECT_TRUE(held);
}

TEST_F(SandboxTest, RefusesEveryWriteOutside) {
  const bool held = HoldsWhenConfinedTo(inside(), [this] {
    const bool new_file = Write(outside() / "new") || errno != EACCES;
    const bool old_file = Write(outside() / "old") || errno != EACCES;
    const bool moved =
        Write(inside() / "a") && rename((inside() / "a").c_str(), (outside() / "a").c_str()) == 0;
    return !new_file && !old_file && !moved && unlink((outside() / "old").c_str()) != 0 &&
           mkdir((outside() / "folder").c_str(), 0700) != 0;
  });
  if (!supported_) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  EXPECT_TRUE(held);
  EXPECT_TRUE(fs::exists(outside() / "old"));
}

TEST_F(SandboxTest, HoldsForThreadsAndStillReads) {
  const bool held = HoldsWhenConfinedTo(inside(), [this] {
    bool written = true;
    std::thread([&] { written = Write(outside() / "new"); }).join();
    return !written && open((outside() / "old").c_str(), O_RDONLY | O_CLOEXEC) >= 0;
  });
  if (!supported_) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  EXPECT_TRUE(held);
}

TEST_F(SandboxTest, APlaceThatIsMissingStandsForTheFolderAboveIt) {
  const bool held = HoldsWhenConfinedTo(inside() / "later/data", [this] {
    std::error_code failed;
    fs::create_directories(inside() / "later/data", failed);
    return !failed && Write(inside() / "later/data/a") && !Write(outside() / "new");
  });
  if (!supported_) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace prejoin::process
