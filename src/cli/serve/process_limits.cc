#include "cli/serve/process_limits.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "cli/verb.h"
#include "storage/unwatched.h"

namespace prejoin::cli {
namespace {

bool IsLimited(int resource) {
  rlimit limit{};
  return getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0 &&
         limit.rlim_cur != RLIM_INFINITY;
}

// Nothing here may allocate.
void SayOutOfMemory() {
  const char* advice = IsLimited(RLIMIT_AS)
                           ? "Raise the limit of address space (ulimit -v).\n"
                           : "Give the process more memory, or a smaller cache (--cache-mb).\n";
  std::fputs("prejoin: out of memory. Every write that was acknowledged is kept. ", stderr);
  std::fputs(advice, stderr);
}

void SayNoThread(const std::system_error& error) {
  std::fprintf(stderr,
               "prejoin: the system refused a thread or another resource: %s. Every write that was "
               "acknowledged is kept. Raise the limits of processes and address space (ulimit -u, "
               "ulimit -v), or start with fewer threads (--threads).\n",
               error.what());
}

// An exception that nobody caught, on any thread; RocksDB's own among them.
[[noreturn]] void EndOnException() {
  try {
    if (const std::exception_ptr current = std::current_exception()) {
      std::rethrow_exception(current);
    }
  } catch (const std::bad_alloc&) {
    SayOutOfMemory();
    _exit(kCouldNotRun);
  } catch (const std::system_error& error) {
    SayNoThread(error);
    _exit(kCouldNotRun);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "prejoin: unexpected exception: %s\n", error.what());
  } catch (...) {
    std::fputs("prejoin: unexpected exception\n", stderr);
  }
  std::abort();
}

// Runs when memory is refused, before the exception. RocksDB would end the process by an assertion while the exception passes through it.
void EndOrThrow() {
  if (storage::IsInsideRocksDb()) {
    SayOutOfMemory();
    _exit(kCouldNotRun);
  }
  throw std::bad_alloc();
}

void WatchMemoryBeforeMain() { std::set_terminate(EndOnException); }

// Objects that are made before main may be refused memory, too, those of shared libraries among them: this comes before them all.
[[gnu::section(".preinit_array"), gnu::used]] void (*const kBeforeAll)() = WatchMemoryBeforeMain;

}  // namespace

int RunWithinLimits(FunctionRef<int()> program) {
  signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(EndOnException);
  std::set_new_handler(EndOrThrow);
  try {
    return program();
  } catch (const std::bad_alloc&) {
    SayOutOfMemory();
  } catch (const std::system_error& error) {
    SayNoThread(error);
  }
  return kCouldNotRun;
}

}  // namespace prejoin::cli
