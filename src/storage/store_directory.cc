#include "storage/store_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
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
constexpr std::string_view kNeeds = "needs ";
constexpr std::size_t kMarkerBytesMax = 4096;

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

// All or nothing: the new content replaces the old one in a single step, and is on the disk.
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
  const FileDescriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || fsync(directory.number()) != 0) {
    return SystemError("cannot sync " + path, errno);
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

struct Marker {
  DirectoryState state = DirectoryState::kReady;
  std::vector<std::string> features;
};

Result<Marker> ParseMarker(const std::string& path, std::string_view content) {
  const std::string name = path + "/" + kMarkerName;
  Marker marker;
  if (content.starts_with(kReadyLine)) {
    content.remove_prefix(kReadyLine.size());
  } else if (content == kCreatingLine) {
    marker.state = DirectoryState::kCreating;
    return marker;
  } else if (content.starts_with(kMagic)) {
    return Error{ErrorCode::kValidation,
                 path + " was written by another version of Prejoin, in a format unknown here"};
  } else {
    return Error{ErrorCode::kCorruption, name + " is damaged"};
  }
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    if (end == std::string_view::npos || !content.starts_with(kNeeds)) {
      return Error{ErrorCode::kCorruption, name + " is damaged"};
    }
    marker.features.emplace_back(content.substr(kNeeds.size(), end - kNeeds.size()));
    content.remove_prefix(end + 1);
  }
  return marker;
}

Result<Marker> MarkerOf(const std::string& path) {
  PJ_ASSIGN_OR_RETURN(const std::string content, ReadMarker(path + "/" + kMarkerName));
  return ParseMarker(path, content);
}

Status CheckKnown(const std::string& path, const Marker& marker,
                  const std::vector<std::string>& known_features) {
  for (const std::string& feature : marker.features) {
    if (std::ranges::find(known_features, feature) == known_features.end()) {
      return Error{ErrorCode::kValidation,
                   path + " needs a newer version of Prejoin: it uses \"" + feature +
                       "\", which this one does not know. Nothing was changed."};
    }
  }
  return {};
}

}  // namespace

Result<DirectoryState> ClaimStoreDirectory(const std::string& path,
                                           const std::vector<std::string>& known_features) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) {
    return SystemError("cannot create " + path, code.value());
  }
  if (!std::filesystem::exists(path + "/" + kMarkerName, code)) {
    PJ_ASSIGN_OR_RETURN(const bool unused, IsUnused(path));
    if (!unused) {
      return Error{ErrorCode::kValidation, path + " has files but is not a Prejoin data directory"};
    }
    PJ_RETURN_IF_ERROR(WriteMarker(path, kCreatingLine));
    return DirectoryState::kCreating;
  }
  PJ_ASSIGN_OR_RETURN(const Marker marker, MarkerOf(path));
  PJ_RETURN_IF_ERROR(CheckKnown(path, marker, known_features));
  return marker.state;
}

Status CheckStoreDirectory(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path + "/" + kMarkerName, code)) {
    return Error{ErrorCode::kValidation, path + " is not a Prejoin data directory"};
  }
  PJ_RETURN_IF_ERROR(MarkerOf(path));
  return {};
}

Status MarkStoreDirectoryReady(const std::string& path) { return WriteMarker(path, kReadyLine); }

Status AddFeature(const std::string& path, const std::string& feature) {
  PJ_ASSIGN_OR_RETURN(Marker marker, MarkerOf(path));
  if (std::ranges::find(marker.features, feature) != marker.features.end()) {
    return {};
  }
  marker.features.push_back(feature);
  std::string content(kReadyLine);
  for (const std::string& needed : marker.features) {
    content.append(kNeeds).append(needed).push_back('\n');
  }
  return WriteMarker(path, content);
}

}  // namespace prejoin::storage
