#include "transfer/bucket.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/transfer_limits.h"
#include "transfer/transfer_checks.h"

namespace prejoin::transfer {
namespace {

namespace fs = std::filesystem;

Error IoError(const fs::path& path, const std::error_code& code) {
  return Error{ErrorCode::kIo, path.string() + ": " + code.message()};
}

// No step upwards, no absolute path, nothing that a file system reads otherwise than S3. Only the
// last part may be empty: "data/" is a prefix.
bool IsInside(std::string_view key) {
  if (key.find('\0') != std::string_view::npos) {
    return false;
  }
  std::size_t begin = 0;
  while (begin <= key.size()) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string_view part = key.substr(begin, end - begin);
    if (part == ".." || part == "." || (part.empty() && end < key.size())) {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

enum class Missing { kRefuse, kMake };

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void Replace(int fd) {
    close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

// Goes down from `root` part by part, as the kernel would, but stops at the first link. True if the
// folder is there at the end.
bool ReachesFolder(const std::string& root, std::string_view folder, Missing missing) {
  Descriptor at(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  while (at.valid() && !folder.empty()) {
    const std::size_t end = std::min(folder.find('/'), folder.size());
    const std::string part(folder.substr(0, end));
    folder.remove_prefix(std::min(end + 1, folder.size()));
    if (missing == Missing::kMake) {
      mkdirat(at.get(), part.c_str(), 0777);  // If it fails, the next call says so.
    }
    at.Replace(openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  return at.valid();
}

std::string_view FolderOf(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

std::string Inside(std::string_view bucket, std::string_view folder) {
  std::string path(bucket);
  return folder.empty() ? path : path.append("/").append(folder);
}

bool IsBucketName(std::string_view bucket) {
  return !bucket.empty() && bucket.find('/') == std::string_view::npos && IsInside(bucket);
}

}  // namespace

Status BucketDirectory::CheckRoot() const {
  return has_root()
             ? Status()
             : Status(InvalidRequest("This server has no directory that simulates S3. Start "
                                     "it with: prejoin serve --s3 DIR"));
}

bool BucketDirectory::Exists(std::string_view bucket) const {
  return has_root() && IsBucketName(bucket) && ReachesFolder(root_, bucket, Missing::kRefuse);
}

Result<std::vector<ObjectFile>> BucketDirectory::List(std::string_view bucket,
                                                      std::string_view prefix) const {
  std::vector<ObjectFile> objects;
  if (!Exists(bucket) || !IsInside(prefix)) {
    return objects;
  }
  // Only the folder that the prefix names can hold such keys.
  const std::string inside = Inside(bucket, FolderOf(prefix));
  if (!ReachesFolder(root_, inside, Missing::kRefuse)) {
    return objects;
  }
  const fs::path base = fs::path(root_) / bucket;
  const fs::path folder = fs::path(root_) / inside;
  std::error_code code;
  // The iterator does not follow linked folders by itself.
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    std::error_code ignored;
    if (it->is_symlink(ignored) || !it->is_regular_file(ignored)) {
      continue;
    }
    std::string key = it->path().lexically_relative(base).generic_string();
    if (!key.starts_with(prefix)) {
      continue;
    }
    if (objects.size() == kImportFilesMax) {
      return ValidationError("more than " + std::to_string(kImportFilesMax) +
                             " files begin with the prefix");
    }
    const std::uint64_t bytes = it->file_size(ignored);
    objects.push_back({std::move(key), it->path().string(), ignored ? 0 : bytes});
  }
  if (code) {
    return IoError(folder, code);
  }
  std::ranges::sort(objects, {}, &ObjectFile::key);
  return objects;
}

Result<std::string> BucketDirectory::PathToWrite(std::string_view bucket,
                                                 std::string_view key) const {
  if (!Exists(bucket) || key.empty() || key.back() == '/' || !IsInside(key)) {
    return ValidationError("not the name of an object: " + std::string(key));
  }
  const fs::path path = fs::path(root_) / bucket / key;
  if (!ReachesFolder(root_, Inside(bucket, FolderOf(key)), Missing::kMake)) {
    return IoError(path.parent_path(), std::error_code(errno, std::generic_category()));
  }
  std::error_code code;
  if (fs::is_symlink(path, code)) {
    return ValidationError("a link is in the place of an object: " + std::string(key));
  }
  return path.string();
}

}  // namespace prejoin::transfer
