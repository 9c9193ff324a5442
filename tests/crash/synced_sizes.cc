// Preloaded into the server by tests/crash/run --power-loss. Writes down, for every file that is
// synced, how long it was when the sync began: what a power failure is sure to leave. One line
// "LENGTH PATH" each, in the file that PREJOIN_SYNCED_SIZES names, before the caller learns that
// its sync is done.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

namespace {

using SyncFunction = int (*)(int);

int JournalFile() {
  static const int file = [] {
    const char* path = std::getenv("PREJOIN_SYNCED_SIZES");
    return path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
  }();
  return file;
}

int SyncAndNote(const char* function, int file) {
  const auto real = reinterpret_cast<SyncFunction>(dlsym(RTLD_NEXT, function));
  // Before the sync: what others append while it runs is not covered by it.
  struct stat before {};
  const bool known = fstat(file, &before) == 0 && S_ISREG(before.st_mode);
  const int result = real(file);
  if (result != 0 || !known || JournalFile() < 0) {
    return result;
  }
  char link[64];
  char path[PATH_MAX];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof(path));
  if (length <= 0) {
    return result;
  }
  char line[PATH_MAX + 32];
  const int size =
      std::snprintf(line, sizeof(line), "%lld %.*s\n", static_cast<long long>(before.st_size),
                    static_cast<int>(length), path);
  // One write() with O_APPEND, so that lines of several threads do not mix.
  if (write(JournalFile(), line, static_cast<std::size_t>(size)) != size) {
    std::abort();
  }
  return result;
}

}  // namespace

extern "C" int fsync(int file) { return SyncAndNote("fsync", file); }
extern "C" int fdatasync(int file) { return SyncAndNote("fdatasync", file); }
