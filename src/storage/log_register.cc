#include "storage/log_register.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "storage/crc32c.h"

namespace prejoin::storage {
namespace {

constexpr std::string_view kRegisterHead = "prejoin logs 1\n";
constexpr std::string_view kRegisterEnd = "end ";
constexpr std::size_t kRegisterBytesMax = std::size_t{1} << 20;

std::string ChecksumLine(std::string_view content) {
  char line[16];
  std::snprintf(line, sizeof(line), "%08x\n", Crc32c(content));
  return std::string(kRegisterEnd) + line;
}

// "NUMBER BYTES CRC\n", always of the same length: it is written over the one before.
std::string SyncedLine(std::uint64_t number, std::uint64_t bytes) {
  char line[64];
  const int size =
      std::snprintf(line, sizeof(line), "%020llu %020llu ", static_cast<unsigned long long>(number),
                    static_cast<unsigned long long>(bytes));
  const std::string text(line, static_cast<std::size_t>(size));
  std::snprintf(line, sizeof(line), "%08x\n", Crc32c(text));
  return text + line;
}

// Cuts a number and the character after it off the front.
bool CutNumber(std::string_view& text, char behind, std::uint64_t& number) {
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto size = static_cast<std::size_t>(at - text.data());
  if (error != std::errc() || size >= text.size() || text[size] != behind) {
    return false;
  }
  text.remove_prefix(size + 1);
  return true;
}

}  // namespace

std::string LogFileName(std::uint64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 6 ? 6 - digits.size() : 0, '0');
  return digits + ".log";
}

Result<LogSizes> ReadLogRegister(StoreFolder& folder) {
  LogSizes sizes;
  if (!folder.Has(kLogRegisterName)) {
    return sizes;
  }
  const Error damaged{ErrorCode::kCorruption,
                      "cannot open " + folder.path() + ": the file " + kLogRegisterName +
                          ", which lists the logs that must exist, is damaged. Nothing was changed. "
                          "Restore it from a copy of the directory, or rewrite it from "
                          "the existing logs with: prejoin repair " +
                          folder.path()};
  PJ_ASSIGN_OR_RETURN(const std::string content, folder.Read(kLogRegisterName, kRegisterBytesMax));
  const std::size_t end = content.rfind(kRegisterEnd);
  if (end == std::string::npos ||
      content.substr(end) != ChecksumLine(std::string_view(content).substr(0, end))) {
    return damaged;
  }
  std::string_view rest = std::string_view(content).substr(0, end);
  if (!rest.starts_with(kRegisterHead)) {
    return damaged;
  }
  rest.remove_prefix(kRegisterHead.size());
  while (!rest.empty()) {
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
    if (!CutNumber(rest, ' ', number) || !CutNumber(rest, '\n', bytes)) {
      return damaged;
    }
    sizes[number] = bytes;
  }
  return sizes;
}

Result<LogSizes> ReadKnownLogs(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(LogSizes sizes, ReadLogRegister(folder));
  if (!folder.Has(kSyncedName)) {
    return sizes;
  }
  const std::size_t line_bytes = SyncedLine(0, 0).size();
  const auto content = folder.Read(kSyncedName, line_bytes);
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;
  std::string_view rest = content ? std::string_view(*content) : std::string_view();
  // Whatever a power failure made of the line: then the register is all that is known.
  if (!CutNumber(rest, ' ', number) || !CutNumber(rest, ' ', bytes) ||
      *content != SyncedLine(number, bytes)) {
    return sizes;
  }
  if (const auto known = sizes.find(number); known != sizes.end()) {
    known->second = std::max(known->second, bytes);
  }
  return sizes;
}

void ForgetSynced(StoreFolder& folder) {
  std::error_code ignored;
  std::filesystem::remove(std::filesystem::path(folder.path()) / kSyncedName, ignored);
}

Status WriteLogRegister(StoreFolder& folder, const LogSizes& sizes) {
  std::string content(kRegisterHead);
  for (const auto& [number, bytes] : sizes) {
    content += std::to_string(number) + " " + std::to_string(bytes) + "\n";
  }
  content += ChecksumLine(content);
  return folder.Replace(kLogRegisterName, content);
}

Status LogRegister::Note(std::uint64_t number, std::uint64_t bytes) {
  const MutexLock lock(mutex_);
  LogSizes next = sizes_;
  next[number] = std::max(next[number], bytes);
  PJ_RETURN_IF_ERROR(WriteLogRegister(folder_, next));
  sizes_ = std::move(next);
  return {};
}

LogRegister::~LogRegister() {
  const MutexLock lock(mutex_);
  if (synced_file_ >= 0) {
    close(synced_file_);
  }
}

void LogRegister::NoteSynced(std::uint64_t number, std::uint64_t bytes) {
  const std::string line = SyncedLine(number, bytes);
  const MutexLock lock(mutex_);
  if (number < synced_number_) {
    return;  // An older log is closed. The next one shows whether it is whole.
  }
  synced_number_ = number;
  if (synced_file_ < 0) {
    const std::string path = folder_.path() + "/" + kSyncedName;
    synced_file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  }
  (void)!pwrite(synced_file_, line.data(), line.size(), 0);
}

void LogRegister::Forget(std::uint64_t number) {
  const MutexLock lock(mutex_);
  sizes_.erase(number);
}

}  // namespace prejoin::storage
