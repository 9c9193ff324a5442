#include "server/http/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace prejoin::server {

void RaiseOpenFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);  // If it fails, the old limit is still true.
}

std::size_t ConnectionsAllowed() {
  constexpr std::size_t kMost = 100'000;  // Each may hold a header of 16 KB.
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 512;
  const auto files = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 4 * kMost));
  return std::clamp<std::size_t>(files - files / 4, 16, kMost);
}

}  // namespace prejoin::server
