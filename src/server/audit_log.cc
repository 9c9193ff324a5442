#include "server/audit_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "json/writer.h"

namespace prejoin::server {
namespace {

std::string_view VerdictText(access::Verdict verdict) {
  switch (verdict) {
    case access::Verdict::kAllowed:
      return "allowed";
    case access::Verdict::kDenied:
      return "denied by a statement";
    case access::Verdict::kNotAllowed:
      return "not allowed";
    case access::Verdict::kNotInBoundary:
      return "not in the boundary";
    case access::Verdict::kNotInSession:
      return "not in the session policy";
  }
  return "";
}

std::string TimeOf(const Clock& clock) {
  const std::int64_t now_ms = clock.NowMs();
  const std::time_t seconds = now_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[48];
  std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  size += static_cast<std::size_t>(
      std::snprintf(text + size, sizeof(text) - size, ".%03dZ", static_cast<int>(now_ms % 1000)));
  return std::string(text, size);
}

// A hundred items of one kind are one line: what differs between them are keys, which are values.
void AppendDecisions(const std::vector<access::DecisionNote>& decisions, std::string& out) {
  out += '[';
  const access::DecisionNote* last = nullptr;
  for (const access::DecisionNote& note : decisions) {
    if (last != nullptr && last->action == note.action && last->resource == note.resource &&
        last->verdict == note.verdict && last->statement == note.statement) {
      continue;
    }
    if (last != nullptr) {
      out += ',';
    }
    last = &note;
    json::ObjectWriter object(out);
    object.String("action", note.action);
    object.String("resource", note.resource);
    object.String("decision", VerdictText(note.verdict));
    if (!note.policy.empty()) {
      object.String("policy", note.policy);
    }
    if (!note.statement.empty()) {
      object.String("statement", note.statement);
    }
  }
  out += ']';
}

}  // namespace

Result<std::unique_ptr<AuditLog>> AuditLog::Open(const AuditOptions& options, const Clock& clock,
                                                 Log* log) {
  std::unique_ptr<AuditLog> audit(new AuditLog(options, clock, log));
  MutexLock lock(audit->mutex_);
  PJ_RETURN_IF_ERROR(audit->OpenFile());
  return audit;
}

AuditLog::~AuditLog() {
  MutexLock lock(mutex_);
  if (fd_ >= 0) {
    close(fd_);
  }
}

Status AuditLog::OpenFile() {
  fd_ = open(options_.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd_ < 0) {
    return Error{ErrorCode::kIo,
                 "cannot write the audit log " + options_.path + ": " + std::strerror(errno)};
  }
  struct stat found {};
  bytes_ = fstat(fd_, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
  return {};
}

void AuditLog::Rotate() {
  if (fd_ >= 0) {
    close(fd_);
  }
  is_torn_ = false;
  for (int number = options_.files_max - 1; number >= 1; --number) {
    const std::string from =
        number == 1 ? options_.path : options_.path + "." + std::to_string(number - 1);
    std::rename(from.c_str(), (options_.path + "." + std::to_string(number)).c_str());
  }
  (void)OpenFile();  // The next line tries again.
}

bool AuditLog::WriteLine(std::string_view line) {
  if (fd_ < 0 && !OpenFile()) {
    return false;
  }
  const std::string text = (is_torn_ ? "\n" : "") + std::string(line);
  const ssize_t written = write(fd_, text.data(), text.size());
  if (written > 0) {
    bytes_ += static_cast<std::uint64_t>(written);
  }
  const bool is_whole = written == static_cast<ssize_t>(text.size());
  // The next line begins on a line of its own.
  if (is_whole || written > 0) {
    is_torn_ = !is_whole;
  }
  if (!is_whole && written >= 0) {
    errno = ENOSPC;
  }
  return is_whole;
}

void AuditLog::ReportLoss(int error) {
  lost_.fetch_add(1, std::memory_order_relaxed);
  if (!is_failing_ && log_ != nullptr) {
    log_->Error("audit lines cannot be written",
                {{"path", options_.path},
                 {"reason", std::string_view(std::strerror(error))},
                 {"requests", options_.on_failure == AuditFailure::kRefuse ? "refused" : "go on"}});
  }
  is_failing_ = true;
}

// The file itself says that lines are missing from it.
bool AuditLog::ReportRecovery() {
  const std::uint64_t lost = lost_.load(std::memory_order_relaxed);
  std::string line;
  {
    json::ObjectWriter object(line);
    object.String("time", TimeOf(clock_));
    object.Integer("lost", static_cast<std::int64_t>(lost - reported_));
  }
  if (!WriteLine(line + "\n")) {
    return false;
  }
  if (log_ != nullptr) {
    log_->Warning("audit lines are written again",
                  {{"path", options_.path}, {"lost", static_cast<std::int64_t>(lost - reported_)}});
  }
  reported_ = lost;
  is_failing_ = false;
  return true;
}

bool AuditLog::Append(std::string_view line) {
  MutexLock lock(mutex_);
  if (bytes_ + line.size() > options_.bytes_max && bytes_ > 0) {
    Rotate();
  }
  if ((!is_failing_ || ReportRecovery()) && WriteLine(line)) {
    return true;
  }
  ReportLoss(errno);
  return false;
}

Status AuditLog::Begin(const access::RequestAccess& access, std::string_view operation) {
  if (options_.on_failure == AuditFailure::kCount) {
    return {};
  }
  std::string line;
  {
    json::ObjectWriter object(line);
    object.String("time", TimeOf(clock_));
    object.String("who", access.principal().caller.arn);
    object.String("key", access.principal().access_key_id);
    object.String("from", access.facts().source_ip);
    object.String("begins", operation);
  }
  line += '\n';
  if (Append(line)) {
    return {};
  }
  return Error{
      ErrorCode::kUnavailable,
      "The request was not run: its line in the audit log cannot be written. Make room, or "
      "start the server with --audit-failure count"};
}

void AuditLog::Note(const access::RequestAccess& access, std::string_view operation, int status) {
  std::string line;
  {
    json::ObjectWriter object(line);
    object.String("time", TimeOf(clock_));
    object.String("who", access.principal().caller.arn);
    object.String("key", access.principal().access_key_id);
    object.String("from", access.facts().source_ip);
    object.String("operation", operation);
    object.Integer("status", status);
    AppendDecisions(access.decisions(), object.Name("decisions"));
  }
  line += '\n';
  (void)Append(line);
}

void AuditLog::NoteRefused(std::string_view source_ip, std::string_view reason) {
  std::string line;
  {
    json::ObjectWriter object(line);
    object.String("time", TimeOf(clock_));
    object.String("from", source_ip);
    object.String("refused", reason);
  }
  line += '\n';
  (void)Append(line);
}

}  // namespace prejoin::server
