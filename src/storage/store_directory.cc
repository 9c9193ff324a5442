#include "storage/store_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace prejoin::storage {
namespace {

constexpr char kMarkerName[] = "PREJOIN";
constexpr std::string_view kMagic = "prejoin store ";
constexpr std::string_view kReadyLine = "prejoin store 1 ready\n";
constexpr std::string_view kCreatingLine = "prejoin store 1 creating\n";
constexpr std::size_t kMarkerBytesMax = 64;

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

Error SystemError(const std::string& what, int code) {
  return {ErrorCode::kIo, what + ": " + std::generic_category().message(code)};
}

// All or nothing: the new content replaces the old one in a single step. That step need not be
// durable at once: RocksDB syncs the directory after the first marker, and losing the second only
// means that the next start writes it again.
Status WriteMarker(const std::string& path, std::string_view content) {
  const std::string marker = path + "/" + kMarkerName;
  const std::string temporary = marker + ".new";
  {
    const FileDescriptor file(
        open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.number() < 0) {
      return SystemError("cannot create " + temporary, errno);
    }
    if (write(file.number(), content.data(), content.size()) !=
            static_cast<ssize_t>(content.size()) ||
        fsync(file.number()) != 0) {
      return SystemError("cannot write " + temporary, errno);
    }
  }
  if (rename(temporary.c_str(), marker.c_str()) != 0) {
    return SystemError("cannot create " + marker, errno);
  }
  return {};
}

// Empty apart from what an interrupted first start may leave.
Result<bool> IsUnused(const std::string& path) {
  std::error_code code;
  std::filesystem::directory_iterator entry(path, code);
  for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
    if (entry->path().filename() != std::string(kMarkerName) + ".new" &&
        entry->path().filename() != "lost+found") {
      return false;
    }
  }
  if (code) {
    return SystemError("cannot read " + path, code.value());
  }
  return true;
}

Result<std::string> ReadMarker(const std::string& marker) {
  std::ifstream file(marker, std::ios::binary);
  std::string content(kMarkerBytesMax, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (file.bad() || !file.is_open()) {
    return Error{ErrorCode::kIo, "cannot read " + marker};
  }
  content.resize(static_cast<std::size_t>(file.gcount()));
  return content;
}

}  // namespace

Result<DirectoryState> ClaimStoreDirectory(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) {
    return SystemError("cannot create " + path, code.value());
  }
  const std::string marker = path + "/" + kMarkerName;
  if (!std::filesystem::exists(marker, code)) {
    PJ_ASSIGN_OR_RETURN(const bool unused, IsUnused(path));
    if (!unused) {
      return Error{ErrorCode::kValidation, path + " has files but is not a Prejoin data directory"};
    }
    PJ_RETURN_IF_ERROR(WriteMarker(path, kCreatingLine));
    return DirectoryState::kCreating;
  }
  PJ_ASSIGN_OR_RETURN(const std::string content, ReadMarker(marker));
  if (content == kReadyLine) {
    return DirectoryState::kReady;
  }
  if (content == kCreatingLine) {
    return DirectoryState::kCreating;
  }
  if (content.starts_with(kMagic)) {
    return Error{ErrorCode::kValidation,
                 path + " was written by another version of Prejoin, in a format unknown here"};
  }
  return Error{ErrorCode::kCorruption, marker + " is damaged"};
}

Status MarkStoreDirectoryReady(const std::string& path) { return WriteMarker(path, kReadyLine); }

}  // namespace prejoin::storage
