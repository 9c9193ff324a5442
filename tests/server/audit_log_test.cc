#include "server/audit_log.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace prejoin::server {
namespace {

using testing::HasSubstr;

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest() { std::filesystem::create_directories(folder_); }
  ~AuditLogTest() override { std::filesystem::remove_all(folder_); }
  std::string Text() const {
    std::ifstream file(folder_ / "audit");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("audit_log_test" + std::to_string(getpid()));
};

TEST_F(AuditLogTest, CountsWhatIsLostAndTellsOfIt) {
  // Each line begins a new file.
  auto log = AuditLog::Open({.path = folder_ / "audit", .bytes_max = 1}, Clock::System());
  ASSERT_TRUE(log) << log.error().message;
  (*log)->NoteRefused("127.0.0.1", "first");
  EXPECT_THAT(Text(), HasSubstr("first"));
  EXPECT_EQ((*log)->lost(), 0u);
  std::filesystem::rename(folder_, folder_.string() + ".away");
  (*log)->NoteRefused("127.0.0.1", "second");
  (*log)->NoteRefused("127.0.0.1", "third");
  EXPECT_EQ((*log)->lost(), 2u);
  std::filesystem::rename(folder_.string() + ".away", folder_);
  (*log)->NoteRefused("127.0.0.1", "fourth");
  EXPECT_EQ((*log)->lost(), 2u);
  EXPECT_THAT(Text(), HasSubstr(R"("lost":2)"));
  EXPECT_THAT(Text(), HasSubstr("fourth"));
}

TEST_F(AuditLogTest, IsForItsOwner) {
  ASSERT_TRUE(AuditLog::Open({.path = folder_ / "audit"}, Clock::System()));
  struct stat found {};
  ASSERT_EQ(stat((folder_ / "audit").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace prejoin::server
