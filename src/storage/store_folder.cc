#include "storage/store_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <rocksdb/file_system.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace prejoin::storage {
namespace {

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

// kUnavailable: there is no room.
Error SystemError(const std::string& what, int code) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return {full ? ErrorCode::kUnavailable : ErrorCode::kIo,
          what + ": " + std::generic_category().message(code)};
}

class FolderOnDisk final : public StoreFolder {
 public:
  using StoreFolder::StoreFolder;

  Status Create() override {
    std::error_code code;
    std::filesystem::create_directories(path(), code);
    return code ? Status(SystemError("cannot create " + path(), code.value())) : Status();
  }

  // A directory that an administrator made for a group stays as it is if it is not ours to change.
  void Protect() override { (void)chmod(path().c_str(), S_IRWXU); }

  Result<std::vector<Entry>> List() override {
    std::vector<Entry> entries;
    std::error_code code;
    std::filesystem::directory_iterator entry(path(), code);
    for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
      std::error_code no_file;
      const auto bytes = std::filesystem::file_size(entry->path(), no_file);
      entries.push_back({entry->path().filename().string(), no_file ? 0 : bytes});
    }
    if (code) {
      return SystemError("cannot read " + path(), code.value());
    }
    return entries;
  }

  bool Has(const std::string& name) override {
    std::error_code ignored;
    return std::filesystem::exists(path() + "/" + name, ignored);
  }

  Result<std::string> Read(const std::string& name, std::size_t bytes_max) override {
    const std::string full = path() + "/" + name;
    std::ifstream file(full, std::ios::binary);
    std::error_code code;
    const auto bytes = std::filesystem::file_size(full, code);
    if (code || !file.is_open()) {
      return Error{ErrorCode::kIo, "cannot read " + full};
    }
    std::string content(std::min<std::uintmax_t>(bytes, bytes_max), '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    if (file.gcount() != static_cast<std::streamsize>(content.size())) {
      return Error{ErrorCode::kIo, "cannot read " + full};
    }
    return content;
  }

  Status Replace(const std::string& name, std::string_view content) override {
    const std::string full = path() + "/" + name;
    const std::string temporary = full + ".new";
    {
      const FileDescriptor file(
          open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
      if (file.number() < 0) {
        return SystemError("cannot create " + temporary, errno);
      }
      errno = ENOSPC;  // A write that was cut short sets none.
      if (write(file.number(), content.data(), content.size()) !=
              static_cast<ssize_t>(content.size()) ||
          fsync(file.number()) != 0) {
        return SystemError("cannot write " + temporary, errno);
      }
    }
    if (rename(temporary.c_str(), full.c_str()) != 0) {
      return SystemError("cannot create " + full, errno);
    }
    const FileDescriptor directory(open(path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.number() < 0 || fsync(directory.number()) != 0) {
      return SystemError("cannot sync " + path(), errno);
    }
    return {};
  }

  Status Cut(const std::string& name, std::optional<std::uint64_t> bytes) override {
    const std::string full = path() + "/" + name;
    const FileDescriptor file(open(full.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0 || (bytes && ftruncate(file.number(), static_cast<off_t>(*bytes)) != 0) ||
        fsync(file.number()) != 0) {
      return SystemError("cannot write " + full, errno);
    }
    return {};
  }
};

class FolderElsewhere final : public StoreFolder {
 public:
  FolderElsewhere(std::shared_ptr<rocksdb::FileSystem> files, const std::string& path)
      : StoreFolder(path), files_(std::move(files)) {}

  Status Create() override {
    return Checked("create", "", files_->CreateDirIfMissing(path(), {}, nullptr));
  }

  Result<std::vector<Entry>> List() override {
    std::vector<std::string> names;
    PJ_RETURN_IF_ERROR(Checked("read", "", files_->GetChildren(path(), {}, &names, nullptr)));
    std::vector<Entry> entries;
    for (std::string& name : names) {
      std::uint64_t bytes = 0;
      (void)files_->GetFileSize(path() + "/" + name, {}, &bytes, nullptr);
      entries.push_back({std::move(name), bytes});
    }
    return entries;
  }

  bool Has(const std::string& name) override {
    return files_->FileExists(path() + "/" + name, {}, nullptr).ok();
  }

  Result<std::string> Read(const std::string& name, std::size_t bytes_max) override {
    std::unique_ptr<rocksdb::FSSequentialFile> file;
    PJ_RETURN_IF_ERROR(
        Checked("read", name, files_->NewSequentialFile(path() + "/" + name, {}, &file, nullptr)));
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
    std::string content;
    std::string scratch(kPieceBytes, '\0');
    while (content.size() < bytes_max) {
      rocksdb::Slice piece;
      PJ_RETURN_IF_ERROR(Checked("read", name,
                                 file->Read(std::min(kPieceBytes, bytes_max - content.size()), {},
                                            &piece, scratch.data(), nullptr)));
      if (piece.empty()) {
        break;
      }
      content.append(piece.data(), piece.size());
    }
    return content;
  }

  Status Replace(const std::string& name, std::string_view content) override {
    const std::string full = path() + "/" + name;
    std::unique_ptr<rocksdb::FSWritableFile> file;
    rocksdb::IOStatus status = files_->NewWritableFile(full + ".new", {}, &file, nullptr);
    if (status.ok()) {
      status = file->Append({content.data(), content.size()}, {}, nullptr);
    }
    if (status.ok()) {
      status = file->Sync({}, nullptr);
    }
    if (status.ok()) {
      status = file->Close({}, nullptr);
    }
    if (status.ok()) {
      status = files_->RenameFile(full + ".new", full, {}, nullptr);
    }
    return Checked("write", name, status);
  }

  Status Cut(const std::string& name, std::optional<std::uint64_t> bytes) override {
    return bytes
               ? Checked("write", name, files_->Truncate(path() + "/" + name, *bytes, {}, nullptr))
               : Status();
  }

 private:
  Status Checked(const std::string& what, const std::string& name,
                 const rocksdb::IOStatus& status) const {
    return status.ok() ? Status()
                       : Error{ErrorCode::kIo, "cannot " + what + " " + path() +
                                                   (name.empty() ? "" : "/" + name) + ": " +
                                                   status.ToString()};
  }

  const std::shared_ptr<rocksdb::FileSystem> files_;
};

}  // namespace

std::unique_ptr<StoreFolder> DiskFolder(const std::string& path) {
  return std::make_unique<FolderOnDisk>(path);
}

std::unique_ptr<StoreFolder> FolderOf(std::shared_ptr<rocksdb::FileSystem> files,
                                      const std::string& path) {
  return std::make_unique<FolderElsewhere>(std::move(files), path);
}

}  // namespace prejoin::storage
