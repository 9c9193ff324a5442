#include "storage/info_log.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>

namespace prejoin::storage {
namespace {

constexpr std::size_t kInfoLineBytesMax = 16 * 1024;

}  // namespace

void InfoLog::Logv(const char* format, va_list arguments) {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  gmtime_r(&now, &date);
  std::array<char, kInfoLineBytesMax> message{};
  const int size = std::vsnprintf(message.data(), message.size(), format, arguments);
  if (size < 0) {
    return;
  }
  std::array<char, 32> moment{};
  std::string line(moment.data(),
                   std::strftime(moment.data(), moment.size(), "%Y/%m/%d-%H:%M:%S ", &date));
  line.append(message.data(), std::min(static_cast<std::size_t>(size), message.size() - 1));
  if (!line.ends_with('\n')) {
    line += '\n';
  }
  const MutexLock lock(mutex_);
  if (file_ != nullptr && file_->Append(line, rocksdb::IOOptions(), nullptr).ok()) {
    bytes_ += line.size();
  }
}

rocksdb::Status InfoLog::CloseImpl() {
  const MutexLock lock(mutex_);
  if (file_ != nullptr) {
    (void)file_->Close(rocksdb::IOOptions(), nullptr);
    file_.reset();
  }
  return rocksdb::Status::OK();
}

}  // namespace prejoin::storage
