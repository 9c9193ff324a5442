// The audit log: who asked for what, and what decided. One JSON object a line; no values of items.
#ifndef PREJOIN_SERVER_AUDIT_LOG_H_
#define PREJOIN_SERVER_AUDIT_LOG_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "access/request_access.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "prejoin/result.h"

namespace prejoin::server {

struct AuditOptions {
  std::string path;
  std::uint64_t bytes_max = std::uint64_t{100} << 20;  // Of one file.
  int files_max = 10;                                  // PATH, PATH.1, … the oldest goes.
};

// Lines go straight to the file, which grows by appending only. Thread-safe.
class AuditLog {
 public:
  // `clock` outlives this object. kIo if the file cannot be written.
  static Result<std::unique_ptr<AuditLog>> Open(const AuditOptions& options, const Clock& clock);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  void Note(const access::RequestAccess& access, std::string_view operation, int status)
      PJ_EXCLUDES(mutex_);
  // A request that was not let in.
  void NoteRefused(std::string_view source_ip, std::string_view reason) PJ_EXCLUDES(mutex_);

 private:
  AuditLog(const AuditOptions& options, const Clock& clock) : options_(options), clock_(clock) {}
  Status OpenFile() PJ_REQUIRES(mutex_);
  void Rotate() PJ_REQUIRES(mutex_);
  void Append(std::string_view line) PJ_EXCLUDES(mutex_);

  const AuditOptions options_;
  const Clock& clock_;

  Mutex mutex_;
  int fd_ PJ_GUARDED_BY(mutex_) = -1;
  std::uint64_t bytes_ PJ_GUARDED_BY(mutex_) = 0;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_AUDIT_LOG_H_
