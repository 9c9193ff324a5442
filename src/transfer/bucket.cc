#include "transfer/bucket.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/transfer_limits.h"

namespace prejoin::transfer {
namespace {

namespace fs = std::filesystem;

Error IoError(const fs::path& path, const std::error_code& code) {
  return Error{ErrorCode::kIo, path.string() + ": " + code.message()};
}

// No step upwards, no absolute path, nothing that a file system reads otherwise than S3.
bool IsInside(std::string_view key) {
  if (key.find('\0') != std::string_view::npos) {
    return false;
  }
  std::size_t begin = 0;
  while (begin <= key.size()) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string_view part = key.substr(begin, end - begin);
    if (part == ".." || part == ".") {
      return false;
    }
    begin = end + 1;
  }
  return true;
}

bool IsBucketName(std::string_view bucket) {
  return !bucket.empty() && bucket.find('/') == std::string_view::npos && IsInside(bucket);
}

}  // namespace

bool BucketDirectory::Exists(std::string_view bucket) const {
  std::error_code code;
  return has_root() && IsBucketName(bucket) && fs::is_directory(fs::path(root_) / bucket, code);
}

Result<std::vector<ObjectFile>> BucketDirectory::List(std::string_view bucket,
                                                      std::string_view prefix) const {
  std::vector<ObjectFile> objects;
  if (!Exists(bucket) || !IsInside(prefix)) {
    return objects;
  }
  const fs::path base = fs::path(root_) / bucket;
  // Only the folder that the prefix names can hold such keys.
  const std::size_t slash = prefix.rfind('/');
  const fs::path folder = slash == std::string_view::npos ? base : base / prefix.substr(0, slash);
  std::error_code code;
  if (!fs::is_directory(folder, code)) {
    return objects;
  }
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
  const fs::path path = fs::path(root_) / bucket / fs::path(key).relative_path();
  std::error_code code;
  fs::create_directories(path.parent_path(), code);
  if (code) {
    return IoError(path.parent_path(), code);
  }
  return path.string();
}

}  // namespace prejoin::transfer
