#include "storage/log_register.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
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

// Cuts a number and the character behind it off the front.
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
                          ", which says which logs must be there, is damaged. Nothing was changed. "
                          "Restore it from a copy of the directory, or write it anew from "
                          "the logs that are there with: prejoin repair " +
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

void LogRegister::Forget(std::uint64_t number) {
  const MutexLock lock(mutex_);
  sizes_.erase(number);
}

}  // namespace prejoin::storage
