#include "server/log.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "json/writer.h"

namespace prejoin::server {
namespace {

constexpr std::size_t kQueueBytesMax = 1024 * 1024;

constexpr std::array<std::string_view, 5> kLevelNames = {"debug", "info", "warning", "error",
                                                         "off"};

std::string Timestamp(std::int64_t now_ms) {
  const std::time_t seconds = now_ms / 1000;
  tm parts;
  gmtime_r(&seconds, &parts);
  std::array<char, 48> text;
  std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  length += static_cast<std::size_t>(std::snprintf(text.data() + length, text.size() - length,
                                                   ".%03dZ", static_cast<int>(now_ms % 1000)));
  return std::string(text.data(), length);
}

void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return;  // There is nobody left to report it to.
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::optional<LogLevel> ParseLogLevel(std::string_view name) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) {
      return static_cast<LogLevel>(i);
    }
  }
  return std::nullopt;
}

Log::Log(int fd, LogLevel level, const Clock& clock)
    : fd_(fd), level_(level), clock_(clock), writer_([this] { WriteQueued(); }) {}

Log::~Log() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  writer_.join();
}

void Log::Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!Enabled(level) || level == LogLevel::kOff) {
    return;
  }
  std::string line;
  {
    json::ObjectWriter object(line);
    object.String("time", Timestamp(clock_.NowMs()));
    object.String("level", kLevelNames[static_cast<std::size_t>(level)]);
    object.String("event", event);
    for (const LogField& field : fields) {
      if (const auto* text = std::get_if<std::string_view>(&field.value)) {
        object.String(field.name, *text);
      } else {
        object.Integer(field.name, std::get<std::int64_t>(field.value));
      }
    }
  }
  line += '\n';
  MutexLock lock(mutex_);
  if (queue_.size() + line.size() > kQueueBytesMax) {
    ++dropped_;
    return;
  }
  const bool was_empty = queue_.empty();
  queue_ += line;
  if (was_empty) {
    changed_.notify_one();
  }
}

void Log::WriteQueued() {
  std::string text;
  while (true) {
    std::uint64_t dropped = 0;
    {
      MutexLock lock(mutex_);
      while (queue_.empty() && !stopping_) {
        lock.Wait(changed_);
      }
      if (queue_.empty()) {
        return;
      }
      text.clear();
      text.swap(queue_);
      std::swap(dropped, dropped_);
    }
    WriteAll(fd_, text);
    if (dropped > 0) {
      WriteAll(fd_, "{\"level\":\"warning\",\"event\":\"log lines dropped\",\"count\":" +
                        std::to_string(dropped) + "}\n");
    }
  }
}

}  // namespace prejoin::server
