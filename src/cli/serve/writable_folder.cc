#include "cli/serve/writable_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace prejoin::cli {
namespace {

std::string OwnerOf(const std::string& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0
             ? " belongs to user " + std::to_string(status.st_uid) + ", and"
             : "";
}

}  // namespace

Status CheckWritable(const std::string& path) {
  if (path.empty()) {
    return {};
  }
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(path, error).lexically_normal();
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  if (::access(folder.c_str(), W_OK | X_OK) == 0 || errno != EACCES) {
    return {};  // The database reports all other problems when it is opened.
  }
  const std::string user = std::to_string(geteuid());
  return Error{ErrorCode::kIo,
               "the folder " + folder.string() + OwnerOf(folder.string()) + " user " + user +
                   " cannot write to it. Run `chown " + user + " " + folder.string() +
                   "`, start the container with a named volume or with --user, or use --memory"};
}

}  // namespace prejoin::cli
