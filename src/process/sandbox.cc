#include "process/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

namespace prejoin::process {
namespace {

namespace fs = std::filesystem;

// The first version that can allow renames between folders; an older one would forbid them all, and
// RocksDB needs some.
constexpr long kVersionWithRenames = 2;
constexpr long kVersionWithTruncate = 3;
// Not in Debian 12's headers, but in the kernels that have kVersionWithTruncate.
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;

constexpr std::uint64_t kRightsOfFiles = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t kRightsOfFolders =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
    LANDLOCK_ACCESS_FS_REFER;

class Descriptor {
 public:
  explicit Descriptor(long number) : number_(static_cast<int>(number)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

Error Failed(const std::string& what) {
  return Error{ErrorCode::kIo, "the sandbox cannot be set up: " + what + ": " + strerror(errno)};
}

fs::path NearestThatExists(const std::string& place) {
  std::error_code ignored;
  fs::path path = fs::absolute(place, ignored);
  while (!fs::exists(path, ignored) && path.has_relative_path()) {
    path = path.parent_path();
  }
  return path;
}

Status Allow(int ruleset, const fs::path& path, std::uint64_t rights) {
  const Descriptor opened(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (opened.number() < 0) {
    return Failed(path);
  }
  struct stat found {};
  if (fstat(opened.number(), &found) != 0) {
    return Failed(path);
  }
  if (!S_ISDIR(found.st_mode)) {
    rights &= ~kRightsOfFolders;
  }
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = opened.number()};
  if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    return Failed(path);
  }
  return {};
}

}  // namespace

Result<Confinement> ConfineWritesTo(const std::vector<std::string>& places) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < kVersionWithRenames) {
    return Confinement::kNotSupported;
  }
  std::uint64_t rights = kRightsOfFiles | kRightsOfFolders;
  if (version >= kVersionWithTruncate) {
    rights |= kTruncate;
  }
  const landlock_ruleset_attr attributes{.handled_access_fs = rights};
  const Descriptor ruleset(
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0));
  if (ruleset.number() < 0) {
    return Failed("no rules");
  }
  // An empty container may have no devices.
  if (const char* null = "/dev/null"; access(null, F_OK) == 0) {
    PJ_RETURN_IF_ERROR(Allow(ruleset.number(), null, rights));
  }
  for (const std::string& place : places) {
    if (place.empty()) {
      continue;
    }
    PJ_RETURN_IF_ERROR(Allow(ruleset.number(), NearestThatExists(place), rights));
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_landlock_restrict_self, ruleset.number(), 0) != 0) {
    return Failed("no restriction");
  }
  return Confinement::kConfined;
}

}  // namespace prejoin::process
