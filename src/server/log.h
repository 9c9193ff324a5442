// Structured logs: one JSON object a line.
#ifndef PREJOIN_SERVER_LOG_H_
#define PREJOIN_SERVER_LOG_H_

#include <condition_variable>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "base/mutex.h"
#include "prejoin/clock.h"

namespace prejoin::server {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

std::optional<LogLevel> ParseLogLevel(std::string_view name);

struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::int64_t> value;
};

// Lines are queued and written by a thread of their own, so that a reader of our standard error who
// stops reading stops nobody else; what does not fit into the queue is dropped and counted.
// Thread-safe.
class Log {
 public:
  // Writes to `fd`, which stays the caller's.
  Log(int fd, LogLevel level, const Clock& clock);
  // Writes what is queued.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool Enabled(LogLevel level) const { return level >= level_; }
  void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

  void Info(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kInfo, event, fields);
  }
  void Warning(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kWarning, event, fields);
  }
  void Error(std::string_view event, std::initializer_list<LogField> fields = {}) {
    Write(LogLevel::kError, event, fields);
  }

 private:
  void WriteQueued();

  const int fd_;
  const LogLevel level_;
  const Clock& clock_;

  Mutex mutex_;
  std::condition_variable changed_;
  std::string queue_ PJ_GUARDED_BY(mutex_);
  std::uint64_t dropped_ PJ_GUARDED_BY(mutex_) = 0;
  bool stopping_ PJ_GUARDED_BY(mutex_) = false;

  std::thread writer_;  // Declared last: it uses everything above.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_LOG_H_
