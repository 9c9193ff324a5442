#include "engine/verify/verify_directory.h"

#include <cstddef>
#include <cstdint>

#include "cells/cell_folder.h"
#include "storage/log_check.h"
#include "storage/rocks_store.h"
#include "storage/store_folder.h"

namespace prejoin::engine {
namespace {

// The file's name, with that of its cell where there are several.
std::string NameIn(const cells::CellFolder& folder, const std::string& file) {
  return folder.feature.empty() ? file : folder.path.substr(folder.path.rfind('/') + 1) + "/" + file;
}

void VerifyFiles(const cells::CellFolder& folder, FunctionRef<void(const std::string&)> progress,
                 VerifyReport& report) {
  std::size_t in_folder = 0;
  const auto files = storage::CheckTableFiles(
      folder.path,
      [&](std::size_t done, std::size_t count) {
        progress("checksums: file " + NameIn(folder, std::to_string(done + 1)) + " of " + std::to_string(count));
        in_folder = count;
      },
      folder.feature);
  report.counts["table files"] += in_folder;
  if (!files) {
    report.Find("table files", files.error().message);
    return;
  }
  for (const storage::DamagedFile& file : *files) {
    report.Find("file " + NameIn(folder, file.file), file.what);
  }
}

void VerifyLogs(const cells::CellFolder& folder, VerifyReport& report) {
  const auto found = storage::FindLogBreak(*storage::DiskFolder(folder.path));
  if (!found) {
    report.Find("logs", found.error().message);
  } else if (*found && (*found)->acknowledged) {
    report.Find("log " + NameIn(folder, (*found)->file), (*found)->what);
  }
}

}  // namespace

Status VerifyDirectory(const std::string& path, FunctionRef<void(const std::string&)> progress,
                       FunctionRef<void(storage::Store&)> also, VerifyReport& report) {
  PJ_ASSIGN_OR_RETURN(const auto folders, cells::CellFoldersIn(path));
  const auto verify_files = [&] {
    for (const cells::CellFolder& folder : folders) {
      VerifyLogs(folder, report);
      VerifyFiles(folder, progress, report);
    }
  };
  // Opened first: that rejects a directory that is in use or is not one of our data directories.
  const Status read = cells::ReadCells(path, [&](storage::Store& store) -> Status {
    verify_files();
    VerifyStore(
        store, [&](std::uint64_t count) { progress("records: " + std::to_string(count)); }, report);
    also(store);
    return {};
  });
  if (read || read.error().code != ErrorCode::kCorruption) {
    return read;
  }
  // It cannot be opened. The files can still be looked at one by one.
  report.Find("directory", read.error().message);
  verify_files();
  return {};
}

}  // namespace prejoin::engine
