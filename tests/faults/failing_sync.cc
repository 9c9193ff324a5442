// Preloaded into the server by tests/faults/bad_disk_test.py. While the file that PREJOIN_TEST_SYNC_FAILS names exists, syncing a regular file
// fails with EIO, as it does on a disk that lost what it had taken.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

using SyncFunction = int (*)(int);

int SyncUnlessItFails(const char* function, int file) {
  const char* switch_path = std::getenv("PREJOIN_TEST_SYNC_FAILS");
  struct stat status {};
  if (switch_path != nullptr && access(switch_path, F_OK) == 0 && fstat(file, &status) == 0 &&
      S_ISREG(status.st_mode)) {
    errno = EIO;
    return -1;
  }
  return reinterpret_cast<SyncFunction>(dlsym(RTLD_NEXT, function))(file);
}

}  // namespace

extern "C" int fsync(int file) { return SyncUnlessItFails("fsync", file); }
extern "C" int fdatasync(int file) { return SyncUnlessItFails("fdatasync", file); }
