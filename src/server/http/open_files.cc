#include "server/http/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace prejoin::server {

void RaiseOpenFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return;
  }
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);  // If it fails, the old limit is still true.
}

std::size_t ConnectionsAllowed() {
  constexpr std::size_t kMost = 100'000;  // Each may hold a header of 16 KB.
  constexpr std::size_t kReservedFilesMin = 128;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return 512;
  }
  const auto files = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 4 * kMost));
  // The store, the logs and the loops need some too, however few there are.
  const std::size_t reserved = std::max(files / 4, kReservedFilesMin);
  return std::clamp<std::size_t>(files - std::min(files, reserved), 16, kMost);
}

}  // namespace prejoin::server
