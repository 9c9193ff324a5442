#include "studio/model_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/fingerprint.h"
#include "model/syntax/source_size.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

Error IoError(const std::string& what, const std::string& path) {
  return Error{ErrorCode::kIo, "cannot " + what + " " + path + ": " + std::strerror(errno)};
}

std::string VersionOf(std::string_view source) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string version;
  for (const char c : Fingerprint(source)) {
    const auto byte = static_cast<unsigned char>(c);
    version += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return version;
}

std::string DirectoryOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

Result<std::string> ReadAll(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return IoError("read", path);
  }
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while (text.size() <= model::kSourceBytesMax &&
         (count = std::fread(buffer, 1, sizeof(buffer), file)) > 0) {
    text.append(buffer, count);
  }
  // A directory opens like a file and fails only here.
  const bool failed = std::ferror(file) != 0;
  const Error error = IoError("read", path);
  std::fclose(file);
  if (failed) {
    return error;
  }
  const std::string_view fault = model::SourceSizeFault(text);
  if (!fault.empty()) {
    return Refuse(413, path + " " + std::string(fault));
  }
  return text;
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(fd) == 0;
}

// A new file beside the old one takes its place in one step, so a crash leaves either of the two.
Status Replace(const std::string& path, const std::string& text) {
  struct stat before {};
  if (stat(path.c_str(), &before) != 0) {
    return IoError("write", path);
  }
  std::string temporary = path + ".XXXXXX";
  const int fd = mkstemp(temporary.data());
  if (fd < 0) {
    return IoError("write beside", path);
  }
  const bool written = WriteAll(fd, text) && fchmod(fd, before.st_mode & 07777) == 0;
  const bool replaced = close(fd) == 0 && written && rename(temporary.c_str(), path.c_str()) == 0;
  if (replaced) {
    return {};
  }
  const Error error = IoError("write", path);
  unlink(temporary.c_str());
  return error;
}

}  // namespace

Result<std::unique_ptr<ModelFile>> ModelFile::Open(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) {
    return IoError("read", path);
  }
  const std::string_view given(path);
  std::unique_ptr<ModelFile> file(
      new ModelFile(resolved, std::string(given.substr(given.rfind('/') + 1))));
  PJ_RETURN_IF_ERROR(file->Read());
  return file;
}

Result<ModelFile::Contents> ModelFile::Read() const {
  PJ_ASSIGN_OR_RETURN(std::string source, ReadAll(path_));
  std::string version = VersionOf(source);
  const bool writable =
      ::access(path_.c_str(), W_OK) == 0 && ::access(DirectoryOf(path_).c_str(), W_OK) == 0;
  return Contents{std::move(source), std::move(version), writable};
}

Result<std::string> ModelFile::Save(const std::string& source, const std::string& version) {
  const MutexLock lock(mutex_);
  PJ_ASSIGN_OR_RETURN(const Contents now, Read());
  if (!now.writable) {
    return Refuse(403, name_ + " cannot be written by this server");
  }
  if (now.version != version) {
    return Refuse(409,
                  name_ +
                      " was changed by someone else since it was read; read it again and repeat "
                      "your change",
                  "FileChanged");
  }
  PJ_RETURN_IF_ERROR(Replace(path_, source));
  return VersionOf(source);
}

}  // namespace prejoin::studio
