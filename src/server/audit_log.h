// The audit log: who requested what, and which policy decided. One JSON object a line; no values of items.
#ifndef PREJOIN_SERVER_AUDIT_LOG_H_
#define PREJOIN_SERVER_AUDIT_LOG_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "access/request_access.h"
#include "base/mutex.h"
#include "prejoin/clock.h"
#include "prejoin/result.h"
#include "server/log.h"

namespace prejoin::server {

// The handling of requests while lines cannot be written: a full disk, a missing directory.
enum class AuditFailure {
  kCount,   // They are answered; the lost lines are counted and reported.
  kRefuse,  // Each request has a line before it runs, and is refused if that cannot be written.
};

struct AuditOptions {
  std::string path;
  std::uint64_t bytes_max = std::uint64_t{100} << 20;  // The limit for one file.
  int files_max = 10;                                  // PATH, PATH.1, … the oldest goes.
  AuditFailure on_failure = AuditFailure::kCount;
};

// Lines go straight to the file, which grows by appending only. Thread-safe.
class AuditLog {
 public:
  // `clock` and `log`, which may be null, outlive this object. kIo if the file cannot be written.
  static Result<std::unique_ptr<AuditLog>> Open(const AuditOptions& options, const Clock& clock,
                                                Log* log = nullptr);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // Before a request runs. kUnavailable if it must not, because its line cannot be written.
  Status Begin(const access::RequestAccess& access, std::string_view operation) PJ_EXCLUDES(mutex_);
  void Note(const access::RequestAccess& access, std::string_view operation, int status)
      PJ_EXCLUDES(mutex_);
  // A request that was not let in.
  void NoteRefused(std::string_view source_ip, std::string_view reason) PJ_EXCLUDES(mutex_);

  // The number of lines that could not be written, for metrics.
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  AuditLog(const AuditOptions& options, const Clock& clock, Log* log)
      : options_(options), clock_(clock), log_(log) {}
  Status OpenFile() PJ_REQUIRES(mutex_);
  void Rotate() PJ_REQUIRES(mutex_);
  // False, and the line counts as lost, if it is not in the file as a whole.
  bool Append(std::string_view line) PJ_EXCLUDES(mutex_);
  bool WriteLine(std::string_view line) PJ_REQUIRES(mutex_);
  void ReportLoss(int error) PJ_REQUIRES(mutex_);
  bool ReportRecovery() PJ_REQUIRES(mutex_);

  const AuditOptions options_;
  const Clock& clock_;
  Log* const log_;
  std::atomic<std::uint64_t> lost_ = 0;

  Mutex mutex_;
  int fd_ PJ_GUARDED_BY(mutex_) = -1;
  std::uint64_t bytes_ PJ_GUARDED_BY(mutex_) = 0;
  std::uint64_t reported_ PJ_GUARDED_BY(mutex_) = 0;  // Lost lines that the file already mentions.
  bool is_failing_ PJ_GUARDED_BY(mutex_) = false;
  bool is_torn_ PJ_GUARDED_BY(mutex_) = false;  // The file ends within a line.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_AUDIT_LOG_H_
